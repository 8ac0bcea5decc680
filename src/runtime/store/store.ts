/** The store: journals, checkpoints, leases, inboxes, breakers and shares, with the rules that every store follows. */
import { oneLine } from '../../core/watch/data/invisible.ts'
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import type { Breakpoint } from '../../core/run/control.ts'
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Ending, Row } from '../../core/run/run.ts'
import type { ThreadStatus } from '../../core/run/view.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { ThreadWait } from '../../core/watch/event/wait-event.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import type { Breakers } from '../gate/gate.ts'
import type { Command } from './person-event.ts'
import type { Queries } from './query/query.ts'
import type { Retention } from './retention.ts'
import type { Counts, TallyFilter, ThreadTally } from './tally.ts'

/**
 * Many processes may use one store. The holder of a thread's lease drives the thread; `append` rejects all other callers with
 * `Conflict`, including an owner whose lease was taken over. All times are in ms.
 */
export interface Store extends Breakers, Shares, Breakpoints, Retention, Queries, Counts {
  /** Takes the lease of a known or new thread. @throws Conflict while another owner's lease is live. */
  lease(thread: string, request: LeaseRequest): Promise<Lease>
  /** Extends a lease. @throws Conflict when it has been taken over. */
  renew(lease: Lease, until: number): Promise<Lease>
  /** Gives a lease back; the epoch stays. Never throws for a lease that is no longer held. */
  release(lease: Lease): Promise<void>

  /** Stores batches in one transaction. @throws Conflict on a foreign lease or an existing seq; ThreadPruned for a known `once`; UnknownThread for a missing `copiedFrom`. */
  append(...batches: Batch[]): Promise<void>
  /** The nearest checkpoint at or before `seq` (default: the latest), and the rows after it up to `seq`. `undefined`: unknown thread. */
  load(thread: string, seq?: number): Promise<Loaded | undefined>
  /** Rows with a seq greater than `after` (default: all), in order, at most `limit`. */
  rows(thread: string, after?: number, limit?: number): Promise<readonly Row[]>
  /** Chunks of logs by their hash. */
  chunks(hashes: readonly string[]): Promise<ReadonlyMap<string, Json>>

  /**
   * Queues a command for the driver of a thread, at most once per `command` id. `once` names its request: a blob of that name is stored
   * with it, and stays when the thread is removed.
   * @throws UnknownThread, InvalidEvent; ThreadPruned for a known `once`, unless the thread knows the command
   */
  submit(thread: string, command: string, event: Command, once?: string): Promise<void>
  /**
   * Stores the name of a request that an existing thread answers: a blob of that name, which stays when the thread is removed.
   * `false`: the thread is missing, and nothing is stored.
   */
  join(thread: string, once: string): Promise<boolean>
  /** Unsettled commands in the order of their arrival. */
  inbox(thread: string): Promise<readonly { readonly command: string; readonly event: Command }[]>
  /** The state of a command. */
  command(thread: string, command: string): Promise<CommandState>

  /**
   * Threads without a live lease whose `wakeAt` has passed or that have a waiting command. First those that a driver abandoned, then
   * those with a command, then by deadline, then those that are ready at once; the oldest first.
   */
  due(now: number, options?: DueOptions): Promise<readonly string[]>
  /** All threads with at least one row. */
  threads(): Promise<readonly ThreadSummary[]>
  /** The threads that match, sorted by name, or the latest change first. */
  page(query: ThreadQuery): Promise<readonly ThreadSummary[]>
  /** The threads that are leased, or whose lease was taken or released after `since`. No other thread has new rows. */
  driven(since?: number): Promise<DrivenThreads>
  /** One thread; `undefined` until it has a row. */
  thread(thread: string): Promise<ThreadSummary | undefined>
  /** Stores an immutable value, such as a spec, under a name that follows from it. */
  putBlob(name: string, value: Json): Promise<void>
  getBlob(name: string): Promise<Json | undefined>
  /** Calls back with each thread that another store has given a row or a command, until the returned function is called; a change may go unreported. Absent: no reports. */
  readonly onChange?: (listener: (thread: string) => void) => () => void
  close(): Promise<void>
}

