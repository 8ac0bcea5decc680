/** Virtual time: the clock stands still while work is in progress and jumps to the next timer when everything is idle. */
import { setImmediate as nextLoop, setTimeout as pause } from 'node:timers/promises'
import { TIME_MAX } from '../core/watch/data/duration.ts'
import type { Clock } from '../runtime/ports.ts'

type Timer = Readonly<{ at: number; order: number; fire: () => void }>

/** Idle turns of the event loop before the clock jumps. */
const QUIET = 2
/** Real milliseconds after which unfinished work counts as hung and time continues. */
const HUNG = 2_000
const POLL = 2

/**
 * A clock without real waits: sixty seconds of backoff pass at once, and everything happens in the order of real time. The
 * clock never passes real work announced by `during`. Work that sleeps does not hold it back.
 * @example const runtime = createRuntime({ store: memoryStore(), graphs: [shop], clock: virtualClock() })
 */
export function virtualClock(start = 0): Clock {
  const timers = new Timers(start)
  return {
    virtual: true,
    now: () => timers.now,
    sleep: (ms, signal) => timers.sleep(ms, signal),
    async during(work) {
      timers.working++
      let asleep = 0
      try {
        return await work(async (ms, signal) => {
          if (asleep++ === 0) timers.working--
          try {
            await timers.sleep(ms, signal)
          } finally {
            if (--asleep === 0) timers.working++
          }
        })
      } finally {
        if (asleep === 0) timers.working--
        timers.activity++
      }
    },
  }
}

/** The pending timers and the loop that fires them one by one. */
class Timers {
  now: number
  working = 0
  /** Counts all activity, to detect when everything is idle. */
  activity = 0
  #running = false
  readonly #pending = new Set<Timer>()

  constructor(start: number) {
    this.now = start
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const fire = () => {
        signal?.removeEventListener('abort', cancel)
        resolve()
      }
      const timer = { at: this.now + Math.max(0, ms), order: this.activity++, fire }
      const cancel = () => {
        this.activity++
        this.#pending.delete(timer)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', cancel, { once: true })
      // Also for `NaN`.
      if (!(timer.at <= TIME_MAX)) return
      this.#pending.add(timer)
      void this.#run()
    })
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#pending.size > 0) {
      await this.#idle()
      const [next] = [...this.#pending].sort((a, b) => a.at - b.at || a.order - b.order)
      // Work that wakes up while the loop waits may cancel all timers.
      if (!next) continue
      this.#pending.delete(next)
      this.now = Math.max(this.now, next.at)
      this.activity++
      next.fire()
    }
    this.#running = false
  }

  async #idle(): Promise<void> {
    let waited = 0
    for (let loops = 0; loops < QUIET; ) {
      const before = this.activity
      await nextLoop()
      if (before !== this.activity) loops = 0
      else if (this.working > 0 && waited < HUNG) {
        await pause(POLL)
        waited += POLL
      } else loops++
    }
  }
}
