/** The watchdog: the second reducer over the events. It judges how a run proceeds, not what it is about. */
import { ACCOUNT, book, grant, restartRoundLimits, overLimit, spentAt } from './budget/account.ts'
import { type Account, allLimits } from './budget/account.ts'
import { countFromHere, findSeenLoop, rememberLoop, scopeLimits } from './budget/scope.ts'
import { type ScopeWatch, type EscapedLoop, scopesAfter } from './budget/scope.ts'
import { clearHeld, detect, holdFindings, regionOf } from './regions.ts'
import { resetRegions } from './regions.ts'
import { type Excused, excuseStalls, type Progress, updateProgress } from './progress.ts'
import { BUILT_IN } from './parts.ts'
import type { ReportedLoops, PlacedDraft, Regions, WatchInput } from './regions.ts'
import { DETECTORS_VERSION } from './detect/detectors.ts'
import { afterEscape, choose, CONTINUE, LADDER, resetLadder } from './escape/ladder.ts'
import type { LadderState, Route } from './escape/rungs.ts'
import type { Verdict } from './escape/ladder.ts'
import { addEventDrafts, degenerateAnswer, causedReason, failingAfter } from './event-drafts.ts'
import type { Failing } from './event-drafts.ts'
import type { Stamped, Dismissed, Finding } from './event/event.ts'
import { subtractSpent } from './event/call-event.ts'
import { type DetectorErrors, addErrors } from './failure/failure.ts'
import { dismiss } from './normalize/observed.ts'
import type { Policy } from './policy/policy.ts'
import { defined } from './data/json.ts'

/** Plain JSON of bounded size. `reportedLoops` and the `detectorStates` of the regions are a cache, valid for `version`; the rest is rebuilt from the journal. */
export interface Watch {
  readonly version: string
  readonly account: Account
  readonly ladder: LadderState
  readonly progress: Progress
  readonly excused?: Excused
  readonly regions: Regions
  readonly dismissed: readonly Dismissed[]
  /** Loops that were reported while the policy only observes. */
  readonly reportedLoops: ReportedLoops
  readonly scopes: Readonly<Record<string, ScopeWatch>>
  /** For the other threads of its scopes. */
  readonly seenLoops: readonly EscapedLoop[]
  readonly failing?: Failing
  readonly detectorErrors?: DetectorErrors
}

/** The watch before the first event. */
export const WATCH: Watch = {
  version: DETECTORS_VERSION,
  account: ACCOUNT,
  ladder: LADDER,
  progress: { best: null, writes: [] },
  regions: {},
  dismissed: [],
  reportedLoops: [],
  scopes: {},
  seenLoops: [],
}

export interface Judgement {
  readonly watch: Watch
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  readonly progressed: boolean
}

/** Takes one event. Returns the next watch, the findings and the verdict. Pure: no clock, no I/O, no model. */
export function judge(watch: Watch, event: Stamped, input: WatchInput, policy: Policy): Judgement {
  const seen = updateWatch(watch, event, input, policy)
  const { regions, ladder } = seen.watch
  const { held } = regionOf(regions, input.region)
  if (input.endsMachine || (seen.findings.length === 0 && held.length === 0))
    return { ...seen, verdict: CONTINUE }
  const urgent = seen.findings.filter(isUrgent)
  const others = seen.findings.filter(finding => !isUrgent(finding))
  // While calls of a batch are in progress, only urgent findings act.
  const isBatchOpen = 'more' in event && event.more === true
  const [first, ...rest] = isBatchOpen ? urgent : [...urgent, ...held, ...others]
  // Only the youngest thread of a deadlock escapes.
  if (event.type === 'deadlock.found' && !event.escapes)
    return { ...seen, verdict: { kind: 'warn', because: seen.findings } }
  if (!first) {
    const next = { ...seen.watch, regions: holdFindings(regions, input.region, others) }
    return { ...seen, watch: next, verdict: CONTINUE }
  }
  const clear = isBatchOpen ? regions : clearHeld(regions, input.region)
  const verdict = choose({
    ladder,
    findings: [first, ...rest],
    policy,
    unattended: event.unattended === true,
    routes: input.routes,
    path: regionOf(regions, first.region).path.map(([state]) => state),
    customRungs: (input.parts ?? BUILT_IN).rungs,
  })
  return { ...seen, watch: { ...seen.watch, regions: clear }, verdict }
}

const URGENT: ReadonlySet<Finding['kind']> = new Set(['budget', 'degenerateOutput', 'deadlock'])

const isUrgent = ({ kind }: Finding): boolean => URGENT.has(kind)

/** The watch after a verdict, both in a live run and in a replay. */
export function applyVerdict(watch: Watch, seq: number, verdict: Verdict, policy: Policy): Watch {
  if (verdict.kind !== 'escape') return watch
  const { route, because } = verdict
  const [finding] = because
  const shared = finding && finding.kind !== 'budget' && finding.kind !== 'scope'
  return {
    ...watch,
    ladder: afterEscape(watch.ladder, seq, verdict, policy.escape),
    account: grantLimits(watch, finding, route, policy),
    seenLoops:
      shared && policy.limits.scopes
        ? rememberLoop(watch.seenLoops, { ...finding, seq, at: watch.account.at })
        : watch.seenLoops,
    regions: resetRegions(watch.regions, route),
  }
}

