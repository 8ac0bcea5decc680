import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { Timers } from './timers.ts'
import { Cancellation } from './cancellation.ts'
import type { Clock, Sleep } from '../ports.ts'
import { GRACE } from '../../core/watch/policy/policy.ts'

interface Terms<T> {
  readonly clock: Clock
  readonly timers: Timers
  readonly ms: number
  readonly cancellation: Cancellation
  /** Receives the result of abandoned work. */
  readonly late: (result: Late<T>) => void
}

export type Late<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown }

/** The result of `within`. `behind`: the work was abandoned and may still run. */
export type Ended<T> = Late<T> & { readonly behind?: true }

/** Runs work until it ends, is cancelled or exceeds `ms`. The work receives a cancellation of its own. */
export function within<T>(
  { clock, timers, ms, cancellation, late }: Terms<T>,
  work: (cancellation: Cancellation, sleep: Sleep) => Promise<T>,
): Promise<Ended<T>> {
  return new Promise(resolve => {
    const inner = new Cancellation()
    let over = false
    let stopListening = () => {}
    const end = (result: Ended<T>) => {
      over = true
      stopTimer()
      stopListening()
      resolve(result)
    }
    const abandon = (reason: unknown) => {
      if (over) return
      end({ ok: false, error: reason, behind: true })
      inner.cancel(reason)
    }
    const stopTimer = timers.at(clock.now() + ms, () =>
      abandon(new ReasonError('TimeoutError', { code: 'no-answer', params: { ms } })),
    )
    const settle = (result: Late<T>) => (over ? late(result) : end(result))
    clock
      .during(async sleep => work(inner, sleep))
      .then(
        value => settle({ ok: true, value }),
        error => settle({ ok: false, error }),
      )
    stopListening = cancellation.onCancel(abandon)
  })
}

/** Waits until abandoned work has ended, at most for the grace period. Returns whether it has ended. */
export async function graceTime(clock: Clock, work: Iterable<Promise<unknown>>): Promise<boolean> {
  const over = new AbortController()
  const ended = Promise.allSettled(work).then(() => true)
  const sleep = clock.sleep(GRACE, over.signal).then(
    () => false,
    () => false,
  )
  const hasEnded = await Promise.race([ended, sleep])
  over.abort()
  return hasEnded
}
