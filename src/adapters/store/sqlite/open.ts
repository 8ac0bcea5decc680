/** Opens a database file: checks its version, migrates it, and turns on the write-ahead log. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { StoreUnavailable } from '../../../runtime/store/store.ts'
import { explainError, resultCode } from './connection.ts'
import { MIGRATIONS, migrate, versionOf } from './schema.ts'

export interface SqliteOptions {
  readonly file: string
  /** `FULL` (default): a completed append survives a power cut. `NORMAL`: it survives only the death of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** The file must exist. */
  readonly readOnly?: boolean
}

/** How long a write waits for other processes, in ms. */
const BUSY_TIMEOUT = 5_000

/** @throws StoreUnavailable */
export function open(options: SqliteOptions): DatabaseSync {
  const { file, synchronous = 'FULL', readOnly = false } = options
  const { DatabaseSync } = nodeSqlite()
  let db: DatabaseSync | undefined
  try {
    // SQLite reads an absolute path never as a `file:` URI.
    db = new DatabaseSync(resolve(file), { readOnly })
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`)
    const version = versionOf(db, file)
    if (readOnly && version < MIGRATIONS.length)
      throw new StoreUnavailable(
        `${file} has schema version ${version}, this escapement reads version ${MIGRATIONS.length}: open it for writing once`,
      )
    if (readOnly) return db
    useWriteAheadLog(db)
    db.exec(`PRAGMA synchronous = ${synchronous}`)
    if (version < MIGRATIONS.length) migrate(db, file)
    return db
  } catch (error) {
    db?.close()
    throw explainError(file, error)
  }
}

/** The change fails while other processes open the same new file. A transaction waits for them before the next try. */
function useWriteAheadLog(db: DatabaseSync, tries = 20): void {
  try {
    db.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    if (resultCode(error) !== 5 || tries === 0) throw error
    db.exec('BEGIN IMMEDIATE; COMMIT')
    useWriteAheadLog(db, tries - 1)
  }
}

/** SQLite of Node.js. Suppresses the warning of Node 22 that it is experimental. */
function nodeSqlite() {
  const emitWarning = process.emitWarning
  process.emitWarning = ((...warning: Parameters<typeof emitWarning>) => {
    if (!String(warning[0]).startsWith('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, warning)
  }) as typeof emitWarning
  try {
    const sqlite: typeof import('node:sqlite') | undefined = process.getBuiltinModule('node:sqlite')
    if (sqlite) return sqlite
    throw new Error(`node:sqlite needs Node 22.13 or newer; this is ${process.version}`)
  } finally {
    process.emitWarning = emitWarning
  }
}
