/** The lines of threads: their leases, the lists of them, and which are due. */
import { checkHeld, type Head, NO_THREAD, nextLease } from '../../../runtime/store/head.ts'
import { type Lease, ReservedName, type Store } from '../../../runtime/store/store.ts'
import {
  TALLIES_MAX,
  tallyCountOf,
  type TallyLine,
  type ThreadCount,
} from '../../../runtime/store/tally.ts'
import type { Connection } from './connection.ts'
import { due } from './due.ts'
import { LINE, type LeaseLine, leaseOf, summaryOf, type ThreadLine } from './line.ts'
import { pages } from './pages.ts'

export type HeadLine = LeaseLine & Readonly<{ id: string; seq: number; epoch: number }>

/** `id` is a text: Postgres counts in 64 bits. */
export const HEAD = 'SELECT id, seq, epoch, lease_owner, lease_until FROM @threads WHERE name = $1'

/** A thread that is stored, and is not removed before the transaction ends. */
export const HELD = 'SELECT id FROM @threads WHERE name = $1 AND seq >= 0 FOR KEY SHARE'

export const headOf = (line: HeadLine | undefined): Head =>
  line ? { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) } : NO_THREAD

/** Bytes of a name. An index of Postgres takes 2,704. */
const NAME_MAX = 2_600

/** Counts a change of a lease. The lost number of a lost change is harmless: leases need no flush to disk, and an append flushes them, too. */
const COUNTED = `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true)),
  counted AS (UPDATE @counter SET last = last + 1 FROM quick RETURNING last)`

export function leases(connection: Connection): Pick<Store, 'lease' | 'renew' | 'release'> {
  const { statement, execute, retried } = connection
  const head = statement(HEAD)
  const insert = statement(
    `${COUNTED} INSERT INTO @threads (name, epoch, lease_owner, lease_until, changed)
     SELECT $1, $2, $3, $4, last FROM counted ON CONFLICT (name) DO NOTHING RETURNING id`,
  )
  const take = statement(
    `${COUNTED} UPDATE @threads SET epoch = $2, lease_owner = $3, lease_until = $4, changed = last FROM counted
     WHERE name = $1 AND epoch = $5 AND lease_owner IS NOT DISTINCT FROM $6 AND lease_until IS NOT DISTINCT FROM $7 RETURNING id`,
  )
  const extend = statement(
    `WITH quick AS (SELECT set_config('synchronous_commit', 'off', true))
     UPDATE @threads SET lease_until = $4 FROM quick WHERE name = $1 AND lease_owner = $2 AND epoch = $3 RETURNING id`,
  )
  const release = statement(
    `${COUNTED} UPDATE @threads SET lease_owner = NULL, lease_until = NULL, changed = last FROM counted
     WHERE name = $1 AND lease_owner = $2 AND epoch = $3`,
  )
  const headNow = async (thread: string) => (await execute<HeadLine>(head, [thread]))[0]
  return {
    lease: (thread, request) =>
      retried(async run => {
        checkLength(thread)
        for (;;) {
          const [line] = await run<HeadLine>(head, [thread])
          const lease = nextLease(thread, headOf(line), request)
          const given = [thread, lease.epoch, lease.owner, lease.until]
          const before = [line?.epoch, line?.lease_owner, line?.lease_until]
          const taken = await (line ? run(take, [...given, ...before]) : run(insert, given))
          // Otherwise another process was faster: its lease decides.
          if (taken.length > 0) return lease
        }
      }),
    async renew(lease, until): Promise<Lease> {
      const { thread, owner, epoch } = lease
      const renewed = await execute(extend, [thread, owner, epoch, until])
      if (renewed.length === 0) checkHeld(lease, headOf(await headNow(thread)))
      return { ...lease, until }
    },
    async release({ thread, owner, epoch }) {
      await execute(release, [thread, owner, epoch])
    },
  }
}

/** @throws ReservedName for a name that an index does not take */
function checkLength(thread: string): void {
  const bytes = Buffer.byteLength(thread)
  if (bytes <= NAME_MAX) return
  const why = `has ${bytes} bytes; on Postgres, a name has at most ${NAME_MAX}`
  throw new ReservedName(`${thread.slice(0, 40)}…`, why)
}

const COUNTS = `SELECT graph, status, outcome, count(*)::integer AS count FROM @threads WHERE seq >= 0
  GROUP BY graph, status, outcome`

const sumOf = (path: string) => `coalesce(sum((tally #>> '{${path}}')::float8), 0)`

const TALLIES = `SELECT graph, status, outcome, tally #>> '{finding,signature}' AS signature, count(*)::integer AS count,
  ${sumOf('findings')} AS findings, ${sumOf('escapes')} AS escapes, ${sumOf('spent,usd')} AS usd FROM @threads
  WHERE seq >= 0 AND ($1::text IS NULL OR graph = $1) AND ($2::text IS NULL OR starts_with(name, $2)) AND last_at >= $3
  GROUP BY 1, 2, 3, 4 ORDER BY count DESC LIMIT ${TALLIES_MAX}`

const DRIVEN = `SELECT name AS thread, seq FROM @threads WHERE seq >= 0 AND id IN (
    SELECT id FROM @threads WHERE lease_owner IS NOT NULL
    UNION ALL SELECT id FROM @threads WHERE changed > $1
  ) ORDER BY id`

type Lists = Pick<Store, 'due' | 'threads' | 'thread' | 'page' | 'counts' | 'tallies' | 'driven'>

export function threads(connection: Connection): Lists {
  const { statement, execute } = connection
  const all = statement(`${LINE} ORDER BY id`)
  const one = statement(`${LINE} AND name = $1`)
  const counts = statement(COUNTS)
  const tallies = statement(TALLIES)
  const driven = statement(DRIVEN)
  const lastChange = statement('SELECT last::float8 AS last FROM @counter')
  return {
    due: due(connection),
    threads: async () => (await execute<ThreadLine>(all)).map(summaryOf),
    page: pages(connection),
    async counts() {
      const lines = await execute<ThreadCount & { readonly outcome: string | null }>(counts)
      return lines.map(({ outcome, ...of }) => ({ ...of, ...(outcome !== null && { outcome }) }))
    },
    tallies: async ({ graph, prefix, since = 0 } = {}) =>
      (await execute<TallyLine>(tallies, [graph, prefix, since])).map(tallyCountOf),
    async driven(since) {
      const [counted] = await execute<{ last: number }>(lastChange)
      const cursor = counted?.last ?? 0
      return { threads: await execute(driven, [since ?? cursor]), cursor }
    },
    async thread(name) {
      const [line] = await execute<ThreadLine>(one, [name])
      return line && summaryOf(line)
    },
  }
}
