/** The head of a thread: which lease follows, and which batch. All stores check with these rules. */
import { type Batch, Conflict, type Lease, type LeaseRequest, type ThreadSummary } from './store.ts'

/** The last row of a thread and its lease. */
export type Head = Readonly<{ seq: number; epoch: number; lease: ThreadSummary['lease'] }>

/** The head of a thread that was never leased. */
export const NO_THREAD: Head = { seq: -1, epoch: 0, lease: undefined }

/** The lease that follows `head`. @throws Conflict */
export function nextLease(thread: string, head: Head, request: LeaseRequest): Lease {
  const { owner, now, until, isOwnerDead } = request
  const held = head.lease
  if (held && held.owner !== owner && held.until > now && !isOwnerDead(held.owner))
    throw new Conflict(
      `thread '${thread}' is driven by '${held.owner}', whose lease ends in ${(held.until - now) / 1000} s`,
    )
  return { thread, owner, epoch: head.epoch + 1, until }
}

/** @throws Conflict when the lease is no longer held. */
export function checkHeld({ thread, owner, epoch }: Lease, head: Head): void {
  if (head.lease?.owner === owner && head.epoch === epoch) return
  const now = head.lease
    ? `'${head.lease.owner}' holds the lease, epoch ${head.epoch}`
    : 'the lease is free'
  throw new Conflict(`'${owner}' no longer drives thread '${thread}' under epoch ${epoch}; ${now}`)
}

/** Checks that a batch follows `head`. @throws Conflict; Error for a bug in the caller. */
export function checkBatch({ lease, rows, summary, checkpoint }: Batch, head: Head): void {
  checkHeld(lease, head)
  const name = `thread '${lease.thread}'`
  const first = rows[0]?.seq ?? head.seq + 1
  if (first <= head.seq)
    throw new Conflict(`${name}: row ${first} already exists; the last row is ${head.seq}`)
  const gap = rows.findIndex((row, index) => row.seq !== head.seq + 1 + index)
  if (gap >= 0)
    throw new Error(`${name}: row ${rows[gap]?.seq} cannot follow row ${head.seq + gap}`)
  const timeless = rows.find(({ event }) => !Number.isFinite(event.at))
  if (timeless) throw new Error(`${name}: row ${timeless.seq} has no time`)
  const last = head.seq + rows.length
  if (summary.seq !== last)
    throw new Error(`${name}: the summary is for row ${summary.seq}; the last row is ${last}`)
  if (checkpoint && !(checkpoint.seq >= 0 && checkpoint.seq <= last))
    throw new Error(`${name}: the checkpoint is for row ${checkpoint.seq}; the last row is ${last}`)
}
