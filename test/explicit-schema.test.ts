/** A JSON Schema is checked as the standard says, also where it leaves out types and properties. */
import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../src/core/graph/spec/json-schema.ts'

const accepts = (schema: object, value: unknown): boolean =>
  compileJsonSchema({ ...schema }).safeParse(value).success

const either = { anyOf: [{ required: ['id'] }, { required: ['name'] }] }

describe('a keyword without a type', () => {
  test.each<[schema: object, wrong: unknown, right: readonly unknown[]]>([
    [{ required: ['id'] }, {}, [{ id: 1 }, 'a text', 7, null, [1]]],
    [{ properties: { id: { type: 'string' } } }, { id: 7 }, [{ id: 'a' }, {}, 'a text']],
    [{ additionalProperties: false, properties: { a: {} } }, { b: 1 }, [{ a: 1 }, [1]]],
    [{ items: { minimum: 3 } }, [1], [[3, 'a text'], 'a text', {}]],
    [{ minItems: 1 }, [], [[1], 'a text']],
    [{ type: 'array', maxItems: 1 }, [1, 2], [[], ['a text']]],
    [{ minLength: 3 }, 'ab', ['abc', 1, [], null]],
    [{ pattern: '^a' }, 'b', ['a', 1]],
    [{ minimum: 3 }, 1, [3, 'a text', true]],
    [{ type: 'object', properties: { at: { minLength: 3 } } }, { at: 'ab' }, [{ at: 1 }, {}]],
    [
      { $defs: { id: { minimum: 3 } }, properties: { a: { $ref: '#/$defs/id' } } },
      { a: 1 },
      [{ a: 3 }],
    ],
    [{ type: 'object', ...either }, {}, [{ id: 1 }, { name: 1 }]],
    [either, {}, [{ id: 1 }, { name: 1, other: 2 }, 'a text']],
  ])('holds for values of its type: %j', (schema, wrong, right) => {
    expect(accepts(schema, wrong)).toBe(false)
    for (const value of right) expect([value, accepts(schema, value)]).toEqual([value, true])
  })

  test('of this name is a property', () => {
    const named = { type: 'object', properties: { required: { type: 'boolean' } } }
    expect([accepts(named, { required: true }), accepts(named, { required: 1 })]).toEqual([
      true,
      false,
    ])
  })
})

test('a required property need not be described', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'id'] }
  expect(accepts(schema, { a: 'x' })).toBe(false)
  expect(accepts(schema, { a: 'x', id: null })).toBe(true)
})
