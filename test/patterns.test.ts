/** Patterns of specs, schemas, conditions and models run in linear time: none of them can block the process. */
import { describe, expect, test } from 'vitest'
import { type ConditionInput, conditionOf } from '../src/core/run/condition.ts'
import { channelsOf } from '../src/core/graph/channels.ts'
import { compileJsonSchema } from '../src/core/graph/spec/json-schema.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { whenCompiler } from '../src/core/graph/cel/when.ts'
import { FAILURE_RULES } from '../src/core/watch/failure/failure-rules.ts'
import { classify } from '../src/core/watch/failure/failure.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import { linearPattern, patternFault } from '../src/core/watch/data/pattern.ts'

/** A backtracking engine needs 2^40 steps for this pattern and this text. */
const BAD = '^(a+)+$'
const LONG = `${'a'.repeat(40)}!`

function within<T>(ms: number, work: () => T): T {
  const start = performance.now()
  const value = work()
  expect(performance.now() - start).toBeLessThan(ms)
  return value
}

const spec = (more: object) => ({
  escapement: 1,
  id: 'g',
  start: 'a',
  nodes: { a: { use: 'code', on: { done: 'end' } }, end: { final: 'success' } },
  ...more,
})

describe('a pattern that backtracks exponentially', () => {
  test.each([
    ['pattern', { type: 'string', pattern: BAD }, LONG],
    ['pattern in a list', { type: 'array', items: { type: 'string', pattern: BAD } }, [LONG]],
    ['pattern in a union', { anyOf: [{ type: 'number' }, { type: 'string', pattern: BAD }] }, LONG],
    [
      'pattern in a definition',
      {
        type: 'object',
        properties: { x: { $ref: '#/$defs/x' } },
        $defs: { x: { type: 'string', pattern: BAD } },
      },
      { x: LONG },
    ],
    [
      'pattern in a recursive definition',
      {
        type: 'object',
        properties: { x: { $ref: '#' }, y: { type: 'string', pattern: BAD } },
      },
      { x: { y: LONG } },
    ],
    [
      'patternProperties',
      { type: 'object', patternProperties: { [BAD]: { type: 'number' } } },
      { [LONG]: 'x' },
    ],
  ])('checks a value at once: %s', (_, schema, value) => {
    const compiled = compileJsonSchema(schema)
    within(500, () => compiled.safeParse(value))
  })

  test('does not block a channel, and the value is rejected', () => {
    const channels = channelsOf({
      goal: { reducer: 'last', volatile: false, type: 'string', pattern: BAD },
    })
    expect(within(500, () => channels.check({ goal: LONG }))).toHaveLength(1)
    expect(channels.check({ goal: 'aaa' })).toEqual([])
  })

  test('does not block the reading of a spec, though its default does not match', () => {
    const channel = { type: 'string', pattern: BAD, default: LONG }
    const { faults } = within(500, () => readSpec(spec({ channels: { goal: channel } })))
    expect(faults).toEqual([expect.objectContaining({ path: 'channels.goal.default' })])
  })

  test.each([
    `goal.matches('${BAD}')`,
    '[goal].exists(x, x.matches(p))',
    '[goal].all(x, !x.matches(p))',
  ])('does not block the condition %s', text => {
    const { evaluate } = whenCompiler(['goal', 'p'])(text)
    const read = (name: string) => (name === 'p' ? BAD : LONG)
    expect(within(500, () => evaluate?.(read))).toBe(text.includes('!'))
  })

  test('does not block the classification of a failure', () => {
    const rules = [{ id: 'x', message: BAD, class: 'transient' as const }]
    expect(within(500, () => classify({ name: 'Error', message: LONG }, rules)).rule).toBe('none')
  })
})

