/** The deletion of threads. Chunks belong to all threads: those that no checkpoint names are deleted, too. */
import {
  type Family,
  type Fork,
  type RemovalTerms,
  type Retention,
  withoutOrigins,
} from '../../../runtime/store/retention.ts'
import type { Connection } from './connection.ts'

/** Events of forks are rare. The text is searched first, because parsing each event takes ten times as long. */
const FORKS = `SELECT name AS thread, parent FROM threads JOIN (
    SELECT thread, max(place), body ->> '$.event.parent.thread' AS parent FROM events
    WHERE instr(body, '"forked"') > 0 AND json_valid(body) AND body ->> '$.event.type' = 'forked' GROUP BY thread
  ) AS forked ON forked.thread = threads.id`

const REMOVABLE = `SELECT id FROM threads WHERE name = ?1 AND status = 'ended' AND at < ?2 AND (lease_until IS NULL OR lease_until <= ?3)
  AND NOT EXISTS (SELECT 1 FROM inbox WHERE thread = id AND state = 'waiting')`

export function retention({ query, command, atomic, method }: Connection): Retention {
  const forks = query<Fork>(FORKS)
  const removable = query<{ id: number }>(REMOVABLE)
  const deletions = [
    'DELETE FROM events WHERE place BETWEEN ?1 << 32 AND ?1 << 32 | 0xffffffff',
    'DELETE FROM checkpoints WHERE thread = ?1',
    'DELETE FROM inbox WHERE thread = ?1',
    'DELETE FROM threads WHERE id = ?1',
  ].map(command)
  const sweep = chunkSweep(query, command)
  return {
    forks: method(() => forks.all().map(({ thread, parent }) => ({ thread, parent }))),
    remove: atomic((families: readonly Family[], { before, now }: RemovalTerms) => {
      const idOf = (name: string) => removable.get(name, before, now)?.id
      const ended = families.filter(family => family.every(name => idOf(name) !== undefined))
      // The search for forks reads the journal.
      if (ended.length === 0) return []
      const removed = withoutOrigins(ended, forks.all()).flat()
      for (const id of removed.map(idOf)) for (const remove of deletions) remove(id ?? 0)
      if (removed.length > 0) sweep()
      return removed
    }),
  }
}

/**
 * Deletes the chunks that no checkpoint reaches. Every text of a checkpoint or chunk that is the hash of a chunk counts as a
 * reference, so a chunk may stay too long, and never goes too early. A driver relies on the chunks that its checkpoints named.
 */
function chunkSweep(query: Connection['query'], command: Connection['command']) {
  const hashes = query<{ hash: string }>('SELECT hash FROM chunks')
  const runs = query<{ text: string }>('SELECT DISTINCT run AS text FROM checkpoints')
  const chunk = query<{ text: string }>('SELECT body AS text FROM chunks WHERE hash = ?1')
  const drop = command('DELETE FROM chunks WHERE hash = ?1')
  return () => {
    const unused = new Set(hashes.all().map(({ hash }) => hash))
    const waiting = unused.size > 0 ? runs.all().map(({ text }) => text) : []
    for (let text = waiting.pop(); text !== undefined; text = waiting.pop())
      for (const [, hash = ''] of text.matchAll(/"([\w-]{22})"/g))
        if (unused.delete(hash)) waiting.push(...chunk.all(hash).map(line => line.text))
    for (const hash of unused) drop(hash)
  }
}
