/** The journal with its checkpoints. A batch is one transaction. */
import type { Batch, Loaded, Store } from '../../../runtime/store/store.ts'
import { checkBatch } from '../../../runtime/store/store.ts'
import type { Row } from '../../../core/run.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import { CONTINUE } from '../../../core/watch/escape/ladder.ts'
import { upcastRows } from '../../../runtime/store/upcast.ts'
import { type Body, type Connection, damagedError, parseBody, summed } from './connection.ts'
import { HEAD, type HeadLine, headOf, settleCommands, shareWriter } from './shared-tables.ts'

const ID = '(SELECT id FROM threads WHERE name = ?1)'

export function appender(connection: Connection): Store['append'] {
  const { query, command, transaction, method } = connection
  const head = query<HeadLine>(HEAD)
  const addEvent = command('INSERT INTO events (thread, seq, body, sum) VALUES (?1, ?2, ?3, ?4)')
  const summarize = command(
    'UPDATE threads SET seq = ?2, wake_at = ?3, graph = ?4, spec_hash = ?5, status = ?6, detail = ?7, outcome = ?8, started_at = ?9, at = ?10 WHERE id = ?1',
  )
  const addRun = command('REPLACE INTO checkpoints (thread, seq, run, sum) VALUES (?1, ?2, ?3, ?4)')
  const addChunk = command('INSERT OR IGNORE INTO chunks (hash, body, sum) VALUES (?1, ?2, ?3)')
  const settle = settleCommands(connection)
  const publish = shareWriter(connection)
  const add = ({ batch, bodies, run, chunks }: ReturnType<typeof serialize>) => {
    const { checkpoint } = batch
    const { seq, graph, specHash, status, detail, outcome = null, startedAt, at } = batch.summary
    const line = head.get(batch.lease.thread)
    checkBatch(batch, headOf(line))
    const id = line?.id ?? 0
    for (const [index, body] of bodies.entries())
      addEvent(id, seq - bodies.length + 1 + index, ...body)
    const values = [graph, specHash, status, detail, outcome, startedAt, at]
    summarize(id, seq, batch.wakeAt ?? null, ...values)
    if (checkpoint) addRun(id, checkpoint.seq, ...run)
    for (const [hash, body] of chunks) addChunk(hash, ...body)
    if (batch.settled) settle(id, batch.settled)
    batch.shares?.forEach(publish)
  }
  return method((...batches) => {
    // Serializes before the transaction, because other processes wait for its end.
    const serialized = batches.map(serialize)
    transaction(() => serialized.forEach(add))
  })
}

function serialize(batch: Batch) {
  const { checkpoint, rows } = batch
  const chunks = [...(checkpoint?.chunks ?? [])]
  return {
    batch,
    bodies: rows.map(row => summed(bodyOf(row))),
    run: summed(JSON.stringify(checkpoint?.run ?? null)),
    chunks: chunks.map(([hash, chunk]) => [hash, summed(JSON.stringify(chunk))] as const),
  }
}

/** Reads without a transaction: rows never change, and each statement sees only complete batches. A later one may see more rows. */
export function reader({ query, method }: Connection): Pick<Store, 'load' | 'rows' | 'chunks'> {
  const thread = query<HeadLine>(HEAD)
  const nearest = query<Body & { seq: number }>(
    'SELECT seq, run AS body, sum FROM checkpoints WHERE thread = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1',
  )
  const between = query<Body>(
    'SELECT body, sum FROM events WHERE thread = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq',
  )
  const after = query<Body>(
    `SELECT body, sum FROM events WHERE thread = ${ID} AND seq > ?2 ORDER BY seq LIMIT ?3`,
  )
  const version = query<{ version: string | null }>(
    `SELECT CASE WHEN json_valid(body) THEN json_extract(body, '$.event.versions.escapement') END AS version FROM events WHERE thread = ${ID} AND seq = 0`,
  )
  const read = (name: string, first: number, bodies: readonly Body[]) =>
    upcastRows(version.get(name)?.version ?? undefined, rowsOf(name, first, bodies))
  const chunk = query<Body>('SELECT body, sum FROM chunks WHERE hash = ?1')
  return {
    load: method((name, seq = Number.POSITIVE_INFINITY): Loaded | undefined => {
      const line = thread.get(name)
      if (!line || line.seq < 0) return undefined
      const found = nearest.get(line.id, seq)
      const from = found?.seq ?? -1
      const rows = read(name, from + 1, between.all(line.id, from, seq))
      const last = Math.min(seq, line.seq)
      if (from + rows.length < last) throw damagedError(eventOf(name, last))
      if (!found) return { rows }
      const run = parseBody<Json>(found, `the checkpoint of '${name}' at event ${found.seq}`)
      return { checkpoint: { seq: found.seq, run }, rows }
    }),
    // For SQLite, a negative limit means all rows.
    rows: method((name, seq = -1, limit = Number.POSITIVE_INFINITY) =>
      read(name, Math.max(seq, -1) + 1, after.all(name, seq, Number.isFinite(limit) ? limit : -1)),
    ),
    chunks: method(hashes => {
      const valueOf = (hash: string) => (line: Body) =>
        [hash, parseBody<Json>(line, `the value stored as ${hash}`)] as const
      return new Map(hashes.flatMap(hash => chunk.all(hash).map(valueOf(hash))))
    }),
  }
}

/** A row as text, without the default values. They would be a fifth of a journal. */
function bodyOf({ findings, verdict, edges, ...row }: Row): string {
  return JSON.stringify({
    ...row,
    findings: findings.length > 0 ? findings : undefined,
    verdict: verdict.kind === 'continue' ? undefined : verdict,
    edges: edges.length > 0 ? edges : undefined,
  })
}

const eventOf = (thread: string, seq: number) => `event ${seq} in the journal of '${thread}'`

/** Parses consecutive rows. @throws StoreUnavailable if a row is missing or malformed */
function rowsOf(thread: string, first: number, bodies: readonly Body[]): readonly Row[] {
  return bodies.map((line, index) => {
    const what = eventOf(thread, first + index)
    const row = parseBody<(Pick<Row, 'seq' | 'event'> & Partial<Row>) | null>(line, what)
    const valid = typeof row?.event?.type === 'string' && Number.isFinite(row.event.at)
    if (!valid || row.seq !== first + index) throw damagedError(what)
    const { seq, event, findings = [], verdict = CONTINUE, edges = [], ...more } = row
    return { seq, event, findings, verdict, edges, ...more }
  })
}
