/** The options of `tool` that a program without types can get wrong, and those in the notation of a spec. */
import { breaker, retry } from '../core/graph/spec/policy-schema.ts'
import type { ToolInput } from '../core/graph/spec/resource.ts'
import { firstFaults } from '../core/watch/data/fault.ts'
import { defined } from '../core/watch/data/json.ts'
import { faultsOf, specMessageFor } from '../core/watch/data/schema-faults.ts'
import type { Guarded } from '../runtime/ports.ts'

/** The protection of a tool. `retry` and `breaker` have the notation of a spec: `{ reset: '5s' }`. */
export interface Protection extends Partial<Omit<Guarded, 'retry' | 'breaker'>> {
  readonly retry?: ToolInput['retry']
  readonly breaker?: ToolInput['breaker']
}

type Given = Readonly<
  Partial<Record<'inputSchema' | 'effects' | 'execute' | 'retry' | 'breaker', unknown>>
>

/** Checks what a call needs, and parses the protection. @throws TypeError */
export function checkToolOptions(
  name: string,
  { inputSchema, effects, execute, ...given }: Given,
): Pick<Guarded, 'retry' | 'breaker'> {
  const fault = (message: string) => new TypeError(`the tool '${name}' ${message}`)
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
