/** The lines of threads: their leases, the lists of them, and which are due. */
import {
  checkHeld,
  type GraphIdentity,
  type Head,
  isOfGraphs,
  type Lease,
  NO_THREAD,
  nextLease,
  ReservedName,
  type Store,
  type ThreadCount,
  type ThreadSummary,
} from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'

type LeaseLine = Readonly<{ lease_owner: string | null; lease_until: number | null }>

export type HeadLine = LeaseLine & Readonly<{ id: string; seq: number; epoch: number }>

/** `id` is a text: Postgres counts in 64 bits. */
export const HEAD = 'SELECT id, seq, epoch, lease_owner, lease_until FROM @threads WHERE name = $1'

export const headOf = (line: HeadLine | undefined): Head =>
  line ? { seq: line.seq, epoch: line.epoch, lease: leaseOf(line) } : NO_THREAD

const leaseOf = ({ lease_owner: owner, lease_until: until }: LeaseLine): Head['lease'] =>
  owner === null || until === null ? undefined : { owner, until }

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

type ThreadLine = LeaseLine & {
  readonly [K in Exclude<keyof ThreadSummary, 'lease'>]-?: ThreadSummary[K] | null
}

const LINE = `SELECT name AS thread, graph, spec_hash AS "specHash", status, outcome, detail, seq,
  started_at AS "startedAt", last_at AS "at", wake_at AS "wakeAt", lease_owner, lease_until
  FROM @threads WHERE seq >= 0`

const DUE = `SELECT name, graph, spec_hash AS "specHash", lease_owner, lease_until FROM @threads
  WHERE seq >= 0 AND id IN (
    SELECT id FROM @threads WHERE due_at <= $1 AND wake_at <= $1
    UNION ALL SELECT thread FROM @inbox WHERE state = 'waiting'
  ) ORDER BY id`

/** Unset parameters are null and match all. */
const PAGE = `${LINE} AND ($1::text IS NULL OR graph = $1) AND ($2::text IS NULL OR status = $2)
  AND ($3::text IS NULL OR outcome = $3) AND ($4::text IS NULL OR name >= $4 AND starts_with(name, $4))
  AND ($5::text IS NULL OR name > $5) ORDER BY name LIMIT $6`

const COUNTS = `SELECT graph, status, outcome, count(*)::integer AS count FROM @threads WHERE seq >= 0
  GROUP BY graph, status, outcome`

const DRIVEN = `SELECT name AS thread, seq FROM @threads WHERE seq >= 0 AND id IN (
    SELECT id FROM @threads WHERE lease_owner IS NOT NULL
    UNION ALL SELECT id FROM @threads WHERE changed > $1
  ) ORDER BY id`

type Lists = Pick<Store, 'due' | 'threads' | 'thread' | 'page' | 'counts' | 'driven'>

export function threads({ statement, execute }: Connection): Lists {
  const due = statement(DUE)
  const all = statement(`${LINE} ORDER BY id`)
  const one = statement(`${LINE} AND name = $1`)
  const page = statement(PAGE)
  const counts = statement(COUNTS)
  const driven = statement(DRIVEN)
  const lastChange = statement('SELECT last::float8 AS last FROM @counter')
  return {
    async due(now, { isOwnerDead = () => false, graphs } = {}) {
      type Line = LeaseLine & GraphIdentity & { readonly name: string }
      const lines = await execute<Line>(due, [now])
      return lines.flatMap(line => {
        const lease = leaseOf(line)
        const free = !lease || lease.until <= now || isOwnerDead(lease.owner)
        return free && isOfGraphs(line, graphs) ? line.name : []
      })
    },
    threads: async () => (await execute<ThreadLine>(all)).map(summaryOf),
    async page({ graph, status, outcome, prefix, after, limit }) {
      const values = [graph, status, outcome, prefix, after, limit]
      return (await execute<ThreadLine>(page, values)).map(summaryOf)
    },
    async counts() {
      const lines = await execute<ThreadCount & { readonly outcome: string | null }>(counts)
      return lines.map(({ outcome, ...of }) => ({ ...of, ...(outcome !== null && { outcome }) }))
    },
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

function summaryOf({ lease_owner, lease_until, ...line }: ThreadLine): ThreadSummary {
  const lease = leaseOf({ lease_owner, lease_until })
  const summary = Object.fromEntries(Object.entries(line).filter(([, value]) => value !== null))
  return { ...(summary as unknown as ThreadSummary), ...(lease && { lease }) }
}
