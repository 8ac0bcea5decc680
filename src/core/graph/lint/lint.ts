/** Lint: what is wrong with a graph before it has run. Above all, whether every cycle can be left, whichever tool has failed. */
import { alternativeInLoop } from './alternative.ts'
import { cycleWithoutExit } from './exit.ts'
import type { LintFinding, Remark } from './finding.ts'
import { type Flow, flowOf } from './flow.ts'
import { humanWithoutDeadline, whenWithoutEdge } from './node.ts'
import { reviewWithoutNotifier, smarterIsTheSame } from './escape.ts'
import { deadEnd, unreachable } from './reach.ts'
import { endlessRegion, sharedChannel } from './region.ts'
import { irreversibleToolRetried } from './tool.ts'
import { unboundedRecursion } from './recursion.ts'
import { unused } from './unused.ts'
import { inlineGraphs, type Spec } from '../spec/spec.ts'

export type { LintFinding } from './finding.ts'

const RULES: readonly ((flow: Flow) => Remark[])[] = [
  unreachable,
  deadEnd,
  cycleWithoutExit,
  alternativeInLoop,
  humanWithoutDeadline,
  irreversibleToolRetried,
  whenWithoutEdge,
  endlessRegion,
  sharedChannel,
  smarterIsTheSame,
  reviewWithoutNotifier,
  unused,
]

/**
 * All that lint has to say of a sound spec; names that do not exist are `readSpec`'s to find. A graph is refused by
 * findings of severity `error` that are not `accepted`. `again` names the graphs of the spec by which it is run again.
 *
 * @example
 * lint(spec).filter(({ severity, accepted }) => severity === 'error' && !accepted)
 */
export function lint(spec: Spec, again: ReadonlySet<string> = NONE): readonly LintFinding[] {
  const flow = flowOf(spec)
  // The edges of a statechart written by hand are not in the spec: only names are looked at.
  const rules = spec.machine === undefined ? RULES : [unused]
  const remarks = [
    ...rules.flatMap(rule => rule(flow)),
    ...unboundedRecursion(flow, again),
    ...inlineGraphs(spec).flatMap(inNestedGraph),
  ]
  const accepted = new Set(spec.accept.map(entry => entry.trim()))
  return [
    ...remarks.map(remark => ({ ...remark, accepted: accepted.has(nameOf(remark)) })),
    ...unusedAcceptances(spec, new Set(remarks.map(nameOf))),
  ]
}

const NONE: ReadonlySet<string> = new Set()

/** What is wrong with a graph that stands inside the spec, and was not meant so there. */
function inNestedGraph([name, graph]: readonly [string, Spec]): Remark[] {
  return lint(graph).flatMap(({ accepted, ...remark }) =>
    accepted ? [] : [{ ...remark, path: `graphs.${name}.${remark.path}` }],
  )
}

/** How `accept` names a finding. */
function nameOf({ rule, path }: Remark): string {
  return `${rule} ${path}`
}

/** An acceptance that outlives its finding would hide the next one at that place. */
function unusedAcceptances({ accept }: Spec, found: ReadonlySet<string>): LintFinding[] {
  return accept.flatMap((entry, index) =>
    found.has(entry.trim())
      ? []
      : [
          {
            rule: 'unused',
            severity: 'warning',
            path: `accept[${index}]`,
            message: `lint finds no '${entry}': take it out`,
            accepted: false,
          } as const,
        ],
  )
}
