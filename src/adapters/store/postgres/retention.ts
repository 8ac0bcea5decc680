/** The deletion of threads. Their chunks belong to them alone. */
import type { Retention } from '../../../runtime/store/retention.ts'
import type { Connection } from './connection.ts'

const REMOVE = `WITH given AS (
    SELECT name, family FROM unnest($1::text[], $2::integer[]) AS given (name, family)
  ), locked AS (
    SELECT id, name, family FROM @threads AS threads JOIN given USING (name)
    WHERE status = 'ended' AND last_at < $3 AND (lease_until IS NULL OR lease_until <= $4)
      AND NOT EXISTS (SELECT FROM @inbox AS inbox WHERE inbox.thread = threads.id AND inbox.state = 'waiting')
    ORDER BY id FOR UPDATE OF threads
  ), gone AS (
    SELECT id, name FROM locked WHERE family IN (
      SELECT family FROM given LEFT JOIN locked USING (name, family) GROUP BY family HAVING count(*) = count(id)
    )
  ), events AS (DELETE FROM @events WHERE thread IN (SELECT id FROM gone)),
  checkpoints AS (DELETE FROM @checkpoints WHERE thread IN (SELECT id FROM gone)),
  chunks AS (DELETE FROM @chunks WHERE thread IN (SELECT id FROM gone)),
  inbox AS (DELETE FROM @inbox WHERE thread IN (SELECT id FROM gone)),
  lines AS (DELETE FROM @threads WHERE id IN (SELECT id FROM gone))
  SELECT name FROM gone`

export function retention({ statement, execute }: Connection): Retention {
  const forks = statement(
    'SELECT name AS thread, origin AS parent FROM @threads WHERE origin IS NOT NULL',
  )
  const removal = statement(REMOVE)
  return {
    forks: () => execute(forks),
    async remove(families, { before, now }) {
      const names = families.flat()
      const numbers = families.flatMap((family, index) => family.map(() => index))
      const gone = await execute<{ name: string }>(removal, [names, numbers, before, now])
      const removed = new Set(gone.map(({ name }) => name))
      return names.filter(name => removed.has(name))
    },
  }
}
