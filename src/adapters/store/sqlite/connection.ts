/** One open file: statements that are prepared once, transactions, and errors that name the file. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { StoreUnavailable } from '../../../runtime/store/store.ts'

/** A statement that yields lines of this shape. */
export interface Query<Line> {
  get(...values: SQLInputValue[]): Line | undefined
  all(...values: SQLInputValue[]): Line[]
}

/** A line that holds one JSON value. */
export interface Body {
  readonly body: string
}

export interface Connection {
  query<Line>(sql: string): Query<Line>
  command(sql: string): (...values: SQLInputValue[]) => void
  /** All of it or nothing. */
  transaction<R>(work: () => R): R
  /** Makes a method of a store of synchronous work. */
  method<A extends readonly unknown[], R>(work: (...args: A) => R): (...args: A) => Promise<R>
  close(): void
}

export function connect(db: DatabaseSync, file: string): Connection {
  let closed = false
  return {
    query: <Line>(sql: string) => db.prepare(sql) as unknown as Query<Line>,
    command(sql) {
      const statement = db.prepare(sql)
      return (...values) => void statement.run(...values)
    },
    transaction: work => inTransaction(db, work),
    method:
      work =>
      async (...args) => {
        try {
          return work(...args)
        } catch (error) {
          throw explainError(file, error)
        }
      },
    close() {
      if (!closed) closeFile(db)
      closed = true
    },
  }
}

/** Moves the write-ahead log into the file. Where that fails, or others are reading, the log keeps its content. */
function closeFile(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the file does it.
  } finally {
    db.close()
  }
}

/** All of it or nothing. Writers in other processes wait until it ends. */
export function inTransaction<R>(db: DatabaseSync, work: () => R): R {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    try {
      db.exec('ROLLBACK')
    } catch {
      // After a full disk or a failed write SQLite has rolled back by itself.
    }
    throw error
  }
}

/** By SQLite's primary result code. Any other code is a fault of a statement of this store, and is thrown as it is. */
const MESSAGES: Readonly<Record<number, (file: string) => string>> = {
  3: file => `no permission to use ${file}`,
  5: file => `${file} has been locked by another process for too long`,
  8: file => `${file} cannot be written: it was opened read-only, or the file is read-only`,
  10: file => `${file} cannot be read or written`,
  11: file => `${file} is damaged`,
  13: file => `the disk is full: no space left for ${file}`,
  14: file =>
    `${file} cannot be opened; expected a file in a folder with write permission, which readers need too`,
  26: file => `${file} is not a SQLite database`,
}

interface SqliteError extends Error {
  readonly code: string
  readonly errcode?: number
}

function isSqliteError(error: unknown): error is SqliteError {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_SQLITE_ERROR' || error.code === 'ERR_INVALID_STATE')
  )
}

/** SQLite's primary result code; extended codes carry it in their lowest byte. */
export function resultCode(error: unknown): number | undefined {
  return isSqliteError(error) && error.errcode !== undefined ? error.errcode & 0xff : undefined
}

/** An error of SQLite that has to do with the file as `StoreUnavailable`; any other error as it is. */
export function explainError(file: string, error: unknown): unknown {
  if (!isSqliteError(error)) return error
  if (error.code === 'ERR_INVALID_STATE')
    return new StoreUnavailable(`${file} has been closed`, { cause: error })
  const message = MESSAGES[resultCode(error) ?? 0]?.(file)
  if (message === undefined) return error
  return new StoreUnavailable(`${message} (${error.message})`, { cause: error })
}
