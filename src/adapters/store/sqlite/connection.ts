/** An open database file: prepared statements, transactions, and errors that name the file. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { StoreUnavailable } from '../../../runtime/store/store.ts'

/** A statement that returns lines of this type. */
export interface Query<Line> {
  get(...values: SQLInputValue[]): Line | undefined
  all(...values: SQLInputValue[]): Line[]
}

export type Connection = ReturnType<typeof connect>

/** A call that waits for the transaction of its group. */
type Waiting<Work> = Readonly<{ work: Work; resolve: () => void; reject: (error: unknown) => void }>

export function connect(db: DatabaseSync, file: string) {
  let closed = false
  /** Makes an asynchronous method of a store from synchronous work. */
  function method<A extends readonly unknown[], R>(work: (...args: A) => R) {
    return async (...args: A): Promise<R> => {
      try {
        return work(...args)
      } catch (error) {
        throw explainOwnError(file, error)
      }
    }
  }
  const prepare = (sql: string) => {
    try {
      return db.prepare(sql)
    } catch (error) {
      throw explainOwnError(file, error)
    }
  }
  return {
    query: <Line>(sql: string) => prepare(sql) as unknown as Query<Line>,
    command(sql: string) {
      const statement = prepare(sql)
      return (...values: SQLInputValue[]) => void statement.run(...values)
    },
    transaction: <R>(work: () => R) => inTransaction(db, work),
    method,
    /** Calls that meet in one tick of the event loop share a transaction. */
    grouped<Work>(perform: (work: Work) => void) {
      let group: Waiting<Work>[] = []
      const commit = (calls: readonly Waiting<Work>[]) => {
        try {
          inTransaction(db, () => {
            for (const { work } of calls) perform(work)
          })
          for (const { resolve } of calls) resolve()
        } catch (error) {
          // Each call of the group gets its own transaction, so that the error rejects only its call.
          if (calls.length > 1) for (const call of calls) commit([call])
          else calls[0]?.reject(explainOwnError(file, error))
        }
      }
      const flush = () => {
        const calls = group
        group = []
        commit(calls)
      }
      return (work: Work): Promise<void> =>
        new Promise((resolve, reject) => {
          // The threads that are ready to append do so before this phase of the event loop.
          if (group.length === 0) setImmediate(flush)
          group.push({ work, resolve, reject })
        })
    },
    atomic: <A extends readonly unknown[], R>(work: (...args: A) => R) =>
      method((...args: A) => inTransaction(db, () => work(...args))),
    close() {
      if (!closed) closeFile(db)
      closed = true
    },
  }
}

/** Moves the write-ahead log into the file. If that fails or another process is reading, the log keeps its content. */
function closeFile(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the file does it.
  } finally {
    db.close()
  }
}

/** Runs the work completely or not at all. Writers in other processes wait until it ends. */
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
      // After a full disk or a failed write, SQLite has already rolled back.
    }
    throw error
  }
}

/** By the primary result code of SQLite. Any other code is a bug in a statement of this store. */
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

/** The code of a file that another process has locked. */
const LOCKED = 5

/** The primary result code of SQLite. It is the lowest byte of an extended code. */
export function resultCode(error: unknown): number | undefined {
  const { code, errcode } = error as { code?: unknown; errcode?: number }
  return code === 'ERR_SQLITE_ERROR' && errcode !== undefined ? errcode & 0xff : undefined
}

/** Turns an error of SQLite about the file into `StoreUnavailable`. Any other error stays unchanged. */
export function explainError(file: string, cause: unknown): unknown {
  if (!(cause instanceof Error && 'code' in cause)) return cause
  if (cause.code === 'ERR_INVALID_STATE')
    return new StoreUnavailable(`${file} has been closed`, { cause })
  const code = resultCode(cause)
  const message = MESSAGES[code ?? 0]?.(file)
  if (message === undefined) return cause
  const isTemporary = code === LOCKED
  return new StoreUnavailable(`${message} (${cause.message})`, { cause, isTemporary })
}

/** As `explainError`, for a statement of the store itself: a table that is missing is a fault of the file. */
export function explainOwnError(file: string, cause: unknown): unknown {
  const isSchema =
    cause instanceof Error && /^no such (table|column)|is a view$/.test(cause.message)
  if (!isSchema || resultCode(cause) === undefined) return explainError(file, cause)
  const wrong = `${file} does not have the tables of its version; restore it from a backup`
  return new StoreUnavailable(`${wrong} (${cause.message})`, { cause })
}
