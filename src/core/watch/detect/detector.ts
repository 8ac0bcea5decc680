import type { FindingDraft } from '../event/finding.ts'
import type { Json } from '../data/json.ts'
import type { Observation } from '../normalize/observed.ts'

/**
 * A detector is a pure value: a state of plain JSON, and a function from one observation to the next state. The observation
 * carries the time and the seq. The cost of one is bounded by a constant, never by the length of the run.
 *
 * The state is a cache. When `version` changes, stored states are dropped and folded again from the journal.
 */
export interface Detector<S extends Json, O, K extends Observation['kind']> {
  readonly name: string
  readonly version: number
  readonly start: S
  /** The kinds of observation it receives. */
  readonly sees: readonly K[]
  /** `why`: the detector broke and found nothing. */
  observe(
    state: S,
    observation: Extract<Observation, { kind: K }>,
    options: O,
  ): readonly [S, FindingDraft | undefined, why?: string]
}
