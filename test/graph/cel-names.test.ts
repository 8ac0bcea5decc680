/** Channels may have names that CEL uses itself. */
import { expect, test } from 'vitest'
import { safeParseSpec } from '../../src/core/graph/spec/read.ts'
import { whenCompiler } from '../../src/core/graph/cel/when.ts'

const specWith = (channel: string, when: string) => ({
  escapement: 1,
  id: 'x',
  start: 'A',
  channels: { [channel]: { type: 'array' } },
  nodes: {
    A: { use: 'pass', in: [channel], when: { some: when }, on: { done: 'E', 'done.some': 'E' } },
    E: { final: 'success' },
  },
})

test.each(['list', 'map', 'type', 'string', 'int', 'optional', 'google'])(
  'a channel named %s can be used in a condition',
  name => {
    expect(safeParseSpec(specWith(name, `${name}.size() > 0`)).success).toBe(true)
    const { evaluate } = whenCompiler([name, 'other'])(`${name}[0].list == 7 && other == 3`)
    expect(evaluate?.(of => (of === name ? [{ list: 7 }] : 3))).toBe(true)
  },
)

test('a channel named by a reserved word is accepted, and a condition with it has a fault', () => {
  expect(safeParseSpec(specWith('loop', 'output == null')).success).toBe(true)
  const { error } = safeParseSpec(specWith('loop', 'loop == null')) as { error?: Error }
  expect(error?.message).toBe(
    'nodes.A.when.some: CEL: Reserved identifier: loop at column 1 of `loop == null`',
  )
})

test('a fault cites at most 80 characters of the condition', () => {
  const deep = `${'('.repeat(9_000)}1${')'.repeat(9_000)}`
  const { fault } = whenCompiler([])(deep)
  expect(fault).toMatch(/^CEL: Exceeded maxDepth.* of `\({80}…`$/)
  const unary = whenCompiler(['a'])(`${'!'.repeat(50_000)}true`)
  expect(unary.fault).toMatch(/^CEL: is nested too deep in `!{80}…`$/)
  const pattern = whenCompiler([])(`'${'a'.repeat(90)}'.matches('(')`)
  expect(pattern.fault).toMatch(/ in `'a{79}…`$/)
})
