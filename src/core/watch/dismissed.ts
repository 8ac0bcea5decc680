/** Repetitions that a person has declared to be fine: they are not looked at any more. */
import type { Observation } from './detect/detector.ts'
import type { FindingDraft } from './finding.ts'
import { remember } from './memory.ts'
import { shortHash } from './signature.ts'

export interface Dismissed {
  /** The finding it was. */
  readonly id: string
  /** The signatures of its calls. */
  readonly signs: readonly string[]
  /** The states it went through. */
  readonly states: readonly string[]
}

const DISMISSED_MAX = 16

export function dismiss(
  exempt: readonly Dismissed[],
  fine: readonly (Pick<FindingDraft, 'id' | 'signs'> & Pick<Dismissed, 'states'>)[],
): readonly Dismissed[] {
  return fine.reduce(
    (list, { id, signs = [], states }) =>
      list.some(other => other.id === id)
        ? list
        : remember(list, { id, signs, states }, DISMISSED_MAX),
    exempt,
  )
}

/** Whether the sighting belongs to a repetition that is fine: then no detector is shown it. */
export function isDismissed(exempt: readonly Dismissed[], observation: Observation): boolean {
  return (
    observation.kind === 'answered' &&
    exempt.some(({ signs }) => signs.includes(shortHash(observation.key)))
  )
}

/** The same by what was found: another detector may see the same round by its states. */
export function isDismissedDraft(
  exempt: readonly Dismissed[],
  { id, detector, members }: FindingDraft,
): boolean {
  return exempt.some(
    other =>
      other.id === id ||
      (BY_STATE.has(detector) && members.every(member => other.states.includes(member))),
  )
}

const BY_STATE: ReadonlySet<string> = new Set(['recurrence', 'visits'])
