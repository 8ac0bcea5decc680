/** What a form shows for a JSON Schema. A schema that no field fits is edited as JSON. */
import type { Json } from '../../../src/core/watch/data/json.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export type Shape = {
  readonly description?: string
  readonly default?: Json
} & Kind

type Kind =
  | { readonly kind: 'text' | 'boolean' | 'json' }
  | { readonly kind: 'number'; readonly isWhole: boolean }
  | { readonly kind: 'choice'; readonly options: readonly Json[] }
  | { readonly kind: 'list'; readonly item: Shape }
  | { readonly kind: 'group'; readonly fields: readonly Field[] }

export interface Field {
  readonly name: string
  readonly shape: Shape
  readonly isRequired: boolean
}

/** Schemas may contain themselves. Below this depth, values are edited as JSON. */
const DEPTH_MAX = 5

export function shapeOf(schema: unknown, root: unknown = schema, depth = 0): Shape {
  const resolved = resolve(schema, root)
  const { description, default: start } = resolved
  const about = {
    ...(typeof description === 'string' && { description }),
    ...(start != null && { default: start as Json }),
  }
  const kind = depth > DEPTH_MAX ? undefined : kindOf(resolved, root, depth)
  return { ...about, ...(kind ?? { kind: 'json' }) }
}

function kindOf(schema: JsonSchema, root: unknown, depth: number): Kind | undefined {
  if (schema.const !== undefined) return { kind: 'choice', options: [schema.const as Json] }
  if (Array.isArray(schema.enum)) return { kind: 'choice', options: schema.enum }
  switch (typeOf(schema)) {
    case 'string':
      return { kind: 'text' }
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
    case 'integer':
      return { kind: 'number', isWhole: typeOf(schema) === 'integer' }
    case 'array':
      return isSchema(schema.items)
        ? { kind: 'list', item: shapeOf(schema.items, root, depth + 1) }
        : undefined
    case 'object':
      return groupOf(schema, root, depth)
    default:
      return undefined
  }
}

function groupOf(schema: JsonSchema, root: unknown, depth: number): Kind | undefined {
  if (!isSchema(schema.properties)) return undefined
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(schema.properties).map(([name, inner]) => ({
    name,
    shape: shapeOf(inner, root, depth + 1),
    isRequired: required.includes(name),
  }))
  return fields.length > 0 ? { kind: 'group', fields } : undefined
}

/** The type of a value that is not null. */
function typeOf({ type, properties }: JsonSchema): unknown {
  const types = [type].flat().filter(each => each !== 'null')
  if (types.length === 1 && types[0] !== undefined) return types[0]
  return type === undefined && properties !== undefined ? 'object' : undefined
}

/** Follows references, and alternatives of which one alone is not null. */
function resolve(schema: unknown, root: unknown, steps = 0): JsonSchema {
  if (!isSchema(schema) || steps > DEPTH_MAX) return {}
  const { $ref, anyOf, oneOf, allOf, ...rest } = schema
  const inner = typeof $ref === 'string' ? targetOf(root, $ref) : onlyOf(anyOf ?? oneOf ?? allOf)
  return inner === undefined ? rest : { ...resolve(inner, root, steps + 1), ...rest }
}

function onlyOf(alternatives: unknown): unknown {
  if (!Array.isArray(alternatives)) return undefined
  const [first, ...others] = alternatives.filter(each => !isSchema(each) || each.type !== 'null')
  return others.length === 0 ? first : undefined
}

const targetOf = (root: unknown, reference: string): unknown =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .reduce<unknown>((value, step) => Object(value)[step], root)

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
