import { hashNumber } from './signature.ts'

/**
 * Chance as a function of what it is for: a number in [0, 1) from a seed and a purpose.
 *
 * There is no stream whose next number one takes: adding a draw in one place would shift every draw after
 * it, and two runs of one seed would differ for no reason. Keyed draws leave all others as they were.
 */
export function draw(seed: number, ...purpose: readonly (string | number)[]): number {
  return hashNumber(`${seed}|${purpose.join('|')}`) / 2 ** 53
}
