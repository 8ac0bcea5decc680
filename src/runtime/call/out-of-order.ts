/** Tools that are out of order, and their substitutes. */
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { Run } from '../../core/run.ts'
import { openUntil, dependencyOf } from '../../core/watch/retries.ts'
import type { Policy } from '../../core/watch/policy/policy.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { OutOfOrder, Tool } from '../ports.ts'

/** Whether substitutes may answer in place of a subject that is out of order. */
export function allowsSubstitutes({ mode, escape }: Policy): boolean {
  return mode === 'act' && escape.ladder.includes('substitute')
}

/** The latest time until which a call that waits since `since` may wait for its breaker. */
export function waitLimit({ mode, escape }: Policy, since: number): number {
  const { ladder, wait } = escape
  return mode === 'act' && wait && ladder.includes('wait') ? since + wait.most : -Infinity
}

/** The tools that the thread knows to be out of order at this point of its run. A tool whose calls wait is not. */
export function toolsOutOfOrder(
  tools: Readonly<Record<string, Tool>>,
  { circuits, policy, at }: Run,
): Readonly<Record<string, OutOfOrder>> {
  if (policy.mode === 'observe') return {}
  const untilOf = (name: string) => openUntil(circuits, dependencyOf('tool', name), at)
  const isWorking = (name: string) => Object.hasOwn(tools, name) && untilOf(name) === undefined
  return Object.fromEntries(
    Object.keys(tools).flatMap(name => {
      const until = untilOf(name)
      if (until === undefined) return []
      const substitutes = allowsSubstitutes(policy) ? substitutesOf(tools, name) : []
      const instead = substitutes.find(isWorking)
      if (instead === undefined && until <= waitLimit(policy, at)) return []
      return [[name, { until, ...defined({ instead }) }]]
    }),
  )
}
