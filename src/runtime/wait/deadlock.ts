/**
 * Finds threads that wait for each other, in the store that all processes share. Each thread stores a wait before it looks for a
 * cycle: of two threads that close one at once, the later one sees both waits.
 */
import { type Deadlock, deadlockOf } from '../../core/waits.ts'
import { hash } from '../../core/watch/data/json.ts'
import type { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { isUnknownThread, type Store, type ThreadSummary } from '../store/store.ts'

/** The threads that are read to find a cycle.  */
const THREADS_MAX = 256

/** Looks for a deadlock whenever a call of the thread begins to wait for another thread. Returns a function that ends it. */
export function watchWaits(ports: Ports, journal: Journal): () => void {
  let last = latestWait(journal)
  let seen = journal.run.pending
  return journal.onChange(() => {
    if (journal.run.pending === seen) return
    seen = journal.run.pending
    const latest = latestWait(journal)
    if (latest <= last) return
    last = latest
    // Virtual time waits for the store. The sweep repeats what an error of the store prevents.
    void ports.clock
      .during(async () => {
        await journal.flush()
        await reportDeadlockOf(ports, journal.lease.thread)
      })
      .catch(() => {})
  })
}

const latestWait = ({ run }: Journal): number =>
  Math.max(-1, ...run.pending.flatMap(of => (of.type === 'invoke' && of.waits) || []).map(sinceOf))

const sinceOf = ({ since }: { readonly since: number }): number => since

/** Looks for a deadlock of a thread, and reports it. */
export async function reportDeadlockOf(ports: ReportPorts, thread: string): Promise<void> {
  const found = deadlockOf(thread, await reachableFrom(ports.store, thread))
  if (found) await reportDeadlock(ports, found)
}

/** The open threads that a thread waits for, directly or through others, and itself. */
async function reachableFrom(store: Store, thread: string): Promise<readonly ThreadSummary[]> {
  const names = new Set([thread])
  const found: ThreadSummary[] = []
  // The loop also visits the names that it adds.
  for (const name of names) {
    const summary = await store.thread(name)
    if (!summary || summary.status === 'ended') continue
    found.push(summary)
    for (const wait of summary.waits ?? []) if (names.size < THREADS_MAX) names.add(wait.thread)
  }
  return found
}

type ReportPorts = Pick<Ports, 'store' | 'wake'>

/**
 * Reports a deadlock to each of its threads, once. The waits are read again: those of both readings existed at the same time.
 */
async function reportDeadlock({ store, wake }: ReportPorts, deadlock: Deadlock): Promise<void> {
  for (const { thread, wait } of deadlock) {
    const { waits = [] } = (await store.thread(thread)) ?? {}
    if (!waits.some(({ call, since }) => call === wait.call && since === wait.since)) return
  }
  const threads = deadlock.map(({ thread }) => thread)
  const waits = deadlock.map(({ thread, wait }) => [thread, wait.call, wait.since])
  const command = `deadlock ${hash(JSON.stringify(waits))}`
  for (const [index, { thread, wait }] of deadlock.entries()) {
    const { call, since } = wait
    const effect = call.slice(0, call.lastIndexOf('/'))
    const event = { type: 'deadlock.found', effect, call, since, threads } as const
    await store.submit(thread, command, { ...event, escapes: index === 0 }).catch(unlessUnknown)
  }
  for (const thread of threads) wake?.(thread)
}

function unlessUnknown(error: unknown): void {
  if (!isUnknownThread(error)) throw error
}
