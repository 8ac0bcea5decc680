/** The watchdog: the second reducer over the stream of events. It judges how a run is going, and never what it is about. */
import {
  ACCOUNT,
  type Account,
  allLimits,
  book,
  grant,
  overLimit,
  spentAt,
} from './budget/account.ts'
import { addErrors, type DetectorErrors } from './detect/detector-errors.ts'
import type { Observation } from './detect/detector.ts'
import { type Dismissed, dismiss, isDismissed, isDismissedDraft } from './dismissed.ts'
import {
  INITIAL_STATES,
  DETECTORS_VERSION,
  type DetectorStates,
  runDetectors,
} from './detect/detectors.ts'
import { BUILT_IN, type WatchParts } from './parts.ts'
import type { AgentEvent, Stamped } from './event.ts'
import { type Failing, failingAfter, causedReason } from './failing.ts'
import type { FailureClass } from './failure/failure.ts'
import type { Finding, FindingKind, FindingDraft } from './finding.ts'
import {
  choose,
  afterEscape,
  CONTINUE,
  LADDER,
  type Ladder,
  resetLadder,
  type Route,
  type Verdict,
  type EscapeRoutes,
} from './ladder.ts'
import { remember } from './memory.ts'
import type { Policy } from './policy.ts'
import {
  type LimitStatus,
  scopeLimits,
  findSeenLoop,
  rememberLoop,
  type SeenLoop,
  type PeerSummary,
  type ScopeWatch,
  scopesAfter,
} from './budget/scope.ts'
import { excerptOf, type Reason } from './reason.ts'
import { recursion } from './recursion.ts'
import { type ReportedLoops, dedupe } from './dedupe.ts'
import { ROUND, type Round } from './normalize/round.ts'
import { normalize } from './normalize/normalize.ts'
import { shortHash } from './signature.ts'
import { subtractSpent } from './budget/spent.ts'

