/** A store in one SQLite file, for one machine. Several processes may use it at once. */
import type { DatabaseSync } from 'node:sqlite'
import type { Store } from '../../../runtime/store/store.ts'
import { connect } from './connection.ts'
import { inbox } from './inbox.ts'
import { journal } from './journal.ts'
import { open, type SqliteOptions } from './open.ts'
import { blobs, breakers, shares } from './shared-tables.ts'
import { leases, threads } from './threads.ts'

export type { SqliteOptions } from './open.ts'

/**
 * Creates the file if it is missing, and brings an older one up to date.
 *
 * @throws StoreUnavailable for a file that cannot be opened, is not a store, or is of a newer version; it is left as it is.
 * @example
 * const store = sqliteStore('threads.db')
 */
export function sqliteStore(options: string | SqliteOptions): Store {
  const given = typeof options === 'string' ? { file: options } : options
  return storeOn(open(given), given.file)
}

/** A store on a database that is open already. */
export function storeOn(db: DatabaseSync, file: string): Store {
  const connection = connect(db, file)
  return {
    ...leases(connection),
    ...journal(connection),
    ...inbox(connection),
    ...threads(connection),
    ...breakers(connection),
    ...shares(connection),
    ...blobs(connection, file),
    close: connection.method(() => connection.close()),
  }
}
