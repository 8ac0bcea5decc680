/** Attribution: which fault began the trouble in a recording, of which kind, and at which step. */
import type { Stamped } from '../event/event.ts'
import type { Act } from '../trace-watcher.ts'
import { failureClues, modelClues, restartClues, slowClues } from './clues.ts'
import type { Attribution } from './fault.ts'
import { type Step, stepsOfActs, stepsOfEvents } from './step.ts'
import { valueClues } from './value-clues.ts'

/** From this confidence on, the earliest clue counts: later ones are its consequences. */
const CERTAIN = 0.65

function attributed(steps: readonly Step[]): Attribution | undefined {
  const clues = [restartClues, failureClues, slowClues, modelClues, valueClues]
    .flatMap(find => find(steps))
    .toSorted((a, b) => a.at - b.at)
  return clues.find(({ confidence }) => confidence >= CERTAIN) ?? clues[0]
}

/**
 * Attributes the trouble in a journal to the fault that began it. Reads events only, no tape and no truth.
 * @example const fault = attributeEvents(rows.map(({ event }) => event))
 */
export const attributeEvents = (events: readonly Stamped[]): Attribution | undefined =>
  attributed(stepsOfEvents(events))

/** The same for a recorded trace. */
export const attributeActs = (acts: readonly Act[]): Attribution | undefined =>
  attributed(stepsOfActs(acts))
