import type { FindingDraft } from '../event/finding.ts'
import type { Json } from '../data/json.ts'
import type { Observation } from '../normalize/observed.ts'

/**
 * A detector is a small pure value in the manner of a sans-I/O algorithm: a state that is plain JSON, and a
 * function from one sighting to the next state. Time and the number of the event are in the sighting; the
 * cost of one is bounded by a constant, never by the length of the run.
 *
 * Its state is a cache. When `version` changes, stored states are dropped and folded again from the journal.
 */
export interface Detector<S extends Json, O, K extends Observation['kind']> {
  readonly name: string
  readonly version: number
  readonly start: S
  /** The kinds of sighting it is shown: it has nothing to say about others. */
  readonly sees: readonly K[]
  /** `why`: it broke, and has seen nothing. */
  observe(
    state: S,
    sighting: Extract<Observation, { kind: K }>,
    options: O,
  ): readonly [S, FindingDraft | undefined, why?: string]
}
