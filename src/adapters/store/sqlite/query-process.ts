/**
 * Runs one query in a process that its caller can kill. The query has a thread of its own: the first thread would otherwise not see
 * that the caller has ended, and an endless query would stay.
 */
import { constants, DatabaseSync } from 'node:sqlite'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { QueryValue } from '../../../runtime/store/query/query.ts'
import type { Answered, Asked } from './query.ts'

/** The longest text that SQLite makes or reads, in bytes. */
const TEXT_MAX = 67_108_864

function startThread(): void {
  let request = ''
  // The one line break of the request is its end. Readline would also end a line at U+2028, which JSON keeps in a text.
  const receive = (text: string) => {
    request += text
    if (!text.endsWith('\n')) return
    process.stdin.off('data', receive).resume()
    startQuery(JSON.parse(request) as Asked)
  }
  process.stdin.setEncoding('utf8').on('data', receive)
  // Only a signal ends a thread within SQLite.
  process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'))
}

function startQuery(workerData: Asked): void {
  const thread = new Worker(new URL(import.meta.url), { workerData })
  thread.once('message', (answered: Answered) =>
    process.stdout.write(JSON.stringify(answered), () => process.exit()),
  )
}

function answer({ file, sql, rows: most, bytes }: Asked): Answered {
  try {
    const db = openReadOnly(file)
    const statement = db.prepare(sql)
    statement.setReadBigInts(true)
    const rows: QueryValue[][] = []
    let columns = statement.columns?.().map(({ name }) => name)
    let size = 0
    for (const line of statement.iterate() as Iterable<Readonly<Record<string, unknown>>>) {
      columns ??= Object.keys(line)
      if (rows.length === most) return { result: { columns, rows, truncated: true } }
      const row = columns.map(name => valueOf(line[name]))
      size += Buffer.byteLength(JSON.stringify(row))
      if (size > bytes) return { tooLarge: true }
      rows.push(row)
    }
    return { result: { columns: columns ?? [], rows, truncated: false } }
  } catch (error) {
    const { message, code, errcode } = error as { message: string; code: string; errcode: number }
    if (errcode === undefined) throw error
    return { error: { message, code, errcode } }
  }
}

const READABLE: ReadonlySet<string> = new Set([
  'threads',
  'events',
  'breakers',
  'json_each',
  'json_tree',
])

function openReadOnly(file: string): DatabaseSync {
  // `limits` is a part of newer versions of Node.js.
  const db = new DatabaseSync(file, { readOnly: true, limits: { length: TEXT_MAX } } as object)
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON')
  const { SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_FUNCTION, SQLITE_READ, SQLITE_OK, SQLITE_DENY } =
    constants
  const allowed = new Set<number>([SQLITE_SELECT, SQLITE_RECURSIVE, SQLITE_FUNCTION])
  const hidden = hiddenTables(db)
  // A count reads the column '', also of a common table, which has any name.
  const canRead = (table: string | null, column: string | null) =>
    column === '' ? !hidden.has((table ?? '').toLowerCase()) : READABLE.has(table ?? '')
  db.setAuthorizer?.((action, table, column) => {
    const isAllowed = allowed.has(action) || (action === SQLITE_READ && canRead(table, column))
    return isAllowed ? SQLITE_OK : SQLITE_DENY
  })
  return db
}

/** The tables of the file that are not for queries. */
function hiddenTables(db: DatabaseSync): ReadonlySet<string> {
  const all = db.prepare('SELECT name FROM sqlite_schema').all() as { name: string }[]
  const names = all.map(({ name }) => name.toLowerCase())
  return new Set(names.filter(name => !READABLE.has(name)))
}

/** A value as JSON keeps it. */
function valueOf(value: unknown): QueryValue {
  if (typeof value === 'bigint')
    return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`
  if (typeof value === 'number') return Number.isFinite(value) ? value : `${value}`
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`
  return typeof value === 'string' ? value : null
}

if (isMainThread) startThread()
else parentPort?.postMessage(answer(workerData as Asked))
