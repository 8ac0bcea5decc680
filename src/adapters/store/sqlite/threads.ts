/** The lines of all threads: their leases, their summaries, and which of them are due. */
import {
  checkHeld,
  type Head,
  isOfGraphs,
  nextLease,
  NO_THREAD,
  type Store,
  type ThreadSummary,
} from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'

interface LeaseLine {
  readonly lease_owner: string | null
  readonly lease_until: number | null
}

export interface HeadLine extends LeaseLine {
  readonly id: number
  readonly seq: number
  readonly epoch: number
}

export const HEAD = 'SELECT id, seq, epoch, lease_owner, lease_until FROM threads WHERE name = ?1'

export function headOf(line: HeadLine | undefined): Head {
  return line ? { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) } : NO_THREAD
}

function leaseOf({ lease_owner: owner, lease_until: until }: LeaseLine): Head['lease'] {
  return owner === null || until === null ? undefined : { owner, until }
}

export function leases(connection: Connection): Pick<Store, 'lease' | 'renew' | 'release'> {
  const { query, command, transaction, method } = connection
  const head = query<HeadLine>(HEAD)
  const take = command(
    `INSERT INTO threads (name, epoch, lease_owner, lease_until) VALUES (?1, ?2, ?3, ?4)
     ON CONFLICT (name) DO UPDATE SET epoch = ?2, lease_owner = ?3, lease_until = ?4`,
  )
  const extend = command('UPDATE threads SET lease_until = ?2 WHERE name = ?1')
  const release = command(
    'UPDATE threads SET lease_owner = NULL, lease_until = NULL WHERE name = ?1 AND lease_owner = ?2 AND epoch = ?3',
  )
  return {
    lease: method((thread, terms) =>
      transaction(() => {
        const lease = nextLease(thread, headOf(head.get(thread)), terms)
        take(thread, lease.epoch, lease.owner, lease.until)
        return lease
      }),
    ),
    renew: method((lease, until) =>
      transaction(() => {
        checkHeld(lease, headOf(head.get(lease.thread)))
        extend(lease.thread, until)
        return { ...lease, until }
      }),
    ),
    release: method(({ thread, owner, epoch }) => release(thread, owner, epoch)),
  }
}

interface ThreadLine extends LeaseLine {
  readonly name: string
  readonly seq: number
  readonly wake_at: number | null
  readonly graph: string
  readonly spec_hash: string
  readonly status: ThreadSummary['status']
  readonly detail: string
  readonly outcome: string | null
  readonly started_at: number
  readonly at: number
}

type DueLine = Pick<ThreadLine, 'name' | 'graph' | 'spec_hash'> & LeaseLine

const LINE =
  'SELECT name, seq, lease_owner, lease_until, wake_at, graph, spec_hash, status, detail, outcome, started_at, at FROM threads WHERE seq >= 0'

/**
 * The threads that may be due, with the leases that may prevent it. The few candidates (free, driven or abandoned, written to)
 * come from three indexes; with `OR` or `UNION`, SQLite reads the lines of all threads.
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
        const { graph, spec_hash: specHash } = line
        return free && isOfGraphs({ graph, specHash }, graphs) ? line.name : []
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
  const { graph, status, detail, outcome, seq, at } = line
  const lease = leaseOf(line)
  return {
    thread: line.name,
    graph,
    specHash: line.spec_hash,
    status,
    detail,
    ...(outcome === null ? {} : { outcome }),
    seq,
    startedAt: line.started_at,
    at,
    ...(line.wake_at === null ? {} : { wakeAt: line.wake_at }),
    ...(lease && { lease }),
  }
}
