/** All detectors, and one step of each of them. */
import { type PartFailure, WHY_MAX } from '../failure/detector-errors.ts'
import type { Detector } from './detector.ts'
import type { Observation } from '../normalize/observed.ts'
import { errors } from './errors.ts'
import { mistakes } from './mistakes.ts'
import { repeatedText } from './repeated-text.ts'
import { recurrence } from './recurrence.ts'
import { repetition } from './repetition.ts'
import { sequence } from './sequence.ts'
import { noToolCall } from './no-tool-call.ts'
import { stale } from './stale.ts'
import { visits } from './visits.ts'
import { factsOf } from '../failure/failure.ts'
import type { FindingDraft } from '../event/finding.ts'
import { type Json, notJsonAt } from '../data/json.ts'
import type { CustomDetector, CustomDraft } from './custom.ts'
import { customReason } from '../reason/reason.ts'
import { type DetectorName, type DetectPolicy, tunedOptions } from '../policy/policy.ts'

/** Sharpest first: where several see the same, the first one names it. */
const DETECTORS: readonly Any[] = [
  sequence,
  repetition,
  recurrence,
  visits,
  noToolCall,
  repeatedText,
  errors,
  stale,
  mistakes,
].map(
  // Each detector reads its own state and options, and is shown what it sees; the table holds them under one type.
  detector => detector as unknown as Any,
)

type Any = Detector<Json, unknown, Observation['kind']>

export const DETECTOR_NAMES: readonly string[] = DETECTORS.map(({ name }) => name)

/** The state of each detector, in the order of the table. */
export type DetectorStates = readonly Json[]

export interface DetectorTable {
  readonly detectors: readonly Any[]
  /** The places in the table of those who see a kind of sighting. */
  readonly seeing: Readonly<Record<Observation['kind'], readonly number[]>>
  /** Names the detectors that made a stored state: another text means it must be folded again from the journal. */
  readonly version: string
  /** From this place on they are a user's own: what they return is looked at, and what they throw decides nothing. */
  readonly own: number
}

/** The detectors that ship, and after them one's own. */
export function tableOf(own: readonly CustomDetector[]): DetectorTable {
  const detectors = [...DETECTORS, ...own.map(adaptCustom)]
  const seeing = (kind: Observation['kind']) =>
    detectors.flatMap(({ sees }, index) => (sees.includes(kind) ? [index] : []))
  return {
    detectors,
    seeing: { entered: seeing('entered'), answered: seeing('answered'), said: seeing('said') },
    version: detectors.map(({ name, version }) => `${name}@${version}`).join(' '),
    own: DETECTORS.length,
  }
}

export const BUILT_IN_TABLE = tableOf([])

const finding = (kind: Observation['kind']) =>
  BUILT_IN_TABLE.seeing[kind].filter(index => !DETECTORS[index]?.sees.includes('entered'))

/** For who is told of no states, as by a trace: without those who find by states alone, and would learn for nothing. */
export const STATELESS_TABLE: DetectorTable = {
  ...BUILT_IN_TABLE,
  seeing: { entered: [], answered: finding('answered'), said: finding('said') },
}

export const INITIAL_STATES: DetectorStates = DETECTORS.map(({ start }) => start)

export const DETECTORS_VERSION = BUILT_IN_TABLE.version

/** What was seen, and in which state. */
export interface Detection {
  readonly observation: Observation
  readonly node: string
}

/** Shows every detector that is on, and sees such things, what was seen. The last value: who broke on it. */
export function runDetectors(
  { detectors, seeing, own }: DetectorTable,
  states: DetectorStates,
  { observation, node }: Detection,
  policy: DetectPolicy,
): readonly [DetectorStates, readonly FindingDraft[], readonly PartFailure[]] {
  const subject = observation.kind === 'entered' ? '' : observation.subject
  // Mostly nothing is otherwise for this tool or node: asked once, and not for each detector.
  const apart = policy.tools[subject] !== undefined || policy.nodes[node] !== undefined
  let next: Json[] | undefined
  let sketches: FindingDraft[] | undefined
  let breakages: PartFailure[] | undefined
  for (const index of seeing[observation.kind]) {
    const detector = detectors[index] as Any
    const name = detector.name as DetectorName
    const options =
      index >= own
        ? policy.own[name]
        : apart
          ? tunedOptions(policy, name, subject, node)
          : policy[name]
    if (options === false) continue
    const before = states[index]
    const [after, draft, why] = detector.observe(before ?? detector.start, observation, options)
    if (why !== undefined) breakages = [...(breakages ?? []), { part: `detector ${name}`, why }]
    if (after !== before) {
      next ??= [...states]
      next[index] = after
    }
    if (draft && !sketches?.some(sharper => covers(sharper, draft)))
      sketches = [...(sketches ?? []), draft]
  }
  return [next ?? states, sketches ?? NOTHING, breakages ?? NO_FAILURES]
}

const NOTHING: readonly FindingDraft[] = []
const NO_FAILURES: readonly PartFailure[] = []

/** Where several see the same calls go round, the sharpest tells of it. */
function covers({ signs = [] }: FindingDraft, { signs: others = [] }: FindingDraft): boolean {
  return others.length > 0 && others.every(sign => signs.includes(sign))
}

const KINDS: readonly string[] = [
  'loop',
  'stall',
  'noToolCall',
] satisfies readonly CustomDraft['kind'][]

/** Plain data that nobody changes any more: a detector that writes into what it is given breaks, and is told of. */
function deepFreeze(value: Json): Json {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.values(value).forEach(deepFreeze)
  return Object.freeze(value)
}

/** A detector of one's own among the others: its options complete, its sketch filled in. Where it breaks, it has seen nothing, and says why. */
function adaptCustom(detector: CustomDetector): Any {
  const { name, version, start, sees, options } = detector
  return {
    name,
    version,
    start,
    sees,
    observe(state, observation, tuning) {
      try {
        const [after, found] = detector.observe(deepFreeze(state), Object.freeze(observation), {
          ...options,
          ...(tuning as object | undefined),
        })
        const foreign = notJsonAt(after, 'its state')
        if (foreign !== undefined) return [state, undefined, foreign]
        if (found !== undefined && !KINDS.includes(found?.kind))
          return [after, undefined, `what it found is of no kind; expected ${KINDS.join(', ')}`]
        return [after, found && completeDraft(name, found, observation.seq)]
      } catch (error) {
        return [state, undefined, factsOf(error).message.slice(0, WHY_MAX)]
      }
    },
  }
}

function completeDraft(
  detector: string,
  {
    kind,
    summary,
    id = detector,
    members = [detector],
    period = 1,
    repeats = 1,
    onset,
    events,
  }: CustomDraft,
  seq: number,
): FindingDraft {
  return {
    kind,
    detector,
    id: `${detector} ${id}`,
    members,
    period,
    repeats,
    onset: onset ?? events?.[0] ?? seq,
    events: events ?? [seq],
    reason: customReason(summary),
  }
}
