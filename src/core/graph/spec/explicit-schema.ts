/**
 * Writes out what a JSON Schema implies and zod ignores. Without a `type`, its keywords hold for values of one type: `{ minimum: 1 }` accepts
 * a text. A required property need not be among `properties`: `{ required: [id] }` would accept `{}`. A list may have a length without `items`.
 */

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

export function explicitSchema(schema: JsonSchema): JsonSchema {
  const isUntyped =
    schema.type === undefined && schema.$ref === undefined && KEYWORDS.some(key => key in schema)
  const parts = Object.entries(schema).map(([key, value]) => [
    key,
    DATA.has(key) ? value : MAPS.has(key) ? mapped(value) : inside(value),
  ])
  const { properties, ...rest } = Object.fromEntries(parts)
  const all = withRequired(properties, schema.required)
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

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside)
  return isObject(value) ? explicitSchema(value) : value
}

const mapped = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inside(inner)]))
    : value

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
