/** The options of `tool` that a program without types can get wrong, and those in the notation of a spec. */
import { breaker, retry } from '../core/graph/spec/policy-schema.ts'
import type { ToolInput } from '../core/graph/spec/resource.ts'
import { firstFaults, unknownKey } from '../core/watch/data/fault.ts'
import { defined } from '../core/watch/data/json.ts'
import { faultsOf, specMessageFor } from '../core/watch/data/schema-faults.ts'
import type { Guarded } from '../runtime/ports.ts'
import type { Schema } from './schema.ts'
import type { ToolOptions } from './tool.ts'

/** The protection of a tool. `retry` and `breaker` have the notation of a spec: `{ reset: '5s' }`. */
export interface Protection extends Partial<Omit<Guarded, 'retry' | 'breaker'>> {
  readonly retry?: ToolInput['retry']
  readonly breaker?: ToolInput['breaker']
}

/** A new option is missing here until it is added: the type says so. */
const KNOWN: Readonly<Record<keyof ToolOptions<Schema>, true>> = {
  ...{ name: true, description: true, inputSchema: true, parameters: true, outputSchema: true },
  ...{ effects: true, idempotent: true, cache: true, reversible: true, confirm: true },
  ...{ execute: true, waitsFor: true, compensate: true, reconcile: true, stuck: true },
  ...{ timeout: true, retry: true, breaker: true, concurrency: true, substitutes: true },
}

type Given = Readonly<Partial<Record<keyof typeof KNOWN, unknown>>>

/** Checks what a call needs, and parses the protection. A mistyped `confirm` would ask nobody. @throws TypeError */
export function checkToolOptions(name: string, given: Given): Pick<Guarded, 'retry' | 'breaker'> {
  const { inputSchema, effects, execute } = given
  const fault = (message: string) => new TypeError(`the tool '${name}' ${message}`)
  const unknown = Object.keys(given).find(key => !Object.hasOwn(KNOWN, key))
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
