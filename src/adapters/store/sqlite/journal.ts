/** The journal with its checkpoints. A batch is one transaction. */
import { checkBatch } from '../../../runtime/store/head.ts'
import {
  type Batch,
  type Loaded,
  type Store,
  ThreadPruned,
  UnknownThread,
} from '../../../runtime/store/store.ts'
import type { Json } from '../../../core/watch/data/json.ts'
import {
  checkpointName,
  damagedError,
  eventName,
  parseRows,
  textOfRow,
} from '../../../runtime/store/row-text.ts'
import { upcastRows } from '../../../runtime/store/upcast.ts'
import { type Body, checkpointKey, parseBody, summed } from '../../../runtime/store/body.ts'
import type { Connection } from './connection.ts'
import { ADD_BLOB, requests, settleCommands, shareWriter } from './shared-tables.ts'
import { lineSum } from './damaged-lines.ts'
import { tallyTexts } from './tally.ts'
import type { IndexChecks } from './damaged-indexes.ts'
import { headLine, headOf, headReader, tailSumOf } from './head-line.ts'

const ID = '(SELECT id FROM threads WHERE name = ?1)'

/** Appends that meet in one tick of the event loop share a transaction. */
export function appender(connection: Connection): Store['append'] {
  const { command, grouped } = connection
  const head = headLine(connection)
  const addEvent = command(
    'INSERT INTO events (place, body, sum, detail, spent) VALUES (?1 << 32 | ?2, ?3, ?4, ?5, ?6)',
  )
  const summarize = summaryWriter(connection)
  const mark = command('UPDATE threads SET tail = ?2 << 32 | ?3 WHERE id = ?1')
  const addRun = command('REPLACE INTO checkpoints (thread, seq, run, sum) VALUES (?1, ?2, ?3, ?4)')
  const addChunk = command('INSERT OR IGNORE INTO chunks (hash, body, sum) VALUES (?1, ?2, ?3)')
  const addBlob = command(ADD_BLOB)
  const made = requests(connection)
  const settle = settleCommands(connection)
  const publish = shareWriter(connection)
  const add = ({ batch, bodies, run, chunks, blobs }: ReturnType<typeof serialize>) => {
    const { checkpoint, summary, copiedFrom } = batch
    const line = head(batch.lease.thread)
    checkBatch(batch, headOf(line))
    if (made.has(batch.once)) throw new ThreadPruned(batch.lease.thread)
    if (copiedFrom !== undefined && headOf(head(copiedFrom)).seq < 0)
      throw new UnknownThread(copiedFrom)
    const id = line?.id ?? 0
    const last = bodies.length - 1
    const [, spent] = tallyTexts(summary.tally)
    for (const [index, body] of bodies.entries()) {
      const shown = index === last ? [summary.detail, spent] : [null, null]
      addEvent(id, summary.seq - last + index, ...body, ...shown)
    }
    summarize(id, batch)
    mark(id, summary.seq, tailSumOf(batch.lease.thread, summary.seq))
    if (checkpoint) addRun(id, checkpoint.seq, ...run)
    for (const [hash, body] of chunks) addChunk(hash, ...body)
    for (const [hash, body] of blobs) addBlob(hash, body)
    made.add(batch.once)
    if (batch.settled) settle(batch.lease.thread, id, batch.settled)
    batch.shares?.forEach(publish)
  }
  const append = grouped((batches: readonly ReturnType<typeof serialize>[]) => batches.forEach(add))
  // Serializes before the transaction, because other processes wait for its end.
  return async (...batches) => append(batches.map(serialize))
}

/**
 * Writes the line of a thread. It stays unchanged while only the last event, the active states and the spending change, and the
 * thread is due at once: a reader takes these from the last event. Most appends then write no index.
 */
function summaryWriter({ command }: Connection): (id: number, batch: Batch) => void {
  const write = command(
    `UPDATE threads SET seq = ?2, wake_at = ?3, graph = ?4, spec_hash = ?5, status = ?6, outcome = ?7, started_at = ?8, at = ?9, detail = ?10, sum = ?12, waits = ?13, found = ?14, spent = ?15
     WHERE id = ?1 AND NOT (?11 AND wake_at IS at AND (graph, spec_hash, status, outcome, started_at, waits, found) IS (?4, ?5, ?6, ?7, ?8, ?13, ?14))`,
  )
  return (id, { rows, wakeAt, checkpoint, summary }) => {
    const { seq, graph, specHash, status, detail, outcome = null, startedAt, at } = summary
    const isInEvent = wakeAt === at && rows.at(-1)?.event.at === at && !checkpoint
    const kind = [graph, specHash, status, outcome, startedAt]
    const waits = summary.waits ? JSON.stringify(summary.waits) : null
    const sum = lineSum([seq, wakeAt ?? null, ...kind, at, detail], waits)
    const values = [seq, wakeAt ?? null, ...kind, at, detail, Number(isInEvent), sum, waits]
    write(id, ...values, ...tallyTexts(summary.tally))
  }
}

