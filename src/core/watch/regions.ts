/** What the watchdog remembers of each region: the states of its detectors, its path, its round, and findings held back. */
import { addErrors, type DetectorErrors } from './failure/detector-errors.ts'
import type { Observation } from './normalize/observed.ts'
import { type DetectorStates, INITIAL_STATES, runDetectors } from './detect/detectors.ts'
import { dedupe, type ReportedLoops } from './dedupe.ts'
import { isDismissed, isDismissedDraft } from './normalize/dismissed.ts'
import type { Dismissed } from './event/finding.ts'
import type { Stamped } from './event/event.ts'
import type { Finding, FindingDraft } from './event/finding.ts'
import type { WatchInput } from './input.ts'
import type { Route } from './escape/rungs.ts'
import { remember } from './data/json.ts'
import { normalize } from './normalize/normalize.ts'
import { ROUND, type Round } from './normalize/round.ts'
import { BUILT_IN } from './parts.ts'
import type { Policy } from './policy/policy.ts'

export interface RegionWatch {
  readonly detectorStates: DetectorStates
  /** The states entered lately, each with the seq of its latest entry. */
  readonly path: readonly (readonly [state: string, seq: number])[]
  /** Findings made while calls of a batch are still out; they act when the last has come back. */
  readonly held: readonly Finding[]
  /** The calls that are out. */
  readonly round: Round
}

export type Regions = Readonly<Record<string, RegionWatch>>

const REGION: RegionWatch = { detectorStates: INITIAL_STATES, path: [], held: [], round: ROUND }
const PATH_MAX = 16
const HELD_MAX = 2

export function regionOf(regions: Regions, name: string): RegionWatch {
  return regions[name] ?? REGION
}

/** A draft, and the region it was found in. */
export interface PlacedDraft {
  readonly region: string
  readonly draft: FindingDraft
}

/** What the detectors make of an event. */
export interface Detected {
  readonly regions: Regions
  readonly reported: ReportedLoops
  readonly broken: DetectorErrors | undefined
  readonly drafts: readonly PlacedDraft[]
}

export interface DetectInput {
  readonly input: WatchInput
  readonly policy: Policy
  readonly dismissed: readonly Dismissed[]
}

/** Shows the detectors the event and the states it entered. The second value is what they were shown of the event. */
export function detect(
  before: Detected,
  event: Stamped,
  of: DetectInput,
): readonly [Detected, Observation | undefined] {
  const { region, seq, entered, ways } = of.input
  const known = regionOf(before.regions, region)
  const [round, observation] = normalize(known.round, event, seq, of.policy.detect)
  let detected = round
    ? { ...before, regions: { ...before.regions, [region]: { ...known, round } } }
    : before
  if (observation) detected = observe(detected, { region, node: ways.state, observation }, of)
  for (const { state, region, hash } of entered) {
    const observation = { kind: 'entered', seq, at: event.at, state, hash } as const
    detected = observe(detected, { region, node: state, observation }, of)
  }
  return [detected, observation]
}

interface PlacedObservation {
  readonly region: string
  readonly node: string
  readonly observation: Observation
}

function observe(
  before: Detected,
  { region: name, node, observation }: PlacedObservation,
  { input, policy, dismissed }: DetectInput,
): Detected {
  const region = regionOf(before.regions, name)
  if (isDismissed(dismissed, observation)) return before
  const { detectors } = input.parts ?? BUILT_IN
  const [detectorStates, found, breakages] = runDetectors(
    detectors,
    region.detectorStates,
    { observation, node },
    policy.detect,
  )
  const path =
    observation.kind === 'entered'
      ? extendPath(region.path, observation.state, input.seq)
      : region.path
  const loops = found.filter(draft => !isDismissedDraft(dismissed, draft))
  const [reported, news] =
    policy.mode === 'act' || loops.length === 0
      ? [before.reported, loops]
      : dedupe(before.reported, loops)
  return {
    regions:
      detectorStates === region.detectorStates && path === region.path
        ? before.regions
        : { ...before.regions, [name]: { ...region, detectorStates, path } },
    reported,
    broken: addErrors(before.broken, breakages, input.seq),
    drafts:
      news.length === 0
        ? before.drafts
        : [...before.drafts, ...news.map(draft => ({ region: name, draft }))],
  }
}

function extendPath(path: RegionWatch['path'], state: string, seq: number): RegionWatch['path'] {
  return remember(
    path.filter(([other]) => other !== state),
    [state, seq],
    PATH_MAX,
  )
}

/** An escape is a new beginning for the detectors of its region, and a rollback for all of them: old evidence must not be found again. */
export function resetRegions(regions: Regions, { rung, region }: Route): Regions {
  const fresh = (name: string): RegionWatch => {
    const { path, round } = regionOf(regions, name)
    return { ...REGION, path, round }
  }
  if (rung === 'rollback')
    return Object.fromEntries(Object.keys(regions).map(name => [name, fresh(name)]))
  return { ...regions, [region]: fresh(region) }
}

export function holdFindings(
  regions: Regions,
  name: string,
  findings: readonly Finding[],
): Regions {
  if (findings.length === 0) return regions
  const region = regionOf(regions, name)
  return {
    ...regions,
    [name]: { ...region, held: [...region.held, ...findings].slice(0, HELD_MAX) },
  }
}

/** Progress answers a stall: what the rest of a batch has held of it is dropped, too. */
export function clearStalls(regions: Regions): Regions {
  const cleared = Object.entries(regions).map(
    ([name, region]) =>
      [
        name,
        region.held.length === 0 ? region : { ...region, held: region.held.filter(isNoStall) },
      ] as const,
  )
  return Object.fromEntries(cleared)
}

export function isNoStall({ kind }: Finding): boolean {
  return kind !== 'stall'
}
