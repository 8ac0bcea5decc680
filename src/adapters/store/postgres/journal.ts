/** The journal with its checkpoints. A batch is one statement, and so one round trip and one transaction. */
import {
  checkpointName,
  damagedError,
  eventName,
  parseRows,
  textOfRow,
} from '../../../runtime/store/row-text.ts'
import { type Head, checkBatch } from '../../../runtime/store/head.ts'
import {
  type Batch,
  type Loaded,
  type Store,
  ThreadPruned,
  UnknownThread,
} from '../../../runtime/store/store.ts'
import { originIn } from '../../../runtime/store/retention.ts'
import type { Row } from '../../../core/run/run.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { upcastRows } from '../../../runtime/store/upcast.ts'
import { type Body, checkpointKey, parseBody, summed } from '../../../runtime/store/body.ts'
import type { Connection, Execute, Statement } from './connection.ts'
import { poolOf } from './shared-tables.ts'
import { HEAD, type HeadLine, headOf, HELD } from './threads.ts'

/** Events are numbered in 32 bits. */
const SEQ_MAX = 2_147_483_647

/** Writes a batch if its lease is held and its rows follow; otherwise it writes nothing and returns no line. */
const APPEND = `WITH head AS (
    UPDATE @threads SET seq = $5, graph = $6, spec_hash = $7, status = $8, detail = $9, outcome = $10, started_at = $11,
      last_at = $12, wake_at = $13, due_at = $14, version = coalesce($15, version),
      origin = coalesce($30, origin), waits = $35::json, tally = $36::json
    WHERE name = $1 AND lease_owner = $2 AND epoch = $3 AND seq = $4 RETURNING id
  ), event AS (
    INSERT INTO @events (thread, seq, body, sum)
    SELECT id, $4 + nth, body, sum FROM head, unnest($16::text[], $31::bigint[]) WITH ORDINALITY AS rows (body, sum, nth)
  ), run AS (
    INSERT INTO @checkpoints (thread, seq, run, sum) SELECT id, $17, $18, $32 FROM head WHERE $18::text IS NOT NULL
    ON CONFLICT (thread, seq) DO UPDATE SET run = excluded.run, sum = excluded.sum
  ), chunk AS (
    INSERT INTO @chunks (hash, thread, body, sum)
    SELECT hash, id, body, sum FROM head, unnest($19::text[], $20::text[], $33::bigint[]) AS chunks (hash, body, sum)
    ON CONFLICT DO NOTHING
  ), settled AS (
    INSERT INTO @inbox AS known (thread, command, state, reason)
    SELECT id, command, state, reason
    FROM head, unnest($21::text[], $22::text[], $23::text[]) AS settlements (command, state, reason)
    ON CONFLICT (thread, command) DO UPDATE SET state = excluded.state, reason = excluded.reason
    WHERE known.state = 'waiting'
  ), expired AS (
    DELETE FROM @shares USING head, unnest($24::text[], $25::float8[]) AS ends (pool, last_at)
    WHERE shares.pool = ends.pool AND until <= ends.last_at AND thread <> $1
  ), share AS (
    INSERT INTO @shares (pool, thread, scope, key, until, body, sum)
    SELECT pool, $1, scope, key, until, body, sum
    FROM head, unnest($24::text[], $26::text[], $27::text[], $28::float8[], $29::text[], $34::bigint[]) AS given (pool, scope, key, until, body, sum)
    ON CONFLICT (pool, thread) DO UPDATE SET until = excluded.until, body = excluded.body, sum = excluded.sum
  ), blob AS (
    INSERT INTO @blobs (hash, body) SELECT hash, body FROM head, unnest($37::text[], $38::text[]) AS blobs (hash, body) ON CONFLICT DO NOTHING
  ) SELECT id FROM head`

/** `noteChange` is called with each thread that has new rows. */
export function appender(
  connection: Connection,
  noteChange: (thread: string) => void,
): Store['append'] {
  const { statement, retried, transaction } = connection
  const statements = {
    append: statement(APPEND),
    head: statement(HEAD),
    last: statement(LAST),
    make: statement(MAKE),
    held: statement(HELD),
  }
  const inOrder = queues()
  return async (...batches) => {
    for (const batch of batches) checkBatch(batch, headBefore(batch))
    const lines = batches.map(batch => ({ batch, values: valuesOf(batch) }))
    const [first] = lines
    if (!first) return
    // One thread writes one batch at a time: two connections could swap them.
    await inOrder(first.batch.lease.thread, () =>
      lines.length === 1 && isOneStatement(first.batch)
        ? retried((execute, again) => write(execute, statements, { ...first, again }))
        : transaction(async (execute, again) => {
            for (const line of lines) await write(execute, statements, { ...line, again })
          }),
    )
    for (const { batch } of lines) noteChange(batch.lease.thread)
  }
}

