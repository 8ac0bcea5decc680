/** SQL over a database, in a read-only transaction on a connection of its own, which always rolls back. */
import type { QueryResult as Reply } from 'pg'
import {
  InvalidQuery,
  isTooLarge,
  QUERY_LIMITS,
  type Queries,
  type QueryLimits,
  type QueryResult,
  type QueryValue,
  tookTooLong,
} from '../../../runtime/store/query/query.ts'
import { checkSelect, placeIn } from '../../../runtime/store/query/select.ts'
import { CHECKPOINTS, type QueryDialect, withTables } from '../../../runtime/store/query/tables.ts'
import { type Connection, inSchema, newClient, type OwnClient } from './connection.ts'
import { explainError } from './errors.ts'
import { LINE } from './line.ts'

const field = (path: string) => `(body::json #>> '{${path.replaceAll('.', ',')}}')`

/** Postgres reads no field of JSON with a NUL or half a surrogate pair in any text: U+FFFD takes their place. */
const READABLE_BODY = String.raw`CASE WHEN strpos(body, '\u0000') + strpos(body, '\ud') > 0
  THEN regexp_replace(body, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'g') ELSE body END AS body`

const DIALECT: QueryDialect = {
  field,
  number: path => `${field(path)}::float8`,
  threads: `SELECT thread, graph, "specHash" AS version, status, outcome, detail, seq, "startedAt" AS started_at, "at", "wakeAt" AS wake_at,
    lease_owner AS driver FROM (${LINE}) AS line`,
  breakers: 'SELECT resource, body FROM @breakers',
  events: `SELECT name AS thread, journal.seq, ${READABLE_BODY} FROM @events AS journal
    JOIN @threads AS threads ON threads.id = journal.thread
    WHERE substr(name, 1, ${CHECKPOINTS.length}) <> '${CHECKPOINTS}'`,
  eachEdge:
    "CROSS JOIN LATERAL json_array_elements_text(body::json -> 'edges') AS each_edge (value)",
  eachFinding: "CROSS JOIN LATERAL json_array_elements(body::json -> 'findings') AS each_finding",
  ofFinding: path => `(each_finding #>> '{${path.replaceAll('.', ',')}}')`,
}

const TABLES = withTables(DIALECT)

/** Runs queries on the schema of a store. */
export function queries(connection: Connection): NonNullable<Queries['query']> {
  const ready = connection.statement('SELECT nspname AS name FROM pg_catalog.pg_namespace')
  const tables = inSchema(TABLES, connection.schema)
  return async (given, limits = {}) => {
    // The pool makes the tables of a new store.
    const schemas = await connection.execute<{ name: string }>(ready)
    const select = checkSelect(given, new Set(schemas.map(({ name }) => name.toLowerCase())))
    const all = { ...QUERY_LIMITS, ...limits }
    const client = await newClient({ ...connection.config, query_timeout: all.ms + 5_000 })
    try {
      await client.connect()
      return resultOf(await run(client, { tables, select, ...all }), all)
    } catch (error) {
      throw meaningOf(error, { place: connection.place, given, before: tables.length, ms: all.ms })
    } finally {
      await client.end().catch(() => {})
    }
  }
}

type Limits = Required<QueryLimits>

/** The line of the size stands in front of the query, which begins in a line of its own. */
const HEAD = '"the result" AS MATERIALIZED (SELECT * FROM (\n'

/**
 * The size stands beside each line; beyond its limit, the server sends no line. The `(line).*` of a table is
 * the whole line, whatever its columns are called.
 */
async function run(
  client: OwnClient,
  {
    tables,
    select,
    rows,
    bytes,
    ms,
  }: Limits & { readonly tables: string; readonly select: string },
): Promise<Reply<unknown[]>> {
  await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.round(ms)};
    SET LOCAL lock_timeout = ${Math.round(ms)}; SET LOCAL search_path = ''; SET LOCAL standard_conforming_strings = on;
    SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off`)
  const text = `${tables.trimEnd()},\n${HEAD}${select}\n) AS given LIMIT ${rows + 1}), "the size" AS (
    SELECT coalesce(sum(octet_length(("the result".*)::text)), 0) AS bytes FROM "the result")
    SELECT "the size".bytes, "the result".* FROM "the size" LEFT JOIN "the result" ON "the size".bytes <= ${bytes}`
  // With `values`, the server takes exactly one statement.
  const types = { getTypeParser: (oid: number) => PARSERS[oid] ?? String }
  const query = { text, values: [], rowMode: 'array', queryMode: 'extended', types }
  return client.query(query as never) as never
}

/** By the numbers of types: booleans, integers, and numbers with fractions. */
const PARSERS: Readonly<Record<number, (text: string) => QueryValue>> = {
  16: text => text === 't',
  20: numberOf,
  21: numberOf,
  23: numberOf,
  700: numberOf,
  701: numberOf,
  1700: numberOf,
}

/** A number with more digits than JSON keeps stays a text. */
function numberOf(text: string): QueryValue {
  const number = Number(text)
  const isExact = Number.isFinite(number) && text.replace(/\D/g, '').length <= 17
  return isExact && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : text
}

function resultOf({ fields, rows }: Reply<unknown[]>, limits: Limits): QueryResult {
  const size = Number(rows[0]?.[0] ?? 0)
  if (size > limits.bytes) throw isTooLarge(limits.bytes)
  // Without rows, one line says that the size is zero.
  const lines = size === 0 ? [] : rows.map(([, ...values]) => values as QueryValue[])
  return {
    columns: fields.slice(1).map(({ name }) => name),
    rows: lines.slice(0, limits.rows),
    truncated: lines.length > limits.rows,
  }
}

interface Asked {
  readonly place: string
  readonly given: string
  /** The characters in front of the query. */
  readonly before: number
  readonly ms: number
}

/** SQLSTATE classes of a wrong query: syntax, data, permissions, nesting, and writes. */
const WRONG = /^(0A|21|22|23|25|2F|3F|42|44|54)/

function meaningOf(error: unknown, { place, given, before, ms }: Asked): unknown {
  const { code = '', message, position } = error as Record<'code' | 'message' | 'position', string>
  if (code === '57014' || message === 'Query read timeout') return tookTooLong(ms)
  if (!WRONG.test(code)) return explainError(place, error)
  const at = Number(position) - 1 - before - HEAD.length - 1
  const where = at >= 0 && at <= given.length ? `${placeIn(given, at)}: ` : ''
  return new InvalidQuery(`Postgres: ${where}${message}`, { cause: error })
}
