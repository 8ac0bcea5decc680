/** The confidence of a detector, below 1. `evidence` counts laps after the first, and each halves the doubt: two give 0.75. */
export function confidenceOf(evidence: number): number {
  return Math.min(0.99, Math.round((1 - 2 ** -evidence) * 100) / 100)
}

/** The evidence that may be missing to a whole lap, due to differing words and news in between. */
export const TOLERANCE = 0.3

/** Each piece of news reduces earlier evidence to this share. */
export const DECAY = 0.9

/** The pieces of news in a write that took effect: it may have changed every answer. */
export const WRITTEN = 3