function serialize(batch: Batch) {
  const { checkpoint, rows, lease } = batch
  const key = checkpointKey(lease.thread, checkpoint?.seq ?? -1)
  const chunks = [...(checkpoint?.chunks ?? [])]
  return {
    batch,
    bodies: rows.map(row => summed(textOfRow(row))),
    run: summed(JSON.stringify(checkpoint?.run ?? null), key),
    chunks: chunks.map(([hash, chunk]) => [hash, summed(JSON.stringify(chunk))] as const),
    blobs: [...(batch.blobs ?? [])].map(([hash, value]) => [hash, JSON.stringify(value)] as const),
  }
}

/** Reads without a transaction: rows never change, and each statement sees only complete batches. A later one may see more rows. */
export function reader(
  connection: Connection,
  checks: IndexChecks,
): Pick<Store, 'load' | 'rows' | 'chunks'> {
  const { query, method } = connection
  const find = headReader(connection, checks)
  const nearest = query<Body & { seq: number }>(
    'SELECT seq, run AS body, sum FROM checkpoints WHERE thread = ?1 AND seq <= ?2 ORDER BY seq DESC LIMIT 1',
  )
  const between = query<Body>(
    'SELECT body, sum FROM events WHERE place BETWEEN ?1 << 32 | ?2 AND ?1 << 32 | ?3 ORDER BY place',
  )
  const after = query<Body>(
    `SELECT body, sum FROM events WHERE place BETWEEN ${ID} << 32 | ?2 AND ${ID} << 32 | 0xffffffff ORDER BY place LIMIT ?3`,
  )
  const version = query<{ version: string | null }>(
    `SELECT CASE WHEN json_valid(body) THEN json_extract(body, '$.event.versions.escapement') END AS version FROM events WHERE place = ${ID} << 32`,
  )
  const read = (name: string, first: number, bodies: readonly Body[]) =>
    upcastRows(
      version.get(name)?.version ?? undefined,
      parseRows({ thread: name, first }, bodies, parseBody),
    )
  const chunk = query<Body>('SELECT body, sum FROM chunks WHERE hash = ?1')
  return {
    load: method((name, seq = Number.POSITIVE_INFINITY): Loaded | undefined => {
      const line = find(name)
      if (!line || line.seq < 0) return undefined
      const last = Math.min(seq, line.seq)
      const found = nearest.get(line.id, last)
      const from = found?.seq ?? -1
      const rows = read(name, from + 1, between.all(line.id, from + 1, last))
      const next = from + 1 + rows.length
      if (next <= last) {
        // Another process may have removed the thread meanwhile.
        if (find(name)?.id !== line.id) return undefined
        throw damagedError(eventName(name, next))
      }
      if (!found) return { rows }
      const run = parseBody<Json>(found, checkpointName(name, from), checkpointKey(name, from))
      return { checkpoint: { seq: found.seq, run }, rows }
    }),
    // For SQLite, a negative limit means all rows.
    rows: method((name, seq = -1, limit = Number.POSITIVE_INFINITY) => {
      const first = Math.max(seq, -1) + 1
      const line = find(name)
      if (!line) return []
      const rows = read(name, first, after.all(name, first, Number.isFinite(limit) ? limit : -1))
      const next = first + rows.length
      if (rows.length >= limit || next > line.seq) return rows
      // Another process may have removed the thread meanwhile.
      if (find(name)?.id !== line.id) return []
      throw damagedError(eventName(name, next))
    }),
    chunks: method(hashes => {
      const valueOf = (hash: string) => (line: Body) =>
        [hash, parseBody<Json>(line, `the value stored as ${hash}`)] as const
      return new Map(hashes.flatMap(hash => chunk.all(hash).map(valueOf(hash))))
    }),
  }
}
