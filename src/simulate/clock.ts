/** Virtual time: a clock that stands still while anything works, and jumps to the next appointment when all is quiet. */
import { setImmediate as nextLoop, setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../runtime/ports.ts'

interface Appointment {
  readonly at: number
  readonly order: number
  readonly keep: () => void
}

/** Loops of the event queue without anything happening before the clock jumps. */
const QUIET = 2
/** Real milliseconds after which work that has not ended counts as hung, and time goes on without it. */
const HUNG = 2_000
const POLL = 2

/**
 * A clock that needs no waiting: sixty seconds of backoff pass at once, and everything happens in the order in which it
 * would have happened. It never jumps ahead of real work announced by `during`; work that sleeps does not hold it back.
 */
export function virtualClock(start = 0): Clock {
  let now = start
  let working = 0
  /** Counts everything that happens, so that quiet can be told from a lull. */
  let stirred = 0
  let running = false
  const appointments = new Set<Appointment>()

  const quiet = async () => {
    let waited = 0
    for (let loops = 0; loops < QUIET; ) {
      const before = stirred
      await nextLoop()
      if (before !== stirred) loops = 0
      else if (working > 0 && waited < HUNG) {
        await pause(POLL)
        waited += POLL
      } else loops++
    }
  }
  const run = async () => {
    if (running) return
    running = true
    // Whoever was woken last may make an appointment just when the loop has found none.
    do {
      for (let next = await afterQuiet(); next; next = await afterQuiet()) {
        appointments.delete(next)
        now = Math.max(now, next.at)
        stirred++
        next.keep()
      }
    } while (appointments.size > 0)
    running = false
  }
  const afterQuiet = async () => {
    if (appointments.size > 0) await quiet()
    return [...appointments].reduce<Appointment | undefined>(
      (first, one) => (!first || one.at < first.at || (one.at === first.at && one.order < first.order) ? one : first),
      undefined,
    )
  }
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const cancel = () => {
        stirred++
        appointments.delete(appointment)
        reject(signal?.reason)
      }
      const keep = () => {
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      const appointment = { at: now + Math.max(0, ms), order: stirred++, keep }
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', cancel, { once: true })
      if (!Number.isFinite(ms)) return
      appointments.add(appointment)
      void run()
    })

  return {
    now: () => now,
    sleep,
    async during(work) {
      working++
      let sleeping = 0
      try {
        return await work(async (ms, signal) => {
          if (sleeping++ === 0) working--
          try {
            await sleep(ms, signal)
          } finally {
            if (--sleeping === 0) working++
          }
        })
      } finally {
        if (sleeping === 0) working--
        stirred++
      }
    },
  }
}
