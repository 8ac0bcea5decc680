/** Values from code that are nested too deep are faults with a path, as in a file. */
import { describe, expect, it } from 'vitest'
import { parseSpec, safeParseSpec } from '../src/core/graph/spec/read.ts'
import { type Json, notJsonAt } from '../src/core/watch/data/json.ts'
import { createAgent, defineGraph, isInvalidSpec, lint, tool } from '../src/index.ts'
import { modelOf } from '../src/testing.ts'
import { isInvalidPolicy, watchdog } from '../src/watchdog.ts'
import { newDesks } from './cli/desk.ts'

/** A value that is nested around another one. */
function nested(levels: number, around: (inner: unknown) => unknown, innermost: unknown = 1) {
  let value = innermost
  for (let level = 0; level < levels; level++) value = around(value)
  return value
}

const lists = (levels: number) => nested(levels, inner => [inner])
const maps = (levels: number) => nested(levels, a => ({ a })) as object
const schema = (levels: number) =>
  nested(levels, items => ({ type: 'array', items }), {}) as Readonly<Record<string, unknown>>

const NODES = { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } }
const GRAPH = { id: 'g', start: 'A', nodes: NODES }
const SPEC = { escapement: 1, ...GRAPH }
const CALL = { use: 'tool', tool: 't', on: { done: 'E', error: 'E' } }

const children = (levels: number) =>
  nested(levels, inner => ({ ...SPEC, graphs: { g: inner } }), SPEC)

const regions = (levels: number) =>
  nested(levels, nodes => ({ A: { regions: { r: { start: 'A', nodes } }, on: { done: 'E' } } }))

const cyclic: Record<string, unknown> = { again: {} }
cyclic.again = { cyclic }

function issuesOf(value: unknown) {
  const parsed = safeParseSpec(value)
  return parsed.success ? [] : parsed.error.issues
}

const objectOf = (x: unknown) =>
  ({ type: 'object', properties: { x }, required: ['x'] }) as { [key: string]: Json }

const DEEP = [3_000, 30_000]
const TOO_DEEP = 'is nested deeper than 1000 levels'

const SPECS: readonly (readonly [path: string, of: (levels: number) => object])[] = [
  ['channels.c.default', n => ({ channels: { c: { default: lists(n) } } })],
  ['channels.c.items', n => ({ channels: { c: schema(n) } })],
  ['tools.t.with.result', n => ({ tools: { t: { use: 'flaky', with: { result: maps(n) } } } })],
  ['tools.t.output.items', n => ({ tools: { t: { use: 'flaky', output: schema(n) } } })],
  ['nodes.A.args.x', n => ({ nodes: { ...NODES, A: { ...CALL, args: { x: lists(n) } } } })],
  ['nodes.A.regions.r.nodes', n => ({ nodes: regions(n) })],
  ['graphs.g.graphs.g', n => ({ graphs: { g: children(n) } })],
  ['limits.a', n => ({ limits: maps(n) })],
  ['unknown', n => ({ unknown: lists(n) })],
  ['unknown.again.cyclic', () => ({ unknown: cyclic })],
]

/** Few objects, each of which stands twice in the one around it. */
const doubled = (levels: number) => nested(levels, a => ({ a, b: a })) as object

describe('objects that stand in several places', () => {
  const message = 'holds more than 1,000,000 values'

  it.for([30, 900])('%d of them are a fault of a spec', levels => {
    for (const of of [
      { channels: { c: { default: doubled(levels) } } },
      { escape: { alternatives: { A: doubled(levels) } } },
    ]) {
      const issues = issuesOf({ ...SPEC, ...of })
      expect(issues).toEqual([{ path: expect.any(String), message, code: 'invalid-shape' }])
      expect(issues[0]?.path).toMatch(/^(channels\.c\.default|escape\.alternatives\.A)\.a/)
    }
  })

  it('are a fault of a policy', () => {
    const policy = { detect: doubled(30) } as never
    expect(() => watchdog({ policy })).toThrow(`: ${message}`)
  })

  it('are accepted if there are few', () => {
    expect(issuesOf({ ...SPEC, channels: { c: { default: doubled(8) } } })).toEqual([])
  })
})

