/**
 * Transient failures that recur so often that waiting does not help. They count as persistent.
 *
 * Each success of a dependency removes one of its failures: a busy tool that sometimes fails is healthy, one that mostly fails is
 * not. Rejected: counting only failures, which makes every frequently called tool persistent.
 */
import type { Failure } from './failure.ts'
import { remember } from '../data/json.ts'

/** `times` failures within `within` ms. */
export type RecurringOptions = Readonly<{ times: number; within: number }>

/** The recent transient failures, oldest first. */
export type Transients = readonly (readonly [dependency: string, at: number])[]

const TRANSIENTS_MAX = 64

export const withTransient = (transients: Transients, dependency: string, at: number): Transients =>
  remember(transients, [dependency, at], TRANSIENTS_MAX)

/** Removes the oldest failure of a dependency after a success. */
export function withoutOldest(transients: Transients, dependency: string): Transients {
  const oldest = transients.findIndex(([other]) => other === dependency)
  return oldest < 0 ? transients : transients.toSpliced(oldest, 1)
}

/** Whether the attempt failed for a transient reason. A full bulkhead is not an attempt. */
export const isTransient = ({ class: failureClass, was = failureClass, name }: Failure): boolean =>
  was === 'transient' && name !== 'BulkheadFull'

/** The failure, with class `persistent` if there were too many before it. */
export function classifyRecurring(
  failure: Failure,
  transients: Transients,
  of: { dependency: string; at: number; options: RecurringOptions | false },
): Failure {
  const { dependency, at, options } = of
  if (!options || !isTransient(failure)) return failure
  const since = at - options.within
  const recent = transients.filter(([other, then]) => other === dependency && then > since)
  if (recent.length + 1 < options.times) return failure
  return { ...failure, class: 'persistent', rule: 'recurring', was: failure.class }
}

/** `base` is the wait before the second attempt in ms, `cap` the longest wait without a `retry-after`. */
type Waits = { readonly base: number; readonly cap: number }

/**
 * The wait before the next attempt: base × 2^(attempt − 1) plus up to a tenth of jitter, which spreads agents that were refused
 * together. `attempt` is the failed one, from 1. A longer `retry-after` replaces the wait.
 */
export function backoff(attempt: number, chance: number, waits: Waits, retryAfter = 0): number {
  const { base, cap } = waits
  const wait = Math.min(cap, base * 2 ** (attempt - 1))
  const jittered = Math.min(cap, wait + chance * wait * 0.1)
  return Math.round(Math.max(jittered, retryAfter))
}
