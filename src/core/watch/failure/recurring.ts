/**
 * Transient failures that come back so often that waiting will not help: from then on they count as persistent.
 *
 * Each success of a dependency takes one of its failures back: a busy tool that fails now and then is healthy, one that fails
 * most of the time is not. Rejected: counting failures alone, by which every tool becomes persistent that is called often enough.
 */
import type { Failure } from './failure.ts'
import { remember } from '../data/json.ts'

/** `times` failures within `within` ms. */
export interface RecurringOptions {
  readonly times: number
  readonly within: number
}

/** When dependencies have failed lately, oldest first. */
export type Transients = readonly (readonly [dependency: string, at: number])[]

const TRANSIENTS_MAX = 64

export function withTransient(transients: Transients, dependency: string, at: number): Transients {
  return remember(transients, [dependency, at], TRANSIENTS_MAX)
}

/** A success: the oldest failure of the dependency is forgotten. */
export function withoutOldest(transients: Transients, dependency: string): Transients {
  const oldest = transients.findIndex(([other]) => other === dependency)
  return oldest < 0 ? transients : transients.toSpliced(oldest, 1)
}

/** Whether the attempt itself failed in passing. Where all places were taken, none was made. */
export function isTransient({ class: failureClass, was = failureClass, name }: Failure): boolean {
  return was === 'transient' && name !== 'BulkheadFull'
}

/** The failure at `at` as what it counts for: `persistent`, where with it there have been too many. */
export function classifyRecurring(
  failure: Failure,
  transients: Transients,
  of: {
    readonly dependency: string
    readonly at: number
    readonly options: RecurringOptions | false
  },
): Failure {
  const { dependency, at, options } = of
  if (!options || !isTransient(failure)) return failure
  const lately = transients.filter(
    ([other, since]) => other === dependency && since > at - options.within,
  ).length
  return lately + 1 < options.times
    ? failure
    : { ...failure, class: 'persistent', rule: 'recurring', was: failure.class }
}

/** How long to wait before a call is tried again. Times are in milliseconds. */
export interface BackoffOptions {
  /** The wait before the second attempt. */
  readonly base: number
  /** No wait is longer than this, unless the other side asked for more by `retry-after`. */
  readonly cap: number
}

/**
 * Exponential backoff with jitter: base × 2^(attempt − 1), and up to a tenth of it on top, so that many
 * agents refused together do not come back together. `attempt` is the one that has just failed, from 1.
 * A `retry-after` of the other side is obeyed, and never shortened.
 */
export function backoff(
  attempt: number,
  chance: number,
  options: BackoffOptions,
  retryAfter = 0,
): number {
  const grown = Math.min(options.cap, options.base * 2 ** (attempt - 1))
  const jittered = Math.min(options.cap, grown + chance * grown * 0.1)
  return Math.round(Math.max(jittered, retryAfter))
}
