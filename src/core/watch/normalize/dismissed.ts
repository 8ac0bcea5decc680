/** Repetitions that a person has dismissed. Detectors ignore them. */
import type { Observation } from './observed.ts'
import type { Dismissed, FindingDraft } from '../event/finding.ts'
import { remember, shortHash } from '../data/json.ts'

const DISMISSED_MAX = 16
const BY_STATE: readonly string[] = ['recurrence', 'visits']

export function dismiss(
  dismissed: readonly Dismissed[],
  added: readonly (Pick<FindingDraft, 'id' | 'signs'> & Pick<Dismissed, 'states'>)[],
): readonly Dismissed[] {
  let all = dismissed
  for (const { id, signs = [], states } of added)
    if (!all.some(other => other.id === id))
      all = remember(all, { id, signs, states }, DISMISSED_MAX)
  return all
}

/** Detectors do not receive observations of a dismissed repetition. */
export function isDismissed(dismissed: readonly Dismissed[], observation: Observation): boolean {
  return (
    observation.kind === 'answered' &&
    dismissed.some(({ signs }) => signs.includes(shortHash(observation.key)))
  )
}

/** Whether a draft is a dismissed repetition, or one of its states that another detector found. */
export function isDismissedDraft(
  dismissed: readonly Dismissed[],
  { id, detector, members }: FindingDraft,
): boolean {
  const byState = BY_STATE.includes(detector)
  return dismissed.some(
    other => other.id === id || (byState && members.every(name => other.states.includes(name))),
  )
}
