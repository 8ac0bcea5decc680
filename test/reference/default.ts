/** The default of a key. */
import { branches, type Schema } from './schema.ts'

/** In the notation of a spec; `''` without a default. */
export function defaultOf(schema: Schema): string {
  const { default: value } = schema
  return value === undefined || isEmpty(value) ? '' : `\`${noted(value, schema)}\``
}

function noted(value: unknown, schema: Schema): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const properties = branches(schema).find(branch => branch.properties)?.properties ?? {}
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${noted(inner, properties[key] ?? {})}`)
    .join(', ')} }`
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
