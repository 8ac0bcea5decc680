/** The supersteps that one invocation can take, from the worst case of the graph. */
import { worstCaseOf } from '../../core/graph/worst-case/worst-case.ts'
import type { SpecGraph } from '../../kit/bind/bind.ts'
import { nestedOf } from '../../kit/bind/nested.ts'
import type { Graph } from '../../runtime/ports.ts'

/** The superstep that takes the input, and the one that takes an answer. */
const WITHOUT_STEP = 2

/** Every turn starts a counted step or a rollback, or continues the node whose question was answered. */
export function recursionLimitOf(graph: Graph): number {
  const { restarts, budget } = graph.machine.policy.escape
  const { most } = 'spec' in graph ? worstCaseOf(nestedOf(graph as SpecGraph)).steps : UNKNOWN
  const rollbacks = budget.rollback.total * (restarts + 1)
  return Math.min(most + rollbacks + WITHOUT_STEP + 1, Number.MAX_SAFE_INTEGER)
}

/** A graph without a spec: its own limits end it. */
const UNKNOWN = { most: Number.POSITIVE_INFINITY }
