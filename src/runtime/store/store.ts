/** Where threads are kept: the journal, now and then a checkpoint, leases, the inbox, breakers and the shares of scopes; and the rules every store decides by. */
import type { Reason } from '../../core/watch/reason/reason.ts'
import type { Row } from '../../core/run.ts'
import type { ThreadStatus } from '../../core/view.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Share } from '../../core/watch/budget/scope.ts'
import type { Breakers } from '../gate/shared-breakers.ts'
import type { Shares } from './shares.ts'
import type { Command } from './person-event.ts'

/**
 * Many processes may use one store. A thread is driven by whoever holds its lease; `append` is refused with
 * `Conflict` to anybody else, also to an owner whose lease has been taken over. All times are in ms.
 */
export interface Store extends Breakers, Shares {
  /** Takes the lease of a thread, known or new. @throws Conflict while another owner's lease is live. */
  lease(thread: string, terms: LeaseTerms): Promise<Lease>
  /** Extends a lease. @throws Conflict when it has been taken over. */
  renew(lease: Lease, until: number): Promise<Lease>
  /** Gives a lease back; the epoch stays. Never throws for a lease that is no longer held. */
  release(lease: Lease): Promise<void>

  /** Stores rows, and all else of the batch, in one transaction. @throws Conflict on a foreign lease or a seq already there. */
  append(batch: Batch): Promise<void>
  /** The nearest checkpoint at or before `seq` (default: the latest), and the rows after it up to `seq`. `undefined`: no such thread. */
  load(thread: string, seq?: number): Promise<Loaded | undefined>
  /** Rows with a seq greater than `after` (default: all), in order, at most `limit`. */
  rows(thread: string, after?: number, limit?: number): Promise<readonly Row[]>
  /** Chunks of logs by their hash. */
  chunks(hashes: readonly string[]): Promise<ReadonlyMap<string, Json>>

  /** Keeps a command for the driver of a thread. The same `command` of the same thread is kept once, whatever came of it. @throws UnknownThread, InvalidEvent */
  submit(thread: string, command: string, event: Command): Promise<void>
  /** Commands not yet settled, in the order of their arrival. */
  inbox(thread: string): Promise<readonly Submitted[]>
  /** What became of a command. */
  command(thread: string, command: string): Promise<CommandState>

  /**
   * Threads that must be looked at, oldest thread first: `wakeAt` has come or a command waits (to one that has ended, a message begins
   * a round), and no live lease is held.
   */
  due(now: number, terms?: DueTerms): Promise<readonly string[]>
  /** A thread that was leased and has no rows yet does not exist for whoever reads. */
  threads(): Promise<readonly ThreadSummary[]>
  thread(thread: string): Promise<ThreadSummary | undefined>
  /** Specs, and whatever else is named by its hash and never changes. */
  putBlob(hash: string, value: Json): Promise<void>
  getBlob(hash: string): Promise<Json | undefined>
  close(): Promise<void>
}

export interface DueTerms {
  /** Whether an owner is surely gone: its lease counts for nothing. */
  readonly isOwnerDead?: LeaseTerms['isOwnerDead']
  /** Only threads of these graphs; default: all. */
  readonly graphs?: readonly GraphIdentity[]
}

/** Which version of which graph a thread runs: the id of the graph, and the hash in the first event. */
export type GraphIdentity = Pick<ThreadSummary, 'graph' | 'specHash'>

/** Whether a thread is of one of these graphs: one rule for all stores. */
export function isOfGraphs(
  { graph, specHash }: GraphIdentity,
  graphs: DueTerms['graphs'],
): boolean {
  return graphs?.some(held => held.graph === graph && held.specHash === specHash) ?? true
}

/** How long a lease lasts without being renewed, in ms. It is renewed at a third of that. */
export const LEASE = 15_000

export interface LeaseTerms {
  /** Names a drive of a process: `host/pid/nonce/n`. */
  readonly owner: string
  readonly now: number
  readonly until: number
  /** Whether an owner is surely gone: its lease may be taken before its time. */
  readonly isOwnerDead: (owner: string) => boolean
}

/** `epoch` grows by one with each taking, and fences off whoever held the lease before. */
export interface Lease {
  readonly thread: string
  readonly owner: string
  readonly epoch: number
  readonly until: number
}

export interface Batch {
  readonly lease: Lease
  readonly rows: readonly Row[]
  /** When the thread must be looked at although nothing happens. */
  readonly wakeAt: number | undefined
  readonly summary: Omit<ThreadSummary, 'thread' | 'wakeAt' | 'lease'>
  readonly checkpoint?: Checkpoint
  /** What the thread tells its scopes: each share takes the place of the one before. */
  readonly shares?: readonly Share[]
  /** Commands that these rows carry out or refuse. */
  readonly settled?: readonly Settlement[]
}

export interface Checkpoint {
  readonly seq: number
  /** The run, its full chunks replaced by their hashes. */
  readonly run: Json
  /** Chunks not known to be stored yet. */
  readonly chunks: ReadonlyMap<string, Json>
}

