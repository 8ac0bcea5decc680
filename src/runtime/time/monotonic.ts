/** Time that never goes back: a clock may be set back, and what has been slept for has passed all the same. */
import type { Clock, Sleep } from '../ports.ts'

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
