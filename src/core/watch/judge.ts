/** The watchdog: the second reducer over the stream of events. It judges how a run is going, and never what it is about. */
import { ACCOUNT, type Account, book, grant, overLimit, spentAt } from './budget/account.ts'
import { allLimits, type LimitStatus } from './budget/limits.ts'
import {
  findSeenLoop,
  rememberLoop,
  scopeLimits,
  scopesAfter,
  type ScopeWatch,
  type SeenLoop,
} from './budget/scope.ts'
import { subtractSpent } from './event/spent.ts'
import { addErrors, type DetectorErrors } from './failure/detector-errors.ts'
import { DETECTORS_VERSION } from './detect/detectors.ts'
import type { ReportedLoops } from './dedupe.ts'
import { dismiss } from './normalize/dismissed.ts'
import type { Dismissed } from './event/finding.ts'
import type { Stamped } from './event/event.ts'
import { eventDrafts } from './event-drafts.ts'
import { causedReason, type Failing, failingAfter } from './failing.ts'
import type { Finding } from './event/finding.ts'
import type { WatchInput } from './input.ts'
import type { Ladder, Route } from './escape/rungs.ts'
import {
  afterEscape,
  choose,
  CONTINUE,
  LADDER,
  resetLadder,
  type Verdict,
} from './escape/ladder.ts'
import { BUILT_IN } from './parts.ts'
import type { Policy } from './policy/policy.ts'
import { type Progress, updateProgress } from './progress.ts'
import {
  clearStalls,
  detect,
  holdFindings,
  isNoStall,
  type PlacedDraft,
  regionOf,
  type Regions,
  resetRegions,
} from './regions.ts'

/** What the watchdog remembers. Plain JSON, of bounded size. `detectorStates` and `reportedLoops` are a cache of `version`; the rest folds from the journal. */
export interface Watch {
  readonly version: string
  readonly account: Account
  readonly ladder: Ladder
  readonly progress: Progress
  readonly regions: Regions
  /** Repetitions that a person has dismissed. */
  readonly dismissed: readonly Dismissed[]
  /** What has been told of where the policy only observes. */
  readonly reportedLoops: ReportedLoops
  /** The scopes of the thread, by their names. */
  readonly scopes: Readonly<Record<string, ScopeWatch>>
  /** Loops the thread was let out of since there was progress, for the other threads of its scopes. */
  readonly seenLoops: readonly Omit<SeenLoop, 'used'>[]
  /** The call that fails at present. */
  readonly failing?: Failing
  /** Detectors of one's own that broke, and the classifier; absent: none. */
  readonly detectorErrors?: DetectorErrors
}

/** The watch of a thread that has not begun. */
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

/** One event in; the next watch, what was found and what to do about it out. Pure: no clock, no I/O, no model. */
export function judge(watch: Watch, event: Stamped, input: WatchInput, policy: Policy): Judgement {
  const seen = collectFindings(watch, event, input, policy)
  const { regions, ladder } = seen.watch
  const { held } = regionOf(regions, input.region)
  if (input.over || (seen.findings.length === 0 && held.length === 0))
    return { ...seen, verdict: CONTINUE }
  const budget = seen.findings.filter(({ kind }) => kind === 'budget')
  const others = seen.findings.filter(({ kind }) => kind !== 'budget')
  // While calls of a batch are out, only a spent limit acts.
  const batch = 'more' in event && event.more === true
  const [first, ...rest] = batch ? budget : [...budget, ...held, ...others]
  if (!first)
    return {
      ...seen,
      watch: { ...seen.watch, regions: holdFindings(regions, input.region, others) },
      verdict: CONTINUE,
    }
  const verdict = choose({
    ladder,
    findings: [first, ...rest],
    policy,
    ways: input.ways,
    path: regionOf(regions, first.region).path.map(([state]) => state),
    own: (input.parts ?? BUILT_IN).rungs,
  })
  return { ...seen, verdict }
}

/** The watch after a verdict: what both a live run and a replay of its journal do with it. */
export function applyVerdict(watch: Watch, seq: number, verdict: Verdict, policy: Policy): Watch {
  if (verdict.kind !== 'escape') return watch
  const { route, because } = verdict
  return {
    ...watch,
    ladder: afterEscape(watch.ladder, seq, verdict, policy.escape),
    account: grantLimits(watch, because[0], route, policy),
    seenLoops: policy.limits.scopes ? seenLoops(watch, seq, because[0]) : watch.seenLoops,
    regions: resetRegions(watch.regions, route),
  }
}

