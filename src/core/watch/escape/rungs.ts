/** The rungs of the ladder. Each returns a route, or the reason why it does not apply. */
import { defined, hash } from '../data/json.ts'
import type { Finding, FindingKind } from '../event/event.ts'
import { maskedCall, type Redact } from '../failure/failure.ts'
import type { Counted, EscapePolicy, Rung, RungBudget } from '../policy/policy.ts'
import { type Reason, customReason, excerptOf } from '../reason/reason.ts'

type From = { readonly region: string; readonly from: string }

/** An escape from `region`. `by`: the custom rung that chose it. */
export type Route = { readonly by?: string } & (
  | (From & { readonly rung: 'alternative'; readonly to?: string })
  /** `to`: the state whose model rethinks. */
  | (From & { readonly rung: 'rethink'; readonly to: string })
  /** `to`: the seq of the savepoint. A rollback affects all regions. */
  | (From & { readonly rung: 'rollback'; readonly region: ''; readonly to: number })
  | (From & { readonly rung: 'review' })
  /** The state stays, or a review continues in `to`. */
  | (From & { readonly rung: 'restrict'; readonly to?: string })
  | { readonly rung: 'stop'; readonly region: string; readonly reason: string }
)

/** How far a thread has climbed its ladder. It is rebuilt from the verdicts of the journal alone. */
export interface LadderState {
  /** The highest rung used since the last progress, as an index of the policy's ladder. */
  readonly position: number
  readonly used: Readonly<Record<string, number>>
  /** The uses for each of the latest `LOOPS_MAX` loops. */
  readonly loops: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** The seq at which each of the latest alternative edges was last taken, by the hash of `from>to`. */
  readonly tried: Readonly<Record<string, number>>
  readonly restarts: number
}

/** The routes out of the current state. */
export interface EscapeRoutes {
  /** The edges out of the states of the finding. */
  alternatives(finding: Finding): readonly EscapeEdge[]
  /** Whether the region can reach this state and a smarter model can rethink in it. */
  rethinks(finding: Finding, state: string): boolean
  /** The seq of the savepoint to return to, or why a rollback is impossible. */
  rollback(policy: EscapePolicy): number | Reason
  /** Whether an edge leads there. */
  leads(finding: Finding, rung: 'alternative', to: string): boolean
  review(finding: Finding): boolean
  /** Why restricted mode is not available. */
  restrict(): Reason | undefined
  readonly state: string
}

export type EscapeEdge = Readonly<{ from: string; to?: string }>

/** The input of a rung. */
export interface RungInput {
  readonly ladder: LadderState
  readonly routes: EscapeRoutes
  /** The latest states of the region, oldest first. */
  readonly path: readonly string[]
  readonly finding: Finding
  readonly policy: EscapePolicy
}

/** The route of a custom rung. Its start follows from the finding. */
export type CustomRoute =
  | { readonly rung: 'alternative' | 'rethink'; readonly to: string }
  | { readonly rung: 'rollback' | 'review' }
  | { readonly rung: 'stop'; readonly reason?: string }

/** A custom rung. */
export interface CustomRung {
  readonly name: string
  readonly version: number
  /** How often it may be used: for one loop, and in total until there is progress. Default: once and three times. */
  readonly budget?: RungBudget
  /** Returns a route, or why the rung does not apply. */
  choose(of: RungInput): CustomRoute | string
}

export const NO_SMARTER_MODEL: Reason = { code: 'no-smarter-model' }
const NO_ALTERNATIVE: Reason = { code: 'no-alternative-edge' }

/** Rethinking helps against repetition. A failure or a limit is a fact. */
export const RETHINK_KINDS = new Set<FindingKind>([
  'loop',
  'stall',
  'noToolCall',
  'degenerateOutput',
  'deadlock',
])
const ROLLBACK_KINDS: ReadonlySet<FindingKind> = new Set(['loop', 'stall', 'deadlock'])

/** The built-in rungs that a loop can use up. */
const COUNTED: Readonly<Record<Counted, (of: RungInput) => Route | Reason>> = {
  rethink(of) {
    const { finding, routes, path } = of
    if (!RETHINK_KINDS.has(finding.kind)) return notApplicable('rethink', finding)
    const spent = overBudget('rethink', of)
    if (spent) return spent
    // The nearest state: the latest one in the loop, otherwise the latest one before it.
    const states = [...finding.states, ...path.toReversed()]
    const to = states.find(state => routes.rethinks(finding, state))
    if (to === undefined) return NO_SMARTER_MODEL
    return { rung: 'rethink', region: finding.region, from: routes.state, to }
  },
  alternative: of => overBudget('alternative', of) ?? leastRecentEdge(of),
  rollback(of) {
    if (!ROLLBACK_KINDS.has(of.finding.kind)) return notApplicable('rollback', of.finding)
    return overBudget('rollback', of) ?? rollback(of)
  },
  review(of) {
    const route = review(of)
    return isReason(route) ? route : (overBudget('review', of) ?? route)
  },
  restrict(of) {
    const { finding, routes } = of
    if (!RETHINK_KINDS.has(finding.kind)) return notApplicable('restrict', finding)
    const refused = routes.restrict() ?? overBudget('restrict', of)
    return refused ?? { rung: 'restrict', region: finding.region, from: startOf(of) }
  },
}