/** Escaping from an exhausted limit extends it. */
function grantLimits(watch: Watch, finding: Finding | undefined, route: Route, policy: Policy) {
  const { account } = watch
  if (finding?.kind !== 'budget' || route.rung === 'stop') return account
  const limits = allLimits(account, policy.limits, sharedLimits(watch, policy, account.at))
  const limit = limits.find(({ name }) => name === finding.detector)
  return limit ? grant(account, limit) : account
}

type Seen = Omit<Judgement, 'verdict'>

/** Books the event, runs the detectors and completes their findings. */
function updateWatch(watch: Watch, event: Stamped, input: WatchInput, policy: Policy): Seen {
  const { limits } = policy
  const { seq, region } = input
  const shared = sharedLimits(watch, policy, event.at)
  const [account, exceeded] = book(watch.account, event, { limits, shared }, input)
  const note = event.type === 'scope.noted' && limits.scopes?.[event.scope] ? event : undefined
  const added = input.dismissed ?? note?.dismissed
  const dismissed = added ? dismiss(watch.dismissed, added) : watch.dismissed
  const [detected, observation] = detect(watch, event, { input, policy, dismissed })
  const [progress, progressed] = updateProgress(watch.progress, event, input, observation)
  const breakage = 'failure' in event ? event.failure.breakage : undefined
  const errors = addErrors(detected.detectorErrors, breakage ? [breakage] : [], seq)
  const failing = failingAfter(watch.failing, event, observation, seq)
  const next: { -readonly [Key in keyof Watch]: Watch[Key] } = {
    version: watch.version,
    account,
    ladder: progressed ? resetLadder(watch.ladder, policy.escape) : watch.ladder,
    progress,
    regions: detected.regions,
    dismissed,
    reportedLoops: detected.reportedLoops,
    scopes: scopesAfter(watch.scopes, limits.scopes, { note, spent: account.spent, at: event.at }),
    seenLoops: progressed ? [] : watch.seenLoops,
  }
  if (watch.excused) next.excused = watch.excused
  if (errors) next.detectorErrors = errors
  if (failing) next.failing = failing
  const degenerate =
    input.wholeAnswers && event.type === 'model.done'
      ? degenerateAnswer(event.text, event.subject, seq, policy.detect)
      : undefined
  const drafts: PlacedDraft[] = []
  if (degenerate) drafts.push({ region, draft: degenerate })
  if (exceeded) drafts.push({ region, draft: overLimit(account, exceeded, seq) })
  if (detected.drafts) drafts.push(...detected.drafts)
  addEventDrafts(drafts, event, input, limits.scopes)
  const findings = drafts.map(draft => completeFinding(draft, next, input, policy))
  return { ...(progressed ? excuseStalls(next, findings) : { watch: next, findings }), progressed }
}

/** The limits of the thread's scopes at this time. */
const sharedLimits = ({ scopes, account }: Watch, { limits }: Policy, now: number) =>
  limits.scopes ? scopeLimits(scopes, limits.scopes, now, account) : []

function completeFinding(placed: PlacedDraft, watch: Watch, input: WatchInput, policy: Policy) {
  const { region, draft } = placed
  const { seq, routes } = input
  const { path } = regionOf(watch.regions, region)
  // An event that enters several regions reports the state of the last one.
  const here = region === input.region ? routes.state : (path.at(-1)?.[0] ?? routes.state)
  const since = path.filter(([, at]) => at >= draft.onset).map(([state]) => state)
  return {
    ...draft,
    reason: causedReason(draft, watch.failing),
    region,
    states: [...new Set([here, ...since.reverse()])].filter(Boolean),
    noticed: seq,
    burned: subtractSpent(watch.account.spent, spentAt(watch.account, draft.onset)),
    ...findSeenLoop(watch.scopes, policy.limits.scopes, draft.id),
  }
}

/** The same message within this time after a round is sent by a program, or in the hope of another answer. In ms. */
export const RESENT_WITHIN = 60_000

/** The watch for the next round. Spending, dismissals, scopes and detector errors remain. */
export function resetForRound(watch: Watch): Watch {
  const { dismissed, scopes, seenLoops, detectorErrors } = watch
  const kept = defined({ dismissed, scopes, seenLoops, detectorErrors })
  return { ...WATCH, ...kept, account: restartRoundLimits(watch.account) }
}

/** The watch after a message that only rewords the last one: the round limits restart, and detector states remain. */
export function renewLimits(watch: Watch): Watch {
  return { ...watch, account: restartRoundLimits(watch.account) }
}

/** The watch of a fork. The parent has published its spending and loops, and keeps its children. */
export function inheritForFork(watch: Watch): Watch {
  return {
    ...watch,
    account: { ...watch.account, reserved: {} },
    seenLoops: [],
    scopes: countFromHere(watch.scopes, watch.account.spent),
  }
}

/** The watch of a thread that continues in another version of its graph, whose states have other names. */
export function inheritForMigration(watch: Watch): Watch {
  const { failing: _, ...rest } = watch
  const progress = { best: null, writes: watch.progress.writes }
  return { ...rest, regions: {}, reportedLoops: [], progress }
}
