/** A tool, made from a schema and a function. */
import type { Fault } from '../core/graph/spec/fault.ts'
import type { Reconciled } from '../core/watch/event/call-event.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Calling, Guarded, Tool } from '../runtime/ports.ts'
import {
  type JsonSchema,
  jsonSchemaOf,
  parserOf,
  type Schema,
  type SchemaInput,
  type SchemaOutput,
} from './schema.ts'

/** The arguments do not fit the tool. The message is written for the model: which path, and what was expected there. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments'
  readonly code = 'invalid-arguments'
  readonly faults: readonly Fault[]
  constructor(tool: string, faults: readonly Fault[]) {
    super(`${tool}: ${faults.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
    this.faults = faults
  }
}

/** Whether an error is an `InvalidArguments`. */
export function isInvalidArguments(error: unknown): error is InvalidArguments {
  return error instanceof InvalidArguments
}

/** What `tool` takes. `Args` are the arguments as the schema returns them: checked, coerced, defaults filled in. */
export interface ToolOptions<S extends Schema, Result = unknown, Args = SchemaOutput<S>>
  extends Partial<Guarded> {
  /** Default: the name under which a graph has it. */
  readonly name?: string
  /** What it does and when to use it. The model sees this text and the descriptions in the schema. */
  readonly description: string
  /** The arguments: a Standard Schema (zod, valibot, arktype) or a JSON Schema, of an object. */
  readonly inputSchema: S
  /** The JSON Schema of the arguments, for a library that cannot give it (valibot without its converter). */
  readonly parameters?: JsonSchema
  /** `write`: a call changes an external system. */
  readonly effects: 'read' | 'write'
  /** A repetition with the same `idempotencyKey` changes nothing more. Default: true for reads. */
  readonly idempotent?: boolean
  /** A later call of the same tool undoes an earlier one. */
  readonly reversible?: boolean
  /**
   * When a person must allow a call: `true` always, a text always with this question (`Refund {{amount}}?`),
   * a function for some arguments. A function that returns a text asks with it.
   */
  readonly confirm?: boolean | string | ((args: Args) => boolean | string)
  /** Makes the call. Pass `idempotencyKey` on to the service: it stays the same at every attempt and after a crash. */
  execute(args: Args, call: Calling): Result | Promise<Result>
  /** Undoes a call that took effect. After a crash it may be made again, with the same key. */
  compensate?(args: Args, result: Json, call: Calling): Promise<void>
  /** Finds out whether an earlier call with this key took effect. */
  reconcile?(
    args: Args,
    call: Calling,
  ): Promise<{ readonly answer: Reconciled; readonly result?: Json }>
  /** Through this tool the agent reports that it is stuck: the reason, from the arguments. */
  stuck?(args: Args): string
}

const TIMEOUT = 30_000

/**
 * Makes a tool. Arguments are checked and coerced by the schema before anything else sees them.
 *
 * @throws TypeError if the schema is not of an object, or its library gives no JSON Schema
 * @example
 * const refund = tool({
 *   name: 'refund',
 *   description: 'Pays an order back.',
 *   inputSchema: z.object({ order: z.string(), amount: z.number() }),
 *   effects: 'write',
 *   idempotent: true,
 *   confirm: ({ amount }) => amount > 100,
 *   execute: ({ order, amount }, { idempotencyKey }) => bank.refund(order, amount, idempotencyKey),
 * })
 */
export function tool<const S extends Schema, Result>(
  options: ToolOptions<S, Result>,
): Tool<SchemaInput<S>, Awaited<Result>> {
  const { name = 'tool', inputSchema, parameters, effects, confirm, execute, ...rest } = options
  const parse = parserOf(inputSchema, 'arguments')
  type Args = SchemaOutput<S>
  const made: Tool = {
    idempotent: effects === 'read',
    timeout: TIMEOUT,
    // The runtime hands back what `parse` returned.
    ...(rest as Partial<Tool>),
    name,
    description: options.description,
    effects,
    parameters: parameters ?? parametersOf(name, inputSchema),
    parse: args => parsed(name, parse, args),
    execute: async (args, call) => execute(args as Args, call),
    ...(confirm === undefined || confirm === false
      ? {}
      : { confirm: typeof confirm === 'function' ? args => confirm(args as Args) : () => confirm }),
  }
  return made as Tool<SchemaInput<S>, Awaited<Result>>
}

/** The schema as function calling takes it. */
function parametersOf(name: string, schema: Schema): JsonSchema {
  const parameters = jsonSchemaOf(schema, 'input', `the schema of the tool '${name}'`)
  if (!parameters)
    throw new TypeError(
      `the schema of the tool '${name}' gives no JSON Schema; add it as \`parameters\` beside \`inputSchema\``,
    )
  if (parameters.type !== 'object')
    throw new TypeError(
      `the schema of the tool '${name}' is not of an object; function calling passes arguments by name only`,
    )
  return parameters
}

function parsed(name: string, parse: ReturnType<typeof parserOf>, args: Json): Json {
  // Models write arguments as text. An adapter passes text that is not JSON on as it is.
  if (typeof args === 'string')
    throw new InvalidArguments(name, [
      {
        path: 'arguments',
        message: `expected a JSON object, received text that is not JSON: ${args.slice(0, 120)}`,
      },
    ])
  const read = parse(args)
  if (read.faults) throw new InvalidArguments(name, read.faults)
  return read.value as Json
}

/**
 * The tool worked, and its answer is no: an order that cannot be cancelled any more, a file that holds no text.
 * Never retried, and no fault of the resource.
 */
export class BusinessError extends Error {
  override readonly name = 'BusinessError'
  readonly code = 'business'
}

/** Whether an error is a `BusinessError`. */
export function isBusinessError(error: unknown): error is BusinessError {
  return error instanceof BusinessError
}
