/** A machine for long runs: only the limit on `steps` applies, as in old stored policies. */
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'

export function withoutDefaultLimits(machine: AgentMachine): AgentMachine {
  const { steps, nodeCalls, depth } = machine.policy.limits
  return { ...machine, policy: { ...machine.policy, limits: { steps, nodeCalls, depth } } }
}
