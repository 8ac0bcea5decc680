/** Schemas of any library that implements Standard Schema, and plain JSON Schema, behind one interface. */
import { z } from 'zod'
import { type Fault, faultsOf, messageFor } from '../core/graph/spec/fault.ts'
import { pathOf } from '../core/watch/data/fault.ts'
import type { Json } from '../core/watch/data/json.ts'

/** A JSON Schema as a plain object. */
export type JsonSchema = JsonObject

/** What zod, valibot, arktype and others implement: https://standardschema.dev. `jsonSchema` is the Standard JSON Schema extension. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
      readonly output: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

type Validated<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A Standard Schema, or a JSON Schema. */
export type Schema = StandardSchema | JsonSchema

/** What a schema accepts; `Untyped` where it is a JSON Schema. */
export type SchemaInput<S, Untyped = JsonObject> = S extends StandardSchema
  ? NonNullable<S['~standard']['types']>['input']
  : Untyped

/** What a schema returns; `Untyped` where it is a JSON Schema. */
export type SchemaOutput<S, Untyped = JsonObject> = S extends StandardSchema
  ? NonNullable<S['~standard']['types']>['output']
  : Untyped

export type JsonObject = Readonly<Record<string, Json>>

export type Parsed =
  | { readonly value: unknown; readonly faults?: undefined }
  | { readonly faults: readonly Fault[] }

export function isStandardSchema(value: unknown): value is StandardSchema {
  return (
    value !== null &&
    (typeof value === 'object' || typeof value === 'function') &&
    '~standard' in value
  )
}

/**
 * The function that checks and coerces a value, synchronously; `whole` names the value in faults.
 *
 * @throws TypeError from the returned function if the schema validates asynchronously: parsing is repeated when a thread is replayed, and I/O belongs into `execute`.
 */
export function parserOf(schema: Schema, whole: string): (value: unknown) => Parsed {
  const zod = isStandardSchema(schema) ? zodOf(schema) : z.fromJSONSchema(schema)
  if (zod)
    return value => {
      const read = synchronous(whole, () => z.safeParse(zod, value, { error: messageFor }))
      return read.success
        ? { value: read.data }
        : { faults: faultsOf(read.error.issues, [], whole) }
    }
  return value => {
    const read = (schema as StandardSchema)['~standard'].validate(value)
    if (read instanceof Promise) throw asynchronous(whole)
    return read.issues ? { faults: read.issues.map(issue => faultOf(issue, whole)) } : read
  }
}

/** A schema of zod 4, whose messages can be worded better than by the standard. */
function zodOf(schema: StandardSchema): z.core.$ZodType | undefined {
  return '_zod' in schema ? (schema as unknown as z.core.$ZodType) : undefined
}

function synchronous<T>(whole: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw error instanceof z.core.$ZodAsyncError ? asynchronous(whole) : error
  }
}

function asynchronous(whole: string): TypeError {
  return new TypeError(
    `the schema of ${whole} validates asynchronously; expected a synchronous schema: move checks that need I/O into execute`,
  )
}

function faultOf({ message, path = [] }: Issue, whole: string): Fault {
  const keys = path.map(part => (typeof part === 'object' ? part.key : part))
  return { path: pathOf(keys, whole), message }
}

/** The JSON Schema of what a schema takes (`input`) or returns (`output`); `undefined` where its library gives none. @throws TypeError naming the reason */
export function jsonSchemaOf(
  schema: Schema,
  side: 'input' | 'output',
  whole: string,
): JsonSchema | undefined {
  if (!isStandardSchema(schema)) return schema
  try {
    const made = schema['~standard'].jsonSchema?.[side]({ target: 'draft-2020-12' })
    if (!made) return undefined
    const { $schema: _, ...json } = made
    return json as JsonSchema
  } catch (error) {
    throw new TypeError(`${whole} has no JSON Schema: ${(error as Error).message}`)
  }
}
