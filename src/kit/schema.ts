/** A schema: a Standard Schema, which many libraries implement, or a plain JSON Schema. */
import { type OrFaults, pathOf } from '../core/watch/data/fault.ts'
import { dropPromise } from '../core/watch/data/synchronous.ts'
import { FAULTS_MAX, readBounded } from '../core/watch/data/read-bounded.ts'
import { type Fault, faultsOf, messageFor } from '../core/watch/data/schema-faults.ts'
import { factsOf } from '../core/watch/failure/failure.ts'
import type { Json } from '../core/watch/data/json.ts'
import { z } from 'zod'
import { compileJsonSchema } from '../core/graph/spec/json-schema.ts'

/** A JSON Schema as a plain object. */
export type JsonSchema = JsonObject

/** The interface of zod, valibot, arktype and others: https://standardschema.dev. `jsonSchema` is the Standard JSON Schema extension. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => Validated<Output> | Promise<Validated<Output>>
    readonly jsonSchema?: { readonly input: ToJsonSchema; readonly output: ToJsonSchema }
  }
}

type ToJsonSchema = (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>

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

export type Parsed = OrFaults<{ readonly value: unknown }>

export const isStandardSchema = (value: unknown): value is StandardSchema =>
  Object(value) === value && '~standard' in (value as object)

/**
 * The function that checks and coerces a value, synchronously; `whole` names the value in faults.
 * @throws TypeError from the returned function if the schema validates asynchronously. A replay parses again, so I/O belongs in `execute`.
 */
export function parserOf(schema: Schema, whole: string): (value: unknown) => Parsed {
  const zod = isStandardSchema(schema) ? zodOf(schema) : compileJsonSchema(schema)
  if (zod) return value => parseZod(zod, value, whole)
  return value => {
    const read = validated(schema as StandardSchema, value)
    if (dropPromise(read)) throw asynchronous(whole)
    return read.issues
      ? { faults: read.issues.slice(0, FAULTS_MAX).map(issue => faultOf(issue, whole)) }
      : read
  }
}

/** A schema of zod 4, which gives better messages than the standard. */
const zodOf = (schema: StandardSchema): z.core.$ZodType | undefined =>
  '_zod' in schema ? (schema as unknown as z.core.$ZodType) : undefined

function parseZod(schema: z.core.$ZodType, value: unknown, whole: string): Parsed {
  try {
    const read = readBounded(schema, value, messageFor)
    return read.issues ? { faults: faultsOf(read.issues, [], whole) } : { value: read.data }
  } catch (error) {
    if (error instanceof z.core.$ZodAsyncError) throw asynchronous(whole)
    return { faults: [{ path: whole, message: thrownBy(error) }] }
  }
}

function validated(schema: StandardSchema, value: unknown) {
  try {
    return schema['~standard'].validate(value)
  } catch (error) {
    return { issues: [{ message: thrownBy(error) }] }
  }
}

/** A check of a schema may throw for odd values, as `new Date(text).toISOString()` does. */
function thrownBy(error: unknown): string {
  const { name, message } = factsOf(error)
  return `cannot be checked: the schema threw ${name}: ${message}`
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

/** The JSON Schema of the `input` or `output` of a schema; `undefined` if its library does not give one. @throws TypeError with the reason */
export function jsonSchemaOf(schema: Schema, side: 'input' | 'output', whole: string) {
  if (!isStandardSchema(schema)) return schema
  try {
    const json = schema['~standard'].jsonSchema?.[side]({ target: 'draft-2020-12' })
    if (!json) return undefined
    const { $schema: _, ...rest } = json
    return rest as JsonSchema
  } catch (error) {
    throw new TypeError(`${whole} has no JSON Schema: ${(error as Error).message}`)
  }
}
