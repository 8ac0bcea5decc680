/** A store in one SQLite file, for one machine. Several processes may use it at once. */
import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../../runtime/store/store.ts'
import { connect } from './connection.ts'
import { inbox } from './inbox.ts'
import { appender, reader } from './journal.ts'
import { open, type SqliteOptions } from './open.ts'
import { blobs, breakers, shares } from './shared-tables.ts'
import { leases, threads } from './threads.ts'

export type { SqliteOptions } from './open.ts'

/**
 * Creates the file if it is missing, and migrates an older one.
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
  return {
    ...leases(connection),
    ...reader(connection),
    append: appender(connection),
    ...inbox(connection),
    ...threads(connection),
    ...breakers(connection),
    ...shares(connection),
    ...blobs(connection, file),
    close: connection.method(() => connection.close()),
  }
}