/** Runs a built-in or custom rung by name. */
export function runRung(name: string, custom: ReadonlyMap<string, CustomRung>, of: RungInput) {
  if (name === 'stop') return stop(of.finding)
  if (Object.hasOwn(COUNTED, name)) return COUNTED[name as Counted](of)
  const rung = custom.get(name)
  return rung ? runCustom(rung, of) : ({ code: 'unknown-rung', params: { rung: name } } as const)
}

/** A rung whose texts contain no secrets. The name of a node stays: the route needs it. */
export function withMaskedTexts(rung: CustomRung, redact: Redact): CustomRung {
  const { name, version, budget } = rung
  const choose = (of: RungInput): CustomRoute | string => {
    const chosen = maskedCall(redact, () => rung.choose(of))
    if (typeof chosen === 'string') return redact(chosen)
    if (chosen.rung !== 'stop' || chosen.reason === undefined) return chosen
    return { ...chosen, reason: redact(chosen.reason) }
  }
  return { name, version, choose, ...defined({ budget }) }
}

/** A custom rung that throws does not apply. */
function runCustom(rung: CustomRung, of: RungInput): Route | Reason {
  const spent = overBudget(rung.name, of, rung.budget ?? { perLoop: 1, total: 3 })
  if (spent) return spent
  try {
    const chosen = rung.choose(of)
    const route = typeof chosen === 'string' ? customReason(chosen) : customRoute(chosen, of)
    return isReason(route) ? route : { ...route, by: rung.name }
  } catch (error) {
    const message = excerptOf(String((error as Error | undefined)?.message ?? error))
    return { code: 'rung-broke', params: { message } }
  }
}

function customRoute(chosen: CustomRoute, of: RungInput): Route | Reason {
  const { finding, routes } = of
  const { region } = finding
  switch (chosen.rung) {
    case 'alternative':
      return routes.leads(finding, 'alternative', chosen.to)
        ? { rung: 'alternative', region, from: startOf(of), to: chosen.to }
        : { code: 'no-alternative-edge', params: { to: chosen.to } }
    case 'rethink':
      return routes.rethinks(finding, chosen.to)
        ? { rung: 'rethink', region, from: startOf(of), to: chosen.to }
        : { code: 'no-smarter-model', params: { state: chosen.to } }
    case 'rollback':
      return rollback(of, startOf(of))
    case 'review':
      return review(of)
    case 'stop':
      return { rung: 'stop', region, reason: chosen.reason ?? finding.kind }
    default:
      return { code: 'invalid-rung-result' }
  }
}

const startOf = ({ finding, routes }: RungInput): string => finding.states[0] ?? routes.state

/** The edge that was taken least recently. Edges back into the loop are excluded. */
function leastRecentEdge({ ladder, finding, routes }: RungInput): Route | Reason {
  const inLoop = ({ to }: EscapeEdge) =>
    finding.kind === 'loop' && to !== undefined && finding.states.includes(to)
  const lastUse = (edge: EscapeEdge) => ladder.tried[edgeOf(edge)] ?? -1
  const [edge] = routes
    .alternatives(finding)
    .filter(edge => !inLoop(edge))
    .toSorted((a, b) => lastUse(a) - lastUse(b))
  return edge ? { rung: 'alternative', region: finding.region, ...edge } : NO_ALTERNATIVE
}

function rollback({ policy, routes }: RungInput, from = routes.state): Route | Reason {
  const to = routes.rollback(policy)
  return typeof to === 'number' ? { rung: 'rollback', region: '', from, to } : to
}

function review(of: RungInput): Route | Reason {
  const { finding, policy, routes } = of
  if (!policy.review || !routes.review(finding)) return { code: 'no-reviewer' }
  return { rung: 'review', region: finding.region, from: startOf(of) }
}

function notApplicable(rung: Rung, { kind }: Finding): Reason {
  return { code: 'not-applicable', params: { rung, finding: kind } }
}

export const isReason = (value: object): value is Reason => 'code' in value

function overBudget(rung: string, of: RungInput, budget?: RungBudget): Reason | undefined {
  const { ladder, finding, policy } = of
  const { perLoop, total } = budget ?? policy.budget[rung as Counted]
  if ((ladder.used[rung] ?? 0) >= total)
    return { code: 'rung-budget-spent', params: { times: total, of: 'thread', earlier: 0 } }
  const used = ladder.loops[finding.id]?.[rung] ?? 0
  const { scope, earlier = [] } = finding
  // If the scope requires a person, the questions of earlier threads do not count.
  const counting = scope === undefined ? earlier : []
  const before = counting.reduce((sum, each) => sum + (each.used[rung] ?? 0), 0)
  if (used + before < perLoop) return undefined
  return { code: 'rung-budget-spent', params: { times: perLoop, of: 'finding', earlier: before } }
}

/** Kinds whose reason includes the detector. */
const DETAILED: ReadonlySet<FindingKind> = new Set(['budget', 'failure', 'scope'])

export function stop({ kind, detector, region }: Finding): Route {
  return { rung: 'stop', region, reason: DETAILED.has(kind) ? `${kind}.${detector}` : kind }
}

export const edgeOf = ({ from, to = '' }: EscapeEdge): string => hash(`${from}>${to}`)
