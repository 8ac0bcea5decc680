/** The table of all detectors, and one step of each. */
import { synchronous } from '../data/synchronous.ts'
import { type PartFailure, type Redact, WHY_MAX, factsOf } from '../failure/failure.ts'
import type { Detector } from './detector.ts'
import type { Observation } from '../normalize/observed.ts'
import { errors } from './errors.ts'
import { mistakes } from './mistakes.ts'
import { repeatedText } from './repeated-text.ts'
import { recurrence } from './recurrence.ts'
import { repetition } from './repetition.ts'
import { sameAnswer } from './same-answer.ts'
import { sequence } from './sequence.ts'
import { noToolCall } from './no-tool-call.ts'
import { stale } from './stale.ts'
import { visits } from './visits.ts'
import { type Dismissed, type DraftParts, type FindingDraft, findingDraft } from '../event/event.ts'
import { raisedOptions } from './thresholds.ts'
import { type Json, notJsonAt } from '../data/json.ts'
import type { CustomDetector, CustomDraft } from './custom.ts'
import { customReason, excerptOf } from '../reason/reason.ts'
import type { DetectorName, DetectPolicy } from '../policy/policy.ts'

/** Each detector reads its own state and options. The table holds them under one type. */
type AnyDetector = Detector<Json, unknown, Observation['kind']>

/** The most precise first: if several find the same loop, the first one names it. */
const DETECTORS = [
  sequence,
  repetition,
  recurrence,
  visits,
  noToolCall,
  repeatedText,
  errors,
  sameAnswer,
  stale,
  mistakes,
] as readonly unknown[] as readonly AnyDetector[]

export const DETECTOR_NAMES: readonly string[] = DETECTORS.map(({ name }) => name)

/** The state of each detector, in the order of the table. */
export type DetectorStates = readonly Json[]

const MISTAKES = DETECTOR_NAMES.indexOf(mistakes.name)

/** The latest rounds of calls, in a row, in which every call failed. */
export const failedRoundsIn = (states: DetectorStates): number =>
  (states[MISTAKES] as typeof mistakes.start).batches

/** Whether the event is the first failed call of the latest of these rounds. */
export const isFailedRound = (states: DetectorStates, seq: number): boolean =>
  (states[MISTAKES] as typeof mistakes.start).row.at(-1)?.[1] === seq

export interface DetectorTable {
  readonly detectors: readonly AnyDetector[]
  /** For each kind of observation, the indices of the detectors that receive it. */
  readonly seeing: Readonly<Record<Observation['kind'], readonly number[]>>
  /** The names and versions of the detectors. States of another version must be folded again from the journal. */
  readonly version: string
}

/** The built-in detectors, followed by custom ones. */
export function tableOf(custom: readonly CustomDetector[], redact: Redact): DetectorTable {
  const detectors = [...DETECTORS, ...custom.map(each => adaptCustom(each, redact))]
  const seeing = (kind: Observation['kind']) =>
    detectors.flatMap(({ sees }, index) => (sees.includes(kind) ? [index] : []))
  return {
    detectors,
    seeing: { entered: seeing('entered'), answered: seeing('answered'), said: seeing('said') },
    version: detectors.map(({ name, version }) => `${name}@${version}`).join(' '),
  }
}

export const BUILT_IN_TABLE = tableOf([], value => value)

const stateless = (kind: Observation['kind']) =>
  BUILT_IN_TABLE.seeing[kind].filter(index => !DETECTORS[index]?.sees.includes('entered'))

/** For traces, which record no states: without the detectors that find loops by states. */
export const STATELESS_TABLE: DetectorTable = {
  ...BUILT_IN_TABLE,
  seeing: { entered: [], answered: stateless('answered'), said: stateless('said') },
}

export const INITIAL_STATES: DetectorStates = DETECTORS.map(({ start }) => start)
export const DETECTORS_VERSION = BUILT_IN_TABLE.version

/** The options of the detectors, and the dismissals that raise their thresholds. */
type DetectorInput = Readonly<{ detect: DetectPolicy; dismissed: readonly Dismissed[] }>