describe('a pattern that RE2 cannot run', () => {
  const UNSUPPORTED = [
    ['(?=a)b', 'lookahead and lookbehind are not supported'],
    ['(?<!a)b', 'lookahead and lookbehind are not supported'],
    [String.raw`(a)\1`, 'backreferences are not supported'],
    [String.raw`(?<x>a)\k<x>`, 'backreferences are not supported'],
    ['((a{1,900}){1,900}){1,900}', 'its repetitions or classes are too large'],
    ['a{2000}', 'in the syntax of RE2'],
    ['(ab?c?){900}', 'its repetitions or classes are too large'],
    ['(', 'Invalid regular expression'],
  ]

  test.each(UNSUPPORTED)('%s is a fault of a spec, wherever it stands', (pattern, message) => {
    const at = (more: object) =>
      readSpec(spec(more))
        .faults?.map(fault => fault.message)
        .join()
    expect(at({ channels: { goal: { type: 'string', pattern } } })).toContain(message)
    expect(
      at({ failures: { rules: [{ id: 'x', message: pattern, class: 'business' }] } }),
    ).toContain(message)
    const matches = `goal.matches(${JSON.stringify(pattern)})`
    expect(at({ channels: { goal: {} }, progress: matches })).toContain(message)
  })

  test.each(['properties', 'patternProperties', '$defs', 'definitions'])(
    'is refused in a JSON Schema, also among its %s',
    keyword => {
      const bad = { type: 'string', pattern: String.raw`(a)\1` }
      const schema = { type: 'object', [keyword]: { a: bad } }
      expect(() => compileJsonSchema(schema)).toThrow('backreferences are not supported')
    },
  )

  test.each([
    { type: 'object', propertyNames: { pattern: 'a' } },
    { type: 'array', contains: { type: 'string', pattern: 'a' } },
    { type: 'object', patternProperties: { a: {} }, additionalProperties: false },
  ])('is refused where zod would run it with backtracking: %j', schema => {
    expect(() => compileJsonSchema(schema)).toThrow('not supported')
  })

  test('is not confused with a channel named pattern, a class with such characters, or escapes', () => {
    expect(
      readSpec(
        spec({
          channels: { pattern: { type: 'object', properties: { pattern: { type: 'string' } } } },
        }),
      ).spec,
    ).toBeDefined()
    for (const pattern of ['[(?=]', String.raw`\(?=`, String.raw`\\1`])
      expect(() => compileJsonSchema({ type: 'string', pattern })).not.toThrow()
  })
})

