/** Random numbers keyed by seed, fault, target, index and purpose. A further fault changes no number of another. */
import { draw } from '../../core/watch/data/json.ts'

/** A number in [0, 1). */
export type Chance = (...purpose: readonly (string | number)[]) => number

export const chanceOf = (seed: number): Chance => {
  return (...purpose) => draw(seed, 'fault', ...purpose)
}

/** A time with an exponential distribution. */
export const exponential = (mean: number, chance: number): number => -Math.log(1 - chance) * mean

/** A factor with the given spread on a logarithmic scale: the Box-Muller transform of two numbers. */
export function lognormal(sigma: number, [one, two]: readonly [number, number]): number {
  const normal = Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * two)
  return Math.exp(sigma * normal)
}
