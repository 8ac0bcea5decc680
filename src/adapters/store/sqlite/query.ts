/** SQL over a file, in a process of its own: SQLite cannot interrupt a query of this process, and its memory would be that of the threads. */
import { execFile } from 'node:child_process'
import { extname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  InvalidQuery,
  isTooLarge,
  QUERY_LIMITS,
  type Queries,
  type QueryResult,
  tookTooLong,
} from '../../../runtime/store/query/query.ts'
import { checkSelect } from '../../../runtime/store/query/select.ts'
import { CHECKPOINTS, type QueryDialect, withTables } from '../../../runtime/store/query/tables.ts'
import { StoreUnavailable } from '../../../runtime/store/store.ts'
import { explainError } from './connection.ts'
import { LINE } from './threads.ts'

/** What the process receives, on a line of its input. */
export type Asked = Readonly<{ file: string; sql: string; rows: number; bytes: number }>

/** What the process writes to its output. */
export type Answered =
  | { readonly result: QueryResult }
  | { readonly tooLarge: true }
  | { readonly error: Readonly<{ message: string; code?: string; errcode?: number }> }

/** The compiled package has `.js` files, the sources `.ts`. */
const PROCESS = fileURLToPath(
  new URL(`./query-process${extname(import.meta.url)}`, import.meta.url),
)

const SCHEMAS = new Set(['main', 'temp'])

const pathOf = (path: string) => `'$.${path.replaceAll(/\.(\d+)/g, '[$1]')}'`

const DIALECT: QueryDialect = {
  field: path => `(body ->> ${pathOf(path)})`,
  number: path => `(body ->> ${pathOf(path)})`,
  threads: `SELECT thread, graph, specHash AS version, status, outcome, detail, seq, startedAt AS started_at, at, wakeAt AS wake_at,
    lease_owner AS driver FROM (${LINE})`,
  breakers: 'SELECT resource, body FROM main.breakers',
  // The place is the key of an event: a query of one thread reads no other.
  events: `SELECT name AS thread, journal.seq, body FROM main.threads JOIN main.events AS journal
    ON journal.place BETWEEN threads.id << 32 AND threads.id << 32 | 0xffffffff
    WHERE substr(name, 1, ${CHECKPOINTS.length}) <> '${CHECKPOINTS}'`,
  eachEdge: "JOIN json_each(body, '$.edges') AS each_edge",
  eachFinding: "JOIN json_each(body, '$.findings') AS each_finding",
  ofFinding: path => `(each_finding.value ->> ${pathOf(path)})`,
}

const TABLES = withTables(DIALECT)

/** Runs queries on a file. */
export function queries(file: string): NonNullable<Queries['query']> {
  return async (given, limits = {}) => {
    const { rows, bytes, ms } = { ...QUERY_LIMITS, ...limits }
    const select = checkSelect(given, SCHEMAS)
    const sql = `${TABLES}SELECT * FROM (\n${select}\n) LIMIT ${rows + 1}`
    return resultOf(await ask({ file: resolve(file), sql, rows, bytes }, ms), { file, bytes })
  }
}

function resultOf(
  answered: Answered,
  { file, bytes }: { readonly file: string; readonly bytes: number },
): QueryResult {
  if ('result' in answered) return answered.result
  if ('tooLarge' in answered) throw isTooLarge(bytes)
  const error = Object.assign(new Error(answered.error.message), answered.error)
  const known = explainError(file, error)
  throw known instanceof StoreUnavailable ? known : new InvalidQuery(`SQLite: ${error.message}`)
}

/** Bytes of an answer beside its rows: the names of columns, and the signs of JSON. */
const FRAME = 1_048_576

/** Starts the process, and kills it at its deadline. It ends itself when this process has ended. */
function ask(asked: Asked, ms: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const { execPath, env } = process
    const options = {
      timeout: ms,
      killSignal: 'SIGKILL',
      maxBuffer: asked.bytes + FRAME,
      env: { PATH: env.PATH, TMPDIR: env.TMPDIR, SystemRoot: env.SystemRoot },
    } as const
    const args = ['--disable-warning=ExperimentalWarning', PROCESS]
    const child = execFile(execPath, args, options, (error, output, log) => {
      if (error?.killed) reject(tookTooLong(ms))
      else if (error)
        reject(new StoreUnavailable(`the query process failed (${log.trim() || error.message})`))
      else resolve(JSON.parse(output) as Answered)
    })
    // A process that has ended takes no input; its end is reported above.
    child.stdin?.on('error', () => {})
    child.stdin?.write(`${JSON.stringify(asked)}\n`)
  })
}