export type LocatedObservation = Readonly<{ observation: Observation; node: string }>

/** Passes the observation to every enabled detector that receives its kind. The last value lists the detectors that broke. */
export function runDetectors(
  { detectors, seeing }: DetectorTable,
  states: DetectorStates,
  { observation, node }: LocatedObservation,
  { detect: policy, dismissed }: DetectorInput,
) {
  const subject = observation.kind === 'entered' ? '' : observation.subject
  const about = observation.kind === 'entered' ? observation.state : subject
  const adapts = dismissed.length > 0 && policy.adapt
  // Few tools and nodes have options of their own. One check here saves one per detector.
  const tuned = policy.tools[subject] !== undefined || policy.nodes[node] !== undefined
  let next: Json[] | undefined
  let drafts: readonly FindingDraft[] = []
  let breakages: readonly PartFailure[] = []
  for (const index of seeing[observation.kind]) {
    const detector = detectors[index] as AnyDetector
    const name = detector.name as DetectorName
    const tuning = tuned ? (policy.tools[subject]?.[name] ?? policy.nodes[node]?.[name]) : undefined
    const builtIn = tuning ?? policy[name]
    const set = index < DETECTORS.length ? builtIn : policy.own[name]
    const isRaised = adapts && index < DETECTORS.length
    const options = isRaised ? raisedOptions(name, set, { subject: about, dismissed }) : set
    if (options === false) continue
    const before = states[index]
    const [after, fields, why] = detector.observe(before ?? detector.start, observation, options)
    if (why !== undefined) breakages = [...breakages, { part: `detector ${name}`, why }]
    if (after !== before) {
      next ??= [...states]
      next[index] = after
    }
    const draft = fields && findingDraft(detector.finds, name, fields)
    if (draft && !drafts.some(earlier => covers(earlier, draft))) drafts = [...drafts, draft]
  }
  return [next ?? states, drafts, breakages] as const
}

/** Whether the first draft names all calls of the second. */
const covers = ({ signs = [] }: FindingDraft, { signs: others = [] }: FindingDraft): boolean =>
  others.length > 0 && others.every(sign => signs.includes(sign))

const KINDS: readonly string[] = ['loop', 'stall', 'noToolCall'] satisfies CustomDraft['kind'][]

/** A custom detector that writes to its arguments must throw. */
function deepFreeze(value: Json): Json {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** A custom detector in the table. One that throws or returns invalid data finds nothing, and reports why. Secrets stay out of its state, its findings and its errors. */
function adaptCustom(detector: CustomDetector, redact: Redact): AnyDetector {
  const { name, version, start, sees } = detector
  return {
    name,
    version,
    start,
    sees,
    finds: 'stall',
    observe(state, observation, tuning) {
      const options = { ...detector.options, ...(tuning as object | undefined) }
      try {
        const frozen = Object.freeze(observation)
        const observed = detector.observe(deepFreeze(state), frozen, options)
        const [after, found] = synchronous(observed)
        const fault = notJsonAt(after, 'its state')
        if (fault !== undefined) return [state, undefined, redact(fault)]
        const next = redact(after)
        if (found !== undefined && !KINDS.includes(found?.kind))
          return [next, undefined, `unknown kind of finding; expected ${KINDS.join(', ')}`]
        return [next, found && draftOf(name, found, observation.seq, redact)]
      } catch (error) {
        return [state, undefined, excerptOf(factsOf(error, redact).message, WHY_MAX)]
      }
    },
  }
}

function draftOf(detector: string, found: CustomDraft, seq: number, redact: Redact): DraftParts {
  const { kind, id = detector, members = [detector], events = [seq] } = found
  const { period = 1, repeats = 1, onset = events[0] ?? seq } = found
  const seen = { kind, id: `${detector} ${id}`, members, period, repeats, onset, events }
  // Before the summary is truncated: half a secret would not be recognized.
  return { ...redact(seen), reason: customReason(redact(String(found.summary))) }
}
