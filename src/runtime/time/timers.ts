/** The deadlines of a driver behind one sleep of the clock: setting and removing one is cheap. */
import { TIME_MAX } from '../../core/watch/data/duration.ts'
import type { Clock, Sleep } from '../ports.ts'

export interface Timers {
  /** Calls `ring` at that time (ms) unless the returned function is called before. */
  at(time: number, ring: () => void): () => void
  /** Removes all timers. Later ones never ring. */
  stop(): void
}

type Timer = Readonly<{ time: number; ring: () => void }>

interface Sleeping {
  readonly until: number
  readonly wake: AbortController
}

/** Why the sleep of the clock ends early. Without a reason, each abort would make an error. */
const REPLACED = 'another timer is next'

export function createTimers(clock: Clock): Timers {
  const timers = new Set<Timer>()
  let stopped = false
  let sleeping: Sleeping | undefined
  let isRinging = false

  const sleep = () => {
    const until = Math.min(...[...timers].map(({ time }) => time))
    // Waking too early is cheap, because most timers are removed long before their time.
    if (timers.size === 0 || (sleeping && sleeping.until <= until)) return
    sleeping?.wake.abort(REPLACED)
    const wake = new AbortController()
    sleeping = { until, wake }
    clock.sleep(until - clock.now(), wake.signal).then(ringDue, () => {})
  }
  const ringDue = () => {
    sleeping = undefined
    isRinging = false
    const now = clock.now()
    const due = [...timers].filter(({ time }) => time <= now).sort((a, b) => a.time - b.time)
    // A timer that rings may remove another one.
    for (const timer of due) if (timers.delete(timer)) timer.ring()
    sleep()
  }
  const at: Timers['at'] = (time, ring) => {
    if (stopped || !Number.isFinite(time)) return () => {}
    const timer = { time, ring }
    timers.add(timer)
    if (sleeping && sleeping.until < clock.now()) ringSoon(sleeping)
    else if (!isRinging && (!sleeping || time < sleeping.until)) sleep()
    return () => void timers.delete(timer)
  }
  /**
   * The clock was set forward, or other work was quicker than the sleep: its time has passed. The sleep in its place is not replaced
   * again. Work that ends meanwhile is in time.
   */
  const ringSoon = ({ wake }: Sleeping) => {
    sleeping = undefined
    isRinging = true
    wake.abort(REPLACED)
    clock.sleep(0).then(ringDue, () => {})
  }
  const stop = () => {
    stopped = true
    timers.clear()
    sleeping?.wake.abort(REPLACED)
  }
  return { at, stop }
}

/**
 * A clock whose time never decreases, from the latest known time in ms. Otherwise a clock set back by an hour would prolong every timeout.
 * A time that is not a date is ignored: after a single `NaN`, no timeout would ever end.
 */
export function monotonicClock(clock: Clock, from = Number.NEGATIVE_INFINITY): Clock {
  let latest = from
  const reach = (time: number) => {
    if (time > latest && time <= TIME_MAX) latest = time
    return latest
  }
  const now = () => {
    const time = clock.now()
    if (Number.isFinite(reach(time))) return latest
    throw new TypeError(`the clock: expected ms since 1970, received ${String(time)}`)
  }
  const monotonic =
    (sleep: Sleep): Sleep =>
    async (ms, signal) => {
      const until = now() + ms
      await sleep(ms, signal)
      reach(until)
    }
  return {
    ...clock,
    now,
    sleep: monotonic(clock.sleep),
    during: work => clock.during(sleep => work(monotonic(sleep))),
  }
}
