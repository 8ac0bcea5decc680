/** The table of threads: leases, summaries, and the threads that are due. */
import type { GraphIdentity, Head, Store, ThreadSummary } from '../../../runtime/store/store.ts'
import { checkHeld, isOfGraphs, nextLease, NO_THREAD } from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'

type LeaseLine = Readonly<{ lease_owner: string | null; lease_until: number | null }>

export type HeadLine = LeaseLine & Readonly<{ id: number; seq: number; epoch: number }>

export const HEAD = 'SELECT id, seq, epoch, lease_owner, lease_until FROM threads WHERE name = ?1'

export function headOf(line: HeadLine | undefined): Head {
  return line ? { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) } : NO_THREAD
}

function leaseOf({ lease_owner: owner, lease_until: until }: LeaseLine): Head['lease'] {
  return owner === null || until === null ? undefined : { owner, until }
}

export function leases(connection: Connection): Pick<Store, 'lease' | 'renew' | 'release'> {
  const { query, command, atomic, method } = connection
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
    lease: atomic((thread, terms) => {
      const lease = nextLease(thread, headOf(head.get(thread)), terms)
      take(thread, lease.epoch, lease.owner, lease.until)
      return lease
    }),
    renew: atomic((lease, until) => {
      checkHeld(lease, headOf(head.get(lease.thread)))
      extend(lease.thread, until)
      return { ...lease, until }
    }),
    release: method(({ thread, owner, epoch }) => release(thread, owner, epoch)),
  }
}

type ThreadLine = LeaseLine & {
  readonly [K in Exclude<keyof ThreadSummary, 'lease'>]-?: ThreadSummary[K] | null
}

const LINE = `SELECT name AS thread, graph, spec_hash AS specHash, status, detail, outcome, seq, started_at AS startedAt,
  at, wake_at AS wakeAt, lease_owner, lease_until FROM threads WHERE seq >= 0`

/**
 * The threads that may be due, with their leases. The few candidates (free, driven or abandoned, with a command) come from three
 * indexes. With `OR` or `UNION`, SQLite reads the lines of all threads.
 */
export const DUE = `
  SELECT name, graph, spec_hash AS specHash, lease_owner, lease_until FROM threads
  WHERE id IN (
      SELECT id FROM threads WHERE wake_at <= ?1 AND lease_until IS NULL AND status <> 'ended'
      UNION ALL SELECT id FROM threads WHERE lease_until IS NOT NULL AND wake_at <= ?1 AND status <> 'ended'
      UNION ALL SELECT thread FROM inbox WHERE state = 'waiting'
    )
    AND seq >= 0
  ORDER BY id`

export function threads({ query, method }: Connection): Pick<Store, 'due' | 'threads' | 'thread'> {
  const due = query<LeaseLine & GraphIdentity & { readonly name: string }>(DUE)
  const all = query<ThreadLine>(`${LINE} ORDER BY id`)
  const one = query<ThreadLine>(`${LINE} AND name = ?1`)
  return {
    due: method((now, { isOwnerDead = () => false, graphs } = {}) =>
      due.all(now).flatMap(line => {
        const lease = leaseOf(line)
        const free = !lease || lease.until <= now || isOwnerDead(lease.owner)
        return free && isOfGraphs(line, graphs) ? line.name : []
      }),
    ),
    threads: method(() => all.all().map(summaryOf)),
    thread: method(name => {
      const line = one.get(name)
      return line && summaryOf(line)
    }),
  }
}

function summaryOf({ lease_owner, lease_until, ...line }: ThreadLine): ThreadSummary {
  const lease = leaseOf({ lease_owner, lease_until })
  const summary = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))
  return { ...(summary as unknown as ThreadSummary), ...(lease && { lease }) }
}