describe.for(DEEP)('a spec with %d levels', levels => {
  it.for(SPECS)('at `%s` is invalid', ([path, of]) => {
    const value = { ...SPEC, ...of(levels) }
    const issues = issuesOf(value)
    expect(issues).toEqual([
      { path: expect.stringMatching(/^.{60}…$/), message: TOO_DEEP, code: 'invalid-shape' },
    ])
    expect(issues[0]?.path.startsWith(path)).toBe(true)
    expect(() => parseSpec(value)).toThrow(expect.toSatisfy(isInvalidSpec))
  })

  it.for(SPECS)('at `%s` is rejected as the definition of a graph', ([path, of]) => {
    // The schemas of channels, and the specs of graphs, are read from their values.
    const isGraph = path.startsWith('graphs')
    const given = isGraph ? { graphs: { g: { spec: children(levels) } } } : of(levels)
    const define = () => defineGraph({ ...GRAPH, ...given } as never)
    expect(define).toThrow(expect.toSatisfy(isInvalidSpec))
    expect(define).toThrow(`…: ${TOO_DEEP}`)
  })

  it.for([
    ['limits.a.a', { limits: maps(levels) }],
    ['tools.submit_result.with.schema', { output: objectOf(schema(levels)) }],
    ['channels.x.items', { input: objectOf(schema(levels)) }],
  ] as const)('at `%s` is rejected as the definition of an agent', ([, given]) => {
    const create = () => createAgent({ id: 'a', model: modelOf([]), ...given } as never)
    expect(create).toThrow(expect.toSatisfy(isInvalidSpec))
    expect(create).toThrow(`…: ${TOO_DEEP}`)
  })

  it('is rejected as the policy of a watchdog', () => {
    const watch = () => watchdog({ policy: { detect: { tools: { x: maps(levels) } } } as never })
    expect(watch).toThrow(expect.toSatisfy(isInvalidPolicy))
    expect(watch).toThrow(/^policy\.detect\.tools\.x\.a.*…: is nested deeper than 1000 levels$/)
  })

  it('is rejected as the schema of a tool', () => {
    const create = () =>
      tool({
        name: 't',
        description: '',
        effects: 'read',
        inputSchema: objectOf(schema(levels)),
        execute: async () => 1,
      })
    expect(create).toThrow(/`properties\.x\.items.*…` is nested deeper than 1000 levels/)
  })

  it('is a fault of the module that `lint` reads', async () => {
    const desk = newDesks()()
    desk.file(
      'g.mjs',
      `import { defineGraph } from '${new URL('../src/index.ts', import.meta.url)}'
let deep = 1
for (let level = 0; level < ${levels}; level++) deep = [deep]
export const g = defineGraph({ ...${JSON.stringify(GRAPH)}, channels: { c: { default: deep } } })
`,
    )
    const { code, err } = await desk.type('lint', './g.mjs#g')
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringMatching(/channels\.c\.default\[0\].*…: is nested deeper than 1000 levels/),
    })
  })
})

it.for([998, 999])('reads as many levels as a file may have: %d', levels => {
  const value = { ...SPEC, channels: { c: { default: lists(levels) } } }
  const inFile = notJsonAt(value)
  expect(issuesOf(value).map(({ path, message }) => `${path} ${message}`)).toEqual(
    inFile ? [inFile] : [],
  )
  expect(inFile === undefined).toBe(levels === 998)
})

it.for([63, 64, 450])(
  'reads and lints as many graphs in one another as a run may nest: %d',
  count => {
    const value = { ...SPEC, graphs: { g: children(count) } }
    const message = 'is nested deeper than 64 graphs: keep these graphs in separate files'
    const path = expect.stringMatching(/^graphs\.g\.graphs\.g\..*…$/)
    const issues = count > 63 ? [{ path, message, code: 'invalid-shape' }] : []
    expect(issuesOf(value)).toEqual(issues)
    if (issues.length === 0) expect(lint(parseSpec(value as unknown)).length).toBeGreaterThan(0)
  },
)

it('reads a part with many places once for each level', () => {
  const value = { ...SPEC, unknown: nested(2_000, inner => [inner, inner]) }
  expect(issuesOf(value)[0]?.path).toMatch(/^unknown\[0\]/)
})
