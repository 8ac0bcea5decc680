/** The threads that are due. Each cause has an index, and reads at most `limit` lines: the cost does not grow with the waiting threads. */
import type { Store } from '../../../runtime/store/store.ts'
import type { Connection } from './connection.ts'

/** `$1`: now; `$2`, `$3`: the graphs, or null for all; `$4`: the limit, or null. */
const OURS = `seq >= 0 AND ($2::text[] IS NULL OR (graph, spec_hash) IN (SELECT * FROM unnest($2::text[], $3::text[])))`
const HAS_COMMAND = `EXISTS (SELECT FROM @inbox AS inbox WHERE inbox.thread = threads.id AND state = 'waiting')`

/** The process of an owner, which may drive many threads. */
const PROCESS = `regexp_replace(lease_owner, '/[^/]*$', '')`

/** The causes in their order. `$5`: processes that ended. */
const CAUSES = [
  `SELECT id, name FROM @threads AS threads WHERE lease_owner IS NOT NULL
     AND (lease_until <= $1 OR ${PROCESS} = ANY ($5::text[])) AND ((due_at <= $1 AND wake_at <= $1) OR ${HAS_COMMAND})
     AND ${OURS} ORDER BY id LIMIT $4`,
  `SELECT id, name FROM @threads AS threads WHERE lease_owner IS NULL
     AND id IN (SELECT thread FROM @inbox WHERE state = 'waiting') AND ${OURS} ORDER BY id LIMIT $4`,
  `SELECT id, name FROM @threads AS threads WHERE lease_owner IS NULL AND due_at > '-infinity' AND due_at <= $1 AND wake_at <= $1
     AND ${OURS} ORDER BY due_at, id LIMIT $4`,
  `SELECT id, name FROM @threads AS threads WHERE lease_owner IS NULL AND due_at = '-infinity' AND wake_at <= $1
     AND ${OURS} ORDER BY id LIMIT $4`,
]

const DUE = CAUSES.map(cause => `SELECT name FROM (${cause}) AS found`).join(' UNION ALL ')

/** The processes that hold live leases. There are as many lines as driven threads. */
const DRIVERS = `SELECT DISTINCT ${PROCESS} AS process FROM @threads WHERE lease_owner IS NOT NULL AND lease_until > $1`

export function due({ statement, execute }: Connection): Store['due'] {
  const found = statement(DUE)
  const drivers = statement(DRIVERS)
  return async (now, { isOwnerDead, graphs, limit } = {}) => {
    const processes = isOwnerDead ? await execute<{ process: string }>(drivers, [now]) : []
    const ended = processes.flatMap(({ process }) => (isOwnerDead?.(process) ? process : []))
    const ids = graphs?.map(({ graph }) => graph) ?? null
    const hashes = graphs?.map(({ specHash }) => specHash) ?? null
    const values = [now, ids, hashes, limit ?? null, ended]
    const lines = await execute<{ name: string }>(found, values)
    return [...new Set(lines.map(({ name }) => name))].slice(0, limit)
  }
}
