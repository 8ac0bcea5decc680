/** A tool, made from a zod schema and a function. */
import { z } from 'zod'
import { type Fault, faultsOf, messageFor } from '../core/graph/spec/fault.ts'
import type { Reconciled } from '../core/watch/event.ts'
import type { Json } from '../core/watch/json.ts'
import type { Calling, Guarded, Tool } from '../runtime/ports.ts'

/** The arguments do not fit the tool. The message is written for the model: which path, and what was expected there. */
export class InvalidArguments extends Error {
  override readonly name = 'InvalidArguments'
  readonly faults: readonly Fault[]
  constructor(tool: string, faults: readonly Fault[]) {
    super(`${tool}: ${faults.map(({ path, message }) => `${path}: ${message}`).join('; ')}`)
    this.faults = faults
  }
}

export interface ToolOptions<S extends z.ZodType> extends Partial<Guarded> {
  readonly name: string
  /** What it does and when to use it: all the model knows of it, beside the descriptions in the schema. */
  readonly description: string
  /** An object schema. */
  readonly inputSchema: S
  readonly effects: 'read' | 'write'
  /** A repetition with the same key changes nothing more. Default: only for reads. */
  readonly idempotent?: boolean
  /** A later call of the same tool undoes what it has done. */
  readonly reversible?: boolean
  execute(args: z.output<S>, call: Calling): Promise<unknown>
  /** Undoes a call that took effect. */
  compensate?(args: z.output<S>, result: Json, call: Calling): Promise<void>
  /** Finds out whether an earlier call with this key took effect. */
  reconcile?(
    args: z.output<S>,
    call: Calling,
  ): Promise<{ readonly answer: Reconciled; readonly result?: Json }>
}

const TIMEOUT = 30_000

/**
 * @example
 * const weather = tool({
 *   name: 'weather',
 *   description: 'The weather in a city now.',
 *   schema: z.strictObject({ city: z.string() }),
 *   effects: 'read',
 *   run: async ({ city }, { signal }) => (await fetch(`https://weather.example/${city}`, { signal })).json(),
 * })
 */
export function tool<S extends z.ZodType>(options: ToolOptions<S>): Tool {
  const {
    name,
    description,
    inputSchema: schema,
    effects,
    idempotent = effects === 'read',
    timeout = TIMEOUT,
  } = options
  const { retry, breaker, concurrency, substitutes, reversible, compensate, reconcile } = options
  return {
    name,
    description,
    parameters: parametersOf(name, schema),
    effects,
    idempotent,
    timeout,
    ...(reversible ? { reversible } : {}),
    ...(retry ? { retry } : {}),
    ...(breaker ? { breaker } : {}),
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(substitutes ? { substitutes } : {}),
    parse: args => parseArguments(name, schema, args),
    // The runtime hands back what `parse` returned.
    execute: (args, call) => options.execute(args as z.output<S>, call),
    ...(compensate
      ? { compensate: (args, result, call) => compensate(args as z.output<S>, result, call) }
      : {}),
    ...(reconcile ? { reconcile: (args, call) => reconcile(args as z.output<S>, call) } : {}),
  }
}

/** The schema as function calling wants it. */
function parametersOf(name: string, schema: z.ZodType): Readonly<Record<string, Json>> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' })
  if (parameters.type !== 'object')
    throw new TypeError(
      `the schema of the tool '${name}' must be of an object: function calling knows no other arguments`,
    )
  return parameters as Readonly<Record<string, Json>>
}

function parseArguments(name: string, schema: z.ZodType, args: Json): Json {
  // Models write their arguments as text; an adapter hands on what is no JSON as it came.
  if (typeof args === 'string')
    throw new InvalidArguments(name, [
      {
        path: 'arguments',
        message: `expected a JSON object, received text that is not JSON: ${args.slice(0, 120)}`,
      },
    ])
  const read = schema.safeParse(args, { error: messageFor })
  if (read.success) return read.data as Json
  throw new InvalidArguments(name, faultsOf(read.error.issues, [], 'arguments'))
}
