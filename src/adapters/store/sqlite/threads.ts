/** The lines of threads: their leases, the lists of them, and which are due. */
import { checkHeld, nextLease } from '../../../runtime/store/head.ts'
import {
  type GraphIdentity,
  isOfGraphs,
  type Store,
  type ThreadSummary,
} from '../../../runtime/store/store.ts'
import { inDueOrder } from '../../../runtime/store/due-order.ts'
import { parseWaits } from '../../../runtime/store/line-schema.ts'
import type { ThreadWait } from '../../../core/watch/event/wait-event.ts'
import {
  TALLIES_MAX,
  tallyCountOf,
  type TallyLine,
  type ThreadCount,
} from '../../../runtime/store/tally.ts'
import type { Connection } from './connection.ts'
import type { IndexChecks } from './damaged-indexes.ts'
import { damagedLines } from './damaged-lines.ts'
import { headLine, headOf, headReader, LAST, type LeaseLine, leaseOf } from './head-line.ts'
import { KIND, SIGNATURE, SPENT, SUMS, tallyOf, USD } from './tally.ts'

/** The number of the next change of a lease. */
const NEXT = '(SELECT ifnull(max(changed), 0) + 1 FROM threads)'

export const LAST_CHANGE = 'SELECT max(changed) AS changed FROM threads'

export function leases(
  connection: Connection,
  checks: IndexChecks,
): Pick<Store, 'lease' | 'renew' | 'release'> {
  const { command, transaction, atomic, method } = connection
  const find = headReader(connection, checks)
  const head = headLine(connection)
  const take = command(
    `INSERT INTO threads (name, epoch, lease_owner, lease_until, changed) VALUES (?1, ?2, ?3, ?4, ${NEXT})
     ON CONFLICT (name) DO UPDATE SET epoch = ?2, lease_owner = ?3, lease_until = ?4, changed = ${NEXT}`,
  )
  const extend = command('UPDATE threads SET lease_until = ?2 WHERE name = ?1')
  const release = command(
    `UPDATE threads SET lease_owner = NULL, lease_until = NULL, changed = ${NEXT} WHERE name = ?1 AND lease_owner = ?2 AND epoch = ?3`,
  )
  return {
    lease: method((thread, request) => {
      find(thread)
      return transaction(() => {
        const lease = nextLease(thread, headOf(head(thread)), request)
        take(thread, lease.epoch, lease.owner, lease.until)
        return lease
      })
    }),
    renew: atomic((lease, until) => {
      checkHeld(lease, headOf(head(lease.thread)))
      extend(lease.thread, until)
      return { ...lease, until }
    }),
    release: method(({ thread, owner, epoch }) => release(thread, owner, epoch)),
  }
}

type ThreadLine = LeaseLine & {
  readonly [K in Exclude<keyof ThreadSummary, 'lease' | 'waits' | 'tally'>]-?:
    | ThreadSummary[K]
    | null
} & Readonly<Record<'waits' | 'found' | 'spent', string | null>>

type DueLine = LeaseLine &
  GraphIdentity & {
    readonly name: string
    /** Null: it is ready at once. */
    readonly wakeAt: number | null
    readonly hasCommand: number
  }

const LAST_AT = 'iif(last.seq > threads.seq AND json_valid(body), last.at, threads.at)'
const FROM = `FROM main.threads LEFT JOIN main.events AS last ON place = (${LAST}) WHERE threads.seq >= 0`

/** The line of a thread with what only its later events know. The tables for queries have the same names, without `main`. */
export const LINE = `SELECT name AS thread, graph, spec_hash AS specHash, status, outcome, started_at AS startedAt, waits, lease_owner, lease_until,
  max(threads.seq, ifnull(last.seq, -1)) AS seq,
  iif(last.seq > threads.seq, last.detail, threads.detail) AS detail,
  ${LAST_AT} AS at, found, ${SPENT} AS spent,
  iif(last.seq > threads.seq AND json_valid(body) AND wake_at = threads.at, last.at, wake_at) AS wakeAt ${FROM}`

/**
 * The threads that may be due, with their leases. The few candidates (free, driven or abandoned, with a command) come from three
 * indexes. With `OR` or `UNION`, SQLite reads the lines of all threads.
 */
export const DUE = `
  SELECT name, graph, spec_hash AS specHash, lease_owner, lease_until, nullif(wake_at, iif(wake_at <= at, wake_at, NULL)) AS wakeAt,
    id IN (SELECT thread FROM inbox WHERE state = 'waiting') AS hasCommand
  FROM threads
  WHERE id IN (
      SELECT id FROM threads WHERE wake_at <= ?1 AND lease_until IS NULL AND status <> 'ended'
      UNION ALL SELECT id FROM threads WHERE lease_until IS NOT NULL AND wake_at <= ?1 AND status <> 'ended'
      UNION ALL SELECT thread FROM inbox WHERE state = 'waiting'
      UNION ALL SELECT value FROM json_each(?2)
    )
    AND seq >= 0
  ORDER BY id`

/** Unset parameters are null and match all. */
const LISTED = `${LINE} AND (?1 IS NULL OR graph = ?1) AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR outcome = ?3)
  AND (?4 IS NULL OR name >= ?4 AND substr(name, 1, length(?4)) = ?4) AND (?5 IS NULL OR name > ?5)
  AND (?7 IS NULL OR iif(?7 = 'any', ${KIND} IS NOT NULL, ${KIND} = ?7))
  AND (?8 IS NULL OR ${USD} >= ?8)`
