/** Lint: the faults of a graph before it runs. Above all, whether every cycle can be left, whichever tool has failed. */
import { inlineGraphs, type Spec } from '../spec/spec.ts'
import { alternativeInLoop, cycleWithoutExit } from './cycle.ts'
import { irreversibleToolRetried, reviewWithoutNotifier, smarterIsTheSame } from './declared.ts'
import { neverWritten, unused } from './declared.ts'
import { flowOf, type Remark, warning } from './flow.ts'
import { deadEnd, endlessRegion, humanWithoutDeadline, sharedChannel } from './node.ts'
import { unboundedRecursion, unreachable, whenWithoutEdge } from './node.ts'

const RULES = {
  unreachable,
  'dead-end': deadEnd,
  'cycle-without-exit': cycleWithoutExit,
  'alternative-in-loop': alternativeInLoop,
  'human-without-deadline': humanWithoutDeadline,
  'irreversible-tool-on-retried-edge': irreversibleToolRetried,
  'when-without-edge': whenWithoutEdge,
  'endless-region': endlessRegion,
  'shared-channel': sharedChannel,
  'smarter-is-the-same': smarterIsTheSame,
  'unreachable-recipient': reviewWithoutNotifier,
  'never-written': neverWritten,
  unused,
  'unbounded-recursion': unboundedRecursion,
}

type Rule = keyof typeof RULES

/** The edges of a hand-written statechart are not in the spec: only names are checked. */
const MACHINE_RULES: readonly Rule[] = ['unused', 'unbounded-recursion']

export interface LintFinding extends Remark {
  readonly rule: Rule
  /** The spec lists it under `accept`: it stays visible and has no effect. */
  readonly accepted: boolean
}

/**
 * All findings for a sound spec; `readSpec` finds unknown names. Findings of severity `error` that are not `accepted` reject
 * the graph. `recursive` lists the graphs of the spec that run it again.
 * @example lint(spec).filter(({ severity, accepted }) => severity === 'error' && !accepted)
 */
export function lint(spec: Spec, recursive: ReadonlySet<string> = new Set()): LintFinding[] {
  const flow = flowOf(spec, recursive)
  const rules = spec.machine === undefined ? (Object.keys(RULES) as Rule[]) : MACHINE_RULES
  const found = [
    ...rules.flatMap(rule => RULES[rule](flow).map(remark => ({ rule, ...remark }))),
    ...inlineGraphs(spec).flatMap(([name, graph]) =>
      lint(graph)
        .filter(({ accepted }) => !accepted)
        .map(finding => ({ ...finding, path: `graphs.${name}.${finding.path}` })),
    ),
  ]
  const accepted = new Set(spec.accept.map(entry => entry.trim()))
  const keys = new Set(found.map(keyOf))
  return [
    ...found.map(finding => ({ ...finding, accepted: accepted.has(keyOf(finding)) })),
    // An acceptance that outlives its finding would hide the next one at that place.
    ...spec.accept.flatMap((entry, index): LintFinding[] => {
      if (keys.has(entry.trim())) return []
      const remark = warning(`accept[${index}]`, `lint does not find '${entry}': remove it`)
      return [{ ...remark, rule: 'unused', accepted: false }]
    }),
  ]
}

/** The form of a finding in `accept`. */
const keyOf = ({ rule, path }: Pick<LintFinding, 'rule' | 'path'>): string => `${rule} ${path}`
