/** Who stands in for whom, and what a model is to know of it. */
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { Run } from '../../core/run.ts'
import { openUntil, dependencyOf } from '../../core/watch/circuits.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import type { OutOfOrder, Tool } from '../ports.ts'

/** Whether, by this policy, others may answer in place of what is out of order. */
export function allowsSubstitutes({ mode, escape }: Policy): boolean {
  return mode === 'act' && escape.ladder.includes('substitute')
}

/** The tools that a thread knows to be out of order, as of this run of it. Where the policy only observes, none is refused. */
export function toolsOutOfOrder(
  tools: Readonly<Record<string, Tool>>,
  { circuits, policy, at }: Run,
): Readonly<Record<string, OutOfOrder>> {
  if (policy.mode === 'observe') return {}
  const untilOf = (name: string) => openUntil(circuits, dependencyOf('tool', name), at)
  return Object.fromEntries(
    Object.keys(tools).flatMap(name => {
      const until = untilOf(name)
      if (until === undefined) return []
      const instead = allowsSubstitutes(policy)
        ? substitutesOf(tools, name).find(
            other => Object.hasOwn(tools, other) && untilOf(other) === undefined,
          )
        : undefined
      return [[name, { until, ...(instead === undefined ? {} : { instead }) }]]
    }),
  )
}