/** Breakpoints of all threads. They can precede the threads. */
export interface Breakpoints {
  breakpoints(): Promise<readonly Breakpoint[]>
  /** Sets or clears a breakpoint. */
  changeBreakpoint(of: Breakpoint, isSet: boolean): Promise<void>
}

/** Identifies the threads that share a scope: `key` may be a graph's id, a job's name, or any agreed text. */
export type ScopeKey = Readonly<{ scope: string; key: string }>

export interface Shares {
  /** The shares of one scope, or of all scopes, sorted by thread. Expired shares may be included. */
  shares(of?: ScopeKey): Promise<readonly Share[]>
  /** Changes each share of a scope atomically; `undefined` drops it. */
  changeShares(of: ScopeKey, change: (share: Share) => Share | undefined): Promise<void>
}

interface DueOptions {
  /** Leases of dead owners are ignored. Without it, a lease counts until it ends. Receives an owner, or the name of its process. */
  readonly isOwnerDead?: LeaseRequest['isOwnerDead']
  /** Only threads of these graphs; default: all. */
  readonly graphs?: readonly GraphIdentity[]
  /** At most so many. Default: all. */
  readonly limit?: number | undefined
}

/** The id of a graph and the hash of the version that a thread runs. */
export type GraphIdentity = Pick<ThreadSummary, 'graph' | 'specHash'>

/** Whether a thread belongs to one of these graphs. */
export const isOfGraphs = (of: GraphIdentity, graphs: DueOptions['graphs']): boolean =>
  graphs?.some(held => held.graph === of.graph && held.specHash === of.specHash) ?? true

export interface LeaseRequest {
  /** Names one drive of one process: `host/pid/nonce/n`. */
  readonly owner: string
  readonly now: number
  readonly until: number
  /** Whether an owner's process has ended: its lease can be taken early. */
  readonly isOwnerDead: (owner: string) => boolean
}

/** Each takeover increments `epoch`, which fences off the previous holder. */
export type Lease = Readonly<{ thread: string; owner: string; epoch: number; until: number }>

export interface Batch {
  readonly lease: Lease
  readonly rows: readonly Row[]
  /** When the thread is due without a new event. */
  readonly wakeAt: number | undefined
  readonly summary: Omit<ThreadSummary, 'thread' | 'wakeAt' | 'lease'>
  readonly checkpoint?: Checkpoint
  /** The thread's shares of its scopes; each replaces the previous one. */
  readonly shares?: readonly Share[]
  /** Commands that these rows carry out or reject. */
  readonly settled?: readonly Settlement[]
  /** Immutable values by their names, as `putBlob` stores them. */
  readonly blobs?: ReadonlyMap<string, Json>
  /** The name of the request that these rows carry out: a blob of that name is stored with them, and stays when the thread is removed. */
  readonly once?: string
  /** The thread that a fork was copied from. It is stored in this transaction, and then stays as long as the fork. */
  readonly copiedFrom?: string
}

export interface Checkpoint {
  readonly seq: number
  /** The run, its full chunks replaced by their hashes. */
  readonly run: Json
  /** Chunks that the store may not hold yet. */
  readonly chunks: ReadonlyMap<string, Json>
}

export interface Settlement {
  readonly command: string
  /** Why the command was rejected; absent: it was carried out. */
  readonly refused?: Reason
}

export type Loaded = Readonly<{ checkpoint?: Omit<Checkpoint, 'chunks'>; rows: readonly Row[] }>

export type CommandState =
  | { readonly state: 'unknown' | 'waiting' | 'done' }
  | { readonly state: 'refused'; readonly reason: Reason }

/** A thread in a list. `graph` is the id of its spec or machine, `specHash` names its version. */
export interface ThreadSummary {
  readonly thread: string
  readonly graph: string
  readonly specHash: string
  readonly status: ThreadStatus
  /** The active states, or the reason why the thread ended. */
  readonly detail: string
  readonly outcome?: string
  readonly seq: number
  readonly startedAt: number
  readonly at: number
  readonly wakeAt?: number
  /** The threads that it waits for: those of its calls, and its children. */
  readonly waits?: readonly ThreadWait[]
  /** Its findings, escapes and spending. Absent if an earlier version wrote the last event. */
  readonly tally?: ThreadTally
  readonly lease?: { readonly owner: string; readonly until: number }
}

