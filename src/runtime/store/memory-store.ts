/** The store in memory, and the reference implementation of `Store`. */
import { type Breakpoint, breakpointText } from '../../core/run/control.ts'
import type { Row } from '../../core/run/run.ts'
import { type Json, defined } from '../../core/watch/data/json.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import { memoryBreakers } from '../gate/gate.ts'
import { type Command, personEvent } from './person-event.ts'
import { type DueThread, inDueOrder } from './due-order.ts'
import { originIn, type RemovalTerms, type Retention, withoutOrigins } from './retention.ts'
import { checkBatch, checkHeld, nextLease, NO_THREAD } from './head.ts'
import { isOfGraphs, ThreadPruned, UnknownThread } from './store.ts'
import type { Head } from './head.ts'
import type { Batch, CommandState, ScopeKey, Shares, Store } from './store.ts'
import type { ThreadSummary } from './store.ts'
import { countsOf, pageOf, talliesOf } from './memory-lists.ts'

/**
 * A store in memory, for tests, simulations and short-lived runs. It keeps references to its values, so callers must not change
 * them.
 * @example const runtime = createRuntime({ store: memoryStore(), graphs: [shop] })
 */
export function memoryStore(): Store {
  const threads: Threads = new Map()
  const changes: LeaseChanges = { last: 0, of: new Map() }
  const chunks = new Map<string, Json>()
  const blobs = new Map<string, Json>()
  const { putShare, ...shares } = memoryShares()
  const breakpoints = new Map<string, Breakpoint>()
  return {
    ...leases(threads, changes),
    ...journals(threads, { chunks, blobs, putShare }),
    ...commands(threads, blobs),
    ...lists(threads, changes),
    ...memoryBreakers(),
    ...shares,
    ...retention(threads),
    putBlob: async (hash, value) => putBlob(blobs, hash, value),
    getBlob: async hash => blobs.get(hash),
    breakpoints: async () => [...breakpoints.values()],
    changeBreakpoint: async (of, isSet) => {
      breakpoints.delete(breakpointText(of))
      if (isSet) breakpoints.set(breakpointText(of), of)
    },
    close: async () => {},
  }
}

type Threads = Map<string, StoredThread>
type Blobs = Map<string, Json>

const putBlob = (blobs: Blobs, hash: string, value: Json) =>
  void (blobs.has(hash) || blobs.set(hash, value))

interface StoredThread {
  head: Head
  batch: Batch | undefined
  readonly rows: Row[]
  readonly checkpoints: Map<number, Json>
  readonly inbox: Map<string, { readonly event?: Command; readonly is: CommandState }>
}

/** The number of the last change of a lease, and of the last change of each thread. */
interface LeaseChanges {
  last: number
  readonly of: Map<string, number>
}

function threadOf(threads: Threads, thread: string): StoredThread {
  const empty = { rows: [], checkpoints: new Map(), inbox: new Map() }
  return threads.get(thread) ?? { head: NO_THREAD, batch: undefined, ...empty }
}

function leases(
  threads: Threads,
  changes: LeaseChanges,
): Pick<Store, 'lease' | 'renew' | 'release'> {
  const noteChange = (thread: string) => changes.of.set(thread, ++changes.last)
  return {
    async lease(thread, request) {
      const stored = threadOf(threads, thread)
      const lease = nextLease(thread, stored.head, request)
      const { epoch, owner, until } = lease
      stored.head = { ...stored.head, epoch, lease: { owner, until } }
      threads.set(thread, stored)
      noteChange(thread)
      return lease
    },
    async renew(lease, until) {
      const stored = threadOf(threads, lease.thread)
      checkHeld(lease, stored.head)
      stored.head = { ...stored.head, lease: { owner: lease.owner, until } }
      return { ...lease, until }
    },
    async release({ thread, owner, epoch }) {
      const stored = threadOf(threads, thread)
      if (stored.head.lease?.owner !== owner || stored.head.epoch !== epoch) return
      stored.head = { ...stored.head, lease: undefined }
      noteChange(thread)
    },
  }
}

/** What a batch writes beside its thread. */
interface AppendedTo {
  readonly chunks: Map<string, Json>
  readonly blobs: Blobs
  readonly putShare: (share: Share) => void
}

