/** A tool: a schema and a function. */
import { ARGUMENTS, codedError, firstFaults, guardOf } from '../core/watch/data/fault.ts'
import type { Fault } from '../core/watch/data/schema-faults.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import type { Guarded, Tool } from '../runtime/ports.ts'
import type { JsonSchema, Schema, SchemaInput, SchemaOutput } from './schema.ts'
import { jsonSchemaOf, parserOf } from './schema.ts'
import { checkToolOptions, type ToolOptions } from './tool-options.ts'

/** The arguments do not match the schema of the tool. The message is for the model: the path, and what was expected there. */
export class InvalidArguments extends codedError('InvalidArguments', 'invalid-arguments') {
  readonly faults: readonly Fault[]
  constructor(tool: string, faults: readonly Fault[]) {
    super(`${tool}: ${firstFaults(faults).join('; ')}`)
    this.faults = faults
  }
}

/** Whether an error is an `InvalidArguments`. */
export const isInvalidArguments = guardOf(InvalidArguments)

/** The result does not match the contract of the tool: its service answered with something else. Retried like an outage. */
export class InvalidResult extends codedError('InvalidResult', 'invalid-result') {
  readonly faults: readonly Fault[]
  constructor(tool: string, faults: readonly Fault[]) {
    super(`${tool}: ${firstFaults(faults).join('; ')}`)
    this.faults = faults
  }
}

/** Whether an error is an `InvalidResult`. */
export const isInvalidResult = guardOf(InvalidResult)

/** The contract of results: its check, and its JSON Schema where its library gives one. @throws Error with the reason, for a schema that cannot be used */
export function contractOf(schema: Schema): Pick<Tool, 'checkResult' | 'returns'> {
  const parse = parserOf(schema, 'result')
  return {
    checkResult(this: Tool, result) {
      const { faults } = parse(result)
      if (faults) throw new InvalidResult(this.name, faults)
    },
    ...defined({ returns: shownSchema(schema) }),
  }
}

/** A contract works without a JSON Schema. */
function shownSchema(schema: Schema): JsonSchema | undefined {
  try {
    return jsonSchemaOf(schema, 'input', 'the result')
  } catch {
    return undefined
  }
}

const TIMEOUT = 30_000

/**
 * Creates a tool. The schema checks and coerces arguments before they are used.
 * @throws TypeError if the schema is not of an object, its library does not give a JSON Schema, or an option has another type
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
  const { name = 'tool', inputSchema, outputSchema, parameters, ...others } = options
  const { effects, confirm, execute, ...rest } = others
  const protection = checkToolOptions(name, options)
  const parse = parserOf(inputSchema, ARGUMENTS)
  type Args = SchemaOutput<S>
  const created: Tool = {
    idempotent: effects === 'read',
    timeout: TIMEOUT,
    // The runtime passes the value that `parse` returned.
    ...({ ...rest, ...protection } as Partial<Tool>),
    name,
    description: options.description,
    effects,
    parameters: parameters ?? parametersOf(name, inputSchema),
    // The graph may name the tool later.
    parse(args) {
      return parseArguments(this.name, parse, args)
    },
    execute: async (args, call) => execute(args as Args, call),
    ...(outputSchema && contractOf(outputSchema)),
  }
  if (confirm !== undefined && confirm !== false) {
    const ask = typeof confirm === 'function' ? confirm : () => confirm
    Object.assign(created, { confirm: (args: Json) => ask(args as Args) })
  }
  return created as Tool<SchemaInput<S>, Awaited<Result>>
}

/** The schema as function calling takes it. */
function parametersOf(name: string, schema: Schema): JsonSchema {
  const whole = `the schema of the tool '${name}'`
  const parameters = jsonSchemaOf(schema, 'input', whole)
  const missing = 'gives no JSON Schema; add it as `parameters` beside `inputSchema`'
  if (!parameters) throw new TypeError(`${whole} ${missing}`)
  const wrong = 'is not of an object; function calling passes arguments by name only'
  if (parameters.type !== 'object') throw new TypeError(`${whole} ${wrong}`)
  return parameters
}

function parseArguments(name: string, parse: ReturnType<typeof parserOf>, args: Json): Json {
  // Models write arguments as text. An adapter passes text that is not JSON unchanged.
  if (typeof args === 'string') {
    const message = `expected a JSON object, received text that is not JSON: ${args.slice(0, 120)}`
    throw new InvalidArguments(name, [{ path: 'arguments', message }])
  }
  const read = parse(args)
  if (read.faults) throw new InvalidArguments(name, read.faults)
  return read.value as Json
}

/** The tool works, and its answer is negative: an order can no longer be cancelled, a file is not text. Never retried, and not counted as a failure of the resource. */
export class BusinessError extends codedError('BusinessError', 'business') {}

/** Whether an error is a `BusinessError`. */
export const isBusinessError = guardOf(BusinessError)

/** Timeouts, retries, breakers and the like: what a spec or a caller sets on a tool or a model. */
export function protectionOf(guarded: Partial<Guarded>): Partial<Guarded> {
  const { timeout, retry, breaker, concurrency, substitutes } = guarded
  return defined({ timeout, retry, breaker, concurrency, substitutes })
}

/** Overrides the settings of a tool or a model with those of its spec. A prototype keeps the methods of an object of a class. */
export function withSettings<T extends object>(
  value: T,
  spec: Partial<Guarded>,
  settings: { readonly [K in keyof T]?: T[K] | undefined },
): T {
  return Object.assign(Object.create(value) as T, protectionOf(spec), defined(settings))
}
