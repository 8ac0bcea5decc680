/** The cost of checking one value is bounded, and its result is that of zod. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileJsonSchema } from '../../src/core/graph/spec/json-schema.ts'
import { readBounded } from '../../src/core/watch/data/read-bounded.ts'
import { faultsOf } from '../../src/core/watch/data/schema-faults.ts'
import { tool } from '../../src/kit/tool.ts'

const MANY = 20_000

const KINDS = Array.from({ length: 10 }, (_, kind) => `k${kind}`)
const alternatives = KINDS.map(kind => ({
  type: 'object',
  properties: { kind: { const: kind }, value: { type: 'string' } },
  required: ['kind', 'value'],
}))
const letters = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      index.toString(26).replace(/[0-9]/g, digit => 'qrstuvwxyz'.charAt(Number(digit))),
      'v',
    ]),
  )
const numbered = Object.fromEntries(Array.from({ length: MANY }, (_, index) => [`k${index}`, 1]))

/** The values that a schema reads while it checks a list. */
function readsOf(schema: z.ZodType, length: number): number {
  let reads = 0
  const list = new Proxy(Array<unknown>(length).fill({}), {
    get: (target, key) => {
      if (/^\d+$/.test(String(key))) reads++
      return Reflect.get(target, key)
    },
  })
  expect(readBounded(schema, list).issues).toBeDefined()
  return reads
}

describe('a value with many faults', () => {
  test('is read only until there are enough of them', () => {
    const kinds = KINDS.map(kind => z.object({ kind: z.literal(kind), value: z.string() }))
    for (const schema of [
      z.array(z.string()),
      z.array(z.union(kinds)),
      compileJsonSchema({ type: 'array', items: { type: 'string' } }),
      compileJsonSchema({ type: 'array', items: { anyOf: alternatives } }),
      compileJsonSchema({ allOf: [{ type: 'array', items: { type: 'string' } }] }),
    ])
      expect(readsOf(schema, MANY)).toBeLessThan(2_000)
  })

  test.each<[string, z.ZodType, unknown]>([
    ['of a record', z.record(z.string(), z.string()), numbered],
    [
      'of the names',
      compileJsonSchema({ type: 'object', propertyNames: { maxLength: 1 } }),
      numbered,
    ],
    [
      'of other properties',
      compileJsonSchema({ type: 'object', additionalProperties: { type: 'string' } }),
      numbered,
    ],
    [
      'of a custom check',
      z.array(z.number()).superRefine((list, context) => {
        for (const index of list.keys())
          context.addIssue({ code: 'custom', message: 'odd', path: [index] })
      }),
      Object.values(numbered),
    ],
  ])('has at most 200 issues %s', (_, schema, value) => {
    const { issues = [] } = readBounded(schema, value)
    expect(issues.length).toBeGreaterThan(20)
    expect(issues.length).toBeLessThan(201)
  })

  test('has few issues inside each alternative', () => {
    const schema = z.union(KINDS.map(kind => z.array(z.object({ kind: z.literal(kind) }))))
    const [issue] = readBounded(schema, Array(MANY).fill({})).issues ?? []
    expect(issue).toMatchObject({ code: 'invalid_union' })
    expect(JSON.stringify(issue).length).toBeLessThan(1_000_000)
  })

  test('is named by its first faults, and by the message that more follow', () => {
    const move = tool({
      name: 'move',
      description: 'Moves.',
      effects: 'read',
      inputSchema: z.object({ to: z.array(z.string()) }),
      execute: async () => null,
    })
    const calls = () => move.parse({ to: Array(MANY).fill(1) })
    expect(calls).toThrow(
      /^move: to\[0\]: expected string, received number; .*to\[19\].*; and more$/,
    )
    expect(() => move.parse({ to: Array(25).fill(1) })).toThrow(/; and 5 more$/)
  })
})

describe('a value without faults', () => {
  test('passes as with zod, however long it is', () => {
    const value = { list: Array(MANY).fill('x'), map: letters(MANY) }
    const schema = z.object({ list: z.array(z.string()), map: z.record(z.string(), z.string()) })
    expect(readBounded(schema, value)).toEqual({ data: schema.parse(value) })
  })

  test('passes an intersection whose sides refuse different keys', () => {
    const side = (start: string) => z.record(z.string().regex(new RegExp(`^${start}`)), z.string())
    const keys = Array.from({ length: 1_000 }, (_, index) => [
      `${index % 2 ? 'a' : 'b'}${index}`,
      'v',
    ])
    const value = Object.fromEntries(keys)
    expect(readBounded(z.intersection(side('a'), side('b')), value)).toEqual({ data: value })
    const odd = { ...value, c1: 'v', c2: 'v' }
    const { issues = [] } = readBounded(z.intersection(side('a'), side('b')), odd)
    expect(issues.map(({ path }) => path.join())).toEqual(['c1', 'c2'])
  })

  test('is merged from both sides of an intersection', () => {
    const schema = z.object({ a: z.string().default('x'), b: z.unknown() })
    const both = schema.and(
      z.object({ b: z.array(z.string().toUpperCase()), c: z.date().optional() }),
    )
    const value = { b: ['Q', 'R'], c: new Date(5) }
    expect(readBounded(both, value)).toEqual({ data: { a: 'x', ...value } })
    const apart = z.string().toUpperCase().and(z.string().toLowerCase())
    expect(readBounded(apart, 'x').issues).toMatchObject([
      { message: expect.stringMatching('both sides') },
    ])
    expect(
      readBounded(z.strictObject({ a: z.string() }).and(z.strictObject({ a: z.string() })), {
        a: '',
        b: 1,
        c: 2,
      }).issues,
    ).toMatchObject([{ code: 'unrecognized_keys', keys: ['b', 'c'] }])
  })
})

