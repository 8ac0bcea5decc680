/** Repetitions that a person has declared to be fine: they are not looked at any more. */
import type { Sighting } from './detect/detector.ts'
import type { Sketch } from './finding.ts'
import { remember } from './memory.ts'
import { brief } from './signature.ts'

export interface Exempt {
  /** The finding it was. */
  readonly id: string
  /** The signatures of its calls. */
  readonly signs: readonly string[]
  /** The states it went through. */
  readonly states: readonly string[]
}

const EXEMPT_MAX = 16

export function exempted(
  exempt: readonly Exempt[],
  fine: readonly (Pick<Sketch, 'id' | 'signs'> & Pick<Exempt, 'states'>)[],
): readonly Exempt[] {
  return fine.reduce(
    (list, { id, signs = [], states }) =>
      list.some(other => other.id === id)
        ? list
        : remember(list, { id, signs, states }, EXEMPT_MAX),
    exempt,
  )
}

/** Whether the sighting belongs to a repetition that is fine: then no detector is shown it. */
export function isFine(exempt: readonly Exempt[], sighting: Sighting): boolean {
  return (
    sighting.kind === 'answered' && exempt.some(({ signs }) => signs.includes(brief(sighting.key)))
  )
}

/** The same by what was found: another detector may see the same round by its states. */
export function isFound(exempt: readonly Exempt[], { id, detector, members }: Sketch): boolean {
  return exempt.some(
    other =>
      other.id === id ||
      (BY_STATE.has(detector) && members.every(member => other.states.includes(member))),
  )
}

const BY_STATE: ReadonlySet<string> = new Set(['recurrence', 'visits'])
