/** Compiles JSON Schemas. Their patterns run in linear time. */
import { z } from 'zod'
import { LinearPattern, linearPattern } from '../../watch/data/pattern.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** @throws Error with the reason, for a schema that cannot be used */
export function compileJsonSchema(schema: JsonSchema): z.ZodType {
  checkPatterns(schema)
  checkReferences(schema)
  const compiled = z.fromJSONSchema(schema) as z.ZodType
  useLinearPatterns(compiled, new Set())
  return compiled
}

/** Keywords with schemas; maps of schemas by name; schemas that zod hides in a function. */
const SCHEMAS = ['items', 'prefixItems', 'additionalItems', 'allOf', 'anyOf', 'oneOf', 'not']
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions']
const HIDDEN = ['propertyNames', 'contains']

/** @throws Error for a pattern that cannot run in linear time, or that stands where it cannot be replaced */
function checkPatterns(schema: unknown): void {
  if (Array.isArray(schema)) for (const each of schema) checkPatterns(each)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  const node = schema as JsonSchema
  const named = Object.keys(Object(node.patternProperties))
  for (const text of [node.pattern, ...named]) if (typeof text === 'string') linearPattern(text)
  if (named.length > 0 && node.additionalProperties === false)
    throw new Error('`patternProperties` is not supported beside `additionalProperties: false`')
  const hidden = HIDDEN.find(key => /"(pattern|patternProperties|\$ref)":/.test(json(node[key])))
  if (hidden) throw new Error(`\`pattern\` and \`$ref\` are not supported inside \`${hidden}\``)
  for (const key of [...SCHEMAS, 'additionalProperties']) checkPatterns(node[key])
  for (const key of MAPS) checkPatterns(Object.values(Object(node[key])))
}

/** The alternatives that one value may be checked against. Each definition that uses another one twice doubles them. */
const ALTERNATIVES_MAX = 10_000
/** The keywords with schemas for the same value. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf']

/** @throws Error for a reference that leads to itself for the same value, and for too many alternatives */
function checkReferences(root: JsonSchema): void {
  const known = new Map<unknown, number>()
  const count = (schema: unknown): number => {
    if (typeof schema !== 'object' || schema === null) return 1
    const before = known.get(schema)
    if (before !== undefined) return before
    const { $ref, ...rest } = schema as JsonSchema
    // A definition that is still open here leads to itself.
    known.set(schema, Number.POSITIVE_INFINITY)
    const inner = IN_PLACE.flatMap(key => (Array.isArray(rest[key]) ? rest[key] : []))
    const counts = [...inner, ...(typeof $ref === 'string' ? [targetOf(root, $ref)] : [])].map(
      count,
    )
    const sum = counts.reduce((all, each) => all + each, 1)
    known.set(schema, sum)
    if (sum === Number.POSITIVE_INFINITY)
      throw new Error(`\`$ref\` leads to itself without a property or an item in between`)
    if (sum > ALTERNATIVES_MAX)
      throw new Error(`has more than ${ALTERNATIVES_MAX} alternatives for one value`)
    return sum
  }
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    count(value)
    Object.values(value).forEach(visit)
  }
  visit(root)
}

/** The schema that a reference within the same schema names. */
function targetOf(root: JsonSchema, reference: string): unknown {
  const steps = reference.replace(/^#\/?/, '').split('/').filter(Boolean)
  return steps.reduce<unknown>((value, step) => Object(value)[step], root)
}

const json = (value: unknown): string => JSON.stringify(value) ?? ''

/** Replaces the patterns of a compiled schema. Zod reads them at each check. */
function useLinearPatterns(value: unknown, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { _zod: inside } = value as { _zod?: { def: object } }
  const def: { format?: unknown; pattern?: unknown; getter?: () => unknown } = inside?.def ?? value
  if (def.format === 'regex' && def.pattern instanceof RegExp)
    def.pattern = new LinearPattern(def.pattern.source)
  if (typeof def.getter === 'function') useLinearPatterns(def.getter(), seen)
  for (const inner of Object.values(def)) useLinearPatterns(inner, seen)
}
