/** SQL over a store, read-only: what a query may cost, what it returns, and why it fails. */
import { codedError, guardOf } from '../../../core/watch/data/fault.ts'

/** The most that a query returns and takes. */
export interface QueryLimits {
  /** Rows. Further ones are left out, and the result is `truncated`. Default: 1,000. */
  readonly rows?: number
  /** Bytes of the result. A larger one is an error. Default: 4 MiB. */
  readonly bytes?: number
  /** Ms. A longer query is ended. Default: 10,000. */
  readonly ms?: number
}

/** A text stands for what JSON numbers cannot hold: times, infinite numbers, integers beyond 2^53. */
export type QueryValue = string | number | boolean | null

/** The rows of a query. */
export interface QueryResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly QueryValue[])[]
  /** The query has more rows than `limits.rows`. */
  readonly truncated: boolean
}

/** A store that takes queries. */
export interface Queries {
  /**
   * Runs one `SELECT` of the tables for queries, without effects on the store and on the threads. Absent: the store is in memory.
   * @throws InvalidQuery, QueryStopped, StoreUnavailable
   */
  readonly query?: (sql: string, limits?: QueryLimits) => Promise<QueryResult>
}

export const QUERY_LIMITS: Required<QueryLimits> = { rows: 1_000, bytes: 4_194_304, ms: 10_000 }

/** The characters of a query. */
export const SQL_MAX = 20_000

/** Runs a query on a store that may be in memory. @throws InvalidQuery, QueryStopped, StoreUnavailable */
export async function queryIn(
  { query }: Queries,
  sql: string,
  limits?: QueryLimits,
): Promise<QueryResult> {
  if (query) return query(sql, limits)
  throw new InvalidQuery('a store in memory takes no queries: use a SQLite file or Postgres')
}

/** A query that is not one `SELECT`, uses something that queries may not use, or has an error, which the database explains. */
export class InvalidQuery extends codedError('InvalidQuery', 'invalid-query') {}

/** Whether an error is an `InvalidQuery`. */
export const isInvalidQuery = guardOf(InvalidQuery)

/** A query took too long, or its result is too large. The same query will fail again. */
export class QueryStopped extends codedError('QueryStopped', 'query-stopped') {}

/** Whether an error is a `QueryStopped`. */
export const isQueryStopped = guardOf(QueryStopped)

export const tookTooLong = (ms: number): QueryStopped =>
  new QueryStopped(
    `the query took longer than ${ms / 1_000} s and was ended; read fewer threads or events`,
  )

export const isTooLarge = (bytes: number): QueryStopped =>
  new QueryStopped(
    `the result has more than ${bytes} bytes; select fewer columns, or shorten them with substr`,
  )
