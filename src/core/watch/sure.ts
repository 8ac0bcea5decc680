/**
 * How sure a detector is, from 0 to 1, of `evidence` counted in whole laps beyond the first: each halves the doubt. Two laps
 * more than the first, the third time of the same, are 0.75; and nothing is certain.
 */
export function sureOf(evidence: number): number {
  return Math.min(0.99, Math.round((1 - 2 ** -evidence) * 100) / 100)
}
