/** Retention: finds threads that ended long ago, and deletes them with their child threads. */
import { systemClock } from '../adapters/node/ports.ts'
import { defined } from '../core/watch/data/json.ts'
import { parentIn } from '../core/watch/data/thread-name.ts'
import { type Family, forksFirst, withoutOrigins } from '../runtime/store/retention.ts'
import type { Store, ThreadSummary } from '../runtime/store/store.ts'

/** The options of `prune`. */
export interface PruneOptions {
  /** Threads with an event in the last `keep` ms stay. */
  readonly keep: number
  /** Deletes nothing. */
  readonly preview?: boolean
}

/** Threads that are read at once, and families that are deleted in one transaction. */
const PAGE = 500

/** Deletes the families that ended more than `keep` ms ago, unless a fork of a thread stays. Returns the deleted threads. @throws TypeError */
export async function pruneThreads(
  store: Store,
  now: number,
  { keep, preview = false }: PruneOptions,
): Promise<readonly string[]> {
  if (!(keep >= 0) || keep === Number.POSITIVE_INFINITY)
    throw new TypeError(`prune: keep: expected a time of at least 0 ms, received ${keep}`)
  const before = now - keep
  const forks = await store.forks()
  const families = forksFirst(withoutOrigins(await oldFamilies(store, before), forks), forks)
  if (preview) return families.flat()
  const removed: string[] = []
  for (let next = 0; next < families.length; next += PAGE) {
    const terms = { before, now: systemClock.now() }
    const page = await store.remove(families.slice(next, next + PAGE), terms)
    for (const thread of page) removed.push(thread)
  }
  return removed
}

/** The families whose threads have all ended before this time. */
async function oldFamilies(store: Store, before: number): Promise<readonly Family[]> {
  const families = new Map<string, string[] | undefined>()
  for await (const { thread, status, at } of summariesOf(store)) {
    const root = rootOf(thread)
    const isOld = status === 'ended' && at < before
    const known = families.has(root) ? families.get(root) : []
    if (isOld && known) known.push(thread)
    families.set(root, isOld ? known : undefined)
  }
  return [...families.values()].filter(family => family !== undefined)
}

/** The thread that a child thread descends from, by its name. */
function rootOf(thread: string): string {
  const parent = parentIn(thread)
  return parent === undefined ? thread : rootOf(parent)
}

async function* summariesOf(store: Store): AsyncGenerator<ThreadSummary> {
  for (let after: string | undefined; ; ) {
    const page = await store.page({ limit: PAGE, ...defined({ after }) })
    yield* page
    after = page.at(-1)?.thread
    if (page.length < PAGE) return
  }
}
