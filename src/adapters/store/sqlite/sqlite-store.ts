/** A store in one SQLite file, for one machine: opens the file, checks its version, migrates it, and turns on the write-ahead log. */
import { resolve } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Store, StoreUnavailable } from '../../../runtime/store/store.ts'
import { connect, explainOwnError, inTransaction, resultCode } from './connection.ts'
import { indexChecks } from './damaged-indexes.ts'
import { appender, reader } from './journal.ts'
import { queries } from './query.ts'
import { retention } from './retention.ts'
import { blobs, breakers, breakpoints, inbox, shares } from './shared-tables.ts'
import { leases, threads } from './threads.ts'

/**
 * Creates the file if it is missing, and migrates an older one. The file `:memory:` is a database in memory, for this store alone.
 * @throws StoreUnavailable for a file that cannot be opened, is not a store, or has a newer version. The file stays unchanged.
 * @example
 * const store = sqliteStore('threads.db')
 */
export function sqliteStore(options: string | SqliteOptions): Store {
  const given = typeof options === 'string' ? { file: options } : options
  return storeOn(open(given), given.file)
}

/** A store on an open database. */
export function storeOn(db: DatabaseSync, file: string): Store {
  const connection = connect(db, file)
  const checks = indexChecks(connection)
  return {
    ...leases(connection, checks),
    ...reader(connection, checks),
    append: appender(connection),
    ...inbox(connection, checks),
    ...threads(connection, checks),
    ...breakers(connection, checks),
    ...breakpoints(connection),
    ...shares(connection, checks),
    ...blobs(connection, file),
    ...retention(connection),
    // A database in memory belongs to this process alone.
    ...(file !== IN_MEMORY && { query: queries(file) }),
    close: connection.method(() => connection.close()),
  }
}

export interface SqliteOptions {
  readonly file: string
  /** `FULL` (default): a completed append survives a power cut. `NORMAL`: it survives only the death of the process. */
  readonly synchronous?: 'FULL' | 'NORMAL'
  /** The file must exist. */
  readonly readOnly?: boolean
}

/** The name of a database in memory, as in every library of SQLite. */
const IN_MEMORY = ':memory:'

/** How long a write waits for other processes, in ms. */
const BUSY_TIMEOUT = 5_000

