/** A state read from a checkpoint, checked before the watch goes on with it. */
import { DETECTORS_VERSION, INITIAL_STATES } from '../detect/detectors.ts'
import { WATCH } from '../judge.ts'
import { ROUND } from '../normalize/round.ts'
import { NO_ANSWERS } from './recent-answers.ts'
import { INITIAL_STATE, type WatchdogState, type WatchdogTerms } from './state.ts'

/** A stored state, as this version can go on with it: eyes of another version see anew, and a state of another shape is none. */
export function restoreState(
  stored: WatchdogState | undefined,
  { parts }: Pick<WatchdogTerms, 'parts'>,
): WatchdogState {
  const { version } = parts.detectors
  const fresh =
    version === DETECTORS_VERSION
      ? INITIAL_STATE
      : { ...INITIAL_STATE, watch: { ...WATCH, version } }
  if (!isSound(stored)) return fresh
  return stored.watch.version === version &&
    Object.values(stored.watch.regions).every(region => hasShapeOf(region, LOOKING))
    ? stored
    : { ...stored, watch: { ...stored.watch, version, regions: {} } }
}

/** A checkpoint may hold anything: what this version did not write is not gone on with. */
function isSound(stored: WatchdogState | undefined): stored is WatchdogState {
  if (
    stored?.shape !== INITIAL_STATE.shape ||
    !hasShapeOf(stored, INITIAL_STATE) ||
    !hasShapeOf(stored.messages ?? [], []) ||
    !hasShapeOf(stored.answers ?? NO_ANSWERS, NO_ANSWERS)
  )
    return false
  return [stored.pendingEscape, stored.rethinking].every(
    way => way === undefined || hasShapeOf(way, ESCAPE),
  )
}

/** What is remembered of a region; a part of it that is otherwise makes its eyes see anew. */
const LOOKING = { detectorStates: INITIAL_STATES, path: [], held: [], round: ROUND }
const ESCAPE = { kind: '', route: { rung: '', region: '' }, because: [], considered: [] }

/** Whether a value has all that a model of it has. What the model leaves open may be anything. */
function hasShapeOf(value: unknown, model: unknown): boolean {
  if (model === null) return true
  if (
    typeof value !== typeof model ||
    value === null ||
    Array.isArray(value) !== Array.isArray(model)
  )
    return false
  return (
    typeof model !== 'object' ||
    Object.entries(model).every(([key, inner]) =>
      hasShapeOf((value as Readonly<Record<string, unknown>>)[key], inner),
    )
  )
}