describe('the cost of a pattern', () => {
  /** Ten digits, for loops in an expression. */
  const D = '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]'
  const numbers = Array.from({ length: 1_000 }, (_, index) => index)
  const evaluate = (text: string, values: Readonly<Record<string, Json>>) => {
    const { evaluate: run, fault } = whenCompiler(Object.keys(values))(text)
    expect(fault).toBeUndefined()
    return () => run?.(name => values[name] ?? null)
  }
  const breakpoint = (when: string, channels: Readonly<Record<string, Json>> = {}) =>
    conditionOf(when)({ channels } as unknown as ConditionInput)

  test.each([
    'a{1000}'.repeat(60),
    String.raw`\p{L}{1000}`.repeat(900),
    '(?:ab?c?){1000}'.repeat(9),
  ])(
    'is known before its program is built, and a program that is too large is not built (%#)',
    pattern => {
      expect(within(100, () => patternFault(pattern))).toContain(
        'its repetitions or classes are too large',
      )
    },
  )

  test('counts in the condition of a spec, for each pattern that it computes', () => {
    const rules = numbers.map(index => `a{1000}${index}`)
    const many = evaluate('rules.exists(r, output.matches(r))', { rules, output: 'x' })
    expect(() => within(1_500, many)).toThrow('costs more than 5000000 steps')
    const long = rules.slice(0, 20).map(rule => `${'[a-z]'.repeat(1_990)}${rule.slice(7)}`)
    const few = evaluate('rules.exists(r, output.matches(r))', { rules: long, output: 'x' })
    expect(() => within(1_500, few)).toThrow('costs more than 5000000 steps')
  })

  test('counts in a breakpoint, which is false then', () => {
    const refused = 'a{1000}'.repeat(60)
    for (const pattern of [refused, 'a{1000}'])
      expect(
        within(1_500, () =>
          breakpoint(
            `${D}.exists(a, ${D}.exists(b, 'x'.matches('${pattern}' + string(a) + string(b))))`,
          ),
        ),
      ).toBe(false)
  })

  test('counts for each character that a large program reads', () => {
    const texts = numbers.map(index => `${'a'.repeat(1_000)}${index}`)
    const pattern = '^(?:a?){900}a{900}$'
    const condition = evaluate(`texts.exists(t, t.matches('${pattern}'))`, { texts })
    expect(() => within(3_000, condition)).toThrow('costs more than 5000000 steps')
  })

  test('is the same at each evaluation, whether the patterns are compiled already or not', () => {
    const condition = evaluate('rules.exists(r, output.matches(r))', {
      rules: numbers.slice(0, 24).map(index => `b{1000}${index}`),
      output: 'x',
    })
    expect([1, 2, 3].map(() => condition())).toEqual([false, false, false])
    const over = evaluate('rules.exists(r, output.matches(r))', {
      rules: numbers.slice(0, 25).map(index => `b{1000}${index}`),
      output: 'x',
    })
    for (let nth = 1; nth <= 3; nth++) expect(over).toThrow('costs more than')
  })

  test('leaves room for a thousand messages, and for a hundred rules', () => {
    const messages = numbers.map(index => `message ${index} ${'lorem ipsum '.repeat(12)}`)
    const literal = "channels.m.exists(m, m.matches('rate limit|quota|error 4[0-9]{2}'))"
    expect(breakpoint(literal, { m: messages })).toBe(false)
    expect(breakpoint(literal, { m: [...messages.slice(1), 'error 429'] })).toBe(true)
    const rules = numbers.slice(0, 100).map(index => `(refund|return) of order ${index}$`)
    const condition = evaluate('rules.exists(r, output.matches(r))', {
      rules,
      output: `${'Please help. '.repeat(20)}I want a refund of order 99`,
    })
    expect(condition()).toBe(true)
  })

  test('keeps few states, so that texts that differ cost the same each', () => {
    const pattern = linearPattern(String.raw`\b.{300}\B.{300}\b[xy]`)
    const words = numbers.map(index => `ab ${(index * 7_919) % 1_009} `).join('')
    const memory = process.memoryUsage().heapUsed
    for (let nth = 0; nth < 20; nth++) pattern.test(words.slice(nth * 100, nth * 100 + 900))
    expect(process.memoryUsage().heapUsed - memory).toBeLessThan(30_000_000)
  })
})

describe('the references of a JSON Schema', () => {
  /** Each definition uses the one before it twice. */
  const chain = (length: number, key: string) => {
    const uses = (index: number) => ({ $ref: `#/$defs/a${index}` })
    const more = Array.from({ length }, (_, index) => [
      `a${index + 1}`,
      { [key]: [uses(index), uses(index)] },
    ])
    return { ...uses(length), $defs: { a0: { type: 'string' }, ...Object.fromEntries(more) } }
  }

  test.each(['anyOf', 'oneOf', 'allOf'])('may not multiply the alternatives of %s', key => {
    expect(() => compileJsonSchema(chain(20, key))).toThrow('more than 10000 alternatives')
    expect(() => compileJsonSchema(chain(8, key))).not.toThrow()
  })

  test('may lead to themselves through a property, and not for the same value', () => {
    const list = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(compileJsonSchema(list).safeParse({ next: { next: {} } }).success).toBe(true)
    const self = { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, {}] } } }
    expect(() => compileJsonSchema(self)).toThrow('`$ref` leads to itself')
    expect(() => compileJsonSchema({ $ref: '#' })).toThrow('`$ref` leads to itself')
  })
})

test('linear patterns match what JavaScript matches', () => {
  const rules = FAILURE_RULES.flatMap(({ message }) => (message ? [message] : []))
  const texts = [
    'Connection refused',
    'socket hang up',
    'not found',
    'invalid API key',
    'a timeout',
    'fine',
    '',
    'ünïcode\n',
  ]
  for (const source of [
    ...rules,
    String.raw`^\d+(\.\d+)?$`,
    '^$',
    'a.c',
    String.raw`\bfin`,
    '[^a-z]',
    String.raw`^\p{L}`,
  ])
    for (const text of texts)
      expect(linearPattern(source, 'i').test(text), `${source} on ${text}`).toBe(
        new RegExp(source, source.includes('\\p') ? 'iu' : 'i').test(text),
      )
})
