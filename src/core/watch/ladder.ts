/** The ladder: which way out is taken, how often each may be, and why the others were not. Only this file chooses a route. */
import type { Finding, FindingKind } from './finding.ts'
import type { Counted, EscapePolicy, Policy, Rung } from './policy.ts'
import { hash } from './signature.ts'

/** What the watchdog concludes from an event. */
export type Verdict =
  | { readonly kind: 'continue' }
  /** Seen and reported, nothing done: the policy only observes. */
  | { readonly kind: 'warn'; readonly because: readonly Finding[] }
  | { readonly kind: 'escape'; readonly route: Route; readonly because: readonly Finding[]; readonly considered: readonly Considered[] }

/** The way out of `region`. */
export type Route =
  | { readonly rung: 'alternative'; readonly region: string; readonly from: string; readonly to?: string }
  /** `to`: the state whose model thinks again. */
  | { readonly rung: 'rethink'; readonly region: string; readonly from: string; readonly to: string }
  /** `to`: the seq of the mark. All regions go back. */
  | { readonly rung: 'rollback'; readonly region: ''; readonly from: string; readonly to: number }
  | { readonly rung: 'review'; readonly region: string; readonly from: string }
  | { readonly rung: 'stop'; readonly region: string; readonly reason: string }

/** A rung that was passed over, and why. */
export interface Considered {
  readonly rung: Rung
  readonly why: string
}

export const CONTINUE: Verdict = { kind: 'continue' }

/** Where the thread stands on its ladder. Folded from the journal's verdicts alone. */
export interface Ladder {
  /** The highest rung taken since there was progress, as a place in the policy's ladder. Never goes down without progress. */
  readonly position: number
  readonly used: Readonly<Partial<Record<Rung, number>>>
  /** The same for each distinct loop; the latest `LOOPS_MAX` of them. */
  readonly loops: Readonly<Record<string, Readonly<Partial<Record<Rung, number>>>>>
  /** When an alternative edge was last taken, by seq, under the hash of `from>to`; the latest `TRIED_MAX` of them. */
  readonly tried: Readonly<Record<string, number>>
  readonly restarts: number
}

export const LADDER: Ladder = { position: 0, used: {}, loops: {}, tried: {}, restarts: 0 }

/** Distinct loops whose rungs are counted one by one. */
export const LOOPS_MAX = 12
const TRIED_MAX = 16

/** Where a run could go, as its machine tells. */
export interface Ways {
  /** The ways out of these states, as the machine and the policy name them, for findings of this kind. */
  alternatives(finding: Finding): readonly Way[]
  /** Whether the region can be led to this state, and a smarter model is there to think again in it. */
  rethinks(finding: Finding, state: string): boolean
  /** The seq of the mark to which the thread can go back, or why it cannot. */
  rollback(policy: EscapePolicy): number | string
  /** A person can be asked about it. */
  review(finding: Finding): boolean
  /** The state in which the region is. */
  readonly state: string
}

export interface Way {
  readonly from: string
  readonly to?: string
}

/** What a way out is chosen by. */
export interface Choosing {
  readonly ladder: Ladder
  readonly findings: readonly [Finding, ...Finding[]]
  readonly policy: Policy
  readonly ways: Ways
  /** The states entered lately in the region, oldest first. */
  readonly path: readonly string[]
}

/** The first rung, at or above the ladder's position, that applies and has budget left. `stop` always does. */
export function choose({ ladder, findings, policy: { mode, escape: policy }, ways, path }: Choosing): Verdict {
  // A loop that is only reported must not hide the failure by which the run cannot go on.
  const finding = mode === 'observe' ? findings.find(({ kind }) => !WARNED.has(kind)) : findings[0]
  if (!finding) return { kind: 'warn', because: findings }
  const because = [finding, ...findings.filter(other => other !== finding)]
  if (finding.kind === 'scope') return { kind: 'escape', route: stop(finding), because, considered: [] }
  const considered: Considered[] = []
  for (const [place, rung] of policy.ladder.entries()) {
    const chosen =
      place < ladder.position
        ? 'the ladder is past it'
        : mode === 'observe' && !actsObserving(rung, finding)
          ? 'the policy only observes'
          : metTooOften(rung, finding)
            ? `earlier threads of the scope ${finding.scope} met it (${finding.earlier?.length ?? 0})`
            : RUNGS[rung]({ ladder, finding, policy, ways, path })
    if (typeof chosen !== 'string') return { kind: 'escape', route: chosen, because, considered }
    considered.push({ rung, why: chosen })
  }
  return { kind: 'escape', route: stop(finding), because, considered }
}

/** What is reported and left alone where the policy only observes. What cannot go on must end also there. */
const WARNED: ReadonlySet<FindingKind> = new Set(['loop', 'stall', 'silence', 'scope'])

/** What let the earlier threads of a scope out did not help: a person is asked, or it ends. */
function metTooOften(rung: Rung, { kind, scope }: Finding): boolean {
  return scope !== undefined && kind !== 'budget' && (rung === 'rethink' || rung === 'alternative' || rung === 'rollback')
}

/** The rungs that act all the same: the end, and for a limit the edge that a node names for it. */
function actsObserving(rung: Rung, { kind }: Finding): boolean {
  return rung === 'stop' || (rung === 'alternative' && kind === 'budget')
}

