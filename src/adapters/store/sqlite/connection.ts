/** One open file: statements that are prepared once, transactions, and errors that say which file they are about. */
import { resolve } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { StoreUnavailable } from '../../../runtime/store/store.ts'
import { explainError, resultCode } from './errors.ts'
import { nodeSqlite } from './node-sqlite.ts'
import { MIGRATIONS, migrate, versionOf } from './schema.ts'
import { inTransaction } from './transaction.ts'

export interface SqliteOptions {
  readonly file: string
  /** `FULL` (default): an append that has returned survives a power cut. `NORMAL`: it survives the death of the process only. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** For whoever only looks on; the file must exist. */
  readonly readOnly?: boolean
}

/** A statement that yields lines of this shape. */
export interface Query<Line> {
  get(...values: SQLInputValue[]): Line | undefined
  all(...values: SQLInputValue[]): Line[]
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

/** How long a write waits for those of other processes, in ms. */
const PATIENCE = 5_000

/** @throws StoreUnavailable */
export function open({
  file,
  synchronous = 'FULL',
  readOnly = false,
}: SqliteOptions): DatabaseSync {
  const { DatabaseSync } = nodeSqlite()
  let db: DatabaseSync | undefined
  try {
    // As an absolute path it is never taken for a `file:` URI.
    db = new DatabaseSync(resolve(file), { readOnly })
    db.exec(`PRAGMA busy_timeout = ${PATIENCE}`)
    const version = versionOf(db, file)
    if (readOnly) {
      if (version < MIGRATIONS.length)
        throw new StoreUnavailable(
          `${file} has schema version ${version}, this escapement reads version ${MIGRATIONS.length}: open it for writing once`,
        )
      return db
    }
    useWriteAheadLog(db)
    db.exec(`PRAGMA synchronous = ${synchronous}`)
    if (version < MIGRATIONS.length) migrate(db, file)
    return db
  } catch (error) {
    db?.close()
    throw explainError(file, error)
  }
}

/**
 * The change to the write-ahead log does not wait for other processes that open the same new file at this moment, it fails.
 * A transaction does wait for them; after it, the change is tried again, or has been made by one of them.
 */
function useWriteAheadLog(db: DatabaseSync, tries = 20): void {
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (resultCode(error) !== 5 || tries === 0) throw error
    db.exec('BEGIN IMMEDIATE; COMMIT')
    useWriteAheadLog(db, tries - 1)
  }
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

/** Moves what stands in the write-ahead log into the file. Where that fails, or others are reading, nothing is lost: it stays in the log. */
function closeFile(db: DatabaseSync): void {
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // The next process that opens the file does it.
  } finally {
    db.close()
  }
}
