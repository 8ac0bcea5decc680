/** What a thread starts with: its input, and the policy of its graph with the keys and the change of its caller. */
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { codedError, type Fault, firstFaults, guardOf } from '../../core/watch/data/fault.ts'
import { type Json, mapFields } from '../../core/watch/data/json.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import { isScopeKey, SCOPE_KEY_EXPECTED } from '../../core/watch/policy/policy-keys.ts'
import type { ThreadInit } from '../call/context.ts'
import { applyPolicyChange } from '../people/inbox.ts'
import type { Ports } from '../ports.ts'
import { redactKey } from '../redaction/redact.ts'

/** The input does not fit the channels of the graph, or the policy has faults. The message names each path and the expected value. */
export class InvalidInput extends codedError('InvalidInput', 'invalid-input') {}

/** Whether an error is an `InvalidInput`. */
export const isInvalidInput = guardOf(InvalidInput)

/** @throws InvalidInput */
export function checkInput(machine: AgentMachine, input: Json): void {
  refuse(machine.checkInput(input), ({ path, message }) => `${path} ${message}`)
}

/** @throws InvalidInput for an unknown scope, a faulty key and a faulty change */
export function policyAtStart({ keys = {}, policy: change }: ThreadInit, ports: Ports): Policy {
  const policy = policyWith(keys, ports)
  if (change === undefined) return policy
  const changed = applyPolicyChange(ports.graph, policy, ports.redact(change))
  refuse(changed.faults ?? [], ({ path, message }) => `policy.${path}: ${message}`)
  return changed.policy ?? policy
}

function refuse(faults: readonly Fault[], text: (fault: Fault) => string): void {
  if (faults.length > 0) throw new InvalidInput(firstFaults(faults, text).join('; '))
}

/** The policy with custom keys for some of its scopes. */
function policyWith(keys: Readonly<Record<string, string>>, { graph, redact }: Ports): Policy {
  const { policy } = graph.machine
  const { scopes = {} } = policy.limits
  const unknown = Object.keys(keys).find(scope => !Object.hasOwn(scopes, scope))
  if (unknown !== undefined) {
    const known = Object.keys(scopes).join(', ') || '(none)'
    throw new InvalidInput(`unknown scope '${unknown}'; known scopes: ${known}`)
  }
  for (const [scope, key] of Object.entries(keys))
    if (!isScopeKey(key)) throw new InvalidInput(`keys.${scope}: expected ${SCOPE_KEY_EXPECTED}`)
  if (Object.keys(keys).length === 0) return policy
  const renamed = mapFields(scopes, (limits, scope) => {
    const custom = keys[scope]
    return custom === undefined ? limits : { ...limits, key: redactKey(redact, custom) }
  })
  return { ...policy, limits: { ...policy.limits, scopes: renamed } }
}
