/** The waits of a call before its next attempt: the backoff of a retry, the rung `wait`, and the time between polls. All are journalled and can be cancelled. */
import { pollDue } from '../../core/watch/retries.ts'
import type { Permit } from '../gate/gate.ts'
import { enter } from './attempt.ts'
import type { Callable } from './callable.ts'
import type { CallContext } from './context.ts'
import { waitLimit } from './out-of-order.ts'
import type { EndedAttempt } from './retry.ts'

export interface CallState<A> {
  readonly context: CallContext
  readonly original: Callable<A>
  /** The subjects called so far: the original and its substitutes. */
  readonly tried: Set<string>
  /** A failed write may have taken effect: it can be repeated with its own key, but not by a substitute. */
  doubt: boolean
  /** When the call began to wait for an open breaker. */
  waitingSince: number | undefined
}

/** The next attempt; `permit` when the gate has admitted it already. */
export interface DueAttempt<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly permit?: Permit
}

export async function waitForRetry<A>(
  { journal, ports, cancellation }: CallContext,
  { of, attempt }: EndedAttempt<A>,
  wait: number,
): Promise<DueAttempt<A>> {
  cancellation.throwIfCancelled()
  const until = ports.clock.now() + wait
  journal.take({ ...of.fields(), type: 'call.waiting', attempt, until })
  await journal.flush()
  await ports.clock.sleep(wait, cancellation.signal)
  return { of, attempt: attempt + 1 }
}

/** The longest time until a waiting call asks its breaker again, which another thread or a person may close earlier. */
const BREAKER_EVERY = 1_000

export function mayWait<A>(state: CallState<A>, retryAt: number | undefined): retryAt is number {
  const { context, waitingSince = context.ports.clock.now() } = state
  return retryAt !== undefined && retryAt <= waitLimit(context.journal.run.policy, waitingSince)
}

/** The rung `wait`: the attempt after `attempt` follows when the breaker allows it. */
export async function waitForBreaker<A>(
  state: CallState<A>,
  { of, attempt }: EndedAttempt<A>,
  until: number,
): Promise<DueAttempt<A>> {
  const { context } = state
  const { journal, cancellation } = context
  const { clock } = context.ports
  cancellation.throwIfCancelled()
  state.waitingSince ??= clock.now()
  const since = state.waitingSince
  journal.take({ ...of.fields(), type: 'call.waiting', attempt, until, since })
  await journal.flush()
  const due = { of, attempt: attempt + 1 }
  for (;;) {
    const wait = Math.max(1, Math.min(BREAKER_EVERY, until - clock.now()))
    await clock.sleep(wait, cancellation.signal)
    const entry = await enter(context, of)
    if (entry.kind !== 'refused') return { ...due, permit: entry }
    if (entry.why !== 'open' || entry.retryAt !== until) return due
  }
}

/** When a tool with `poll.every` may be called again, if it may not be called now. */
export function pollAt<A>({ journal, ports }: CallContext, of: Callable<A>): number | undefined {
  const { polls, policy } = journal.run
  const until = of.kind === 'tool' ? pollDue(polls, policy, of) : 0
  return until > ports.clock.now() ? until : undefined
}

export async function waitForPoll<A>(
  { journal, ports, cancellation }: CallContext,
  of: Callable<A>,
  until: number,
): Promise<void> {
  journal.take({ ...of.fields(), type: 'call.waiting', attempt: 0, until })
  await journal.flush()
  await ports.clock.sleep(until - ports.clock.now(), cancellation.signal)
}
