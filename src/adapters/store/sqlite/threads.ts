/** The lines of all threads, and which of them are due. */
import { isOfGraphs, type Store, type ThreadSummary } from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'
import { type HeadLine, leaseOf } from './leases.ts'

interface ThreadLine extends Omit<HeadLine, 'id' | 'epoch'> {
  readonly name: string
  readonly wake_at: number | null
  readonly graph: string
  readonly spec_hash: string
  readonly status: ThreadSummary['status']
  readonly detail: string
  readonly outcome: string | null
  readonly started_at: number
  readonly at: number
}

type DueLine = Pick<ThreadLine, 'name' | 'graph' | 'spec_hash' | 'lease_owner' | 'lease_until'>

const LINE =
  'SELECT name, seq, lease_owner, lease_until, wake_at, graph, spec_hash, status, detail, outcome, started_at, at FROM threads WHERE seq >= 0'

/**
 * Who may be due, with the lease that would keep it from being so. The few candidates (free, driven or left by their driver, written
 * to) come from three indexes; with `OR` or `UNION`, SQLite reads the lines of all threads.
 */
export const DUE = `
  SELECT name, graph, spec_hash, lease_owner, lease_until FROM threads
  WHERE id IN (
      SELECT id FROM threads WHERE wake_at <= ?1 AND lease_until IS NULL AND status <> 'ended'
      UNION ALL SELECT id FROM threads WHERE lease_until IS NOT NULL AND wake_at <= ?1 AND status <> 'ended'
      UNION ALL SELECT thread FROM inbox WHERE state = 'waiting'
    )
    AND seq >= 0
  ORDER BY id`

export function threads({ query, method }: Connection): Pick<Store, 'due' | 'threads' | 'thread'> {
  const due = query<DueLine>(DUE)
  const every = query<ThreadLine>(`${LINE} ORDER BY id`)
  const one = query<ThreadLine>(`${LINE} AND name = ?1`)
  return {
    due: method((now, { isOwnerDead = () => false, graphs } = {}) =>
      due.all(now).flatMap(line => {
        const lease = leaseOf(line)
        const free = !lease || lease.until <= now || isOwnerDead(lease.owner)
        return free && isOfGraphs({ graph: line.graph, specHash: line.spec_hash }, graphs)
          ? [line.name]
          : []
      }),
    ),
    threads: method(() => every.all().map(summaryOf)),
    thread: method(name => {
      const line = one.get(name)
      return line && summaryOf(line)
    }),
  }
}

function summaryOf(line: ThreadLine): ThreadSummary {
  const lease = leaseOf(line)
  return {
    thread: line.name,
    graph: line.graph,
    specHash: line.spec_hash,
    status: line.status,
    detail: line.detail,
    ...(line.outcome === null ? {} : { outcome: line.outcome }),
    seq: line.seq,
    startedAt: line.started_at,
    at: line.at,
    ...(line.wake_at === null ? {} : { wakeAt: line.wake_at }),
    ...(lease && { lease }),
  }
}
