/** A store in one SQLite file, for one machine. Several processes may use it at once. */
import type { DatabaseSync } from 'node:sqlite'
import type { Json } from '../../../core/watch/json.ts'
import { type Store, StoreUnavailable } from '../../../runtime/store/store.ts'
import { type Connection, connect, open, type SqliteOptions } from './connection.ts'
import { sqliteBreakers } from './sqlite-breakers.ts'
import { inbox } from './inbox.ts'
import { journal } from './journal.ts'
import { leases } from './leases.ts'
import { shares } from './shares.ts'
import { threads } from './threads.ts'

export type { SqliteOptions } from './connection.ts'

/**
 * Creates the file if there is none, and brings an older one up to date.
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
    ...sqliteBreakers(connection),
    ...shares(connection),
    ...blobs(connection, file),
    close: connection.method(() => connection.close()),
  }
}

function blobs(
  { query, command, method }: Connection,
  file: string,
): Pick<Store, 'putBlob' | 'getBlob'> {
  const add = command('INSERT OR IGNORE INTO kept (hash, body) VALUES (?1, ?2)')
  const find = query<{ readonly body: string }>('SELECT body FROM kept WHERE hash = ?1')
  return {
    putBlob: method((hash, value) => add(hash, JSON.stringify(value))),
    getBlob: method(hash => {
      const found = find.get(hash)
      try {
        return found && (JSON.parse(found.body) as Json)
      } catch (cause) {
        throw new StoreUnavailable(`what ${file} keeps as ${hash} is damaged: it is no JSON`, {
          cause,
        })
      }
    }),
  }
}