function journals(
  threads: Threads,
  { chunks, blobs, putShare }: AppendedTo,
): Pick<Store, 'append' | 'load' | 'rows' | 'chunks'> {
  return {
    async append(...batches) {
      for (const batch of batches) {
        const { lease, once, copiedFrom } = batch
        checkBatch(batch, threadOf(threads, lease.thread).head)
        if (once !== undefined && blobs.has(once)) throw new ThreadPruned(lease.thread)
        if (copiedFrom !== undefined && threadOf(threads, copiedFrom).head.seq < 0)
          throw new UnknownThread(copiedFrom)
      }
      for (const batch of batches) {
        storeBatch(threadOf(threads, batch.lease.thread), batch)
        for (const [hash, chunk] of batch.checkpoint?.chunks ?? []) chunks.set(hash, chunk)
        batch.shares?.forEach(putShare)
        for (const [hash, value] of batch.blobs ?? []) putBlob(blobs, hash, value)
        if (batch.once !== undefined) blobs.set(batch.once, true)
      }
    },
    async load(thread, seq = Number.POSITIVE_INFINITY) {
      const { head, checkpoints, rows } = threadOf(threads, thread)
      if (head.seq < 0) return undefined
      const at = Math.max(-1, ...[...checkpoints.keys()].filter(each => each <= seq))
      const run = checkpoints.get(at)
      const rest = { rows: rows.slice(at + 1, Math.max(0, seq + 1)) }
      return run === undefined ? rest : { checkpoint: { seq: at, run }, ...rest }
    },
    async rows(thread, after = -1, limit = Number.POSITIVE_INFINITY) {
      const first = Math.max(0, after + 1)
      return threadOf(threads, thread).rows.slice(first, first + limit)
    },
    chunks: async hashes =>
      new Map(hashes.flatMap(hash => (chunks.has(hash) ? [[hash, chunks.get(hash) as Json]] : []))),
  }
}

function storeBatch(stored: StoredThread, batch: Batch): void {
  for (const row of batch.rows) stored.rows.push(row)
  stored.head = { ...stored.head, seq: batch.summary.seq }
  stored.batch = batch
  if (batch.checkpoint) stored.checkpoints.set(batch.checkpoint.seq, batch.checkpoint.run)
  for (const { command, refused: reason } of batch.settled ?? []) {
    const known = stored.inbox.get(command)
    if (known && known.is.state !== 'waiting') continue
    const is = reason ? { state: 'refused' as const, reason } : { state: 'done' as const }
    stored.inbox.set(command, { ...known, is })
  }
}

function commands(
  threads: Threads,
  blobs: Blobs,
): Pick<Store, 'submit' | 'join' | 'inbox' | 'command'> {
  return {
    async submit(thread, command, given, once) {
      const event = personEvent(given)
      const { head, inbox } = threadOf(threads, thread)
      const isMade = once !== undefined && blobs.has(once)
      if (isMade && !inbox.has(command)) throw new ThreadPruned(thread)
      if (head.seq < 0) throw new UnknownThread(thread)
      if (!inbox.has(command)) inbox.set(command, { event, is: { state: 'waiting' } })
      if (once !== undefined) blobs.set(once, true)
    },
    async join(thread, once) {
      const isStored = threadOf(threads, thread).head.seq >= 0
      if (isStored) blobs.set(once, true)
      return isStored
    },
    inbox: async thread =>
      [...threadOf(threads, thread).inbox].flatMap(([command, { event, is }]) =>
        event && is.state === 'waiting' ? [{ command, event }] : [],
      ),
    command: async (thread, command) =>
      threadOf(threads, thread).inbox.get(command)?.is ?? { state: 'unknown' },
  }
}

