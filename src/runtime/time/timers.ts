/** Deadlines of everything a driver has under way, behind one sleep of the clock: setting and dropping one costs next to nothing. */
import type { Clock, Sleep } from '../ports.ts'

export interface Timers {
  /** Rings at that time (ms) unless the returned function is called before. */
  at(time: number, ring: () => void): () => void
  /** Alarms of a part of the work, behind the same sleep. */
  branch(): Timers
  /** No alarm rings after this. */
  stop(): void
}

interface Timer {
  readonly time: number
  readonly ring: () => void
}

export function createTimers(clock: Clock): Timers {
  const set = new Set<Timer>()
  let stopped = false
  let sleeping: { readonly until: number; readonly wake: AbortController } | undefined

  /** A clock that was set forward has passed the end of a sleep that goes on: what is set now must not wait for that. */
  const outslept = () => sleeping !== undefined && sleeping.until < clock.now()
  const sleep = () => {
    const until = Math.min(...[...set].map(({ time }) => time))
    // A sleep that ends too early costs one look; most alarms are dropped long before their time.
    if (set.size === 0 || (sleeping && sleeping.until <= until && !outslept())) return
    sleeping?.wake.abort()
    const wake = new AbortController()
    sleeping = { until, wake }
    clock.sleep(until - clock.now(), wake.signal).then(ring, () => {})
  }
  const ring = () => {
    sleeping = undefined
    const now = clock.now()
    for (const alarm of [...set].filter(({ time }) => time <= now)) {
      set.delete(alarm)
      alarm.ring()
    }
    sleep()
  }
  const at: Timers['at'] = (time, ring) => {
    if (stopped || !Number.isFinite(time)) return () => {}
    const alarm = { time, ring }
    set.add(alarm)
    if (!sleeping || time < sleeping.until || outslept()) sleep()
    return () => void set.delete(alarm)
  }
  return {
    at,
    branch: () => branchTimers(at),
    stop() {
      stopped = true
      set.clear()
      sleeping?.wake.abort()
    },
  }
}

function branchTimers(at: Timers['at']): Timers {
  const own = new Set<() => void>()
  let stopped = false
  const branched: Timers['at'] = (time, ring) => {
    if (stopped || !Number.isFinite(time)) return () => {}
    const stopTimer = at(time, () => {
      own.delete(stopTimer)
      ring()
    })
    own.add(stopTimer)
    return () => {
      own.delete(stopTimer)
      stopTimer()
    }
  }
  return {
    at: branched,
    branch: () => branchTimers(branched),
    stop() {
      stopped = true
      for (const stopTimer of own) stopTimer()
      own.clear()
    },
  }
}

/** `from`: the latest time known, in ms. Without this a clock set back by an hour would make every timeout and every backoff an hour longer. */
export function monotonicClock(clock: Clock, from = Number.NEGATIVE_INFINITY): Clock {
  let latest = from
  const reached = (time: number) => {
    latest = Math.max(latest, time)
    return latest
  }
  const now = () => reached(clock.now())
  const steady =
    (sleep: Sleep): Sleep =>
    async (ms, signal) => {
      const until = now() + ms
      await sleep(ms, signal)
      reached(until)
    }
  return {
    ...clock,
    now,
    sleep: steady(clock.sleep),
    during: work => clock.during(sleep => work(steady(sleep))),
  }
}
