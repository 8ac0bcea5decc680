/** Repetitions that a person has dismissed: detectors ignore them. */
import type { Observation } from './observed.ts'
import type { Dismissed, FindingDraft } from '../event/finding.ts'
import { remember } from '../data/json.ts'
import { shortHash } from '../data/signature.ts'

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