/** What the watchdog remembers. Plain JSON, of bounded size. `eyes`, and what they have `reported`, are a cache of `version`; the rest folds from the journal. */
export interface Watch {
  readonly version: string
  readonly account: Account
  readonly ladder: Ladder
  readonly progress: Progress
  readonly regions: Readonly<Record<string, RegionWatch>>
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

/** The best declared value so far, and the keys of the latest successful writes. */
export interface Progress {
  readonly best: number | null
  readonly writes: readonly string[]
}

export interface RegionWatch {
  readonly detectorStates: DetectorStates
  /** The states entered lately, each with the seq of its latest entry. */
  readonly path: readonly (readonly [state: string, seq: number])[]
  /** Findings made while calls of a batch are still out; they act when the last has come back. */
  readonly held: readonly Finding[]
  /** The calls that are out. */
  readonly round: Round
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

const REGION: RegionWatch = { detectorStates: INITIAL_STATES, path: [], held: [], round: ROUND }
const PATH_MAX = 16
const HELD_MAX = 2
const WRITES_MAX = 32
const NO_LIMITS: readonly LimitStatus[] = []
const NO_LOOPS: Watch['seenLoops'] = []

/** What the machine made of the event, as far as the watchdog must know. Optional where there is no machine. */
export interface WatchInput {
  readonly seq: number
  readonly region: string
  /** States entered by this event. */
  readonly entered: readonly {
    readonly state: string
    readonly region: string
    readonly hash: string
    readonly phase: boolean
  }[]
  /** An outcome that no edge takes. */
  readonly unhandled?: {
    readonly outcome: string
    readonly state: string
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** The value of the declared progress, `null` where nothing could have changed it; absent where none is declared. */
  readonly progress?: number | null
  /** Findings that a person has just dismissed. */
  readonly dismissed?: readonly Finding[]
  /** The event counts as a step: a node is about to work for the first time since its state was entered, or a wait or a question of its own is over. */
  readonly begins: boolean
  /** Before this event the thread was waiting for people only. */
  readonly waiting: boolean
  /** With this event the machine has come to an end of its own: there is nothing left to escape from. */
  readonly over?: boolean
  readonly ways: EscapeRoutes
  /** What is looked with and chosen by; absent: what ships. */
  readonly parts?: WatchParts
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
  const { findings } = seen
  const region = seen.watch.regions[input.region] ?? REGION
  if (input.over || (findings.length === 0 && region.held.length === 0))
    return { ...seen, verdict: CONTINUE }
  const urgent = findings.filter(({ kind }) => kind === 'budget')
  const batch = 'more' in event && event.more === true
  const acting = batch
    ? urgent
    : [...urgent, ...region.held, ...findings.filter(({ kind }) => kind !== 'budget')]
  const [first, ...rest] = acting
  if (!first)
    return {
      ...seen,
      watch: batch ? holdFindings(seen.watch, input.region, findings) : seen.watch,
      verdict: CONTINUE,
    }
  const path = (seen.watch.regions[first.region] ?? REGION).path.map(([state]) => state)
  return {
    ...seen,
    verdict: choose({
      ladder: seen.watch.ladder,
      findings: [first, ...rest],
      policy,
      ways: input.ways,
      path,
      own: (input.parts ?? BUILT_IN).rungs,
    }),
  }
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

/** Going on beyond a limit, whosever it is. */
function grantLimits(
  { account, scopes }: Watch,
  finding: Finding | undefined,
  { rung }: Route,
  { limits }: Policy,
): Account {
  const bound =
    finding?.kind === 'budget' && rung !== 'stop'
      ? allLimits(
          account,
          limits,
          scopeLimits(scopes, limits.scopes, { now: account.at, account }),
        ).find(({ name }) => name === finding.detector)
      : undefined
  return bound ? grant(account, bound) : account
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

/** The way out is a new beginning for the eyes of its region, and going back for all of them: the old evidence must not be found again. */
function resetRegions(regions: Watch['regions'], { rung, region }: Route): Watch['regions'] {
  const fresh = (name: string): RegionWatch => ({
    ...REGION,
    path: regions[name]?.path ?? [],
    round: regions[name]?.round ?? ROUND,
  })
  if (rung === 'rollback')
    return Object.fromEntries(Object.keys(regions).map(name => [name, fresh(name)]))
  return { ...regions, [region]: fresh(region) }
}

/** Books, looks, and names what it sees; decides nothing. */
function collectFindings(
  watch: Watch,
  event: Stamped,
  input: WatchInput,
  policy: Policy,
): Omit<Judgement, 'verdict'> {
  const { limits } = policy
  const shared = limits.scopes
    ? scopeLimits(watch.scopes, limits.scopes, { now: event.at, account: watch.account })
    : NO_LIMITS
  const [account, over] = book(watch.account, event, { limits, shared }, input)
  const note = event.type === 'scope.noted' && limits.scopes?.[event.scope] ? event : undefined
  const scopes = scopesAfter(watch.scopes, limits.scopes, {
    note,
    spent: account.spent,
    at: event.at,
  })
  const [progress, progressed] = updateProgress(watch.progress, event, input)
  const ladder = progressed ? resetLadder(watch.ladder, policy.escape) : watch.ladder
  const sketches: (readonly [string, FindingDraft])[] =
    over === undefined ? [] : [[input.region, overLimit(account, over, input.seq)]]
  const { detectors } = input.parts ?? BUILT_IN
  let regions = watch.regions
  let { reportedLoops, detectorErrors } = watch
  const added = input.dismissed ?? note?.dismissed
  const dismissed = added ? dismiss(watch.dismissed, added) : watch.dismissed
  const show = (
    region: string,
    before: RegionWatch,
    observation: Observation,
    node: string,
  ): RegionWatch => {
    if (isDismissed(dismissed, observation)) return before
    const path =
      observation.kind === 'entered'
        ? extendPath(before.path, observation.state, input.seq)
        : before.path
    const [states, found, breakages] = runDetectors(
      detectors,
      before.detectorStates,
      { observation, node },
      policy.detect,
    )
    detectorErrors = addErrors(detectorErrors, breakages, input.seq)
    const loops = found.filter(draft => !isDismissedDraft(dismissed, draft))
    const [noted, news] =
      policy.mode === 'act' || loops.length === 0
        ? [reportedLoops, loops]
        : dedupe(reportedLoops, loops)
    reportedLoops = noted
    for (const draft of news) sketches.push([region, draft])
    return states === before.detectorStates && path === before.path
      ? before
      : { detectorStates: states, path, held: before.held, round: before.round }
  }
  const before = regions[input.region] ?? REGION
  const [round, observation] = normalize(before.round, event, input.seq, policy.detect)
  const heard = round
    ? { detectorStates: before.detectorStates, path: before.path, held: before.held, round }
    : before
  const after = observation ? show(input.region, heard, observation, input.ways.state) : heard
  if (after !== before) regions = { ...regions, [input.region]: after }
  for (const { state, region, hash } of input.entered) {
    regions = {
      ...regions,
      [region]: show(
        region,
        regions[region] ?? REGION,
        { kind: 'entered', seq: input.seq, at: event.at, state, hash },
        state,
      ),
    }
  }
  if ('failure' in event && event.failure.breakage)
    detectorErrors = addErrors(detectorErrors, [event.failure.breakage], input.seq)
  const stuck = reportedFinding(event, input.seq)
  if (stuck) sketches.push([input.region, stuck])
  if (note?.held) sketches.push(['', heldFinding(note, note.held, input.seq)])
  if (event.type === 'child.refused' && (event.why === 'recursion' || event.why === 'depth'))
    sketches.push([input.region, recursion(event, input.seq)])
  if (input.unhandled) sketches.push([input.region, unhandledFinding(input.unhandled, input.seq)])
  const seenLoops = progressed ? NO_LOOPS : watch.seenLoops
  const whole: Watch = {
    version: watch.version,
    account,
    ladder,
    progress,
    regions,
    dismissed,
    reportedLoops,
    scopes,
    seenLoops,
  }
  const failing = failingAfter(watch.failing, event, observation, input.seq)
  const next: Watch =
    detectorErrors || failing
      ? { ...whole, ...(detectorErrors && { detectorErrors }), ...(failing && { failing }) }
      : whole
  const findings = sketches.map(([region, draft]) => ({
    ...completeFinding(draft, region, next, input),
    ...findSeenLoop(scopes, limits.scopes, draft.id),
  }))
  return progressed
    ? { watch: clearStalls(next), findings: findings.filter(isNoStall), progressed }
    : { watch: next, findings, progressed }
}

/** Another thread of the scope asks a person about it: this one does not begin. */
function heldFinding(
  { scope, key }: PeerSummary,
  held: NonNullable<PeerSummary['held']>,
  seq: number,
): FindingDraft {
  return {
    kind: 'scope',
    detector: 'held',
    id: `scope ${scope}`,
    members: [scope],
    period: 1,
    repeats: 1,
    onset: seq,
    events: [seq],
    reason: {
      code: 'scope-held',
      params: { scope, key, thread: held.thread, effect: held.effect },
      cause: held.reason,
    },
    scope,
  }
}

/** The agent says itself that it is stuck: believed like any detector. */
function reportedFinding(event: AgentEvent, seq: number): FindingDraft | undefined {
  if (event.type !== 'tool.done' || event.stuck === undefined) return undefined
  const { subject, stuck } = event
  return {
    kind: 'stall',
    detector: 'report',
    id: `report ${subject}`,
    members: [subject],
    period: 1,
    repeats: 1,
    onset: seq,
    events: [seq],
    reason: { code: 'agent-stuck', params: { text: excerptOf(stuck) } },
  }
}

function extendPath(path: RegionWatch['path'], state: string, seq: number): RegionWatch['path'] {
  return remember(
    path.filter(([other]) => other !== state),
    [state, seq],
    PATH_MAX,
  )
}

/** Progress answers a stall: what the rest of a batch has held of it is forgotten, too. */
function clearStalls(watch: Watch): Watch {
  const regions = Object.entries(watch.regions).map(
    ([name, region]) =>
      [
        name,
        region.held.length === 0 ? region : { ...region, held: region.held.filter(isNoStall) },
      ] as const,
  )
  return { ...watch, regions: Object.fromEntries(regions) }
}

function isNoStall({ kind }: Finding): boolean {
  return kind !== 'stall'
}

const CIRCUIT = 'breaker.open'

function unhandledFinding(
  {
    outcome,
    state,
    class: failureClass,
    reason,
    as = failureClass,
  }: NonNullable<WatchInput['unhandled']>,
  seq: number,
): FindingDraft {
  const kind: FindingKind = outcome === CIRCUIT ? 'circuit' : 'failure'
  return {
    kind,
    detector: as,
    id: `${kind} ${state} ${outcome}`,
    members: [state],
    period: 1,
    repeats: 1,
    onset: seq,
    events: [seq],
    reason,
    class: failureClass,
  }
}

function completeFinding(
  draft: FindingDraft,
  region: string,
  watch: Watch,
  input: WatchInput,
): Finding {
  const { seq, ways } = input
  const path = watch.regions[region]?.path ?? []
  // What entered several regions at once stands in the last of them.
  const here = region === input.region ? ways.state : path.at(-1)?.[0]
  const states = [
    ...new Set([
      here ?? ways.state,
      ...path
        .filter(([, at]) => at >= draft.onset)
        .map(([state]) => state)
        .reverse(),
    ]),
  ].filter(Boolean)
  return {
    ...draft,
    reason: causedReason(draft, watch.failing),
    region,
    states,
    noticed: seq,
    burned: subtractSpent(watch.account.spent, spentAt(watch.account, draft.onset)),
  }
}

/** Progress: a new maximum of the declared value; undeclared, a write that had not been made before, or a new phase. */
function updateProgress(
  progress: Progress,
  event: AgentEvent,
  input: WatchInput,
): readonly [Progress, boolean] {
  if (input.progress === null) return [progress, false]
  if (input.progress !== undefined) {
    const better = progress.best === null || input.progress > progress.best
    // The first value is where the run starts from, not progress.
    return better
      ? [{ ...progress, best: input.progress }, progress.best !== null]
      : [progress, false]
  }
  const write = writeKey(event)
  if (write !== undefined && !progress.writes.includes(write))
    return [{ ...progress, writes: remember(progress.writes, write, WRITES_MAX) }, true]
  return [progress, input.entered.some(({ phase }) => phase)]
}

/**
 * What names a write that took effect, also one of a child, and one of which that was only found out afterwards. What undoes one
 * is none: it leads back.
 */
function writeKey(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.effects === 'write' && event.compensates === undefined
        ? shortHash(event.key)
        : undefined
    case 'child.done':
      return event.effects === 'write' && event.outcome === 'success'
        ? shortHash(event.key)
        : undefined
    case 'call.reconciled':
      return event.answer === 'applied' ? shortHash(event.key) : undefined
    case 'resume':
      return event.decision === 'applied' ? event.effect : undefined
    default:
      return undefined
  }
}

function holdFindings(watch: Watch, name: string, findings: readonly Finding[]): Watch {
  if (findings.length === 0) return watch
  const region = watch.regions[name] ?? REGION
  return {
    ...watch,
    regions: {
      ...watch.regions,
      [name]: { ...region, held: [...region.held, ...findings].slice(0, HELD_MAX) },
    },
  }
}