const isOneStatement = ({ once, copiedFrom }: Batch): boolean =>
  once === undefined && copiedFrom === undefined

/** The head that a batch expects. */
const headBefore = ({ lease, rows, summary }: Batch): Head => ({
  seq: (rows[0]?.seq ?? summary.seq + 1) - 1,
  epoch: lease.epoch,
  lease,
})

/** Runs the calls with one key one after another. */
function queues() {
  const last = new Map<string, Promise<unknown>>()
  return async (key: string, work: () => Promise<void>): Promise<void> => {
    const before = last.get(key)
    const own = (before ?? Promise.resolve()).then(work, work)
    last.set(key, own)
    try {
      await own
    } finally {
      if (last.get(key) === own) last.delete(key)
    }
  }
}

/** Takes the name of a request. No line: it is taken. Another transaction that takes it is waited for. */
const MAKE = `INSERT INTO @blobs (hash, body) VALUES ($1, 'true') ON CONFLICT DO NOTHING RETURNING hash`

const LAST = `SELECT body FROM @events WHERE thread = (SELECT id FROM @threads WHERE name = $1) AND seq = $2`

interface Line {
  readonly batch: Batch
  readonly values: ReturnType<typeof valuesOf>
  /** An earlier try may have been executed before its connection was lost. */
  readonly again: boolean
}

type Statements = Readonly<Record<'append' | 'head' | 'last' | 'make' | 'held', Statement>>

/** @throws Conflict, ThreadPruned, UnknownThread */
async function write(
  execute: Execute,
  { append, head, last, make, held }: Statements,
  { batch, values, again }: Line,
): Promise<void> {
  const { lease, rows, summary, once, copiedFrom } = batch
  const isNew = once === undefined || (await execute(make, [once])).length > 0
  if (isNew && copiedFrom !== undefined && (await execute(held, [copiedFrom])).length === 0)
    throw new UnknownThread(copiedFrom)
  if (isNew && (await execute(append, values)).length > 0) return
  const [line] = await execute<HeadLine>(head, [lease.thread])
  const now = headOf(line)
  const own = rows.at(-1)
  if (again && own && now.seq === summary.seq && now.epoch === lease.epoch) {
    const [stored] = await execute<{ body: string }>(last, [lease.thread, own.seq])
    if (stored?.body === textOfRow(own)) return
  }
  checkBatch(batch, now)
  if (!isNew) throw new ThreadPruned(lease.thread)
  // The lease was renewed or taken between the two statements.
  throw new Error(`thread '${lease.thread}': the batch after row ${now.seq} was not stored`)
}

function valuesOf({ lease, rows, summary, wakeAt, checkpoint, ...more }: Batch) {
  const { settled = [], shares = [], blobs = NO_BLOBS } = more
  const { seq, graph, specHash, status, detail, outcome, startedAt, at } = summary
  const dueAt =
    wakeAt === undefined || status === 'ended' ? null : wakeAt <= at ? -Infinity : wakeAt
  const chunks = [...(checkpoint?.chunks ?? [])]
  const bodies = rows.map(textOfRow)
  const run = checkpoint && JSON.stringify(checkpoint.run)
  const chunkBodies = chunks.map(([, body]) => JSON.stringify(body))
  const shareBodies = shares.map(share => JSON.stringify(share))
  const settlements = [...new Map(settled.toReversed().map(each => [each.command, each])).values()]
  return [
    ...[lease.thread, lease.owner, lease.epoch, (rows[0]?.seq ?? seq + 1) - 1],
    ...[
      seq,
      graph,
      specHash,
      status,
      withoutNul(detail),
      outcome,
      startedAt,
      at,
      wakeAt,
      dueAt,
      versionIn(rows[0]),
    ],
    bodies,
    checkpoint?.seq,
    run,
    chunks.map(([hash]) => hash),
    chunkBodies,
    settlements.map(({ command }) => command),
    settlements.map(({ refused }) => (refused ? 'refused' : 'done')),
    settlements.map(({ refused }) => (refused ? JSON.stringify(refused) : null)),
    shares.map(poolOf),
    shares.map(share => share.at),
    shares.map(({ scope }) => scope),
    shares.map(({ key }) => key),
    shares.map(({ until }) => until),
    shareBodies,
    originIn(rows),
    bodies.map(body => sumOf(body)),
    run === undefined ? null : sumOf(run, checkpointKey(lease.thread, checkpoint?.seq ?? -1)),
    chunkBodies.map(body => sumOf(body)),
    shareBodies.map(body => sumOf(body)),
    summary.waits && JSON.stringify(summary.waits),
    summary.tally && JSON.stringify(summary.tally),
    [...blobs.keys()],
    [...blobs.values()].map(value => JSON.stringify(value)),
  ]
}

