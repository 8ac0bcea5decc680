/** The rungs of the ladder: each chooses a route, or says why it does not apply. */
import type { Finding, FindingKind } from '../event/finding.ts'
import type { Counted, EscapePolicy, Rung, RungBudget } from '../policy/policy.ts'
import { customReason, excerptOf, type Reason } from '../reason/reason.ts'
import { hash } from '../data/signature.ts'

/** The way out of `region`. `by`: the rung of one's own that chose it. */
export type Route = RouteOf & { readonly by?: string }

type RouteOf =
  | {
      readonly rung: 'alternative'
      readonly region: string
      readonly from: string
      readonly to?: string
    }
  /** `to`: the state whose model thinks again. */
  | {
      readonly rung: 'rethink'
      readonly region: string
      readonly from: string
      readonly to: string
    }
  /** `to`: the seq of the mark. All regions go back. */
  | { readonly rung: 'rollback'; readonly region: ''; readonly from: string; readonly to: number }
  | { readonly rung: 'review'; readonly region: string; readonly from: string }
  | { readonly rung: 'stop'; readonly region: string; readonly reason: string }

/** Where the thread stands on its ladder. Folded from the journal's verdicts alone. */
export interface Ladder {
  /** The highest rung taken since there was progress, as a place in the policy's ladder. Never goes down without progress. */
  readonly position: number
  readonly used: Readonly<Record<string, number>>
  /** The same for each distinct loop; the latest `LOOPS_MAX` of them. */
  readonly loops: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** When an alternative edge was last taken, by seq, under the hash of `from>to`; the latest `ESCAPES_MAX` of them. */
  readonly tried: Readonly<Record<string, number>>
  readonly restarts: number
}

/** Where a run could go, as its machine tells. */
export interface EscapeRoutes {
  /** The ways out of these states, as the machine and the policy name them, for findings of this kind. */
  alternatives(finding: Finding): readonly EscapeEdge[]
  /** Whether the region can be led to this state, and a smarter model is there to think again in it. */
  rethinks(finding: Finding, state: string): boolean
  /** The seq of the mark to which the thread can go back, or why it cannot. */
  rollback(policy: EscapePolicy): number | Reason
  /** Whether the region can be left so. */
  leads(finding: Finding, rung: 'alternative', to: string): boolean
  /** A person can be asked about it. */
  review(finding: Finding): boolean
  /** The state in which the region is. */
  readonly state: string
}

export interface EscapeEdge {
  readonly from: string
  readonly to?: string
}

/** What a rung decides by. */
export interface RungInput {
  readonly ladder: Ladder
  readonly ways: EscapeRoutes
  /** The states entered lately in the region, oldest first. */
  readonly path: readonly string[]
  readonly finding: Finding
  readonly policy: EscapePolicy
}

/** The way out that a rung of one's own chooses; where it starts is known. */
export type CustomRoute =
  | { readonly rung: 'alternative' | 'rethink'; readonly to: string }
  | { readonly rung: 'rollback' | 'review' }
  | { readonly rung: 'stop'; readonly reason?: string }

/** A rung of one's own. */
export interface CustomRung {
  /** As it stands in `escape.ladder`. */
  readonly name: string
  readonly version: number
  /** How often it may be taken: for one distinct loop, and in all, until there is progress. Default: once and three times. */
  readonly budget?: RungBudget
  /** A way out, or why it does not apply. */
  choose(of: RungInput): CustomRoute | string
}

/** A route, or why the rung does not apply. */
type BuiltInRung = Exclude<Rung, 'retry' | 'substitute'>

const RUNG_ROUTES: Readonly<Record<BuiltInRung, (of: RungInput) => Route | Reason>> = {
  rethink({ ladder, finding, policy, ways, path }) {
    if (!THOUGHT.has(finding.kind)) return notApplicable('rethink', finding)
    const spent = spentUp('rethink', ladder, finding, policy)
    if (spent) return spent
    // The nearest one: in the loop, the latest first, else the last one before it.
    const to = [...finding.states, ...path.toReversed()].find(state =>
      ways.rethinks(finding, state),
    )
    return to === undefined
      ? NO_SMARTER_MODEL
      : { rung: 'rethink', region: finding.region, from: ways.state, to }
  },
  alternative({ ladder, finding, policy, ways }) {
    const spent = spentUp('alternative', ladder, finding, policy)
    if (spent) return spent
    const way = ways
      .alternatives(finding)
      .filter(
        ({ to }) => finding.kind !== 'loop' || to === undefined || !finding.states.includes(to),
      )
      .map(way => ({ way, last: ladder.tried[edgeOf(way)] ?? -1 }))
      .reduce<{ way: EscapeEdge; last: number } | undefined>(
        (best, next) => (best && best.last <= next.last ? best : next),
        undefined,
      )
    return way ? { rung: 'alternative', region: finding.region, ...way.way } : NO_ALTERNATIVE
  },
  rollback({ ladder, finding, policy, ways }) {
    if (!UNDONE.has(finding.kind)) return notApplicable('rollback', finding)
    const spent = spentUp('rollback', ladder, finding, policy)
    if (spent) return spent
    const to = ways.rollback(policy)
    return typeof to === 'number' ? { rung: 'rollback', region: '', from: ways.state, to } : to
  },
  review({ ladder, finding, policy, ways }) {
    if (!policy.review || !ways.review(finding)) return NO_REVIEWER
    return (
      spentUp('review', ladder, finding, policy) ?? {
        rung: 'review',
        region: finding.region,
        from: finding.states[0] ?? ways.state,
      }
    )
  },
  stop: ({ finding }) => stop(finding),
}

