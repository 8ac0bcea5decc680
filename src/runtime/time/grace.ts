/** How long a driver waits for work that it has abandoned. */
import { GRACE } from '../../core/watch/policy/policy.ts'
import type { Clock } from '../ports.ts'

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
