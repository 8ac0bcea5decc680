/** A machine for long runs: of the limits only `steps` holds, as in policies stored before there were others. */
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'

export function withoutDefaultLimits(machine: AgentMachine): AgentMachine {
  const { steps, nodeCalls, depth } = machine.policy.limits
  return { ...machine, policy: { ...machine.policy, limits: { steps, nodeCalls, depth } } }
}