/** @throws StoreUnavailable */
export function open(options: SqliteOptions): DatabaseSync {
  const { file, synchronous = 'FULL', readOnly = false } = options
  const { DatabaseSync } = nodeSqlite()
  let db: DatabaseSync | undefined
  try {
    // SQLite reads an absolute path never as a `file:` URI.
    db = new DatabaseSync(file === IN_MEMORY ? file : resolve(file), { readOnly })
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
    throw explainOwnError(file, error)
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

/** Identifies a file as a store of escapement: `escp`. */
const APPLICATION_ID = 0x65736370

/**
 * Never change a published migration: add another one.
 *
 * The key of an event, its `place`, is the rowid: an append writes no page of an index. WITHOUT ROWID, a row of more than 1 KB
 * takes a whole page, and a journal of 1,300-byte rows takes 3.6 times its bytes instead of 1.1. Threads have numbers because
 * their names may be long. `thread`, `seq`, `at` and `type` are for manual queries: as virtual columns they cost nothing. The index
 * on `wake_at` covers only threads without a lease. Times are REAL: SQLite stores whole numbers as compactly as integers, and
 * infinity is a valid time.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE threads (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL DEFAULT -1,
    epoch INTEGER NOT NULL DEFAULT 0, lease_owner TEXT, lease_until REAL, wake_at REAL,
    graph TEXT, spec_hash TEXT, status TEXT, detail TEXT, outcome TEXT, started_at REAL, at REAL
  );
  CREATE INDEX wake ON threads (wake_at) WHERE wake_at IS NOT NULL AND lease_until IS NULL;
  CREATE INDEX leased ON threads (lease_until) WHERE lease_until IS NOT NULL;
  CREATE TABLE events (
    thread INTEGER NOT NULL, seq INTEGER NOT NULL, at REAL AS (body ->> '$.event.at') VIRTUAL,
    type TEXT AS (body ->> '$.event.type') VIRTUAL, body TEXT NOT NULL, PRIMARY KEY (thread, seq)
  );
  CREATE TABLE checkpoints (
    thread INTEGER NOT NULL, seq INTEGER NOT NULL, run TEXT NOT NULL, PRIMARY KEY (thread, seq)
  );
  CREATE TABLE chunks (hash TEXT PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE kept (hash TEXT PRIMARY KEY, body TEXT NOT NULL);
  CREATE TABLE inbox (
    id INTEGER PRIMARY KEY, thread INTEGER NOT NULL, command TEXT NOT NULL, event TEXT,
    state TEXT NOT NULL, reason TEXT, UNIQUE (thread, command)
  );
  CREATE INDEX waiting ON inbox (thread, id) WHERE state = 'waiting';`,
  `CREATE TABLE breakers (
    resource TEXT PRIMARY KEY, state TEXT NOT NULL, failures INTEGER NOT NULL, since REAL, retry_at REAL
  );`,
  `CREATE TABLE shares (
    scope TEXT NOT NULL, key TEXT NOT NULL, thread TEXT NOT NULL, until REAL, body TEXT NOT NULL,
    PRIMARY KEY (scope, key, thread)
  );
  CREATE INDEX expiring ON shares (scope, key, until) WHERE until IS NOT NULL;`,
  'ALTER TABLE inbox ADD COLUMN code TEXT;',
  // CRC-32 of the text. Rows of earlier versions have none.
  `ALTER TABLE events ADD COLUMN sum INTEGER;
  ALTER TABLE checkpoints ADD COLUMN sum INTEGER;
  ALTER TABLE chunks ADD COLUMN sum INTEGER;`,
  `ALTER TABLE inbox ADD COLUMN sum INTEGER;
  ALTER TABLE shares ADD COLUMN sum INTEGER;
  ALTER TABLE breakers RENAME TO breakers_before;
  CREATE TABLE breakers (resource TEXT PRIMARY KEY, body TEXT NOT NULL, sum INTEGER);
  INSERT INTO breakers (resource, body) SELECT resource, CASE state
    WHEN 'closed' THEN json_object('state', state, 'failures', failures)
    WHEN 'open' THEN json_object(
      'state', state, 'failures', failures, 'openedAt', since, 'retryAt', retry_at)
    ELSE json_object('state', state, 'failures', failures, 'since', since, 'retryAt', retry_at)
    END FROM breakers_before;
  DROP TABLE breakers_before;`,
  // `detail` is in the last event of each append: the line of the thread is not written with each event.
  `ALTER TABLE events RENAME TO indexed;
  CREATE TABLE events (
    place INTEGER PRIMARY KEY, thread INTEGER AS (place >> 32) VIRTUAL, seq INTEGER AS (place & 0xffffffff) VIRTUAL,
    at REAL AS (body ->> '$.event.at') VIRTUAL, type TEXT AS (body ->> '$.event.type') VIRTUAL,
    body TEXT NOT NULL, sum INTEGER, detail TEXT
  );
  INSERT INTO events (place, body, sum) SELECT thread << 32 | seq, body, sum FROM indexed ORDER BY thread, seq;
  DROP TABLE indexed;`,
  'CREATE TABLE breakpoints (id TEXT PRIMARY KEY, body TEXT NOT NULL, sum INTEGER);',
  // The number of the last change of the lease: a follower reads only the threads that changed.
  `ALTER TABLE threads ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX changed ON threads (changed);`,
  // CRC-32 of the columns that an append writes. Lines of earlier versions have none.
  'ALTER TABLE threads ADD COLUMN sum INTEGER;',
  // The threads that a thread waits for, as JSON.
  'ALTER TABLE threads ADD COLUMN waits TEXT;',
  // The tally of a thread, as JSON. What it has spent changes often: it is in the last event of each append, as `detail` is.
  `ALTER TABLE threads ADD COLUMN found TEXT;
  ALTER TABLE threads ADD COLUMN spent TEXT;
  ALTER TABLE events ADD COLUMN spent TEXT;`,
  // The number of the last event, `<< 32` and with its checksum: a damaged page can lose the last events themselves.
  'ALTER TABLE threads ADD COLUMN tail INTEGER;',
]

/** The version of a file. @throws StoreUnavailable if it is not a store, or has a newer version, before anything is written */
function versionOf(db: DatabaseSync, file: string, known = MIGRATIONS.length): number {
  const version = pragma(db, 'user_version')
  const isEmpty = db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined
  if (!(version === 0 && isEmpty) && pragma(db, 'application_id') !== APPLICATION_ID)
    throw new StoreUnavailable(`${file} is a SQLite database, but not a store of escapement`)
  if (version < 0) throw new StoreUnavailable(`${file} has schema version ${version}`)
  if (version > known)
    throw new StoreUnavailable(
      `${file} has schema version ${version}, and this escapement knows versions up to ${known}: use a newer escapement`,
    )
  return version
}

/** Migrates a file in one transaction. Several processes may try at once: each reads the version again inside its transaction. */
export function migrate(db: DatabaseSync, file: string, migrations = MIGRATIONS): void {
  inTransaction(db, () => {
    for (const migration of migrations.slice(versionOf(db, file, migrations.length)))
      db.exec(migration)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${migrations.length}`)
  })
}

const pragma = (db: DatabaseSync, name: 'user_version' | 'application_id'): number =>
  Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0])
