/**
 * Writes out what a JSON Schema implies and zod ignores. Without a `type`, its keywords hold for values of one type: `{ minimum: 1 }` accepts
 * a text. A required property need not be among `properties`: `{ required: [id] }` would accept `{}`. A list may have a length without `items`.
 */
import { type Lists, markValues } from './listed-values.ts'

type JsonSchema = Readonly<Record<string, unknown>>

const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const

/** Keywords that hold for objects, lists, texts or numbers. */
const KEYWORDS: readonly string[] = [
  ...['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames'],
  ...['minProperties', 'maxProperties', 'items', 'prefixItems', 'additionalItems', 'contains'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]

/** Keywords whose values are not schemas. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'required'])
/** Keywords whose values are maps of schemas, with any names. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
])

/** Keywords with schemas that zod hides in a function. */
const HIDDEN: ReadonlySet<string> = new Set(['propertyNames', 'contains'])

/** `lists`: receives the values for which texts stand. Absent: none are replaced. */
export function explicitSchema(schema: JsonSchema, lists?: Lists): JsonSchema {
  const isUntyped =
    schema.type === undefined && schema.$ref === undefined && KEYWORDS.some(key => key in schema)
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    DATA.has(key)
      ? value
      : MAPS.has(key)
        ? mapped(value, lists)
        : inside(value, HIDDEN.has(key) ? undefined : lists),
  ])
  const whole = Object.fromEntries(parts) as JsonSchema
  const { properties, ...rest } = lists ? markValues(whole, lists) : whole
  const all = withRequired(properties as JsonSchema | undefined, schema.required)
  const isBounded = ['minItems', 'maxItems', 'uniqueItems'].some(key => key in schema)
  return {
    ...(isBounded && { items: {} }),
    ...rest,
    ...(all && { properties: all }),
    ...(isUntyped && { type: TYPES }),
  }
}

/** The properties, with one of any value for each that is only required. */
function withRequired(
  properties: JsonSchema | undefined,
  required: unknown,
): JsonSchema | undefined {
  if (!Array.isArray(required)) return properties
  const missing = required.filter(name => !Object.hasOwn(properties ?? {}, name))
  return { ...properties, ...Object.fromEntries(missing.map(name => [name, {}])) }
}

function inside(value: unknown, lists?: Lists): unknown {
  if (Array.isArray(value)) return value.map(each => inside(each, lists))
  return isObject(value) ? explicitSchema(value, lists) : value
}

const mapped = (value: unknown, lists?: Lists): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner, lists)]))
    : value

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
