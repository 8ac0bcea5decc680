import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { Timers } from './timers.ts'
import { Cancellation } from './cancellation.ts'
import type { Clock, Sleep } from '../ports.ts'

interface Terms<T> {
  readonly clock: Clock
  readonly timers: Timers
  readonly ms: number
  readonly cancellation: Cancellation
  /** Told what work that was left behind came to in the end. */
  readonly late: (result: Late<T>) => void
}

export type Late<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: unknown }

/** How `within` ended: `behind` says that the work was given up and may still be under way. */
export type Ended<T> = Late<T> & { readonly behind?: true }

/** Runs work until it ends, until `leave`, or for `ms`, whichever comes first. The work is told by a `Leave` of its own. */
export function within<T>(
  { clock, timers, ms, cancellation, late }: Terms<T>,
  work: (cancellation: Cancellation, sleep: Sleep) => Promise<T>,
): Promise<Ended<T>> {
  return new Promise(resolve => {
    const own = new Cancellation()
    let over = false
    let forget = () => {}
    const end = (result: Ended<T>) => {
      over = true
      stopTimer()
      forget()
      resolve(result)
    }
    const giveUp = (reason: unknown) => {
      if (over) return
      end({ ok: false, error: reason, behind: true })
      own.cancel(reason)
    }
    const stopTimer = timers.at(clock.now() + ms, () =>
      giveUp(new ReasonError('TimeoutError', { code: 'no-answer', params: { ms } })),
    )
    const settled = (result: Late<T>) => (over ? late(result) : end(result))
    clock
      .during(async sleep => work(own, sleep))
      .then(
        value => settled({ ok: true, value }),
        error => settled({ ok: false, error }),
      )
    forget = cancellation.onCancel(giveUp)
  })
}
