/** The watchdog: the second reducer over the stream of events. It judges how a run is going, and never what it is about. */
import {
  ACCOUNT,
  type Account,
  allBounds,
  book,
  grant,
  overLimit,
  spentAt,
} from './budget/account.ts'
import { brokenAfter, type BrokenParts } from './detect/broken.ts'
import type { Sighting } from './detect/detector.ts'
import { type Exempt, exempted, isFine, isFound } from './exempt.ts'
import { EYES, EYES_VERSION, type Eyes, look } from './detect/detectors.ts'
import { BUILT_IN, type WatchParts } from './parts.ts'
import type { AgentEvent, Stamped } from './event.ts'
import { type Failing, failingAfter, causedReason } from './failing.ts'
import type { FailureClass } from './failure/failure.ts'
import type { Finding, FindingKind, Sketch } from './finding.ts'
import {
  choose,
  climbed,
  CONTINUE,
  LADDER,
  type Ladder,
  restarted,
  type Route,
  type Verdict,
  type Ways,
} from './ladder.ts'
import { remember } from './memory.ts'
import type { Policy } from './policy.ts'
import {
  type Bound,
  boundsOf,
  metBefore,
  remembering,
  type Met,
  type ScopeNote,
  type ScopeWatch,
  scopesAfter,
} from './budget/scope.ts'
import { excerptOf, type Reason } from './reason.ts'
import { recursion } from './recursion.ts'
import { type Reported, told } from './reported.ts'
import { ROUND, type Round } from './sight/round.ts'
import { sighted } from './sight/sighted.ts'
import { brief } from './signature.ts'
import { spentSince } from './budget/spent.ts'

/** What the watchdog remembers. Plain JSON, of bounded size. `eyes`, and what they have `reported`, are a cache of `version`; the rest folds from the journal. */
export interface Watch {
  readonly version: string
  readonly account: Account
  readonly ladder: Ladder
  readonly progress: Progress
  readonly regions: Readonly<Record<string, RegionWatch>>
  /** Repetitions that a person has declared to be fine. */
  readonly exempt: readonly Exempt[]
  /** What has been told of where the policy only observes. */
  readonly reported: Reported
  /** The scopes of the thread, by their names. */
  readonly scopes: Readonly<Record<string, ScopeWatch>>
  /** Loops the thread was let out of since there was progress, for the other threads of its scopes. */
  readonly met: readonly Omit<Met, 'used'>[]
  /** The call that fails at present. */
  readonly failing?: Failing
  /** Detectors of one's own that broke, and the classifier; absent: none. */
  readonly broken?: BrokenParts
}

/** The best declared value so far, and the keys of the latest successful writes. */
export interface Progress {
  readonly best: number | null
  readonly writes: readonly string[]
}

export interface RegionWatch {
  readonly eyes: Eyes
  /** The states entered lately, each with the seq of its latest entry. */
  readonly path: readonly (readonly [state: string, seq: number])[]
  /** Findings made while calls of a batch are still out; they act when the last has come back. */
  readonly held: readonly Finding[]
  /** The calls that are out. */
  readonly round: Round
}

/** The watch of a thread that has not begun. */
export const WATCH: Watch = {
  version: EYES_VERSION,
  account: ACCOUNT,
  ladder: LADDER,
  progress: { best: null, writes: [] },
  regions: {},
  exempt: [],
  reported: [],
  scopes: {},
  met: [],
}

const REGION: RegionWatch = { eyes: EYES, path: [], held: [], round: ROUND }
const PATH_MAX = 16
const HELD_MAX = 2
const WRITES_MAX = 32
const NO_BOUNDS: readonly Bound[] = []
const NONE_MET: Watch['met'] = []

/** What the machine made of the event, as far as the watchdog must know. Optional where there is no machine. */
export interface Scene {
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
  /** Findings that a person has just declared to be fine. */
  readonly fine?: readonly Finding[]
  /** The event counts as a step: a node is about to work for the first time since its state was entered, or a wait or a question of its own is over. */
  readonly begins: boolean
  /** Before this event the thread was waiting for people only. */
  readonly waiting: boolean
  /** With this event the machine has come to an end of its own: there is nothing left to escape from. */
  readonly over?: boolean
  readonly ways: Ways
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
export function judge(watch: Watch, event: Stamped, scene: Scene, policy: Policy): Judgement {
  const seen = observe(watch, event, scene, policy)
  const { findings } = seen
  const region = seen.watch.regions[scene.region] ?? REGION
  if (scene.over || (findings.length === 0 && region.held.length === 0))
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
      watch: batch ? holding(seen.watch, scene.region, findings) : seen.watch,
      verdict: CONTINUE,
    }
  const path = (seen.watch.regions[first.region] ?? REGION).path.map(([state]) => state)
  return {
    ...seen,
    verdict: choose({
      ladder: seen.watch.ladder,
      findings: [first, ...rest],
      policy,
      ways: scene.ways,
      path,
      own: (scene.parts ?? BUILT_IN).rungs,
    }),
  }
}

