/** Whether and when a failed call is retried, by its policy and the spent retries of its dependency. */
import type { Failure } from '../../core/watch/failure/failure.ts'
import { isFutileRetry } from '../../core/watch/retries.ts'
import { type RetryPolicy, retryDelay } from '../../core/watch/policy/policy.ts'
import type { Usage } from '../../core/watch/event/spent.ts'
import { draw } from '../../core/watch/data/json.ts'
import type { Callable } from './callable.ts'
import type { CallContext } from './context.ts'

export interface EndedAttempt<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly tries?: number
  readonly usage?: Usage
}

/** The delay before the next attempt, in ms; `undefined` when no attempt follows. */
export function waitAfter<A>(
  context: CallContext,
  { of, attempt, tries = 1 }: EndedAttempt<A>,
  failure: Failure,
): number | undefined {
  const { seed, retries } = context.journal.run
  const spent = (retries.spent[of.dependency] ?? 0) + tries - 1
  const chance = draw(seed, of.call, attempt, 'backoff')
  return retryDelay(retryOf(context, of), { failure, attempt, spent, chance })
}

/** Whether the same call has failed before and the retries of its dependency are spent. */
export function isFutile<A>(context: CallContext, of: Callable<A>): boolean {
  const dependency = of.dependency
  const { total } = retryOf(context, of)
  return isFutileRetry(context.journal.run.retries, { dependency, key: of.key, total })
}

/** The retry policy of a call: its own settings over the thread's, and one attempt when the ladder has no retry. */
export function retryOf<A>({ journal }: CallContext, { guard }: Callable<A>): RetryPolicy {
  const { retry, escape } = journal.run.policy
  const once = escape.ladder.includes('retry') ? {} : { attempts: 1 }
  return { ...retry, ...guard.retry, ...once }
}
