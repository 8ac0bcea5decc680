/** The ladder: which rung answers a finding, and how often each was used. */
import { withLatest } from '../data/json.ts'
import type { Finding, FindingKind } from '../event/event.ts'
import { type EscapePolicy, type Policy, IN_PLACE } from '../policy/policy.ts'
import type { Reason } from '../reason/reason.ts'
import { ladderFor } from './order.ts'
import { type CustomRung, edgeOf, isReason, type LadderState, RETHINK_KINDS } from './rungs.ts'
import { type Route, type RungInput, runRung, stop } from './rungs.ts'

/** The conclusion from an event. */
export type Verdict =
  | { readonly kind: 'continue' }
  /** The findings are reported without effect: the policy only observes, or another thread of a deadlock escapes. */
  | { readonly kind: 'warn'; readonly because: readonly Finding[] }
  | {
      readonly kind: 'escape'
      readonly route: Route
      readonly because: readonly Finding[]
      readonly considered: readonly Considered[]
    }

/** A rung that did not apply, and why. */
export type Considered = Readonly<{ rung: string; reason: Reason }>

export const CONTINUE: Verdict = { kind: 'continue' }
export const LADDER: LadderState = { position: 0, used: {}, loops: {}, tried: {}, restarts: 0 }

/** Loops whose rungs are counted separately. */
export const LOOPS_MAX = 12
const TRIED_MAX = 16

export interface LadderInput extends Pick<RungInput, 'ladder' | 'routes' | 'path'> {
  readonly findings: readonly [Finding, ...Finding[]]
  readonly policy: Policy
  readonly unattended: boolean
  readonly customRungs: ReadonlyMap<string, CustomRung>
}

/** Chooses the first rung at or above the ladder's position that applies and has budget left. `stop` always applies. */
export function choose({
  findings,
  policy,
  unattended,
  customRungs,
  ...input
}: LadderInput): Verdict {
  const { escape } = policy
  const override = unattended ? escape.unattended : undefined
  const mode = override?.mode ?? policy.mode
  // A loop that is only reported must not hide a failure that ends the run.
  const finding =
    mode === 'observe' ? findings.find(({ kind }) => !REPORT_ONLY_KINDS.has(kind)) : findings[0]
  if (!finding) return { kind: 'warn', because: findings }
  const because = [finding, ...findings.filter(other => other !== finding)]
  const considered: Considered[] = []
  const ladder = ladderFor(escape.ladder, escape.orders, finding)
  const own = override?.ladder && ladderFor(override.ladder, escape.orders, finding)
  const rungs = finding.kind === 'scope' ? [] : (own ?? ladder).filter(rung => !IN_PLACE.has(rung))
  for (const rung of rungs) {
    const place = ladder.indexOf(rung)
    const passed = place >= 0 && place < input.ladder.position
    const skipped: Reason | undefined = passed
      ? { code: 'rung-passed' }
      : excluded(rung, finding, mode)
    const result = skipped ?? runRung(rung, customRungs, { ...input, finding, policy: escape })
    if (!isReason(result)) return { kind: 'escape', route: result, because, considered }
    considered.push({ rung, reason: result })
  }
  return { kind: 'escape', route: stop(finding), because, considered }
}

/** The kinds that mode `observe` only reports. All others prevent the run from continuing. */
const REPORT_ONLY_KINDS: ReadonlySet<FindingKind> = new Set([...RETHINK_KINDS, 'scope'])
/** The rungs that cannot help if earlier threads of the scope have used them in vain. */
const TRIED_BY_SCOPE: ReadonlySet<string> = new Set(['rethink', 'alternative', 'rollback'])

/** Why a rung is skipped. */
function excluded(rung: string, finding: Finding, mode: Policy['mode']): Reason | undefined {
  const { kind, scope, earlier = [] } = finding
  // In mode `observe`, a run can still end, or take the edge that a node names for a limit.
  const acts = rung === 'stop' || (rung === 'alternative' && kind === 'budget')
  if (mode === 'observe' && !acts) return { code: 'observe-only' }
  if (scope === undefined || kind === 'budget' || !TRIED_BY_SCOPE.has(rung)) return undefined
  return { code: 'met-by-scope', params: { scope, threads: earlier.length } }
}

type Escape = Verdict & { readonly kind: 'escape' }

/** The ladder after an escape. */
export function afterEscape(
  ladder: LadderState,
  seq: number,
  verdict: Escape,
  policy: EscapePolicy,
) {
  const { route, because } = verdict
  const rung = route.by ?? route.rung
  const id = because[0]?.id ?? ''
  const loop = ladder.loops[id] ?? {}
  const { tried } = ladder
  const place = ladderFor(policy.ladder, policy.orders, because[0]).indexOf(rung)
  return {
    ...ladder,
    position: Math.max(ladder.position, place),
    used: { ...ladder.used, [rung]: (ladder.used[rung] ?? 0) + 1 },
    loops: withLatest(ladder.loops, [id, { ...loop, [rung]: (loop[rung] ?? 0) + 1 }], LOOPS_MAX),
    tried:
      route.rung === 'alternative' ? withLatest(tried, [edgeOf(route), seq], TRIED_MAX) : tried,
  }
}

/** Progress resets the ladder, as often as the policy allows. */
export function resetLadder(ladder: LadderState, policy: EscapePolicy): LadderState {
  const fresh = ladder.position === 0 && Object.keys(ladder.used).length === 0
  if (fresh || ladder.restarts >= policy.restarts) return ladder
  return { ...LADDER, tried: ladder.tried, restarts: ladder.restarts + 1 }
}
