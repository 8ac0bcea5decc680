/** Repetitions that a person has dismissed: detectors ignore them. */
import type { Observation } from './normalize/observed.ts'
import type { FindingDraft } from './finding.ts'
import { remember } from './json.ts'
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
  dismissed: readonly Dismissed[],
  added: readonly (Pick<FindingDraft, 'id' | 'signs'> & Pick<Dismissed, 'states'>)[],
): readonly Dismissed[] {
  return added.reduce(
    (list, { id, signs = [], states }) =>
      list.some(other => other.id === id)
        ? list
        : remember(list, { id, signs, states }, DISMISSED_MAX),
    dismissed,
  )
}

/** Whether the observation belongs to a dismissed repetition. Detectors are not shown it. */
export function isDismissed(dismissed: readonly Dismissed[], observation: Observation): boolean {
  return (
    observation.kind === 'answered' &&
    dismissed.some(({ signs }) => signs.includes(shortHash(observation.key)))
  )
}

/** The same by what was found: another detector may see the same round by its states. */
export function isDismissedDraft(
  dismissed: readonly Dismissed[],
  { id, detector, members }: FindingDraft,
): boolean {
  return dismissed.some(
    other =>
      other.id === id ||
      (BY_STATE.has(detector) && members.every(member => other.states.includes(member))),
  )
}

const BY_STATE: ReadonlySet<string> = new Set(['recurrence', 'visits'])
