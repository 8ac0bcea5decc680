/** The ladder: which way out is taken, how often each may be, and why the others were not. Only this file chooses a route. */
import type { Finding } from './finding.ts'
import type { EscapePolicy, Rung } from './policy.ts'
import { hash } from './signature.ts'

/** What the watchdog concludes from an event. */
export type Verdict =
  | { readonly kind: 'continue' }
  | { readonly kind: 'escape'; readonly route: Route; readonly because: readonly Finding[]; readonly considered: readonly Considered[] }

/** The way out of `region`. */
export type Route =
  | { readonly rung: 'alternative'; readonly region: string; readonly from: string; readonly to?: string }
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

const LOOPS_MAX = 12
const TRIED_MAX = 16

/** Where a run could go, as its machine tells. */
export interface Ways {
  /** The ways out of these states, as the machine and the policy name them, for findings of this kind. */
  alternatives(finding: Finding): readonly Way[]
  /** A person can be asked about it. */
  review(finding: Finding): boolean
  /** The state in which the region is. */
  readonly state: string
}

export interface Way {
  readonly from: string
  readonly to?: string
}

/** The first rung, at or above the ladder's position, that applies and has budget left. `stop` always does. */
export function choose(ladder: Ladder, findings: readonly [Finding, ...Finding[]], policy: EscapePolicy, ways: Ways): Verdict {
  const [finding] = findings
  const considered: Considered[] = []
  for (const [place, rung] of policy.ladder.entries()) {
    const chosen = place < ladder.position ? 'the ladder is past it' : RUNGS[rung]({ ladder, finding, policy, ways })
    if (typeof chosen !== 'string') return { kind: 'escape', route: chosen, because: findings, considered }
    considered.push({ rung, why: chosen })
  }
  return { kind: 'escape', route: stop(finding), because: findings, considered }
}

interface Case {
  readonly ladder: Ladder
  readonly finding: Finding
  readonly policy: EscapePolicy
  readonly ways: Ways
}

/** A route, or why the rung does not apply. */
const RUNGS: Readonly<Record<Rung, (of: Case) => Route | string>> = {
  retry: () => 'it acts on single calls, in place',
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
  review({ ladder, finding, policy, ways }) {
    if (!policy.review || !ways.review(finding)) return 'nobody is there to ask (no `escape.review`)'
    return spentUp('review', ladder, finding, policy) ?? { rung: 'review', region: finding.region, from: finding.states[0] ?? ways.state }
  },
  stop: ({ finding }) => stop(finding),
}

function spentUp(rung: 'alternative' | 'review', ladder: Ladder, finding: Finding, policy: EscapePolicy): string | undefined {
  const { perLoop, total } = policy.budget[rung]
  if ((ladder.used[rung] ?? 0) >= total) return `taken ${total} times in all`
  if ((ladder.loops[finding.id]?.[rung] ?? 0) >= perLoop) return `taken ${perLoop} times for this loop`
  return undefined
}

function stop(finding: Finding): Route {
  const reason = finding.kind === 'budget' || finding.kind === 'failure' ? `${finding.kind}.${finding.detector}` : finding.kind
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