describe('the cost of a check', () => {
  const patterns = { '^[a-z]+$': { type: 'string' }, '^x-': { type: 'string' }, '^[0-9]': {} }
  const joined = ['a', 'b'].map(name => ({
    type: 'object',
    properties: { [name]: { type: 'string' } },
  }))
  test.each([
    ['patternProperties', { type: 'object', patternProperties: patterns }],
    ['allOf', { allOf: joined }],
  ])('does not compare the keys of an object pairwise under %s', (_, of) => {
    const schema = compileJsonSchema(of)
    const value = letters(MANY)
    expect(readBounded(schema, value)).toEqual({ data: value })
    const best = (check: () => unknown) =>
      Math.min(
        ...[0, 1, 2].map(() => {
          const before = performance.now()
          check()
          return performance.now() - before
        }),
      )
    // Zod compares the keys pairwise.
    const ofZod = best(() => schema.safeParse(value))
    expect(best(() => readBounded(schema, value))).toBeLessThan(ofZod / 2)
  })

  test('is linear in the depth of a value under a recursive schema with alternatives', () => {
    const node = (kind: string) => ({
      type: 'object',
      properties: { child: { $ref: '#/$defs/node' }, kind: { const: kind } },
    })
    const $defs = { node: { anyOf: [node('a'), node('b')] } }
    const inner = compileJsonSchema({ $defs, $ref: '#/$defs/node' })
    let value: object = { kind: 'c' }
    for (let depth = 0; depth < 60; depth++) value = { child: value, kind: 'b' }
    const { issues = [] } = readBounded(z.array(inner), Array(1_000).fill(value))
    expect(issues.map(({ path }) => path.join())).toEqual(['0', ''])
    expect(faultsOf(issues)[0]).toMatchObject({ path: expect.stringContaining('child.child') })
  })
})

describe('a schema that uses its parts twice at each level', () => {
  const DEPTH = 12
  const parts = (inner: object) => [
    { type: 'object', properties: { inner } },
    { type: 'object', properties: { inner, title: { type: 'string' } } },
  ]
  const NODE = { $ref: '#/$defs/node' }
  const node = compileJsonSchema({ $defs: { node: { allOf: parts(NODE) } }, ...NODE })
  const nest = (leaf: unknown, depth = DEPTH): unknown =>
    depth === 0 ? leaf : { inner: nest(leaf, depth - 1) }
  /** Definitions that each use the next one, so none is recursive. */
  const chain = (keyword: string, leaf: object) => {
    const $defs: Record<string, object> = { [`d${DEPTH}`]: leaf }
    for (let level = 0; level < DEPTH; level++)
      $defs[`d${level}`] = { [keyword]: parts({ $ref: `#/$defs/d${level + 1}` }) }
    return compileJsonSchema({ $defs, $ref: '#/$defs/d0' })
  }

  /** The messages that a check makes. Zod makes one for each issue. */
  function messagesOf(schema: z.ZodType, value: unknown) {
    let messages = 0
    const { issues = [] } = readBounded(schema, value, () => void messages++)
    return { issues, messages }
  }

  test('has few issues for a fault deep in a value', () => {
    const { issues, messages } = messagesOf(node, nest(7))
    expect(messages).toBeLessThan(2_000)
    expect(new Set(issues.map(({ path }) => path.length))).toEqual(new Set([DEPTH]))
    expect(issues[0]).toMatchObject({ code: 'invalid_type', expected: 'object' })
  })

  test('has few issues for a short list of such values', () => {
    const items = Array.from({ length: 40 }, () => nest(7))
    expect(messagesOf(z.object({ tree: z.array(node) }), { tree: items }).messages).toBeLessThan(
      20_000,
    )
    const few = Array.from({ length: 100 }, () => nest(7, 6))
    expect(messagesOf(z.array(z.array(node)), [few, few]).messages).toBeLessThan(2_000)
  })

  test('keeps the different faults, and says that more follow', () => {
    const leaf = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, 1]))
    const properties = Object.fromEntries(Object.keys(leaf).map(key => [key, { type: 'string' }]))
    const side = { type: 'object', properties }
    const { issues } = messagesOf(compileJsonSchema({ allOf: [side, side] }), leaf)
    expect(new Set(issues.map(({ path }) => path.join())).size).toBe(200)
    expect(issues.at(-1)).toMatchObject({ message: expect.stringMatching('not checked'), path: [] })
  })

  test('keeps both faults of an ordinary value', () => {
    const { issues } = messagesOf(node, nest(7, 1))
    expect(issues.map(({ path }) => path.join())).toEqual(Array(4).fill('inner'))
  })

  test('has few faults for alternatives that all sides of an intersection need', () => {
    const alternatives = { allOf: [{ anyOf: parts(NODE) }, { anyOf: parts(NODE) }] }
    const mixed = compileJsonSchema({ $defs: { node: alternatives }, ...NODE })
    const faults = faultsOf(readBounded(mixed, nest(7)).issues ?? [])
    expect(faults[0]).toMatchObject({ message: 'expected object, received number' })
    expect(faults).toHaveLength(200)
    expect(faults.at(-1)).toMatchObject({ message: expect.stringMatching('not checked') })
  })

  test.each(['allOf', 'anyOf', 'oneOf'])('reads a value a few times under %s', keyword => {
    for (const type of ['number', 'string']) {
      let reads = 0
      const leaf = {
        get at() {
          reads++
          return 7
        },
      }
      const schema = chain(keyword, { type: 'object', properties: { at: { type } } })
      readBounded(schema, nest(leaf))
      expect(reads).toBeLessThan(100)
    }
  })
})
