/** A line of `threads`, as lists show it. */
import type { Head } from '../../../runtime/store/head.ts'
import type { ThreadSummary } from '../../../runtime/store/store.ts'

export type LeaseLine = Readonly<{ lease_owner: string | null; lease_until: number | null }>

export const leaseOf = ({ lease_owner: owner, lease_until: until }: LeaseLine): Head['lease'] =>
  owner === null || until === null ? undefined : { owner, until }

export type ThreadLine = LeaseLine & {
  readonly [K in Exclude<keyof ThreadSummary, 'lease'>]-?: ThreadSummary[K] | null
}

export const LINE = `SELECT name AS thread, graph, spec_hash AS "specHash", status, outcome, detail, seq,
  started_at AS "startedAt", last_at AS "at", wake_at AS "wakeAt", waits, tally, lease_owner, lease_until
  FROM @threads WHERE seq >= 0`

export function summaryOf({ lease_owner, lease_until, ...line }: ThreadLine): ThreadSummary {
  const lease = leaseOf({ lease_owner, lease_until })
  const summary = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))
  return { ...(summary as unknown as ThreadSummary), ...(lease && { lease }) }
}