interface Case extends Pick<Choosing, 'ladder' | 'ways' | 'path'> {
  readonly finding: Finding
  readonly policy: EscapePolicy
}

/** A route, or why the rung does not apply. */
const RUNGS: Readonly<Record<Rung, (of: Case) => Route | string>> = {
  retry: () => 'it acts on single calls, in place',
  substitute: () => 'it acts on single calls, in place',
  rethink({ ladder, finding, policy, ways, path }) {
    if (!THOUGHT.has(finding.kind)) return 'no other thought undoes it'
    const spent = spentUp('rethink', ladder, finding, policy)
    if (spent) return spent
    // The nearest one: in the loop, the latest first, else the last one before it.
    const to = [...finding.states, ...path.toReversed()].find(state => ways.rethinks(finding, state))
    return to === undefined ? 'no smarter model is there to think again' : { rung: 'rethink', region: finding.region, from: ways.state, to }
  },
  alternative({ ladder, finding, policy, ways }) {
    const spent = spentUp('alternative', ladder, finding, policy)
    if (spent) return spent
    const way = ways
      .alternatives(finding)
      .filter(({ to }) => finding.kind !== 'loop' || to === undefined || !finding.states.includes(to))
      .map(way => ({ way, last: ladder.tried[edgeOf(way)] ?? -1 }))
      .reduce<{ way: Way; last: number } | undefined>((best, next) => (best && best.last <= next.last ? best : next), undefined)
    return way ? { rung: 'alternative', region: finding.region, ...way.way } : 'no edge leads out of the loop'
  },
  rollback({ ladder, finding, policy, ways }) {
    if (!UNDONE.has(finding.kind)) return 'going back undoes no such thing'
    const spent = spentUp('rollback', ladder, finding, policy)
    if (spent) return spent
    const to = ways.rollback(policy)
    return typeof to === 'string' ? to : { rung: 'rollback', region: '', from: ways.state, to }
  },
  review({ ladder, finding, policy, ways }) {
    if (!policy.review || !ways.review(finding)) return 'nobody is there to ask (no `escape.review`)'
    return spentUp('review', ladder, finding, policy) ?? { rung: 'review', region: finding.region, from: finding.states[0] ?? ways.state }
  },
  stop: ({ finding }) => stop(finding),
}

/** A better thought helps against going round; a failure or a limit is a fact. */
const THOUGHT: ReadonlySet<FindingKind> = new Set(['loop', 'stall', 'silence'])
const UNDONE: ReadonlySet<FindingKind> = new Set(['loop', 'stall'])

function spentUp(rung: Counted, ladder: Ladder, finding: Finding, policy: EscapePolicy): string | undefined {
  const { perLoop, total } = policy.budget[rung]
  if ((ladder.used[rung] ?? 0) >= total) return `taken ${total} times in all`
  const own = ladder.loops[finding.id]?.[rung] ?? 0
  // Where a person is asked because of the earlier threads, what they asked is no reason not to.
  const before = finding.scope === undefined ? (finding.earlier ?? []).reduce((sum, { used }) => sum + (used[rung] ?? 0), 0) : 0
  if (own + before >= perLoop) return `taken ${perLoop} times for this loop${before > 0 ? `, ${before} of them by earlier threads` : ''}`
  return undefined
}

/** Kinds that say too little without their detector. */
const DETAILED: ReadonlySet<FindingKind> = new Set(['budget', 'failure', 'scope'])

function stop(finding: Finding): Route {
  const reason = DETAILED.has(finding.kind) ? `${finding.kind}.${finding.detector}` : finding.kind
  return { rung: 'stop', region: finding.region, reason }
}

/** The ladder after a route was taken. */
export function climbed(ladder: Ladder, seq: number, verdict: Verdict & { kind: 'escape' }, policy: EscapePolicy): Ladder {
  const { route, because } = verdict
  const { rung } = route
  const id = because[0]?.id ?? ''
  const { [id]: loop = {}, ...others } = ladder.loops
  const kept = Object.entries(others).slice(-(LOOPS_MAX - 1))
  const edge = rung === 'alternative' ? edgeOf(route) : ''
  const tried = edge === '' ? [] : [...Object.entries(ladder.tried).filter(([other]) => other !== edge), [edge, seq] as const].slice(-TRIED_MAX)
  return {
    ...ladder,
    position: Math.max(ladder.position, policy.ladder.indexOf(rung)),
    used: { ...ladder.used, [rung]: (ladder.used[rung] ?? 0) + 1 },
    loops: { ...Object.fromEntries(kept), [id]: { ...loop, [rung]: (loop[rung] ?? 0) + 1 } },
    tried: edge === '' ? ladder.tried : Object.fromEntries(tried),
  }
}

/** The ladder after progress: from its foot again, as often as the policy allows. */
export function restarted(ladder: Ladder, policy: EscapePolicy): Ladder {
  const fresh = ladder.position === 0 && Object.keys(ladder.used).length === 0
  if (fresh || ladder.restarts >= policy.restarts) return ladder
  return { ...LADDER, tried: ladder.tried, restarts: ladder.restarts + 1 }
}

function edgeOf({ from, to = '' }: Way): string {
  return hash(`${from}>${to}`)
}
