import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../runtime/ports.ts'

/** `setTimeout` counts in 32 bits. A longer wait consists of several. */
const LONGEST = 2_147_483_000

/**
 * The wall clock. Waiting keeps the process alive.
 * @example nodePorts({ graph, store, clock: systemClock })
 */
export const systemClock: Clock = { now: () => Date.now(), sleep, during: work => work(sleep) }

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  for (let left = Math.max(0, ms); ; left -= LONGEST) {
    try {
      await pause(Math.min(left, LONGEST), undefined, signal ? { signal } : {})
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
    if (left <= LONGEST) return
  }
}
