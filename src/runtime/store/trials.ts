/** What the latest threads of a store teach about the rungs. */
import { defined } from '../../core/watch/data/json.ts'
import type { Trial } from '../../core/watch/escape/bandit.ts'
import type { Row } from '../../core/run/run.ts'
import { trialsIn } from '../../core/run/trials.ts'
import { isStoreUnavailable, type Store, type ThreadSummary } from './store.ts'

/** Threads that count. Older ones may have met other tools and models. */
const LATEST = 200
/** A longer journal is not read. */
const ROWS_MAX = 10_000
/** Threads that are read at once. */
const PAGE = 100

export interface TrialQuery {
  /** The id of the graph. */
  readonly graph: string
  /** Threads under a virtual clock learn only from one another. */
  readonly isVirtual: boolean
}

/** The trials of each thread that was read, the latest last. */
interface Known {
  readonly trials: Map<string, readonly Trial[]>
  /** The position up to which the threads of the store were read. */
  cursor?: number
  reading: Promise<void>
}

const KNOWN = new WeakMap<Store, Map<string, Known>>()

/** The trials of the latest ended threads of a graph. Later calls read only the threads that were driven in the meantime. */
export async function latestTrials(store: Store, query: TrialQuery): Promise<readonly Trial[]> {
  const ofStore = KNOWN.get(store) ?? new Map<string, Known>()
  KNOWN.set(store, ofStore)
  const key = `${query.isVirtual ? 'virtual' : 'real'} ${query.graph}`
  const known: Known = ofStore.get(key) ?? { trials: new Map(), reading: Promise.resolve() }
  ofStore.set(key, known)
  // One after the other: each continues at the cursor of the one before.
  const reading = known.reading.then(() => readNew(store, query, known))
  known.reading = reading.catch(() => {})
  await reading
  return [...known.trials.values()].flat()
}

async function readNew(store: Store, query: TrialQuery, known: Known): Promise<void> {
  const { trials, cursor } = known
  const driven = await store.driven(cursor)
  const changed =
    cursor === undefined
      ? await latestEnded(store, query.graph)
      : await Promise.all(driven.threads.map(({ thread }) => store.thread(thread)))
  for (const summary of changed) {
    if (summary?.graph !== query.graph || summary.status !== 'ended') continue
    const { thread } = summary
    trials.delete(thread)
    trials.set(thread, await trialsOf(store, summary, query))
  }
  for (const thread of [...trials.keys()].slice(0, -LATEST)) trials.delete(thread)
  known.cursor = driven.cursor
}

async function trialsOf(
  store: Store,
  { thread, seq }: ThreadSummary,
  { isVirtual }: TrialQuery,
): Promise<readonly Trial[]> {
  if (seq >= ROWS_MAX) return []
  const rows = await store.rows(thread).catch(noneIfDamaged)
  const first = rows[0]?.event
  const isOurs = first?.type === 'thread.started' && (first.clock === 'virtual') === isVirtual
  return isOurs ? trialsIn(rows) : []
}

/** A damaged journal teaches nothing, and must not keep new threads from starting. */
function noneIfDamaged(error: unknown): readonly Row[] {
  if (isStoreUnavailable(error) && !error.isTemporary) return []
  throw error
}

async function latestEnded(store: Store, graph: string): Promise<readonly ThreadSummary[]> {
  const ended: ThreadSummary[] = []
  for await (const summary of endedThreads(store, { graph })) ended.push(summary)
  return ended.toSorted((a, b) => a.at - b.at).slice(-LATEST)
}

/** The ended threads of a store, or of one graph, sorted by name. */
export async function* endedThreads(
  store: Store,
  { graph }: { readonly graph?: string | undefined } = {},
): AsyncGenerator<ThreadSummary> {
  for (let after: string | undefined; ; ) {
    const page = await store.page({ limit: PAGE, ...defined({ after, graph }), status: 'ended' })
    yield* page
    after = page.at(-1)?.thread
    if (page.length < PAGE) return
  }
}