/** An escape from a spent limit continues past it. */
function grantLimits(
  watch: Watch,
  finding: Finding | undefined,
  { rung }: Route,
  policy: Policy,
): Account {
  const { account } = watch
  if (finding?.kind !== 'budget' || rung === 'stop') return account
  const limits = allLimits(account, policy.limits, sharedLimits(watch, policy, account.at))
  const limit = limits.find(({ name }) => name === finding.detector)
  return limit ? grant(account, limit) : account
}

function seenLoops(
  { seenLoops, account }: Watch,
  seq: number,
  finding: Finding | undefined,
): Watch['seenLoops'] {
  return !finding || finding.kind === 'budget' || finding.kind === 'scope'
    ? seenLoops
    : rememberLoop(seenLoops, finding, { seq, at: account.at })
}

/** Books the event, shows it to the detectors, and completes what they find; decides nothing. */
function collectFindings(
  watch: Watch,
  event: Stamped,
  input: WatchInput,
  policy: Policy,
): Omit<Judgement, 'verdict'> {
  const { limits } = policy
  const [account, over] = book(
    watch.account,
    event,
    { limits, shared: sharedLimits(watch, policy, event.at) },
    input,
  )
  const note = event.type === 'scope.noted' && limits.scopes?.[event.scope] ? event : undefined
  const added = input.dismissed ?? note?.dismissed
  const dismissed = added ? dismiss(watch.dismissed, added) : watch.dismissed
  const { regions, reportedLoops, detectorErrors } = watch
  const [detected, observation] = detect(
    { regions, reported: reportedLoops, broken: detectorErrors, drafts: NO_DRAFTS },
    event,
    {
      input,
      policy,
      dismissed: dismissed,
    },
  )
  const [progress, progressed] = updateProgress(watch.progress, event, input)
  const errors = brokenAfter(detected.broken, event, input.seq)
  const failing = failingAfter(watch.failing, event, observation, input.seq)
  const next: Watch = {
    version: watch.version,
    account,
    ladder: progressed ? resetLadder(watch.ladder, policy.escape) : watch.ladder,
    progress,
    regions: progressed ? clearStalls(detected.regions) : detected.regions,
    dismissed,
    reportedLoops: detected.reported,
    scopes: scopesAfter(watch.scopes, limits.scopes, { note, spent: account.spent, at: event.at }),
    seenLoops: progressed ? NO_LOOPS : watch.seenLoops,
    ...(errors && { detectorErrors: errors }),
    ...(failing && { failing }),
  }
  const drafts = [
    ...(over ? [{ region: input.region, draft: overLimit(account, over, input.seq) }] : NO_DRAFTS),
    ...detected.drafts,
    ...eventDrafts(event, input, limits.scopes),
  ]
  const findings = drafts.map(draft => completeFinding(draft, next, input, policy))
  return { watch: next, findings: progressed ? findings.filter(isNoStall) : findings, progressed }
}

const NO_LIMITS: readonly LimitStatus[] = []
const NO_LOOPS: Watch['seenLoops'] = []
const NO_DRAFTS: readonly PlacedDraft[] = []

/** The limits that the thread shares with others, at this time. */
function sharedLimits(
  { scopes, account }: Watch,
  { limits }: Policy,
  now: number,
): readonly LimitStatus[] {
  return limits.scopes ? scopeLimits(scopes, limits.scopes, now, account) : NO_LIMITS
}

/** With the part of the user that broke outside of the detectors. */
function brokenAfter(
  before: DetectorErrors | undefined,
  event: Stamped,
  seq: number,
): DetectorErrors | undefined {
  return 'failure' in event && event.failure.breakage
    ? addErrors(before, [event.failure.breakage], seq)
    : before
}

function completeFinding(
  { region, draft }: PlacedDraft,
  watch: Watch,
  { seq, region: current, ways }: WatchInput,
  { limits }: Policy,
): Finding {
  const { path } = regionOf(watch.regions, region)
  // What entered several regions at once stands in the last of them.
  const here = region === current ? ways.state : (path.at(-1)?.[0] ?? ways.state)
  const since = path.filter(([, at]) => at >= draft.onset).map(([state]) => state)
  return {
    ...draft,
    reason: causedReason(draft, watch.failing),
    region,
    states: [...new Set([here, ...since.reverse()])].filter(Boolean),
    noticed: seq,
    burned: subtractSpent(watch.account.spent, spentAt(watch.account, draft.onset)),
    ...findSeenLoop(watch.scopes, limits.scopes, draft.id),
  }
}
