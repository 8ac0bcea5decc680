import type { Clock, Sleep } from './ports.ts'

/** The work did not end in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/**
 * Runs work that ends with the signal or after `ms`, whichever comes first. The work gets a signal of its own and is left
 * behind when it does not heed it: what it comes to in the end is told to `late`.
 */
export async function within<T>(clock: Clock, { ms, signal, late }: Terms<T>, work: (signal: AbortSignal, sleep: Sleep) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const timer = new AbortController()
  let over = false
  const leave = (reason: unknown) => {
    over = true
    own.abort(reason)
    return reason
  }
  const running = clock.during(async sleep => work(own.signal, sleep))
  running.then(
    value => over && late({ ok: true, value }),
    error => over && late({ ok: false, error }),
  )
  const left = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(leave(signal.reason))
    signal.addEventListener('abort', () => reject(leave(signal.reason)), { once: true, signal: timer.signal })
    if (Number.isFinite(ms))
      clock.sleep(ms, timer.signal).then(
        () => reject(leave(new TimeoutError(`no answer within ${ms} ms`))),
        () => {},
      )
  })
  try {
    return await Promise.race([running, left])
  } finally {
    timer.abort()
  }
}

/** Whether `within` gave up on its work, which may still be under way. */
export function isLeftBehind(error: unknown, signal: AbortSignal): boolean {
  return error instanceof TimeoutError || (signal.aborted && error === signal.reason)
}

interface Terms<T> {
  readonly ms: number
  readonly signal: AbortSignal
  readonly late: (result: Late<T>) => void
}

export type Late<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }
