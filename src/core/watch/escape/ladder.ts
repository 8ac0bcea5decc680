/** The ladder: which way out is taken, how often each may be, and why the others were not. Only this file chooses a route. */
import type { Finding, FindingKind } from '../event/finding.ts'
import type { EscapePolicy, Policy } from '../policy/policy.ts'
import type { Reason } from '../reason/reason.ts'
import {
  type CustomRung,
  edgeOf,
  type EscapeRoutes,
  isReason,
  type Ladder,
  type Route,
  rungNamed,
  stop,
} from './rungs.ts'

/** What the watchdog concludes from an event. */
export type Verdict =
  | { readonly kind: 'continue' }
  /** Seen and reported, nothing done: the policy only observes. */
  | { readonly kind: 'warn'; readonly because: readonly Finding[] }
  | {
      readonly kind: 'escape'
      readonly route: Route
      readonly because: readonly Finding[]
      readonly considered: readonly Considered[]
    }

/** A rung that was passed over, and why. */
export interface Considered {
  readonly rung: string
  readonly reason: Reason
}

export const CONTINUE: Verdict = { kind: 'continue' }

export const LADDER: Ladder = { position: 0, used: {}, loops: {}, tried: {}, restarts: 0 }

/** Distinct loops whose rungs are counted one by one. */
export const LOOPS_MAX = 12
const TRIED_MAX = 16

/** What a way out is chosen by. */
export interface LadderInput {
  readonly ladder: Ladder
  readonly findings: readonly [Finding, ...Finding[]]
  readonly policy: Policy
  readonly ways: EscapeRoutes
  /** The states entered lately in the region, oldest first. */
  readonly path: readonly string[]
  /** One's own rungs, by their names. */
  readonly own: ReadonlyMap<string, CustomRung>
}

/** The first rung, at or above the ladder's position, that applies and has budget left. `stop` always does. */
export function choose({
  ladder,
  findings,
  policy: { mode, escape: policy },
  ways,
  path,
  own,
}: LadderInput): Verdict {
  // A loop that is only reported must not hide the failure by which the run cannot go on.
  const finding = mode === 'observe' ? findings.find(({ kind }) => !WARNED.has(kind)) : findings[0]
  if (!finding) return { kind: 'warn', because: findings }
  const because = [finding, ...findings.filter(other => other !== finding)]
  if (finding.kind === 'scope')
    return { kind: 'escape', route: stop(finding), because, considered: [] }
  const considered: Considered[] = []
  for (const [place, rung] of policy.ladder.entries()) {
    // These act on single calls, in place.
    if (rung === 'retry' || rung === 'substitute') continue
    const chosen =
      place < ladder.position
        ? RUNG_PASSED
        : (excluded(rung, finding, mode) ??
          rungNamed(rung, own)({ ladder, finding, policy, ways, path }))
    if (!isReason(chosen)) return { kind: 'escape', route: chosen, because, considered }
    considered.push({ rung, reason: chosen })
  }
  return { kind: 'escape', route: stop(finding), because, considered }
}

/** What is reported and left alone where the policy only observes. What cannot go on must end also there. */
const WARNED: ReadonlySet<FindingKind> = new Set([
  'loop',
  'stall',
  'noToolCall',
  'degenerateOutput',
  'scope',
])

const RUNG_PASSED: Reason = { code: 'rung-passed' }
const OBSERVE_ONLY: Reason = { code: 'observe-only' }

/** Why a rung is not asked at all. */
function excluded(rung: string, finding: Finding, mode: Policy['mode']): Reason | undefined {
  if (mode === 'observe' && !appliesWhenObserving(rung, finding)) return OBSERVE_ONLY
  return failedBefore(rung, finding) ? metByScope(finding) : undefined
}

function metByScope({ scope = '', earlier = [] }: Finding): Reason {
  return { code: 'met-by-scope', params: { scope, threads: earlier.length } }
}

/** What let the earlier threads of a scope out did not help: a person is asked, or it ends. */
function failedBefore(rung: string, { kind, scope }: Finding): boolean {
  return (
    scope !== undefined &&
    kind !== 'budget' &&
    (rung === 'rethink' || rung === 'alternative' || rung === 'rollback')
  )
}

/** The rungs that act all the same: the end, and for a limit the edge that a node names for it. */
function appliesWhenObserving(rung: string, { kind }: Finding): boolean {
  return rung === 'stop' || (rung === 'alternative' && kind === 'budget')
}

/** The ladder after a route was taken. */
export function afterEscape(
  ladder: Ladder,
  seq: number,
  verdict: Verdict & { kind: 'escape' },
  policy: EscapePolicy,
): Ladder {
  const { route, because } = verdict
  const rung = route.by ?? route.rung
  const id = because[0]?.id ?? ''
  const { [id]: loop = {}, ...others } = ladder.loops
  const kept = Object.entries(others).slice(-(LOOPS_MAX - 1))
  const edge = route.rung === 'alternative' ? edgeOf(route) : ''
  const tried =
    edge === ''
      ? []
      : [
          ...Object.entries(ladder.tried).filter(([other]) => other !== edge),
          [edge, seq] as const,
        ].slice(-TRIED_MAX)
  return {
    ...ladder,
    position: Math.max(ladder.position, policy.ladder.indexOf(rung)),
    used: { ...ladder.used, [rung]: (ladder.used[rung] ?? 0) + 1 },
    loops: { ...Object.fromEntries(kept), [id]: { ...loop, [rung]: (loop[rung] ?? 0) + 1 } },
    tried: edge === '' ? ladder.tried : Object.fromEntries(tried),
  }
}

/** The ladder after progress: from its foot again, as often as the policy allows. */
export function resetLadder(ladder: Ladder, policy: EscapePolicy): Ladder {
  const fresh = ladder.position === 0 && Object.keys(ladder.used).length === 0
  if (fresh || ladder.restarts >= policy.restarts) return ladder
  return { ...LADDER, tried: ladder.tried, restarts: ladder.restarts + 1 }
}
