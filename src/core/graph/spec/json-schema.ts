/** Compiles JSON Schemas. Their patterns run in linear time. */
import { z } from 'zod'
import { sizeOf } from '../../watch/data/check-work.ts'
import { depthFault } from '../../watch/data/depth-fault.ts'
import { LinearPattern, linearPattern } from '../../watch/data/pattern.ts'
import { patternsFault } from '../../watch/data/pattern-total.ts'
import { explicitSchema } from './explicit-schema.ts'
import { type Lists, listsObjects, useValues, valuesIn } from './listed-values.ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Zod compiles each part. Checks by larger schemas are not bounded. */
const PARTS_MAX = 10_000
/** The checks of zod call one another for each level. Each schema of `allOf` and `patternProperties` is one. */
const LEVELS_MAX = 400

/** @throws Error with the reason, for a schema that cannot be used */
export function compileJsonSchema(schema: JsonSchema): z.ZodType {
  const deep = depthFault(schema)
  if (deep) throw new Error(`\`${deep.path}\` ${deep.message}`)
  if (partsOf(schema) > PARTS_MAX) throw new Error(`has more than ${PARTS_MAX} parts`)
  if (levelsOf(schema) > LEVELS_MAX) throw new Error(`has more than ${LEVELS_MAX} levels`)
  const large = patternsFault(schema)
  if (large) throw new Error(`\`${large.path}\`: ${large.message}`)
  checkPatterns(schema)
  checkReferences(schema)
  const lists: Lists = []
  const compiled = z.fromJSONSchema(explicitSchema(schema, lists)) as z.ZodType
  replaceParts(compiled, lists, new Set())
  return compiled
}

/** Keywords with schemas; maps of schemas by name; schemas that zod hides in a function. */
const SCHEMAS = ['items', 'prefixItems', 'additionalItems', 'allOf', 'anyOf', 'oneOf', 'not']
const DEFINITIONS = ['$defs', 'definitions']
const MAPS = ['properties', 'patternProperties', ...DEFINITIONS]
const HIDDEN = ['propertyNames', 'contains']
/** The parts of a hidden schema. Each item or key of a value is checked by it, and this work is not counted. */
const HIDDEN_MAX = 10

/** The schemas directly in a schema. */
function schemasIn(schema: JsonSchema): readonly JsonSchema[] {
  const single = [...SCHEMAS, ...HIDDEN, 'additionalProperties'].flatMap(key => schema[key] ?? [])
  const named = MAPS.flatMap(key => Object.values(Object(schema[key])))
  return [...single, ...named].filter(isSchema)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws Error for a pattern that cannot run in linear time, or that stands where it cannot be replaced */
function checkPatterns(schema: JsonSchema): void {
  const named = Object.keys(Object(schema.patternProperties))
  for (const text of [schema.pattern, ...named]) if (typeof text === 'string') linearPattern(text)
  if (named.length > 0 && schema.additionalProperties === false)
    throw new Error('`patternProperties` is not supported beside `additionalProperties: false`')
  for (const key of HIDDEN) {
    if (/"(pattern|patternProperties|\$ref)":/.test(json(schema[key])))
      throw new Error(`\`pattern\` and \`$ref\` are not supported inside \`${key}\``)
    if (isSchema(schema[key]) && hasObjectLists(schema[key]))
      throw new Error(`\`enum\` and \`const\` with objects are not supported inside \`${key}\``)
    if (isSchema(schema[key]) && partsOf(schema[key]) > HIDDEN_MAX)
      throw new Error(`\`${key}\` has more than ${HIDDEN_MAX} parts`)
  }
  schemasIn(schema).forEach(checkPatterns)
}

const hasObjectLists = (schema: JsonSchema): boolean =>
  listsObjects(schema) || schemasIn(schema).some(hasObjectLists)

/** The schemas in a schema, with itself. A value is compared with the parts of each listed value, unless all are texts. */
function partsOf(schema: JsonSchema): number {
  const own = valuesIn(schema)?.reduce<number>((sum, value) => sum + sizeOf(value), 0) ?? 1
  return schemasIn(schema).reduce((sum, inner) => sum + partsOf(inner), own)
}

const levelsOf = (schema: JsonSchema): number => {
  const joined = ['allOf', 'patternProperties'].flatMap(key => Object.keys(Object(schema[key])))
  const inner = schemasIn(schema).map(levelsOf)
  return 1 + joined.length + inner.reduce((most, levels) => Math.max(most, levels), 0)
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
  const visit = (schema: JsonSchema) => {
    count(schema)
    schemasIn(schema).forEach(visit)
  }
  visit(root)
}

/** The schema that a reference names, as zod finds it: zod ignores the rest of a longer path. @throws Error */
function targetOf(root: JsonSchema, reference: string): unknown {
  const [place, name, ...rest] = reference.replace(/^#/, '').split('/').filter(Boolean)
  if (place === undefined) return root
  const key = name?.replaceAll('~1', '/').replaceAll('~0', '~')
  const named = Object(root[place]) as JsonSchema
  const isKnown = key !== undefined && Object.hasOwn(named, key)
  if (isKnown && rest.length === 0 && DEFINITIONS.includes(place)) return named[key]
  throw new Error(
    `\`$ref\` '${reference}' is not supported; expected the name of a schema in $defs or definitions of the root, as in #/$defs/NAME`,
  )
}

const json = (value: unknown): string => JSON.stringify(value) ?? ''

/** Replaces the patterns and the listed values of a compiled schema. Zod reads them at each check. */
function replaceParts(value: unknown, lists: Lists, seen: Set<unknown>): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  const { _zod: inside } = value as { _zod?: { def: object } }
  if (inside) useValues(value as z.core.$ZodType, lists)
  const def: { format?: unknown; pattern?: unknown; getter?: () => unknown } = inside?.def ?? value
  if (def.format === 'regex' && def.pattern instanceof RegExp)
    def.pattern = new LinearPattern(def.pattern.source)
  if (typeof def.getter === 'function') replaceParts(def.getter(), lists, seen)
  for (const inner of Object.values(def)) replaceParts(inner, lists, seen)
}
