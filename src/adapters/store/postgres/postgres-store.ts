/** A store in a Postgres database, for many processes and machines. */
import type { Store } from '../../../runtime/store/store.ts'
import { connect } from './connection.ts'
import { appender, reader } from './journal.ts'
import { notifications } from './notifications.ts'
import { retention } from './retention.ts'
import type { PostgresOptions } from './options.ts'
import { queries } from './query.ts'
import { prepareSchema } from './schema.ts'
import { blobs, breakers, breakpoints, inbox, shares } from './shared-tables.ts'
import { leases, threads } from './threads.ts'

/**
 * Connects at the first call, and then creates or migrates the tables. Needs the package `pg`.
 *
 * Calls wait for a server that restarts, and then reject with a temporary `StoreUnavailable`. An append is stored once, however
 * often its connection is lost.
 * @throws StoreUnavailable for a malformed URL. The first call throws it for a server that is unreachable, rejects the user, is too
 * old, or holds another schema.
 * @example
 * const store = postgresStore('postgres://agent:secret@db.example.com/app')
 */
export function postgresStore(options: string | PostgresOptions): Store {
  const given = typeof options === 'string' ? { url: options } : options
  const connection = connect(given, client => prepareSchema(client, connection))
  const { threads: news, breakers: circuits, close } = notifications(connection)
  return {
    ...leases(connection),
    ...reader(connection),
    append: appender(connection, news.noteChange),
    ...inbox(connection, news.noteChange),
    ...threads(connection),
    ...breakers(connection, circuits.noteChange),
    ...breakpoints(connection),
    ...shares(connection),
    ...blobs(connection),
    ...retention(connection),
    query: queries(connection),
    onChange: news.onChange,
    onBreakerChange: circuits.onChange,
    async close() {
      if (connection.isClosed) return
      // Idle connections do not keep the process alive, and neither does their end.
      const alive = setInterval(() => {}, 1_000)
      try {
        await close()
        await connection.close()
      } finally {
        clearInterval(alive)
      }
    },
  }
}
