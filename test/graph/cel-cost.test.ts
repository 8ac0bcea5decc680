/** What an expression does is charged before it is done: no short expression keeps its process busy. */
import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/core/watch/data/json.ts'
import { timedBudget } from '../../src/core/graph/cel/cost.ts'
import { whenCompiler } from '../../src/core/graph/cel/when.ts'

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

test('a map in a channel is charged for its entries, which take longer than the items of a list', () => {
  const map = (keys: number) =>
    Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]))
  expect(evaluate('size(a) > 1', { a: map(100_000) })).toBe(true)
  tooCostly('size(a) > 1', { a: map(210_000) })
  tooCostly('"k" in a', { a: map(260_000) })
  expect(evaluate('size(a) > 1', { a: Array.from({ length: 210_000 }, () => 1) })).toBe(true)
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

describe('errors that an operator catches', () => {
  const TEXTS = Array.from({ length: 1_000 }, () => 'n/a')

  test.each([
    'a.exists(x, b.exists(y, int(x) > int(y)))',
    'a.all(x, b.exists(y, int(x) > 1 || int(y) > 1 || 1 / 0 == 1))',
    'a.exists(x, b.exists(y, x.none > 1)) || true',
  ])('are charged: %s', text => {
    const start = performance.now()
    tooCostly(text, { a: TEXTS, b: TEXTS })
    expect(performance.now() - start).toBeLessThan(4_000)
  })

  test('leave room for a list in which each item has one', () => {
    const text = 'a.exists(x, int(x) > 5 || int(x) > 6) || size(a) == 1000'
    expect(evaluate(text, { a: TEXTS })).toBe(true)
  })

  test('do not hide that the steps are used up', () => {
    tooCostly('a.exists(x, a.exists(y, a.exists(z, false))) || true', { a: TEXTS })
    tooCostly("[1, 2].exists(x, a.split('') == [] || x == 2)", { a: 'a'.repeat(10_000_000) })
  })
})

test('values are charged when they are read, and a name in a text reads none', () => {
  const a = Array.from({ length: 1_500_000 }, () => [])
  expect(evaluate('size(a) > 5', { a })).toBe(true)
  tooCostly('size(a) > 5', { a: [...a, ...a] })
  expect(evaluate("b.a == 'a'", { a: [...a, ...a], b: { a: 'a' } })).toBe(true)
})

test('the types of values with ever new shapes stay few', () => {
  const { evaluate: run } = whenCompiler(['a'])('a == 1')
  const shapes = Array.from({ length: 400 }, (_, seed) =>
    Array.from({ length: 300 }, (_unused, level) => level).reduce<Json>(
      (inner, level) => (Math.sin(seed * level) > 0 ? [inner] : { x: inner }),
      1,
    ),
  )
  const start = performance.now()
  // Each new type of 300 levels took 100 ms, and 1.5 MB for ever.
  for (const shape of shapes) expect(run?.(() => shape)).toBe(false)
  expect(performance.now() - start).toBeLessThan(10_000)
})

test.each(['9223372036854775809', '9'.repeat(100_000)])(
  'an integer of more than 64 bits is a fault: %.20s',
  text => {
    const { fault } = whenCompiler(['a'])(`a * ${text} == 1`)
    expect(fault).toContain('an integer has more than 64 bits')
    expect(whenCompiler(['a'])('a == -9223372036854775808').fault).toBeUndefined()
  },
)

describe('a budget', () => {
  const compile = whenCompiler(['a'], { cost: 1_000 })
  const run = compile('a.all(x, x >= 0)').evaluate
  const read = () => Array.from({ length: 100 }, (_, at) => at)

  test('is shared by the evaluations that receive it', () => {
    const budget = { left: 1_000 }
    expect(run?.(read, budget)).toBe(true)
    expect(run?.(read, budget)).toBe(true)
    expect(() => run?.(read, budget)).toThrow('costs more than')
    expect(() => compile('true').evaluate?.(read, budget)).toThrow('costs more than')
    expect(run?.(read)).toBe(true)
  })

  test('can end by time, which no operator catches', () => {
    let now = 0
    const budget = timedBudget(() => now++ * 100)
    const text = 'a.exists(x, a.exists(y, a.exists(z, false))) || true'
    expect(() => compile(text).evaluate?.(read, budget)).toThrow('takes too long')
    expect(budget.left).toBeGreaterThan(4_000_000)
  })
})
