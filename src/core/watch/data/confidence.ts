/**
 * How sure a detector is, from 0 to 1, of `evidence` counted in whole laps beyond the first: each halves the doubt. Two laps
 * more than the first, the third time of the same, are 0.75; and nothing is certain.
 */
export function confidenceOf(evidence: number): number {
  return Math.min(0.99, Math.round((1 - 2 ** -evidence) * 100) / 100)
}

/** What is short of so many whole laps and is taken for them: words that differ, and news that lay between. */
export const TOLERANCE = 0.3

/** Each piece of news leaves so much of the weight of what was before it. */
export const DECAY = 0.9

/** A write that took effect counts for so many pieces of news: it may have changed every answer. */
export const WRITTEN = 3
