/** Which loop the drawing shows: one that was found a moment before the event that is looked at. */
import { isRepetition, type FoundLoop } from '../data/loops.ts'

/** Events for which a loop stays on the drawing after it was found. */
export const HULL_EVENTS = 3

export const shownLoop = (loops: readonly FoundLoop[], at: number): FoundLoop | undefined =>
  loops.find(({ finding }) => isRepetition(finding) && at - finding.noticed <= HULL_EVENTS)
