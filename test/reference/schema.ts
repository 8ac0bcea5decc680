/** The JSON Schema of a spec, by its named definitions. */
import { specJsonSchema } from '../../src/core/graph/spec/spec.ts'

/** The part of JSON Schema that the notation uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly propertyNames?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** Names that zod generates are not definitions. */
export function definitions(): ReadonlyMap<string, Schema> {
  const { $defs = {} } = specJsonSchema() as Schema
  return new Map(Object.entries($defs).filter(([name]) => !name.startsWith('__')))
}

export function referred({ $ref }: Schema): string | undefined {
  return $ref?.replace('#/$defs/', '')
}

export function branches(schema: Schema): readonly Schema[] {
  return (schema.anyOf ?? schema.oneOf ?? [schema]).flatMap(inner =>
    inner.anyOf || inner.oneOf ? branches(inner) : [inner],
  )
}
