/** Whether and when a failed call is tried again, by the policy and what its dependency has spent of it. */
import { dependencyOf } from '../../core/watch/circuits.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { isFutileRetry } from '../../core/watch/retries.ts'
import { type RetryPolicy, retryDelay } from '../../core/watch/policy/policy.ts'
import { draw } from '../../core/watch/data/signature.ts'
import type { Callable, CallContext } from './callable.ts'

/** An attempt that was made. */
export interface EndedAttempt<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly tries?: number
}

/** How long to wait before the next attempt, in ms; `undefined` where there is none. */
export function waitAfter<A>(
  context: CallContext,
  { of, attempt, tries = 1 }: EndedAttempt<A>,
  failure: Failure,
): number | undefined {
  const { seed, retries } = context.journal.run
  const spent = (retries.spent[dependencyOf(of.kind, of.subject)] ?? 0) + tries - 1
  return retryDelay(retryOf(context, of), {
    failure,
    attempt,
    spent,
    chance: draw(seed, of.call, attempt, 'backoff'),
  })
}

/** Another attempt would repeat what has failed before, and the retries of its dependency are spent. */
export function isFutile<A>(context: CallContext, of: Callable<A>): boolean {
  return isFutileRetry(context.journal.run.retries, {
    dependency: dependencyOf(of.kind, of.subject),
    key: of.key,
    total: retryOf(context, of).total,
  })
}

/** The retry policy of a call: its guard's over the thread's, one attempt where the ladder has no retry. */
export function retryOf<A>({ journal }: CallContext, of: Callable<A>): RetryPolicy {
  const { retry, escape } = journal.run.policy
  return escape.ladder.includes('retry')
    ? { ...retry, ...of.guard.retry }
    : { ...retry, ...of.guard.retry, attempts: 1 }
}