/** Postgres stores no NUL in a text. The events keep it, as JSON. */
const withoutNul = (text: string): string => text.replaceAll('\0', '\uFFFD')

const NO_BLOBS: ReadonlyMap<string, Json> = new Map()

const sumOf = (text: string, key?: string): number => summed(text, key)[1]

const versionIn = (row: Row | undefined): string | undefined =>
  row?.event.type === 'thread.started' ? row.event.versions.escapement : undefined

interface NearestLine {
  readonly id: string
  readonly seq: number
  readonly version: string | null
  readonly checkpoint: number | null
  readonly run: string | null
  readonly sum: number | null
}

/** Reads without a transaction: rows never change, and each statement sees only complete batches. A later one may see more rows. */
export function reader({
  statement,
  execute,
}: Connection): Pick<Store, 'load' | 'rows' | 'chunks'> {
  const nearest = statement(
    `SELECT id, threads.seq, version, nearest.seq AS checkpoint, run, sum::float8 AS sum FROM @threads LEFT JOIN LATERAL (
       SELECT seq, run, sum FROM @checkpoints WHERE thread = id AND seq <= least($2, threads.seq) ORDER BY seq DESC LIMIT 1
     ) AS nearest ON true WHERE name = $1 AND threads.seq >= 0`,
  )
  const head = statement(HEAD)
  const between = statement(
    'SELECT body, sum::float8 AS sum FROM @events WHERE thread = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq',
  )
  const after = statement(
    `SELECT body, events.sum::float8 AS sum, version FROM @threads JOIN @events ON thread = id AND events.seq >= $2 WHERE name = $1
     ORDER BY events.seq LIMIT $3`,
  )
  const chunk = statement(
    'SELECT DISTINCT ON (hash) hash, body, sum::float8 AS sum FROM @chunks WHERE hash = ANY ($1)',
  )
  return {
    async load(thread, seq = SEQ_MAX): Promise<Loaded | undefined> {
      const upTo = Math.min(seq, SEQ_MAX)
      const [line] = await execute<NearestLine>(nearest, [thread, upTo])
      if (!line) return undefined
      const { id, checkpoint, run, sum } = line
      const first = (checkpoint ?? -1) + 1
      const last = Math.min(upTo, line.seq)
      const lines = await execute<Body>(between, [id, first, last])
      if (first + lines.length <= last) {
        // The thread may have been removed between the two statements.
        const [now] = await execute<HeadLine>(head, [thread])
        if (now?.id !== id) return undefined
        throw damagedError(eventName(thread, last))
      }
      const version = line.version ?? undefined
      const rows = upcastRows(version, parseRows({ thread, first }, lines, parseBody))
      if (checkpoint === null || run === null) return { rows }
      const [what, key] = [checkpointName(thread, checkpoint), checkpointKey(thread, checkpoint)]
      return {
        checkpoint: { seq: checkpoint, run: parseBody({ body: run, sum }, what, key) },
        rows,
      }
    },
    async rows(thread, seq = -1, limit) {
      const first = Math.min(Math.max(seq, -1) + 1, SEQ_MAX)
      type Line = Body & { readonly version: string | null }
      const most = limit !== undefined && Number.isFinite(limit) ? limit : null
      const lines = await execute<Line>(after, [thread, first, most])
      const version = lines[0]?.version ?? undefined
      return upcastRows(version, parseRows({ thread, first }, lines, parseBody))
    },
    async chunks(hashes) {
      const lines = await execute<Body & { readonly hash: string }>(chunk, [[...new Set(hashes)]])
      return new Map(
        lines.map(line => [line.hash, parseBody<Json>(line, `the value stored as ${line.hash}`)]),
      )
    },
  }
}