/** The watch after a verdict: what both a live run and a replay of its journal do with it. */
export function concluded(watch: Watch, seq: number, verdict: Verdict, policy: Policy): Watch {
  if (verdict.kind !== 'escape') return watch
  const { route, because } = verdict
  return {
    ...watch,
    ladder: climbed(watch.ladder, seq, verdict, policy.escape),
    account: granted(watch, because[0], route, policy),
    met: policy.limits.scopes ? metBy(watch, seq, because[0]) : watch.met,
    regions: renewed(watch.regions, route),
  }
}

/** Going on beyond a limit, whosever it is. */
function granted(
  { account, scopes }: Watch,
  finding: Finding | undefined,
  { rung }: Route,
  { limits }: Policy,
): Account {
  const bound =
    finding?.kind === 'budget' && rung !== 'stop'
      ? allBounds(
          account,
          limits,
          boundsOf(scopes, limits.scopes, { now: account.at, account }),
        ).find(({ name }) => name === finding.detector)
      : undefined
  return bound ? grant(account, bound) : account
}

function metBy({ met, account }: Watch, seq: number, finding: Finding | undefined): Watch['met'] {
  return !finding || finding.kind === 'budget' || finding.kind === 'scope'
    ? met
    : remembering(met, finding, { seq, at: account.at })
}