function lists(
  threads: Threads,
  changes: LeaseChanges,
): Pick<Store, 'due' | 'threads' | 'thread' | 'page' | 'counts' | 'tallies' | 'driven'> {
  const all = () => [...threads].flatMap(([thread, stored]) => summaryOf(thread, stored) ?? [])
  return {
    due: async (now, { isOwnerDead = () => false, graphs, limit } = {}) => {
      const due = [...threads].flatMap(([thread, stored]) => {
        const { lease } = stored.head
        const isFree = !lease || lease.until <= now || isOwnerDead(lease.owner)
        const isOurs = stored.batch && isOfGraphs(stored.batch.summary, graphs)
        if (!isFree || !isOurs || !isDue(stored, now)) return []
        return { thread, isAbandoned: lease !== undefined, ...dueFor(stored) }
      })
      return inDueOrder(due, limit)
    },
    threads: async () => all(),
    page: async query => pageOf(all(), query),
    counts: async () => countsOf(all()),
    tallies: async query => talliesOf(all(), query),
    driven: async (since = changes.last) => {
      const isDriven = (thread: string, { head }: StoredThread) =>
        head.seq >= 0 && (head.lease !== undefined || (changes.of.get(thread) ?? 0) > since)
      const driven = [...threads].filter(([thread, stored]) => isDriven(thread, stored))
      return {
        threads: driven.map(([thread, { head }]) => ({ thread, seq: head.seq })),
        cursor: changes.last,
      }
    },
    thread: async thread => summaryOf(thread, threadOf(threads, thread)),
  }
}

/** Chunks stay: they may belong to other threads. */
function retention(threads: Threads): Retention {
  const isRemovable = (name: string, { before, now }: RemovalTerms) => {
    const { batch, head, inbox } = threadOf(threads, name)
    const isWaiting = [...inbox.values()].some(({ is }) => is.state === 'waiting')
    const isFree = !head.lease || head.lease.until <= now
    return batch?.summary.status === 'ended' && batch.summary.at < before && isFree && !isWaiting
  }
  const forks = () =>
    [...threads].flatMap(([thread, { rows }]) => {
      const parent = originIn(rows)
      return parent === undefined ? [] : [{ thread, parent }]
    })
  return {
    forks: async () => forks(),
    async remove(families, terms) {
      const whole = families.filter(family => family.every(name => isRemovable(name, terms)))
      const removed = withoutOrigins(whole, forks()).flat()
      for (const name of removed) threads.delete(name)
      return removed
    },
  }
}

function isDue({ batch, inbox }: StoredThread, now: number): boolean {
  const { summary, wakeAt = Number.POSITIVE_INFINITY } = batch ?? {}
  if (summary?.status !== 'ended' && wakeAt <= now) return true
  return hasCommand(inbox)
}

const hasCommand = (inbox: StoredThread['inbox']): boolean =>
  [...inbox.values()].some(({ is }) => is.state === 'waiting')

/** Why a thread is due. */
function dueFor({ batch, inbox }: StoredThread): Pick<DueThread, 'hasCommand' | 'wakeAt'> {
  const { wakeAt = 0, summary } = batch ?? {}
  const isReady = wakeAt <= (summary?.at ?? 0)
  return { hasCommand: hasCommand(inbox), wakeAt: isReady ? undefined : wakeAt }
}

function summaryOf(thread: string, { head, batch }: StoredThread): ThreadSummary | undefined {
  if (!batch || head.seq < 0) return undefined
  return { thread, ...batch.summary, ...defined({ wakeAt: batch.wakeAt, lease: head.lease }) }
}

/** Shares in memory; `putShare` replaces the share of a thread and drops the expired ones. */
function memoryShares(): Shares & { readonly putShare: (share: Share) => void } {
  let stored: readonly Share[] = []
  const nameOf = ({ scope, key }: ScopeKey) => JSON.stringify([scope, key])
  const isIn = (of: ScopeKey) => (share: Share) => nameOf(share) === nameOf(of)
  const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  return {
    shares: async of =>
      (of ? stored.filter(isIn(of)) : stored).toSorted(
        (a, b) => compare(nameOf(a), nameOf(b)) || compare(a.thread, b.thread),
      ),
    async changeShares(of, change) {
      stored = stored.flatMap(share => (isIn(of)(share) ? (change(share) ?? []) : share))
    },
    putShare(share) {
      const isLive = ({ thread, until }: Share) =>
        thread !== share.thread && (until === null || until > share.at)
      stored = [...stored.filter(other => !isIn(share)(other) || isLive(other)), share]
    },
  }
}
