/** The worker loop: carries on what is due in the store, whoever began it. */
import { systemClock } from '../adapters/node/clock.ts'
import type { Clock } from '../runtime/ports.ts'
import { type GraphIdentity, isConflict, isOfGraphs } from '../runtime/store/store.ts'
import type { Host } from './host.ts'

/** What `work` of a runtime takes. */
export interface WorkOptions {
  /** Aborted: the loop ends. The threads it drives are left as they are, and can be resumed. */
  readonly signal?: AbortSignal
  /** The most threads driven at once, those of `start` included. Default: 16. */
  readonly concurrency?: number
  /** Called with a thread that cannot go on here; it is tried again after ten seconds. */
  readonly onError?: (error: unknown, thread: string) => void
}

export interface WorkTerms {
  readonly graphs: readonly GraphIdentity[]
  readonly clock: Clock
}

/** Ms between two looks at the store. */
const LOOK = 500

/** Ms before a thread that failed, or did not move, is tried again. */
const AGAIN = 10_000

export async function work(
  host: Host,
  terms: WorkTerms,
  { signal, concurrency = 16, onError = () => {} }: WorkOptions,
): Promise<void> {
  const stop = AbortSignal.any([host.closing, ...(signal ? [signal] : [])])
  const driven = new Map<string, Promise<void>>()
  const held = new Map<string, number>()
  const carry = async (thread: string, seq: number | undefined) => {
    try {
      await host.driveOn(thread, { waits: false, leave: stop })
      const after = await host.store.thread(thread)
      if (after?.seq === seq) held.set(thread, systemClock.now() + AGAIN)
    } catch (error) {
      if (stop.aborted || isConflict(error)) return
      held.set(thread, systemClock.now() + AGAIN)
      onError(error, thread)
    }
  }
  const { clock } = terms
  while (!stop.aborted) {
    for (const [thread, until] of held) if (until <= systemClock.now()) held.delete(thread)
    for (const thread of await host.due(clock.now())) {
      if (host.size >= concurrency) break
      if (host.drives(thread) || driven.has(thread) || held.has(thread)) continue
      const seq = (await host.store.thread(thread))?.seq
      const ended = carry(thread, seq).finally(() => driven.delete(thread))
      driven.set(thread, ended)
    }
    const idle = (thread: string) => !host.drives(thread) && !held.has(thread)
    await pause(host, terms, { stop, ended: driven.values(), idle })
  }
  await Promise.allSettled(driven.values())
}

interface Pause {
  readonly stop: AbortSignal
  readonly ended: Iterable<Promise<void>>
  /** Whether a thread is to be woken when its time comes. */
  readonly idle: (thread: string) => boolean
}

/** Until something may be due: a drive has ended, it is time for the next look, or virtual time reaches the next deadline. */
async function pause(
  host: Host,
  { graphs, clock }: WorkTerms,
  { stop, ended, idle }: Pause,
): Promise<void> {
  const over = new AbortController()
  const either = AbortSignal.any([stop, over.signal])
  const wakes = clock.virtual
    ? (await host.store.threads()).flatMap(({ thread, wakeAt, ...of }) =>
        wakeAt !== undefined && isOfGraphs(of, graphs) && idle(thread) ? [wakeAt] : [],
      )
    : []
  const next = Math.min(...wakes)
  const sleeps = [
    systemClock.sleep(LOOK, either),
    ...(wakes.length > 0 ? [clock.sleep(Math.max(0, next - clock.now()), either)] : []),
  ]
  for (const sleep of sleeps) sleep.catch(() => {})
  await Promise.race([...sleeps, ...ended]).catch(() => {})
  over.abort()
}
