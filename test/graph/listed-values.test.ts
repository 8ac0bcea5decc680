/** `enum` and `const` of a JSON Schema may list any JSON. It is compared as data, and shown as JSON in faults. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { compileJsonSchema } from '../../src/core/graph/spec/json-schema.ts'
import { newWork, checksIn } from '../../src/core/watch/data/check-work.ts'
import { readBounded } from '../../src/core/watch/data/read-bounded.ts'
import { faultsOf, messageFor } from '../../src/core/watch/data/schema-faults.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { tool } from '../../src/kit/tool.ts'
import type { JsonSchema } from '../../src/kit/schema.ts'

function faultOf(schema: JsonSchema, value: unknown): string | undefined {
  const { issues } = readBounded(compileJsonSchema(schema), value, messageFor)
  return (
    issues &&
    faultsOf(issues, [], 'the value')
      .map(({ path, message }) => `${path}: ${message}`)
      .join('\n')
  )
}

const OBJECTS: { enum: Json[] } = { enum: [{ a: 1, b: [2] }, { c: null }] }
const MIXED: { enum: Json[] } = { enum: [{ a: 1 }, 'x', null, 5, true, [1]] }

describe('listed values', () => {
  it.each<readonly [schema: JsonSchema, value: unknown]>([
    [OBJECTS, { a: 1, b: [2] }],
    [OBJECTS, { b: [2], a: 1 }],
    [OBJECTS, { c: null }],
    ...MIXED.enum.map(value => [MIXED, structuredClone(value)] as const),
    [{ const: { a: 1 } }, { a: 1 }],
    [{ const: [1, 2] }, [1, 2]],
    [{ const: [] }, []],
    [{ enum: [[1]] }, [1]],
    [{ enum: [1, 2] }, 2],
    [
      { type: 'object', properties: { enum: OBJECTS, const: { const: [1] } } },
      { enum: { c: null }, const: [1] },
    ],
    [{ type: 'array', items: OBJECTS }, [{ c: null }]],
    [{ $defs: { one: OBJECTS }, $ref: '#/$defs/one' }, { c: null }],
    [{ anyOf: [OBJECTS, { type: 'string' }] }, { c: null }],
  ])('%j accepts %j', (schema, value) => {
    expect(faultOf(schema, value)).toBeUndefined()
  })

  it.each<readonly [schema: JsonSchema, value: unknown, fault: string]>([
    [OBJECTS, { a: 1 }, 'the value: expected one of {"a":1,"b":[2]}|{"c":null}'],
    [OBJECTS, { a: 1, b: [3] }, 'the value: expected one of {"a":1,"b":[2]}|{"c":null}'],
    [OBJECTS, { c: null, d: 1 }, 'the value: expected one of {"a":1,"b":[2]}|{"c":null}'],
    [OBJECTS, undefined, 'the value: is missing; expected one of {"a":1,"b":[2]}|{"c":null}'],
    [MIXED, [2], 'the value: expected one of {"a":1}|"x"|null|5|true|[1]'],
    [MIXED, { 0: 1 }, 'the value: expected one of {"a":1}|"x"|null|5|true|[1]'],
    [MIXED, 'X', `the value: expected one of {"a":1}|"x"|null|5|true|[1]; did you mean 'x'?`],
    [{ const: { a: 1 } }, 1, 'the value: expected {"a":1}'],
    [{ const: [1, 2] }, 1, 'the value: expected [1,2]'],
    [{ enum: [1, 2] }, 3, 'the value: expected one of 1|2'],
    [
      { type: 'object', properties: { k: OBJECTS } },
      { k: 1 },
      'k: expected one of {"a":1,"b":[2]}|{"c":null}',
    ],
  ])('%j refuses %j', (schema, value, fault) => {
    expect(faultOf(schema, value)).toBe(fault)
  })

  it('are what a model is told', () => {
    const picks = tool({
      name: 't',
      description: 'd',
      inputSchema: { type: 'object', properties: { k: OBJECTS }, required: ['k'] },
      effects: 'read',
      execute: () => 1,
    })
    expect(() => picks.parse({ k: 1 })).toThrow('t: k: expected one of {"a":1,"b":[2]}|{"c":null}')
  })

  it.each([OBJECTS, MIXED, { const: [1, 2] }, { const: { a: 1 } }, { enum: [1, 2] }])(
    '%j is the same as a JSON Schema again',
    schema => {
      const { $schema: _, ...again } = z.toJSONSchema(compileJsonSchema(schema))
      expect(again).toEqual(schema)
    },
  )

  it('with objects are refused where zod hides its schemas', () => {
    for (const key of ['contains', 'propertyNames'])
      expect(() => compileJsonSchema({ type: 'object', [key]: OBJECTS })).toThrow(
        `\`enum\` and \`const\` with objects are not supported inside \`${key}\``,
      )
    expect(faultOf({ type: 'array', contains: { enum: [1, 2] } }, [3])).toContain('at least 1')
  })

  it('count as work for each of their parts', () => {
    const work = newWork()
    readBounded(
      compileJsonSchema({ type: 'array', items: OBJECTS }),
      [{ a: 2 }, { a: 2 }],
      messageFor,
      work,
    )
    expect(checksIn(work)).toBeGreaterThanOrEqual(2 * 6)
  })
})