/** The way out is a new beginning for the eyes of its region, and going back for all of them: the old evidence must not be found again. */
function renewed(regions: Watch['regions'], { rung, region }: Route): Watch['regions'] {
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
function observe(
  watch: Watch,
  event: Stamped,
  scene: Scene,
  policy: Policy,
): Omit<Judgement, 'verdict'> {
  const { limits } = policy
  const shared = limits.scopes
    ? boundsOf(watch.scopes, limits.scopes, { now: event.at, account: watch.account })
    : NO_BOUNDS
  const [account, over] = book(watch.account, event, { limits, shared }, scene)
  const note = event.type === 'scope.noted' && limits.scopes?.[event.scope] ? event : undefined
  const scopes = scopesAfter(watch.scopes, limits.scopes, {
    note,
    spent: account.spent,
    at: event.at,
  })
  const [progress, progressed] = advanced(watch.progress, event, scene)
  const ladder = progressed ? restarted(watch.ladder, policy.escape) : watch.ladder
  const sketches: (readonly [string, Sketch])[] =
    over === undefined ? [] : [[scene.region, overLimit(account, over, scene.seq)]]
  const { detectors } = scene.parts ?? BUILT_IN
  let regions = watch.regions
  let { reported, broken } = watch
  const fine = scene.fine ?? note?.fine
  const exempt = fine ? exempted(watch.exempt, fine) : watch.exempt
  const show = (
    region: string,
    before: RegionWatch,
    sighting: Sighting,
    node: string,
  ): RegionWatch => {
    if (isFine(exempt, sighting)) return before
    const path =
      sighting.kind === 'entered' ? walked(before.path, sighting.state, scene.seq) : before.path
    const [eyes, found, breakages] = look(detectors, before.eyes, { sighting, node }, policy.detect)
    broken = brokenAfter(broken, breakages, scene.seq)
    const loops = found.filter(sketch => !isFound(exempt, sketch))
    const [noted, news] =
      policy.mode === 'act' || loops.length === 0 ? [reported, loops] : told(reported, loops)
    reported = noted
    for (const sketch of news) sketches.push([region, sketch])
    return eyes === before.eyes && path === before.path
      ? before
      : { eyes, path, held: before.held, round: before.round }
  }
  const before = regions[scene.region] ?? REGION
  const [round, sighting] = sighted(before.round, event, scene.seq, policy.detect)
  const heard = round ? { eyes: before.eyes, path: before.path, held: before.held, round } : before
  const after = sighting ? show(scene.region, heard, sighting, scene.ways.state) : heard
  if (after !== before) regions = { ...regions, [scene.region]: after }
  for (const { state, region, hash } of scene.entered) {
    regions = {
      ...regions,
      [region]: show(
        region,
        regions[region] ?? REGION,
        { kind: 'entered', seq: scene.seq, at: event.at, state, hash },
        state,
      ),
    }
  }
  if ('failure' in event && event.failure.breakage)
    broken = brokenAfter(broken, [event.failure.breakage], scene.seq)
  const stuck = reportOf(event, scene.seq)
  if (stuck) sketches.push([scene.region, stuck])
  if (note?.held) sketches.push(['', heldBy(note, note.held, scene.seq)])
  if (event.type === 'child.refused' && (event.why === 'recursion' || event.why === 'depth'))
    sketches.push([scene.region, recursion(event, scene.seq)])
  if (scene.unhandled) sketches.push([scene.region, unhandled(scene.unhandled, scene.seq)])
  const met = progressed ? NONE_MET : watch.met
  const whole: Watch = {
    version: watch.version,
    account,
    ladder,
    progress,
    regions,
    exempt,
    reported,
    scopes,
    met,
  }
  const failing = failingAfter(watch.failing, event, sighting, scene.seq)
  const next: Watch =
    broken || failing ? { ...whole, ...(broken && { broken }), ...(failing && { failing }) } : whole
  const findings = sketches.map(([region, sketch]) => ({
    ...completed(sketch, region, next, scene),
    ...metBefore(scopes, limits.scopes, sketch.id),
  }))
  return progressed
    ? { watch: relieved(next), findings: findings.filter(isNoStall), progressed }
    : { watch: next, findings, progressed }
}

/** Another thread of the scope asks a person about it: this one does not begin. */
function heldBy(
  { scope, key }: ScopeNote,
  held: NonNullable<ScopeNote['held']>,
  seq: number,
): Sketch {
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
function reportOf(event: AgentEvent, seq: number): Sketch | undefined {
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

function walked(path: RegionWatch['path'], state: string, seq: number): RegionWatch['path'] {
  return remember(
    path.filter(([other]) => other !== state),
    [state, seq],
    PATH_MAX,
  )
}

/** Progress answers a stall: what the rest of a batch has held of it is forgotten, too. */
function relieved(watch: Watch): Watch {
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

function unhandled(
  {
    outcome,
    state,
    class: failureClass,
    reason,
    as = failureClass,
  }: NonNullable<Scene['unhandled']>,
  seq: number,
): Sketch {
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

function completed(sketch: Sketch, region: string, watch: Watch, scene: Scene): Finding {
  const { seq, ways } = scene
  const path = watch.regions[region]?.path ?? []
  // What entered several regions at once stands in the last of them.
  const here = region === scene.region ? ways.state : path.at(-1)?.[0]
  const states = [
    ...new Set([
      here ?? ways.state,
      ...path
        .filter(([, at]) => at >= sketch.onset)
        .map(([state]) => state)
        .reverse(),
    ]),
  ].filter(Boolean)
  return {
    ...sketch,
    reason: causedReason(sketch, watch.failing),
    region,
    states,
    noticed: seq,
    burned: spentSince(watch.account.spent, spentAt(watch.account, sketch.onset)),
  }
}

/** Progress: a new maximum of the declared value; undeclared, a write that had not been made before, or a new phase. */
function advanced(
  progress: Progress,
  event: AgentEvent,
  scene: Scene,
): readonly [Progress, boolean] {
  if (scene.progress === null) return [progress, false]
  if (scene.progress !== undefined) {
    const better = progress.best === null || scene.progress > progress.best
    // The first value is where the run starts from, not progress.
    return better
      ? [{ ...progress, best: scene.progress }, progress.best !== null]
      : [progress, false]
  }
  const write = writeIn(event)
  if (write !== undefined && !progress.writes.includes(write))
    return [{ ...progress, writes: remember(progress.writes, write, WRITES_MAX) }, true]
  return [progress, scene.entered.some(({ phase }) => phase)]
}

/**
 * What names a write that took effect, also one of a child, and one of which that was only found out afterwards. What undoes one
 * is none: it leads back.
 */
function writeIn(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool.done':
      return event.effects === 'write' && event.compensates === undefined
        ? brief(event.key)
        : undefined
    case 'child.done':
      return event.effects === 'write' && event.outcome === 'success' ? brief(event.key) : undefined
    case 'call.reconciled':
      return event.answer === 'applied' ? brief(event.key) : undefined
    case 'resume':
      return event.decision === 'applied' ? event.effect : undefined
    default:
      return undefined
  }
}

function holding(watch: Watch, name: string, findings: readonly Finding[]): Watch {
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
