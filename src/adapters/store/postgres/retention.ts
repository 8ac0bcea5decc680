/** The deletion of threads. Their chunks belong to them alone. */
import { type Fork, type Retention, withoutOrigins } from '../../../runtime/store/retention.ts'
import type { Connection } from './connection.ts'

/** Commands and forks that are stored at the same time wait for the end of the transaction, or it waits for theirs. */
const LOCK = `SELECT id FROM @threads WHERE name = ANY ($1) AND status = 'ended' AND last_at < $2 AND (lease_until IS NULL OR lease_until <= $3)
  ORDER BY id FOR UPDATE`

/** A statement of its own: it sees the commands that the lock has waited for. */
const REMOVABLE = `SELECT id, name FROM @threads WHERE id = ANY ($1)
  AND NOT EXISTS (SELECT FROM @inbox AS inbox WHERE inbox.thread = threads.id AND inbox.state = 'waiting')`

const FORKS = 'SELECT name AS thread, origin AS parent FROM @threads WHERE origin IS NOT NULL'

const REMOVE = `WITH events AS (DELETE FROM @events WHERE thread = ANY ($1)),
  checkpoints AS (DELETE FROM @checkpoints WHERE thread = ANY ($1)),
  chunks AS (DELETE FROM @chunks WHERE thread = ANY ($1)),
  inbox AS (DELETE FROM @inbox WHERE thread = ANY ($1))
  DELETE FROM @threads WHERE id = ANY ($1)`

type Found = Readonly<{ id: string; name: string }>

export function retention({ statement, execute, transaction }: Connection): Retention {
  const lock = statement(LOCK)
  const removable = statement(REMOVABLE)
  const remove = statement(REMOVE)
  const forks = statement(FORKS)
  const used = statement(`${FORKS} AND origin = ANY ($1)`)
  return {
    forks: () => execute(forks),
    remove: (families, { before, now }) =>
      transaction(async run => {
        const locked = await run<Found>(lock, [families.flat(), before, now])
        const found = await run<Found>(removable, [locked.map(({ id }) => id)])
        const idOf = new Map(found.map(({ id, name }) => [name, id]))
        const ended = families.filter(family => family.every(name => idOf.has(name)))
        const going = withoutOrigins(ended, await run<Fork>(used, [ended.flat()])).flat()
        await run(remove, [going.map(name => idOf.get(name) ?? null)])
        return going
      }),
  }
}
