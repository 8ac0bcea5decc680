/** The store in memory: what a store is, without a disk. */
import type { Row } from '../../core/run.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import { memoryBreakers } from '../gate/shared-breakers.ts'
import { memoryShares } from './shares.ts'
import { type Command, personEvent } from './person-event.ts'
import {
  type Batch,
  checkBatch,
  checkHeld,
  type CommandState,
  type Head,
  isOfGraphs,
  type LeaseTerms,
  nextLease,
  type Store,
  type ThreadSummary,
  NO_THREAD,
  UnknownThread,
} from './store.ts'

/**
 * A store in memory, for tests, simulations and runs nobody will ask about again. It keeps what it is given, so nothing given may change.
 *
 * @example const runtime = createRuntime({ store: memoryStore(), graphs: [shop] })
 */
export function memoryStore(): Store {
  const shelves: Threads = new Map()
  const chunks = new Map<string, Json>()
  const kept = new Map<string, Json>()
  const { tell, ...shared } = memoryShares()
  return {
    ...leasing(shelves),
    ...journalling(shelves, chunks, tell),
    ...commands(shelves),
    ...listing(shelves),
    ...memoryBreakers(),
    ...shared,
    putBlob: async (hash, value) => void (kept.has(hash) || kept.set(hash, value)),
    getBlob: async hash => kept.get(hash),
    close: async () => {},
  }
}

type Threads = Map<string, StoredThread>

/** One thread. */
interface StoredThread {
  head: Head
  written: Batch | undefined
  readonly rows: Row[]
  readonly checkpoints: Map<number, Json>
  readonly inbox: Map<string, { readonly event?: Command; readonly is: CommandState }>
}

function threadOf(shelves: Threads, thread: string): StoredThread {
  return (
    shelves.get(thread) ?? {
      head: NO_THREAD,
      written: undefined,
      rows: [],
      checkpoints: new Map(),
      inbox: new Map(),
    }
  )
}

function leasing(shelves: Threads): Pick<Store, 'lease' | 'renew' | 'release'> {
  return {
    async lease(thread, terms) {
      const shelf = threadOf(shelves, thread)
      const lease = nextLease(thread, shelf.head, terms)
      shelf.head = {
        ...shelf.head,
        epoch: lease.epoch,
        lease: { owner: lease.owner, until: lease.until },
      }
      shelves.set(thread, shelf)
      return lease
    },
    async renew(lease, until) {
      const shelf = threadOf(shelves, lease.thread)
      checkHeld(lease, shelf.head)
      shelf.head = { ...shelf.head, lease: { owner: lease.owner, until } }
      return { ...lease, until }
    },
    async release({ thread, owner, epoch }) {
      const shelf = threadOf(shelves, thread)
      if (shelf.head.lease?.owner === owner && shelf.head.epoch === epoch)
        shelf.head = { ...shelf.head, lease: undefined }
    },
  }
}

function journalling(
  shelves: Threads,
  chunks: Map<string, Json>,
  tell: (share: Share) => void,
): Pick<Store, 'append' | 'load' | 'rows' | 'chunks'> {
  return {
    async append(batch) {
      const shelf = threadOf(shelves, batch.lease.thread)
      checkBatch(batch, shelf.head)
      storeBatch(shelf, batch, chunks)
      batch.shares?.forEach(tell)
    },
    async load(thread, seq = Number.POSITIVE_INFINITY) {
      const shelf = threadOf(shelves, thread)
      if (shelf.head.seq < 0) return undefined
      const at = [...shelf.checkpoints.keys()].reduce(
        (best, each) => (each <= seq && each > best ? each : best),
        -1,
      )
      const run = shelf.checkpoints.get(at)
      const rows = shelf.rows.slice(at + 1, Math.max(0, seq + 1))
      return run === undefined ? { rows } : { checkpoint: { seq: at, run }, rows }
    },
    async rows(thread, after = -1, limit = Number.POSITIVE_INFINITY) {
      const first = Math.max(0, after + 1)
      return threadOf(shelves, thread).rows.slice(first, first + limit)
    },
    async chunks(hashes) {
      return new Map(
        hashes.flatMap(hash =>
          chunks.has(hash) ? [[hash, chunks.get(hash) ?? null] as const] : [],
        ),
      )
    },
  }
}

function storeBatch(shelf: StoredThread, batch: Batch, chunks: Map<string, Json>): void {
  for (const row of batch.rows) shelf.rows.push(row)
  shelf.head = { ...shelf.head, seq: batch.summary.seq }
  shelf.written = batch
  for (const { command, refused } of batch.settled ?? []) {
    const kept = shelf.inbox.get(command)
    if (kept && kept.is.state !== 'waiting') continue
    shelf.inbox.set(command, {
      ...kept,
      is: refused === undefined ? { state: 'done' } : { state: 'refused', reason: refused },
    })
  }
  if (!batch.checkpoint) return
  shelf.checkpoints.set(batch.checkpoint.seq, batch.checkpoint.run)
  for (const [hash, chunk] of batch.checkpoint.chunks) chunks.set(hash, chunk)
}

function commands(shelves: Threads): Pick<Store, 'submit' | 'inbox' | 'command'> {
  return {
    async submit(thread, command, event) {
      const said = personEvent(event)
      const { head, inbox } = threadOf(shelves, thread)
      if (head.seq < 0) throw new UnknownThread(thread)
      if (!inbox.has(command)) inbox.set(command, { event: said, is: { state: 'waiting' } })
    },
    inbox: async thread =>
      [...threadOf(shelves, thread).inbox].flatMap(([command, { event, is }]) =>
        event && is.state === 'waiting' ? [{ command, event }] : [],
      ),
    command: async (thread, command) =>
      threadOf(shelves, thread).inbox.get(command)?.is ?? { state: 'unknown' },
  }
}

function listing(shelves: Threads): Pick<Store, 'due' | 'threads' | 'thread'> {
  return {
    due: async (now, { isOwnerDead = () => false, graphs } = {}) =>
      [...shelves].flatMap(([thread, shelf]) =>
        isFree(shelf, now, isOwnerDead) &&
        isDue(shelf, now) &&
        shelf.written &&
        isOfGraphs(shelf.written.summary, graphs)
          ? [thread]
          : [],
      ),
    threads: async () => [...shelves].flatMap(([thread, shelf]) => summaryOf(thread, shelf)),
    thread: async thread => summaryOf(thread, threadOf(shelves, thread))[0],
  }
}

function isFree(
  { head: { lease } }: StoredThread,
  now: number,
  isOwnerDead: LeaseTerms['isOwnerDead'],
): boolean {
  return lease === undefined || lease.until <= now || isOwnerDead(lease.owner)
}

function isDue({ head, written, inbox }: StoredThread, now: number): boolean {
  if (!written || head.seq < 0) return false
  const woken =
    written.summary.status !== 'ended' && written.wakeAt !== undefined && written.wakeAt <= now
  return woken || [...inbox.values()].some(({ is }) => is.state === 'waiting')
}

function summaryOf(
  thread: string,
  { head: { seq, lease }, written }: StoredThread,
): readonly ThreadSummary[] {
  if (!written || seq < 0) return []
  const { wakeAt, summary } = written
  return [
    { thread, ...summary, ...(wakeAt === undefined ? {} : { wakeAt }), ...(lease && { lease }) },
  ]
}
