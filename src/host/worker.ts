/** The worker loop: drives the threads of the store that are due or stuck, whichever process started them. */
import { systemClock } from '../adapters/node/ports.ts'
import type { Clock } from '../runtime/ports.ts'
import { parentIn } from '../core/watch/data/thread-name.ts'
import { isConflict } from '../runtime/store/store.ts'
import type { Host } from './host.ts'
import type { Run } from '../core/run.ts'
import { childrenWaitedFor } from '../core/view.ts'

/** The options of `work`. */
export interface WorkOptions {
  /** Ends the loop. Its threads are left as they are and can be resumed. */
  readonly signal?: AbortSignal
  /** The maximum number of threads driven at once, including those of `start`. Default: 16. */
  readonly concurrency?: number
  /** Called with the error of a thread that cannot continue here. The worker retries it after ten seconds. */
  readonly onError?: (error: unknown, thread: string) => void
}

/** The interval in ms at which the worker polls the store. */
const POLL_INTERVAL = 500

/** The delay in ms before a thread that failed or did not move is retried. */
const RETRY_DELAY = 10_000

export async function work(host: Host, clock: Clock, options: WorkOptions): Promise<void> {
  const { signal, concurrency = 16, onError = () => {} } = options
  const leave = AbortSignal.any([host.closing, ...(signal ? [signal] : [])])
  const stop = AbortSignal.any([host.draining, leave])
  const drives = new Map<string, Promise<void>>()
  const postponed = new Map<string, number>()
  const checked = new Set<string>()
  let sweepAt = 0
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
  while (!stop.aborted) {
    for (const [thread, until] of postponed)
      if (until <= systemClock.now()) postponed.delete(thread)
    const due = await host.due(clock.now())
    const isSweepDue = systemClock.now() >= sweepAt
    if (isSweepDue) sweepAt = systemClock.now() + SWEEP_EVERY
    const stuck = isSweepDue ? await sweep(host, checked) : []
    for (const thread of new Set([...due, ...stuck])) {
      if (host.size >= concurrency) break
      if (host.drives(thread) || drives.has(thread) || postponed.has(thread)) continue
      const seq = (await host.store.thread(thread))?.seq
      const end = driveOnce(thread, seq).finally(() => drives.delete(thread))
      drives.set(thread, end)
    }
    const threads = clock.virtual ? await host.store.threads() : []
    const wakes = threads.flatMap(({ thread, wakeAt, ...of }) => {
      const isIdle = !host.drives(thread) && !postponed.has(thread)
      return wakeAt !== undefined && host.owns(of) && isIdle ? [wakeAt] : []
    })
    await pause(clock, { wakes, stop, ends: drives.values() })
  }
  await Promise.allSettled(drives.values())
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

/** The time in ms between two sweeps. */
const SWEEP_EVERY = 60_000

/**
 * Finds threads that wait although the end of their parent or child was stored. Driving such a thread is enough: its driver looks at the
 * parent and at the children. `checked`: the pairs in order, which are not read again before they change.
 */
export async function sweep(host: Host, checked = new Set<string>()): Promise<readonly string[]> {
  const threads = new Map((await host.store.threads()).map(of => [of.thread, of]))
  const stuck = new Set<string>()
  for (const child of threads.values()) {
    const parent = threads.get(parentIn(child.thread) ?? '')
    if (!parent) continue
    const [ended, waiting] = child.status === 'ended' ? [child, parent] : [parent, child]
    if (ended.status !== 'ended' || waiting.status !== 'waiting') continue
    if (host.drives(waiting.thread) || !host.owns(waiting)) continue
    const pair = `${child.thread} ${child.seq} ${parent.seq}`
    if (checked.has(pair)) continue
    // Names are only a hint: another thread may have the name of a child.
    const isLinked = ({ run }: { readonly run: Run }) =>
      waiting === child
        ? run.parent?.thread === parent.thread
        : childrenWaitedFor(run).some(({ thread }) => thread === child.thread)
    // A thread that cannot be read here is continued elsewhere.
    if (await host.runOf(waiting.thread).then(isLinked, () => false)) stuck.add(waiting.thread)
    else checked.add(pair)
  }
  return [...stuck]
}
