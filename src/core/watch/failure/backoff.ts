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
