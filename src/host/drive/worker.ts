/** The worker loop: drives the threads of the store that are due or stuck, whichever process started them. */
import { systemClock } from '../../adapters/node/ports.ts'
import type { Clock } from '../../runtime/ports.ts'
import { noteOutage } from '../../runtime/drive/store-outages.ts'
import { isConflict, isStoreUnavailable } from '../../runtime/store/store.ts'
import type { Host } from './host.ts'
import type { StuckThread } from './changes.ts'
import { sweepsOf } from './sweep.ts'

/** The options of `work`. */
export interface WorkOptions {
  /** Ends the loop. Its threads are left as they are and can be resumed. */
  readonly signal?: AbortSignal
  /** The maximum number of threads that the worker drives at once. Those that `start` drives are not counted. Default: 16. */
  readonly concurrency?: number
  /** Called with the error of a thread that cannot continue here, or without a thread if the store is unavailable. The worker tries again. */
  readonly onError?: (error: unknown, thread?: string) => void
  /** Called with each thread that no event would continue, at the start and every minute. The worker drives it. */
  readonly onStuck?: (found: StuckThread) => void
}

/** The interval in ms at which the worker polls the store. */
const POLL_INTERVAL = 500

/** The delay in ms before a thread that failed or did not move is retried. */
const RETRY_DELAY = 10_000

/** @throws StoreUnavailable if the store needs a repair */
export async function work(host: Host, clock: Clock, options: WorkOptions): Promise<void> {
  const { signal, concurrency = 16, onError = () => {}, onStuck = () => {} } = options
  const leave = AbortSignal.any([host.closing, ...(signal ? [signal] : [])])
  const stop = AbortSignal.any([host.draining, leave])
  const drives = new Map<string, Promise<void>>()
  const postponed = new Map<string, number>()
  const sweeps = sweepsOf(host, clock, { stop, onStuck })
  const driveOnce = async (thread: string, seq: number | undefined) => {
    try {
      await host.driveWithParents(thread, { waits: false, leave })
      const after = await host.store.thread(thread)
      if (after?.seq === seq) postponed.set(thread, systemClock.now() + RETRY_DELAY)
    } catch (error) {
      if (stop.aborted || isConflict(error)) return
      postponed.set(thread, systemClock.now() + RETRY_DELAY)
      onError(error, thread)
    }
  }
  const startDue = async (): Promise<readonly number[]> => {
    for (const [thread, until] of postponed)
      if (until <= systemClock.now()) postponed.delete(thread)
    // Threads that are postponed or about to be leased may be among those that are due.
    const free = concurrency - drives.size
    const due =
      free > 0 ? await host.due(clock.now(), concurrency + postponed.size + drives.size) : []
    await sweeps.start()
    for (const thread of new Set([...due, ...sweeps.stuck])) {
      if (drives.size >= concurrency) break
      if (host.drives(thread) || drives.has(thread) || postponed.has(thread)) continue
      sweeps.stuck.delete(thread)
      const seq = (await host.store.thread(thread))?.seq
      const end = driveOnce(thread, seq).finally(() => drives.delete(thread))
      drives.set(thread, end)
    }
    const threads = clock.virtual ? await host.store.threads() : []
    const wakes = threads.flatMap(({ thread, wakeAt, ...of }) => {
      const isIdle = !host.drives(thread) && !postponed.has(thread)
      return wakeAt !== undefined && host.owns(of) && isIdle ? [wakeAt] : []
    })
    // A virtual clock does not pass a sweep on its way.
    return wakes.length > 0 ? [...wakes, sweeps.nextAt] : []
  }
  while (!stop.aborted) {
    const wakes = await startDue().catch(error => {
      if (!isStoreUnavailable(error) || !error.isTemporary) throw error
      noteOutage(host.store, systemClock.now())
      onError(error)
      return []
    })
    await pause(clock, { wakes, stop, ends: drives.values() })
  }
  await Promise.allSettled(drives.values())
  if (host.draining.aborted) await host.closed.promise
}

interface Pause {
  readonly wakes: readonly number[]
  readonly stop: AbortSignal
  readonly ends: Iterable<Promise<void>>
}

/** Waits until a drive ends, the polling interval is over, or the clock reaches one of `wakes`. */
async function pause(clock: Clock, { wakes, stop, ends }: Pause): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([stop, over.signal])
  const sleeps = [systemClock.sleep(POLL_INTERVAL, signal)]
  if (wakes.length > 0)
    sleeps.push(clock.sleep(Math.max(0, Math.min(...wakes) - clock.now()), signal))
  for (const sleep of sleeps) sleep.catch(() => {})
  await Promise.race([...sleeps, ...ends]).catch(() => {})
  over.abort()
}
