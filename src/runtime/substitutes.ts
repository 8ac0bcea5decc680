/** Who stands in for whom, and what a model is to know of it. */
import type { Run } from '../core/run.ts'
import { openUntil } from '../core/watch/circuits.ts'
import { dependencyOf } from '../core/watch/dependency.ts'
import type { Policy } from '../core/watch/policy.ts'
import type { Guarded, OutOfOrder, Tool } from './ports.ts'

/** Whether, by this policy, others may answer in place of what is out of order. */
export function standsIn({ mode, escape }: Policy): boolean {
  return mode === 'act' && escape.ladder.includes('substitute')
}

type All = Readonly<Record<string, Pick<Guarded, 'substitutes'>>>

/** The substitutes of a name, nearest first: its own in their order, then theirs. */
export function substitutesOf(all: All, name: string): readonly string[] {
  const names = [name]
  for (const one of names) {
    for (const next of (Object.hasOwn(all, one) ? all[one]?.substitutes : undefined) ?? []) if (!names.includes(next)) names.push(next)
  }
  return names.slice(1)
}

/** The tools that a thread knows to be out of order, as of this run of it. Where the policy only observes, none is refused. */
export function outOfOrder(tools: Readonly<Record<string, Tool>>, { circuits, policy, at }: Run): Readonly<Record<string, OutOfOrder>> {
  if (policy.mode === 'observe') return {}
  const untilOf = (name: string) => openUntil(circuits, dependencyOf('tool', name), at)
  return Object.fromEntries(
    Object.keys(tools).flatMap(name => {
      const until = untilOf(name)
      if (until === undefined) return []
      const instead = standsIn(policy) ? substitutesOf(tools, name).find(other => Object.hasOwn(tools, other) && untilOf(other) === undefined) : undefined
      return [[name, { until, ...(instead === undefined ? {} : { instead }) }]]
    }),
  )
}
