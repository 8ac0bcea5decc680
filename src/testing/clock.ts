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
 * @example const runtime = createRuntime({ store: memoryStore(), graphs: [shop], clock: virtualClock() })
 */
export function virtualClock(start = 0): Clock {
  const agenda = new Agenda(start)
  const sleep = (ms: number, signal?: AbortSignal) => sleeping(agenda, ms, signal)
  return {
    virtual: true,
    now: () => agenda.now,
    sleep,
    async during(work) {
      agenda.working++
      let asleep = 0
      try {
        return await work(async (ms, signal) => {
          if (asleep++ === 0) agenda.working--
          try {
            await sleep(ms, signal)
          } finally {
            if (--asleep === 0) agenda.working++
          }
        })
      } finally {
        if (asleep === 0) agenda.working--
        agenda.stirred++
      }
    },
  }
}

function sleeping(agenda: Agenda, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const appointment = agenda.appointment(ms, () => {
      signal?.removeEventListener('abort', cancel)
      resolve()
    })
    const cancel = () => {
      agenda.drop(appointment)
      reject(signal?.reason)
    }
    if (signal?.aborted) return reject(signal.reason)
    signal?.addEventListener('abort', cancel, { once: true })
    if (Number.isFinite(ms)) agenda.add(appointment)
  })
}

/** What is to happen, and the loop that lets it happen one after the other. */
class Agenda {
  now: number
  working = 0
  /** Counts everything that happens, to detect that nothing happens any more. */
  stirred = 0
  #running = false
  readonly #appointments = new Set<Appointment>()

  constructor(start: number) {
    this.now = start
  }

  appointment(ms: number, keep: () => void): Appointment {
    return { at: this.now + Math.max(0, ms), order: this.stirred++, keep }
  }

  add(appointment: Appointment): void {
    this.#appointments.add(appointment)
    void this.#run()
  }

  drop(appointment: Appointment): void {
    this.stirred++
    this.#appointments.delete(appointment)
  }

  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    // Work that was woken last may make an appointment right after the loop found an empty agenda.
    do {
      for (let next = await this.#next(); next; next = await this.#next()) {
        this.#appointments.delete(next)
        this.now = Math.max(this.now, next.at)
        this.stirred++
        next.keep()
      }
    } while (this.#appointments.size > 0)
    this.#running = false
  }

  /** The earliest appointment, once all is quiet. */
  async #next(): Promise<Appointment | undefined> {
    if (this.#appointments.size > 0) await this.#quiet()
    return [...this.#appointments].reduce<Appointment | undefined>(
      (first, one) =>
        !first || one.at < first.at || (one.at === first.at && one.order < first.order)
          ? one
          : first,
      undefined,
    )
  }

  async #quiet(): Promise<void> {
    let waited = 0
    for (let loops = 0; loops < QUIET; ) {
      const before = this.stirred
      await nextLoop()
      if (before !== this.stirred) loops = 0
      else if (this.working > 0 && waited < HUNG) {
        await pause(POLL)
        waited += POLL
      } else loops++
    }
  }
}
