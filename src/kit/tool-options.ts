/** The options of `tool`, and the check of those that a program without types can get wrong. */
import { breaker, retry } from '../core/graph/spec/policy-schema.ts'
import type { ToolInput } from '../core/graph/spec/resource.ts'
import { firstFaults, unknownKey } from '../core/watch/data/fault.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import { faultsOf, specMessageFor } from '../core/watch/data/schema-faults.ts'
import type { Calling, Guarded, Reconciliation } from '../runtime/ports.ts'
import type { JsonSchema, Schema, SchemaOutput } from './schema.ts'

/** The protection of a tool. `retry` and `breaker` have the notation of a spec: `{ reset: '5s' }`. */
export interface Protection extends Partial<Omit<Guarded, 'retry' | 'breaker'>> {
  readonly retry?: ToolInput['retry']
  readonly breaker?: ToolInput['breaker']
}

/** The options of `tool`. `Args` are the arguments that the schema returns: checked, coerced, with defaults. */
export interface ToolOptions<S extends Schema, Result = unknown, Args = SchemaOutput<S>>
  extends Protection {
  /** Default: its name in the graph. */
  readonly name?: string
  /** What it does and when to use it. The model sees this text and the descriptions in the schema. */
  readonly description: string
  /** The arguments: a Standard Schema (zod, valibot, arktype) or a JSON Schema of an object. */
  readonly inputSchema: S
  /** The JSON Schema of the arguments, for a library that does not give one (valibot without its converter). */
  readonly parameters?: JsonSchema
  /** The contract of results: a Standard Schema or a JSON Schema. A result that does not fit is a failed call; one that fits stays as it is. */
  readonly outputSchema?: Schema
  /** `write`: a call changes an external system. */
  readonly effects: 'read' | 'write'
  /** A repeated call with the same `idempotencyKey` has no further effect. Default: true for reads. */
  readonly idempotent?: boolean
  /** How long, in ms, a result answers the same request again, in all threads of the bound graph. Only for reads. */
  readonly cache?: number
  /** A later call of the same tool undoes an earlier one. */
  readonly reversible?: boolean
  /** When a person must allow a call. `true`: always. A text: always, with this question (`Refund {{amount}}?`). A function decides by the arguments, and may return a question. */
  readonly confirm?: boolean | string | ((args: Args) => boolean | string)
  /** Makes the call. Pass `idempotencyKey` to the service: it is the same at every attempt, after a crash, and in the next identical call of the thread while an earlier one may have taken effect. */
  execute(args: Args, call: Calling): Result | Promise<Result>
  /** The thread whose end a call of `thread` waits for. Threads that wait for each other are a finding of all of them, and the youngest escapes. */
  waitsFor?(args: Args, thread: string): string | undefined
  /** Undoes a call that took effect. After a crash, it may be called again with the same key. */
  compensate?(args: Args, result: Json, call: Calling): Promise<void>
  /** Finds out whether an earlier call with this key took effect. `not-applied`: it has not and no longer will. `fenced`: it is rejected from now on. */
  reconcile?(args: Args, call: Calling): Promise<Reconciliation>
  /** A call of this tool reports that the agent is stuck. Returns the reason. */
  stuck?(args: Args): string
}

/** A new option is missing here until it is added: the type says so. */
const KNOWN: Readonly<Record<keyof ToolOptions<Schema>, true>> = {
  ...{ name: true, description: true, inputSchema: true, parameters: true, outputSchema: true },
  ...{ effects: true, idempotent: true, cache: true, reversible: true, confirm: true },
  ...{ execute: true, waitsFor: true, compensate: true, reconcile: true, stuck: true },
  ...{ timeout: true, retry: true, breaker: true, concurrency: true, substitutes: true },
}

/** Fields of a tool whose options are taken over: `tool({ ...stock, timeout: 5_000 })`. */
const OF_TOOL: ReadonlySet<string> = new Set(['parse', 'checkResult', 'returns', '~types'])

type Given = Readonly<Partial<Record<keyof typeof KNOWN, unknown>>>

/** Checks what a call needs, and parses the protection. A mistyped `confirm` would ask no person. @throws TypeError */
export function checkToolOptions(name: string, given: Given): Pick<Guarded, 'retry' | 'breaker'> {
  const { inputSchema, effects, execute } = given
  const fault = (message: string) => new TypeError(`the tool '${name}' ${message}`)
  const unknown = Object.keys(given).find(key => !Object.hasOwn(KNOWN, key) && !OF_TOOL.has(key))
  if (unknown !== undefined)
    throw fault(`has the option '${unknown}', which ${unknownKey(unknown, Object.keys(KNOWN))}`)
  if (Object(inputSchema) !== inputSchema)
    throw fault('has no inputSchema; expected the schema of an object')
  if (effects !== 'read' && effects !== 'write')
    throw fault(
      `has ${effects === undefined ? 'no effects' : `the effects '${effects}'`}; expected 'read' or 'write'`,
    )
  if (typeof execute !== 'function') throw fault('has no execute; expected a function')
  return defined({
    retry: parsed('retry', retry, given.retry, fault),
    breaker: parsed('breaker', breaker, given.breaker, fault),
  }) as Pick<Guarded, 'retry' | 'breaker'>
}

function parsed(
  key: string,
  schema: typeof retry | typeof breaker,
  value: unknown,
  fault: (message: string) => TypeError,
): unknown {
  if (value === undefined) return undefined
  const read = schema.safeParse(value, { error: specMessageFor })
  if (read.success) return read.data
  throw fault(`is invalid: ${firstFaults(faultsOf(read.error.issues, [key])).join('; ')}`)
}
