/** Intervals of 95 % for rates, means and differences. */
import { draw } from '../../core/watch/data/json.ts'

/** A rate with its Wilson interval. */
export interface Rate {
  readonly count: number
  readonly of: number
  readonly rate: number
  readonly low: number
  readonly high: number
}

/** The 97.5 % quantile of the normal distribution. */
const Z = 1.959963984540054

/** Unlike the normal approximation, the interval stays within 0 and 1, and has a length for 0 of n. */
export function wilson(count: number, of: number): Rate {
  if (of === 0) return { count, of, rate: 0, low: 0, high: 1 }
  const rate = count / of
  const center = rate + (Z * Z) / (2 * of)
  const spread = Z * Math.sqrt((rate * (1 - rate)) / of + (Z * Z) / (4 * of * of))
  const scale = 1 + (Z * Z) / of
  const low = count === 0 ? 0 : (center - spread) / scale
  const high = count === of ? 1 : (center + spread) / scale
  return { count, of, rate, low, high }
}

/** A difference with its interval. */
export interface Difference {
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** The difference of two independent rates. Source of the interval: Newcombe 1998, method 10, from the Wilson intervals. */
export function differenceOf(one: Rate, other: Rate): Difference {
  const difference = one.rate - other.rate
  const below = Math.hypot(one.rate - one.low, other.high - other.rate)
  const above = Math.hypot(one.high - one.rate, other.rate - other.low)
  return { difference, low: difference - below, high: difference + above }
}

const RESAMPLES = 2_000

/** The percentile bootstrap of the mean. Equal values give equal intervals. */
export function bootstrapMean(values: readonly number[], resamples = RESAMPLES): Difference {
  const { length } = values
  if (length === 0) return { difference: 0, low: 0, high: 0 }
  const means = Float64Array.from({ length: resamples }, (_, sample) => {
    let sum = 0
    for (let item = 0; item < length; item++)
      sum += values[Math.floor(draw(sample, item) * length)] ?? 0
    return sum / length
  }).sort()
  const sum = values.reduce((total, value) => total + value, 0)
  return { difference: sum / length, low: quantile(means, 0.025), high: quantile(means, 0.975) }
}

/** The quantile of sorted values, interpolated linearly. */
export function quantile(sorted: ArrayLike<number>, at: number): number {
  const place = (sorted.length - 1) * at
  const [below, part] = [Math.floor(place), place % 1]
  const [low = 0, high = low] = [sorted[below], sorted[below + 1]]
  return low + (high - low) * part
}

/**
 * The exact McNemar test of paired outcomes: `wins` pairs in which only the first succeeded, `losses` with only the second. The
 * probability of a difference at least as large if both were equally good.
 */
export function mcNemar(wins: number, losses: number): number {
  const discordant = wins + losses
  const extreme = Math.min(wins, losses)
  // ln C(n, k) / 2^n, from k to k + 1. The logarithm avoids an underflow for many pairs.
  let term = -discordant * Math.LN2
  let tail = 0
  for (let k = 0; k <= extreme; k++) {
    tail += Math.exp(term)
    term += Math.log(discordant - k) - Math.log(k + 1)
  }
  return Math.min(1, 2 * tail)
}

/**
 * Holm's correction for several tests, in the order of the given p values. All comparisons with a corrected value below 0.05
 * together are wrong in at most 5 % of the reports.
 */
export function holm(values: readonly number[]): readonly number[] {
  const corrected = values.map(() => 1)
  let largest = 0
  const byValue = values.map((p, index) => ({ p, index })).toSorted((a, b) => a.p - b.p)
  for (const [rank, { p, index }] of byValue.entries()) {
    largest = Math.max(largest, Math.min(1, p * (values.length - rank)))
    corrected[index] = largest
  }
  return corrected
}
