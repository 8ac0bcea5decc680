/** Runs the detectors on an event, and holds their state in each region: detector states, path, batch of calls and held findings. */
import type { EscapeRoutes, Route } from './escape/rungs.ts'
import type { Finding, Dismissed, FindingDraft, Stamped } from './event/event.ts'
import { type FailureClass, type DetectorErrors, addErrors } from './failure/failure.ts'
import type { Reason } from './reason/reason.ts'
import { remember } from './data/json.ts'
import { INITIAL_STATES, runDetectors } from './detect/detectors.ts'
import type { DetectorStates, DetectorTable, LocatedObservation } from './detect/detectors.ts'
import { isDismissed, isDismissedDraft } from './normalize/observed.ts'
import { type CallBatch, CALL_BATCH } from './normalize/call-batch.ts'
import { normalize } from './normalize/normalize.ts'
import type { DetectPolicy, Policy } from './policy/policy.ts'
import { BUILT_IN, type WatchParts } from './parts.ts'

export interface RegionWatch {
  readonly detectorStates: DetectorStates
  /** The latest states, each with the seq of its latest entry. */
  readonly path: readonly (readonly [state: string, seq: number])[]
  /** Findings of an unfinished batch of calls. They act when its last call returns. */
  readonly held: readonly Finding[]
  /** The calls in progress. */
  readonly batch: CallBatch
}

export type Regions = Readonly<Record<string, RegionWatch>>

const FRESH = { detectorStates: INITIAL_STATES, held: [] }
export const REGION: RegionWatch = { ...FRESH, path: [], batch: CALL_BATCH }
const PATH_MAX = 16
const HELD_MAX = 2
export const regionOf = (regions: Regions, name: string): RegionWatch => regions[name] ?? REGION

/** The state of the detectors for one region or one trace. */
type DetectorFold = Pick<RegionWatch, 'detectorStates'> & { readonly reportedLoops: ReportedLoops }

interface FoldInput {
  readonly table: DetectorTable
  readonly detect: DetectPolicy
  readonly dismissed: readonly Dismissed[]
  /** A loop that continues is reported again after as many findings as it had laps, then after twice as many. For modes in which findings have no effect. */
  readonly throttled: boolean
  /** Findings besides those of the detectors. */
  readonly drafts?: Drafts
}

type Drafts = readonly FindingDraft[]

/** Runs the detectors on one observation of a run, a wrapped agent or a trace. */
export function foldObservation(
  fold: DetectorFold,
  detection: LocatedObservation,
  input: FoldInput,
) {
  const { detectorStates: before, reportedLoops } = fold
  const { table, detect, dismissed, throttled, drafts = NO_DRAFTS } = input
  const [detectorStates, found, failures] = runDetectors(table, before, detection, {
    detect,
    dismissed,
  })
  if (found.length === 0 && drafts.length === 0)
    return [{ detectorStates, reportedLoops }, found, failures] as const
  const all = [...drafts, ...found.filter(draft => !isDismissedDraft(dismissed, draft))]
  const [next, newDrafts] = throttled ? dedupe(reportedLoops, all) : [reportedLoops, all]
  return [{ detectorStates, reportedLoops: next }, newDrafts, failures] as const
}

/** A draft and the region of its detector. */
export type PlacedDraft = Readonly<{ region: string; draft: FindingDraft }>

/** What the detectors change at an event, and what they find. */
interface Detected extends Pick<DetectorFold, 'reportedLoops'> {
  readonly regions: Regions
  readonly detectorErrors?: DetectorErrors | undefined
  readonly drafts?: readonly PlacedDraft[] | undefined
}

interface DetectInput extends Pick<FoldInput, 'dismissed'> {
  readonly input: WatchInput
  readonly policy: Policy
}

/** Runs the detectors on the event and on the states that it enters. Also returns the observation of the event. */
export function detect(before: Detected, event: Stamped, given: DetectInput) {
  const { region, seq, entered, routes } = given.input
  const known = regionOf(before.regions, region)
  const wrapped = given.input.wholeAnswers === true
  const fromCode = given.input.fromCode === true
  const { tools } = given.policy.detect
  const [batch, observation] = normalize(known.batch, event, seq, { tools, wrapped, fromCode })
  const { reportedLoops, detectorErrors } = before
  const regions = batch ? { ...before.regions, [region]: { ...known, batch } } : before.regions
  let detected: Detected = { regions, reportedLoops, detectorErrors }
  if (observation) detected = detectIn(detected, region, { observation, node: routes.state }, given)
  for (const { state, region, hash: content } of entered) {
    // After a poll, the agent may wait in the same state again.
    const { polled } = regionOf(detected.regions, region).batch
    const hash = polled === undefined ? content : `${content} ${polled}`
    const observation = { kind: 'entered', seq, at: event.at, state, hash } as const
    detected = detectIn(detected, region, { observation, node: state }, given)
  }
  return [detected, observation] as const
}

const NO_DRAFTS: Drafts = []

