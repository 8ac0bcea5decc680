/** What a detector is. */
import type { DraftParts, FindingKind } from '../event/event.ts'
import type { Json } from '../data/json.ts'
import type { Observation } from '../normalize/observed.ts'
import type { detectKeys, OptionsOf } from '../policy/detect-keys.ts'

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
  /** The kind of its findings. */
  readonly finds: FindingKind
  /** The kinds of observation it receives. */
  readonly sees: readonly K[]
  /** `why`: the detector broke and found nothing. */
  observe(
    state: S,
    observation: Extract<Observation, { kind: K }>,
    options: O,
  ): readonly [S, DraftParts | undefined, why?: string]
}

/** A built-in detector. The policy holds its options under its name. */
export interface BuiltIn<
  S extends Json,
  N extends keyof typeof detectKeys,
  K extends Observation['kind'],
> extends Detector<S, OptionsOf<N>, K> {
  readonly name: N
}

/** The confidence of a detector, below 1. `evidence` counts laps after the first, and each halves the doubt: two give 0.75. */
export const confidenceOf = (evidence: number): number =>
  Math.min(0.99, Math.round((1 - 2 ** -evidence) * 100) / 100)

/** The evidence that may be missing to a whole lap, due to differing words and news in between. */
export const TOLERANCE = 0.3

/** Each piece of news reduces earlier evidence to this share. */
export const DECAY = 0.9

/** The pieces of news in a write that took effect: it may have changed every answer. */
export const WRITTEN = 3