const BY_NAME = `${LISTED} ORDER BY name LIMIT ?6`
const LATEST = `${LISTED} ORDER BY at DESC, name LIMIT ?6`

const TALLIES = `SELECT graph, status, outcome, ${SIGNATURE} AS signature, count(*) AS count,
  ${SUMS} ${FROM}
  AND (?1 IS NULL OR graph = ?1) AND (?2 IS NULL OR name >= ?2 AND substr(name, 1, length(?2)) = ?2) AND ${LAST_AT} >= ?3
  GROUP BY 1, 2, 3, 4 ORDER BY count DESC LIMIT ${TALLIES_MAX}`

const COUNTS = `SELECT graph, status, outcome, count(*) AS count FROM threads WHERE seq >= 0
  GROUP BY graph, status, outcome`

const DRIVEN = `SELECT name AS thread, max(seq, ifnull((${LAST}) & 0xffffffff, -1)) AS seq FROM threads
  WHERE id IN (
    SELECT id FROM threads WHERE lease_until IS NOT NULL
    UNION ALL SELECT id FROM threads WHERE changed > ?1
  ) AND seq >= 0`

export function threads(
  connection: Connection,
  checks: IndexChecks,
): Pick<Store, 'due' | 'threads' | 'thread' | 'page' | 'counts' | 'tallies' | 'driven'> {
  const { query, method } = connection
  const damaged = damagedLines(connection, checks.renew)
  const find = headReader(connection, checks)
  const due = query<DueLine>(DUE)
  const all = query<ThreadLine>(`${LINE} ORDER BY id`)
  const one = query<ThreadLine>(`${LINE} AND name = ?1`)
  const byName = query<ThreadLine>(BY_NAME)
  const latest = query<ThreadLine>(LATEST)
  const counts = query<ThreadCount & { readonly outcome: string | null }>(COUNTS)
  const tallies = query<TallyLine>(TALLIES)
  const driven = query<Pick<ThreadSummary, 'thread' | 'seq'>>(DRIVEN)
  const lastChange = query<{ readonly changed: number | null }>(LAST_CHANGE)
  return {
    due: method((now, { isOwnerDead = () => false, graphs, limit } = {}) => {
      const lines = JSON.stringify(damaged(now))
      checks.check('threads')
      checks.check('inbox')
      const found = due.all(now, lines).flatMap(line => {
        const lease = leaseOf(line)
        const free = !lease || lease.until <= now || isOwnerDead(lease.owner)
        if (!free || !isOfGraphs(line, graphs)) return []
        const { name: thread, hasCommand, wakeAt } = line
        const isAbandoned = lease !== undefined
        return { thread, isAbandoned, hasCommand: hasCommand === 1, wakeAt: wakeAt ?? undefined }
      })
      return inDueOrder(found, limit)
    }),
    threads: method(() => all.all().map(summaryOf)),
    // For SQLite, a negative limit means all lines.
    page: method(({ graph = null, status = null, outcome = null, ...of }) => {
      const { prefix = null, after = null, limit = -1, finding = null, minUsd = null, order } = of
      const page = order === 'latest' ? latest : byName
      const names = [graph, status, outcome, prefix, after]
      return page.all(...names, limit, finding, minUsd).map(summaryOf)
    }),
    counts: method(() =>
      counts.all().map(({ outcome, ...of }) => ({ ...of, ...(outcome !== null && { outcome }) })),
    ),
    tallies: method(({ graph = null, prefix = null, since = 0 } = {}) =>
      tallies.all(graph, prefix, since).map(tallyCountOf),
    ),
    driven: method(since => {
      const cursor = lastChange.get()?.changed ?? 0
      return { threads: driven.all(since ?? cursor), cursor }
    }),
    thread: method(name => {
      const line = find(name) && one.get(name)
      return line && summaryOf(line)
    }),
  }
}

function summaryOf({
  lease_owner,
  lease_until,
  waits,
  found,
  spent,
  ...line
}: ThreadLine): ThreadSummary {
  const lease = leaseOf({ lease_owner, lease_until })
  const tally = tallyOf(found, spent)
  const known = Object.entries(line).filter(([, value]) => value !== null)
  const summary = { ...BLANK, ...Object.fromEntries(known.map(readable)) }
  return {
    ...(summary as unknown as ThreadSummary),
    ...(waits !== null && { waits: waitsIn(waits) }),
    ...(tally && { tally }),
    ...(lease && { lease }),
  }
}

/** What a damaged line may lack. */
const BLANK = { graph: '', specHash: '', status: '', detail: '', startedAt: 0, at: 0 }

const TEXTS = new Set(['thread', 'graph', 'specHash', 'status', 'detail', 'outcome'])

/** A column of a damaged line may have a value of another type. */
const readable = ([name, value]: readonly [string, unknown]) =>
  [name, TEXTS.has(name) ? String(value) : Number(value)] as const

/** The waits of a line. A damaged text shows no waits: the next append of the thread writes them again. */
function waitsIn(text: string): readonly ThreadWait[] {
  try {
    return parseWaits(text)
  } catch {
    return []
  }
}