/** Which threads a page lists. An absent field matches all. */
export interface ThreadQuery extends TallyFilter {
  readonly graph?: string
  readonly status?: ThreadStatus
  readonly outcome?: Ending['outcome']
  /** The name begins with this text. */
  readonly prefix?: string
  /** The name of the last thread of the previous page, in the order of names. */
  readonly after?: string
  /** `latest`: the thread with the latest event first. Default: by name. */
  readonly order?: 'latest'
  readonly limit?: number
}

/** Threads with their last events. `cursor` is the next `since`. */
export interface DrivenThreads {
  readonly threads: readonly Pick<ThreadSummary, 'thread' | 'seq'>[]
  readonly cursor: number
}

/** Another process drives the thread or has advanced it. */
export class Conflict extends codedError('Conflict', 'conflict') {}

/** Whether an error is a `Conflict`, including one from another copy of this package. */
export const isConflict = guardOf(Conflict)

/** The store does not hold this thread. */
export class UnknownThread extends codedError('UnknownThread', 'unknown-thread') {
  readonly thread: string
  constructor(thread: string) {
    super(`thread '${thread}' does not exist in this store`)
    this.thread = thread
  }
}

/** Whether an error is an `UnknownThread`. */
export const isUnknownThread = guardOf(UnknownThread)

/** @throws UnknownThread */
export async function summaryOf(store: Store, thread: string): Promise<ThreadSummary> {
  const summary = await store.thread(thread)
  if (!summary) throw new UnknownThread(thread)
  return summary
}

/** The store already holds a thread of that name. */
export class ThreadExists extends codedError('ThreadExists', 'thread-exists') {
  constructor(thread: string) {
    super(`thread '${thread}' already exists; use another name`)
  }
}

/** Whether an error is a `ThreadExists`. */
export const isThreadExists = guardOf(ThreadExists)

/** The request has taken effect before: in a thread that was pruned since, or under the name of another thread. */
export class ThreadPruned extends codedError('ThreadPruned', 'thread-pruned') {
  constructor(thread: string) {
    super(
      `this request has taken effect before, and has no effect again: its thread '${thread}' was pruned since, or it was made for another thread; another request needs a key of its own`,
    )
  }
}

/** Whether an error is a `ThreadPruned`. */
export const isThreadPruned = guardOf(ThreadPruned)

/** The name is that of a child thread, such as `order-7/quote#1/2`, which only its parent starts, or has control characters. */
export class ReservedName extends codedError('ReservedName', 'reserved-name') {
  constructor(
    thread: string,
    why = "is reserved for a child thread; use a name without '/STATE#N/N'",
  ) {
    super(`the name '${oneLine(thread)}' ${why}`)
  }
}

/** Whether an error is a `ReservedName`. */
export const isReservedName = guardOf(ReservedName)

/** @throws ReservedName for the name of a child thread, and for one with control characters or half a surrogate pair, which SQLite would not keep apart from another */
export function checkName(thread: string): void {
  if (parentIn(thread) !== undefined) throw new ReservedName(thread)
  if (oneLine(thread) !== thread)
    throw new ReservedName(thread, 'has control characters; use printable characters')
}

/** The store does not work: no space, no access, damaged, or not a store. All writes are atomic; `cause` is the original error. */
export class StoreUnavailable extends codedError('StoreUnavailable', 'store-unavailable') {
  /** Whether a later try can succeed without a repair: another process has locked the store, or it is unreachable. */
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary = false, ...options }: UnavailableOptions = {}) {
    super(message, options)
    this.isTemporary = isTemporary
  }
}

interface UnavailableOptions extends ErrorOptions {
  readonly isTemporary?: boolean
}

/** Whether an error is a `StoreUnavailable`. */
export const isStoreUnavailable = guardOf(StoreUnavailable)
