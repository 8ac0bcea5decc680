/** The type of a key, in words. */
import { branches, referred, type Schema } from './schema.ts'

export function typeOf(schema: Schema, link: (name: string) => string): string {
  const own = schema.$ref === undefined ? branches(schema) : [schema]
  return [...new Set(own.map(each => single(each, link)))].join(' or ')
}

function single(schema: Schema, link: (name: string) => string): string {
  const name = referred(schema)
  // A name that zod generates stands for any value.
  if (name !== undefined) return name.startsWith('__') ? 'any value' : link(name)
  if ('const' in schema) return code(schema.const)
  if (schema.enum) return schema.enum.map(code).join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items, link)}`
  if (
    schema.type === 'object' &&
    !schema.properties &&
    typeof schema.additionalProperties === 'object'
  )
    return `map: ${typeOf(schema.propertyNames ?? { type: 'string' }, link)} → ${typeOf(schema.additionalProperties, link)}`
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema)
  if (schema.type === 'string') return schema.format === 'uri' ? 'URL' : 'text'
  return schema.type === 'boolean'
    ? '`true` or `false`'
    : schema.type === 'object'
      ? 'map'
      : 'any value'
}

function numberOf({ type, minimum, maximum, exclusiveMinimum }: Schema): string {
  const kind = type === 'integer' ? 'integer' : 'number'
  if (exclusiveMinimum !== undefined) return `${kind} > ${exclusiveMinimum}`
  const low = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum
  const high = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (low !== undefined && high !== undefined) return `${kind}, ${low} to ${high}`
  return low === undefined ? kind : `${kind} ≥ ${low}`
}

function code(value: unknown): string {
  return `\`${String(value)}\``
}