function detectIn(
  before: Detected,
  name: string,
  detection: LocatedObservation,
  of: DetectInput,
): Detected {
  const { input, policy, dismissed } = of
  const { seq, parts = BUILT_IN } = input
  const { observation } = detection
  if (isDismissed(dismissed, observation)) return before
  const region = regionOf(before.regions, name)
  const { detect, mode } = policy
  const setup = { table: parts.detectors, detect, dismissed, throttled: mode === 'observe' }
  const fold = { detectorStates: region.detectorStates, reportedLoops: before.reportedLoops }
  const [next, newDrafts, failures] = foldObservation(fold, detection, setup)
  const { detectorStates, reportedLoops } = next
  const path =
    observation.kind === 'entered' ? extendPath(region.path, observation.state, seq) : region.path
  const same = detectorStates === region.detectorStates && path === region.path
  const regions = same
    ? before.regions
    : { ...before.regions, [name]: { ...region, detectorStates, path } }
  const detectorErrors = addErrors(before.detectorErrors, failures, seq)
  if (newDrafts.length === 0)
    return { regions, reportedLoops, detectorErrors, drafts: before.drafts }
  const drafts = [...(before.drafts ?? []), ...newDrafts.map(draft => ({ region: name, draft }))]
  return { regions, reportedLoops, detectorErrors, drafts }
}

function extendPath(path: RegionWatch['path'], state: string, seq: number): RegionWatch['path'] {
  const others = path.filter(([other]) => other !== state)
  return remember(others, [state, seq], PATH_MAX)
}

/** An escape resets the detectors of its region, and a rollback those of all regions, so that old evidence is not found again. */
export function resetRegions(regions: Regions, { rung, region }: Route): Regions {
  const names = rung === 'rollback' ? Object.keys(regions) : [region]
  const fresh = names.map(name => [name, { ...regionOf(regions, name), ...FRESH }] as const)
  return { ...regions, ...Object.fromEntries(fresh) }
}

export function holdFindings(regions: Regions, name: string, more: readonly Finding[]): Regions {
  if (more.length === 0) return regions
  const region = regionOf(regions, name)
  const held = [...region.held, ...more].slice(0, HELD_MAX)
  return { ...regions, [name]: { ...region, held } }
}

/** The held findings have had their verdict. */
export function clearHeld(regions: Regions, name: string): Regions {
  const region = regionOf(regions, name)
  return region.held.length === 0 ? regions : { ...regions, [name]: { ...region, held: [] } }
}

type Names = readonly string[]
/** All names of the loop, the signatures of its calls, the calls in its laps when it was reported, and the findings since. */
type ReportedLoop = readonly [ids: Names, signs: Names, length: number, since: number]
export type ReportedLoops = readonly ReportedLoop[]

const REPORTED_MAX = 12
const NAMES_MAX = 6

/** Several detectors may see one loop. Loops with a common call are the same. */
const isSameLoop = ([ids, signs]: ReportedLoop, { id, signs: more = [] }: FindingDraft): boolean =>
  ids.includes(id) || more.some(sign => signs.includes(sign))

/** Takes the findings of one event. Returns those to report as the second value. */
export function dedupe(reported: ReportedLoops, drafts: Drafts): readonly [ReportedLoops, Drafts] {
  const counted = new Set<ReportedLoop>()
  const newDrafts: FindingDraft[] = []
  const next = drafts.reduce((all, draft) => {
    const known = all.find(other => isSameLoop(other, draft))
    const loop = known ? countLap(known, draft, counted.has(known)) : newLoop(draft)
    counted.add(loop)
    if (loop[3] === 0 && !(known && counted.has(known))) newDrafts.push(draft)
    return known
      ? all.map(other => (other === known ? loop : other))
      : remember(all, loop, REPORTED_MAX)
  }, reported)
  return [next, newDrafts]
}

const newLoop = ({ id, signs = [], period, repeats }: FindingDraft): ReportedLoop => [
  [id],
  signs.slice(-NAMES_MAX),
  period * repeats,
  0,
]

function countLap(known: ReportedLoop, draft: FindingDraft, counted: boolean): ReportedLoop {
  const [ids, signs, length, since] = known
  const count = since + (counted ? 0 : 1)
  const names = [mergeNames(ids, [draft.id]), mergeNames(signs, draft.signs)] as const
  return count >= length ? [...names, 2 * length, 0] : [...names, length, count]
}

const mergeNames = (known: Names, more: Names = []): Names =>
  [...new Set([...known, ...more])].slice(-NAMES_MAX)

/** The parts of a step that the watchdog needs. Optional fields are absent for agents without a machine. */
export interface WatchInput {
  readonly seq: number
  readonly region: string
  readonly entered: readonly {
    readonly state: string
    readonly region: string
    readonly hash: string
    readonly phase: boolean
  }[]
  readonly unhandled?: {
    readonly outcome: string
    readonly state: string
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** The value of the declared progress; `null` if nothing could have changed it; absent if none is declared. */
  readonly progress?: number | null
  readonly dismissed?: readonly (Pick<Finding, 'id' | 'signs' | 'states'> & Partial<Dismissed>)[]
  /** The event counts as a step: the first work of a node in its state, or the end of a wait or question. */
  readonly countsAsStep: boolean
  /** Before this event the thread was waiting only for people. */
  readonly waiting: boolean
  /** This event ends the machine, so an escape is unnecessary. */
  readonly endsMachine?: boolean
  /** Model answers cannot be aborted while they stream, so degenerate output is checked in whole answers. */
  readonly wholeAnswers?: boolean
  /** The event is the output of a node in code. */
  readonly fromCode?: true
  readonly routes: EscapeRoutes
  /** Detectors, rungs and classifier. Default: the built-in ones. */
  readonly parts?: WatchParts
}