export function rungNamed(
  name: string,
  own: ReadonlyMap<string, CustomRung>,
): (of: RungInput) => Route | Reason {
  if (Object.hasOwn(RUNG_ROUTES, name)) return RUNG_ROUTES[name as BuiltInRung]
  const rung = own.get(name)
  if (rung) return of => customRoute(rung, of)
  return () => ({ code: 'unknown-rung', params: { rung: name } })
}

const CUSTOM_BUDGET: RungBudget = { perLoop: 1, total: 3 }

/** What a rung of one's own chooses, if it can be taken. Where it breaks, it does not apply. */
function customRoute(rung: CustomRung, of: RungInput): Route | Reason {
  const { ladder, finding } = of
  const spent = overBudget(rung.name, rung.budget ?? CUSTOM_BUDGET, ladder, finding)
  if (spent) return spent
  try {
    const chosen = rung.choose(of)
    const route = typeof chosen === 'string' ? customReason(chosen) : routeBy(chosen, of)
    return isReason(route) ? route : { ...route, by: rung.name }
  } catch (error) {
    const message = excerptOf(String((error as Error | undefined)?.message ?? error))
    return { code: 'rung-broke', params: { message } }
  }
}

function routeBy(chosen: CustomRoute, { finding, policy, ways }: RungInput): Route | Reason {
  const { region } = finding
  const from = finding.states[0] ?? ways.state
  switch (chosen.rung) {
    case 'alternative':
      return ways.leads(finding, 'alternative', chosen.to)
        ? { rung: 'alternative', region, from, to: chosen.to }
        : { code: 'no-alternative-edge', params: { to: chosen.to } }
    case 'rethink':
      return ways.rethinks(finding, chosen.to)
        ? { rung: 'rethink', region, from, to: chosen.to }
        : { code: 'no-smarter-model', params: { state: chosen.to } }
    case 'rollback': {
      const to = ways.rollback(policy)
      return typeof to === 'number' ? { rung: 'rollback', region: '', from, to } : to
    }
    case 'review':
      return policy.review && ways.review(finding) ? { rung: 'review', region, from } : NO_REVIEWER
    case 'stop':
      return { rung: 'stop', region, reason: chosen.reason ?? finding.kind }
    default:
      return { code: 'invalid-rung-result' }
  }
}

export const NO_SMARTER_MODEL: Reason = { code: 'no-smarter-model' }
const NO_ALTERNATIVE: Reason = { code: 'no-alternative-edge' }
const NO_REVIEWER: Reason = { code: 'no-reviewer' }

function notApplicable(rung: Rung, { kind }: Finding): Reason {
  return { code: 'not-applicable', params: { rung, finding: kind } }
}

export function isReason(value: object): value is Reason {
  return 'code' in value
}

/** A better thought helps against going round; a failure or a limit is a fact. */
const THOUGHT: ReadonlySet<FindingKind> = new Set([
  'loop',
  'stall',
  'noToolCall',
  'degenerateOutput',
])
const UNDONE: ReadonlySet<FindingKind> = new Set(['loop', 'stall'])

function spentUp(
  rung: Counted,
  ladder: Ladder,
  finding: Finding,
  policy: EscapePolicy,
): Reason | undefined {
  return overBudget(rung, policy.budget[rung], ladder, finding)
}

function overBudget(
  rung: string,
  { perLoop, total }: RungBudget,
  ladder: Ladder,
  finding: Finding,
): Reason | undefined {
  if ((ladder.used[rung] ?? 0) >= total)
    return { code: 'rung-budget-spent', params: { times: total, of: 'thread', earlier: 0 } }
  const own = ladder.loops[finding.id]?.[rung] ?? 0
  // Where a person is asked because of the earlier threads, what they asked is no reason not to.
  const before =
    finding.scope === undefined
      ? (finding.earlier ?? []).reduce((sum, { used }) => sum + (used[rung] ?? 0), 0)
      : 0
  if (own + before >= perLoop)
    return { code: 'rung-budget-spent', params: { times: perLoop, of: 'finding', earlier: before } }
  return undefined
}

/** Kinds that say too little without their detector. */
const DETAILED: ReadonlySet<FindingKind> = new Set(['budget', 'failure', 'scope'])

export function stop(finding: Finding): Route {
  const reason = DETAILED.has(finding.kind) ? `${finding.kind}.${finding.detector}` : finding.kind
  return { rung: 'stop', region: finding.region, reason }
}

export function edgeOf({ from, to = '' }: EscapeEdge): string {
  return hash(`${from}>${to}`)
}
