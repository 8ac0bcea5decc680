/** What an expression does is charged before it is done: no short expression keeps its process busy. */
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/watch/data/json.ts'
import { whenCompiler } from '../../src/core/graph/spec/when.ts'

const evaluate = (text: string, values: Readonly<Record<string, Json>> = {}) => {
  const { evaluate: run, fault } = whenCompiler(['a', 'b'], { cost: 2_000_000 })(text)
  if (!run) throw new Error(fault)
  return run(name => values[name] ?? null)
}
const tooCostly = (text: string, values?: Readonly<Record<string, Json>>) =>
  expect(() => evaluate(text, values)).toThrow('costs more than 2000000 steps')

/** Two lists, each of which contains the list of the level below twice. */
const lists = (levels: number) =>
  Array.from({ length: levels }, (_, at) => levels - at).reduce(
    (inner, at) =>
      `cel.bind(v${at}, [v${at - 1}, v${at - 1}], cel.bind(w${at}, [w${at - 1}, w${at - 1}], ${inner}))`,
    `v${levels} == w${levels}`,
  )
const nested = (levels: number) => `cel.bind(v0, [1], cel.bind(w0, [1], ${lists(levels)}))`

const bytes = (levels: number) =>
  `cel.bind(v0, b'aaaaaaaaaaaaaaaa', ${Array.from(
    { length: levels },
    (_, at) => levels - at,
  ).reduce(
    (inner, at) => `cel.bind(v${at}, v${at - 1} + v${at - 1}, ${inner})`,
    `size(v${levels}) > 0`,
  )})`

test('a list that an expression builds is charged for all that is compared in it', () => {
  expect(evaluate(nested(10))).toBe(true)
  tooCostly(nested(38))
})

test('bytes are charged for their length', () => {
  expect(evaluate(bytes(10))).toBe(true)
  tooCostly(bytes(30))
})

describe('a search is charged for both of its texts', () => {
  const values = { a: 'a'.repeat(1_000_000), b: `${'a'.repeat(250)}b${'a'.repeat(500_000)}` }
  test.each(['a.contains(b)', 'a.indexOf(b) > 0', 'a.lastIndexOf(b) > 0', 'size(a.split(b)) > 1'])(
    '%s',
    text => tooCostly(text, values),
  )

  test('and a quotation of a long article is found', () => {
    const a = `${'lorem ipsum '.repeat(60_000)}${'dolor '.repeat(200)}`
    expect(evaluate('a.contains(b)', { a, b: 'dolor '.repeat(199) })).toBe(true)
  })
})

test('a time zone is charged for its lookup', () => {
  const hour = "timestamp('2026-01-01T00:00:00Z').getHours('Asia/Tokyo') == 9"
  expect(evaluate(hour)).toBe(true)
  const ten = '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]'
  tooCostly(`${ten}.all(x, ${ten}.all(y, ${ten}.all(z, ${hour})))`)
})
