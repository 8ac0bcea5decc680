/** What a JSON Schema may be, and how much of a value it checks. Schemas come from specs and from MCP servers. */
import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../../src/core/graph/spec/json-schema.ts'
import { TOO_LARGE } from '../../src/core/watch/data/fault.ts'
import { readBounded } from '../../src/core/watch/data/read-bounded.ts'

const list = <T>(length: number, of: (at: number) => T) => Array.from({ length }, (_, at) => of(at))
const named = (length: number, of: (at: number) => readonly [string, unknown]) =>
  Object.fromEntries(list(length, of))
const TEXT = { type: 'string' }

describe('a reference', () => {
  test.each([
    ['#/$defs/a/properties/x', { a: { type: 'object', properties: { x: TEXT } } }],
    ['#/$defs/a/x', { a: { anyOf: [{ $ref: '#/$defs/a/x' }, TEXT] } }],
    ['#/properties/x', {}],
    ['#/$defs/constructor', {}],
    ['#/$defs/a%20b', { 'a b': TEXT }],
    ['other.json#/a', {}],
  ])('%s is refused, because zod reads it as another one', ($ref, $defs) => {
    expect(() => compileJsonSchema({ $defs, properties: { x: TEXT }, $ref })).toThrow(
      `\`$ref\` '${$ref}' is not supported`,
    )
  })

  test('to itself through a longer path is refused before a value is checked', () => {
    const a = { $ref: '#/$defs/a/properties/x', properties: { x: {} } }
    expect(() => compileJsonSchema({ $defs: { a }, $ref: '#/$defs/a' })).toThrow('not supported')
  })

  test('can name the root and definitions, and stands for itself in a default', () => {
    const tree = { type: 'object', properties: { x: { $ref: '#' } }, default: { $ref: '#/x/y' } }
    expect(readBounded(compileJsonSchema(tree), { x: { x: {} } }).issues).toBeUndefined()
    const $schema = 'http://json-schema.org/draft-07/schema#'
    for (const schema of [
      { $defs: { 'a/b': TEXT }, $ref: '#/$defs/a~1b' },
      { $schema, definitions: { a: TEXT }, $ref: '#/definitions/a' },
    ])
      expect(readBounded(compileJsonSchema(schema), 5).issues).toHaveLength(1)
  })
})

describe('a schema is refused', () => {
  test.each([
    ['10000 parts', { type: 'object', properties: named(10_000, at => [`p${at}`, TEXT]) }],
    ['10000 parts', { enum: list(10_001, at => at) }],
    ['400 levels', { allOf: list(400, () => ({ type: 'object' })) }],
    ['400 levels', { type: 'object', patternProperties: named(400, at => [`^k${at}`, TEXT]) }],
    [
      '400 levels',
      list(400, at => at).reduce<Record<string, unknown>>(
        items => ({ type: 'array', items }),
        TEXT,
      ),
    ],
    ['10 parts', { type: 'array', contains: { anyOf: list(10, at => ({ const: at })) } }],
    ['10 parts', { type: 'object', propertyNames: { enum: [...list(10, at => `${at}`), 5] } }],
  ])('if it has more than %s (%#)', (limit, schema) => {
    expect(() => compileJsonSchema(schema)).toThrow(`has more than ${limit}`)
  })

  test('and accepted within the limits', () => {
    const names = list(500, at => `p${at}`)
    const schema = compileJsonSchema({
      type: 'object',
      properties: named(3_000, at => [`p${at}`, TEXT]),
      propertyNames: { enum: names },
    })
    expect(readBounded(schema, { p1: 'a' }).issues).toBeUndefined()
    expect(readBounded(schema, { p3000: 'a' }).issues).toHaveLength(1)
  })
})

describe('a value that a schema would check for long', () => {
  const constant = (at: number) => ({ const: at })
  const tagged = (at: number) => ({
    type: 'object',
    properties: { t: { const: at } },
    required: ['t'],
  })
  test.each<readonly [string, object, unknown]>([
    [
      'by many properties',
      { items: { type: 'object', properties: named(3_000, at => [`p${at}`, TEXT]) } },
      list(50_000, () => ({})),
    ],
    ['by constants', { items: { anyOf: list(2_000, constant) } }, list(20_000, () => 1_999)],
    ['by alternatives', { items: { anyOf: list(500, tagged) } }, list(20_000, () => ({ t: 499 }))],
    ['by joined schemas', { items: { allOf: list(350, () => TEXT) } }, list(50_000, () => 'a')],
    [
      'by patterns of keys',
      {
        items: { type: 'object', patternProperties: named(300, at => [`^k${at}`, TEXT]) },
      },
      [named(10_000, at => [`k${at}`, 'v'])],
    ],
  ])('%s is refused within seconds', (_, schema, value) => {
    const compiled = compileJsonSchema({ type: 'array', ...schema })
    const before = process.cpuUsage()
    const { issues = [] } = readBounded(compiled, value)
    const { user } = process.cpuUsage(before)
    expect(issues.map(({ message }) => message)).toEqual([TOO_LARGE])
    // Without a limit, they take from 5 to 400 seconds.
    expect(user / 1_000).toBeLessThan(5_000)
  })

  test('does not include large values with ordinary schemas', () => {
    const order = named(20, at => [`p${at}`, at % 2 ? TEXT : { type: ['integer', 'null'] }])
    const kinds = list(20, at => ({
      ...tagged(at),
      properties: { t: { const: at }, ...order },
    }))
    const orders = compileJsonSchema({ type: 'array', items: { anyOf: kinds } })
    const value = list(5_000, at => ({ t: at % 20, p1: 'a', p2: null, p4: 7 }))
    expect(readBounded(orders, value).issues).toBeUndefined()
    const map = compileJsonSchema({ type: 'object', patternProperties: { '^k': TEXT } })
    expect(
      readBounded(
        map,
        named(100_000, at => [`k${at}`, 'v']),
      ).issues,
    ).toBeUndefined()
    const texts = compileJsonSchema({ type: 'array', items: TEXT })
    expect(
      readBounded(
        texts,
        list(1_000_000, () => 'a'),
      ).issues,
    ).toBeUndefined()
  })
})