export interface Settlement {
  readonly command: string
  /** Absent: carried out. */
  readonly refused?: Reason
}

export interface Loaded {
  readonly checkpoint?: { readonly seq: number; readonly run: Json }
  readonly rows: readonly Row[]
}

export interface Submitted {
  readonly command: string
  readonly event: Command
}

export type CommandState =
  | { readonly state: 'unknown' | 'waiting' | 'done' }
  | { readonly state: 'refused'; readonly reason: Reason }

/** The line of a thread in a list. `graph` is the id of its spec or machine, `specHash` names its version. */
export interface ThreadSummary {
  readonly thread: string
  readonly graph: string
  readonly specHash: string
  readonly status: ThreadStatus
  /** The states it is in, or the reason why it ended. */
  readonly detail: string
  readonly outcome?: string
  readonly seq: number
  readonly startedAt: number
  readonly at: number
  readonly wakeAt?: number
  readonly lease?: { readonly owner: string; readonly until: number }
}

/** Somebody else drives the thread, or has gone on with it. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
  readonly code = 'conflict'
}

/** Whether it is a `Conflict`, also one of another copy of this package. */
export function isConflict(error: unknown): error is Conflict {
  return error instanceof Error && error.name === 'Conflict'
}

/** There is no such thread in the store. */
export class UnknownThread extends Error {
  override readonly name = 'UnknownThread'
  readonly code = 'unknown-thread'
  readonly thread: string
  constructor(thread: string) {
    super(`there is no thread '${thread}' in this store`)
    this.thread = thread
  }
}

/** Whether an error is an `UnknownThread`. */
export function isUnknownThread(error: unknown): error is UnknownThread {
  return error instanceof UnknownThread
}

/** The store holds a thread of that name already. */
export class ThreadExists extends Error {
  override readonly name = 'ThreadExists'
  readonly code = 'thread-exists'
  constructor(thread: string) {
    super(`there is a thread '${thread}' already; give the new one another name`)
  }
}

/** Whether an error is a `ThreadExists`. */
export function isThreadExists(error: unknown): error is ThreadExists {
  return error instanceof ThreadExists
}

/** The store itself does not work now: no space, no access, damaged, not a store. Nothing was half written; `cause` is what it met. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly code = 'store-unavailable'
}

/** Whether an error is a `StoreUnavailable`. */
export function isStoreUnavailable(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable
}

/** The last row of a thread and its lease: what a store decides by. */
export interface Head {
  readonly seq: number
  readonly epoch: number
  readonly lease: ThreadSummary['lease']
}

/** Of a thread nobody has leased yet. */
export const NO_THREAD: Head = { seq: -1, epoch: 0, lease: undefined }

/** The lease that follows `head`: the rule of taking over, one for all stores. @throws Conflict */
export function nextLease(
  thread: string,
  head: Head,
  { owner, now, until, isOwnerDead }: LeaseTerms,
): Lease {
  const held = head.lease
  if (held && held.owner !== owner && held.until > now && !isOwnerDead(held.owner)) {
    throw new Conflict(
      `thread '${thread}' is driven by '${held.owner}', whose lease ends in ${(held.until - now) / 1000} s`,
    )
  }
  return { thread, owner, epoch: head.epoch + 1, until }
}

/** @throws Conflict when a lease is held no longer. */
export function checkHeld({ thread, owner, epoch }: Lease, head: Head): void {
  if (head.lease?.owner === owner && head.epoch === epoch) return
  const now = head.lease
    ? `now '${head.lease.owner}' drives it, epoch ${head.epoch}`
    : 'now nobody does'
  throw new Conflict(`'${owner}' no longer drives thread '${thread}' under epoch ${epoch}; ${now}`)
}

/** Whether a batch follows `head`: the rule of appending, one for all stores. @throws Conflict; Error where the caller has a bug. */
export function checkBatch({ lease, rows, summary, checkpoint }: Batch, head: Head): void {
  checkHeld(lease, head)
  const first = rows[0]?.seq ?? head.seq + 1
  if (first <= head.seq)
    throw new Conflict(
      `thread '${lease.thread}' has gone on: row ${first} is there already, the last one is ${head.seq}`,
    )
  const gap = rows.findIndex((row, index) => row.seq !== head.seq + 1 + index)
  if (gap >= 0)
    throw new Error(
      `thread '${lease.thread}': row ${rows[gap]?.seq} cannot follow row ${head.seq + gap}`,
    )
  const last = head.seq + rows.length
  if (summary.seq !== last)
    throw new Error(
      `thread '${lease.thread}': the summary tells of row ${summary.seq}, the last one is ${last}`,
    )
  if (checkpoint && !(checkpoint.seq >= 0 && checkpoint.seq <= last))
    throw new Error(
      `thread '${lease.thread}': a checkpoint of row ${checkpoint.seq}, the last one is ${last}`,
    )
}
