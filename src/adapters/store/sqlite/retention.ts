/** The deletion of threads. Chunks belong to all threads: those that no checkpoint names are deleted, too. */
import {
  type Family,
  type Fork,
  type RemovalTerms,
  type Retention,
  withoutOrigins,
} from '../../../runtime/store/retention.ts'
import type { Connection } from './connection.ts'
import { LAST_CHANGE } from './threads.ts'

/** Events of forks are rare. The text is searched first, because parsing each event takes ten times as long. */
const FORKS = `SELECT name AS thread, parent FROM threads JOIN (
    SELECT thread, max(place), body ->> '$.event.parent.thread' AS parent FROM events
    WHERE instr(body, '"forked"') > 0 AND json_valid(body) AND body ->> '$.event.type' = 'forked' GROUP BY thread
  ) AS forked ON forked.thread = threads.id`

const REMOVABLE = `SELECT id FROM threads WHERE name = ?1 AND status = 'ended' AND at < ?2 AND (lease_until IS NULL OR lease_until <= ?3)
  AND NOT EXISTS (SELECT 1 FROM inbox WHERE thread = id AND state = 'waiting')`

/** The forks among the threads that were driven since a change: no other thread has new events. */
const NEW_FORKS = `SELECT * FROM (
    SELECT name AS thread, (
      SELECT body ->> '$.event.parent.thread' FROM events
      WHERE place BETWEEN id << 32 AND id << 32 | 0xffffffff
        AND instr(body, '"forked"') > 0 AND json_valid(body) AND body ->> '$.event.type' = 'forked'
      ORDER BY place DESC LIMIT 1
    ) AS parent FROM threads WHERE id IN (
      SELECT id FROM threads WHERE lease_until IS NOT NULL
      UNION ALL SELECT id FROM threads WHERE changed > ?1
    )
  ) WHERE parent IS NOT NULL`

/** A removal must not free the number of the last change. */
const KEEP_CHANGE = `UPDATE threads SET changed = ?1
  WHERE id = (SELECT id FROM threads ORDER BY changed DESC LIMIT 1) AND changed < ?1`

export function retention({ query, command, transaction, method }: Connection): Retention {
  const known = forksKnown(query)
  const removable = query<{ id: number }>(REMOVABLE)
  const lastChange = query<{ changed: number | null }>(LAST_CHANGE)
  const keepChange = command(KEEP_CHANGE)
  const deletions = [
    'DELETE FROM events WHERE place BETWEEN ?1 << 32 AND ?1 << 32 | 0xffffffff',
    'DELETE FROM checkpoints WHERE thread = ?1',
    'DELETE FROM inbox WHERE thread = ?1',
    'DELETE FROM threads WHERE id = ?1',
  ].map(command)
  const sweep = chunkSweep(query, command)
  return {
    forks: method(() => known.search()),
    remove: method((families: readonly Family[], { before, now }: RemovalTerms) => {
      known.require()
      const idOf = (name: string) => removable.get(name, before, now)?.id
      const removed = transaction(() => {
        const ended = families.filter(family => family.every(name => idOf(name) !== undefined))
        const going = withoutOrigins(ended, known.now()).flat()
        if (going.length === 0) return going
        const { changed } = lastChange.get() ?? {}
        for (const id of going.map(idOf)) for (const remove of deletions) remove(id ?? 0)
        keepChange(changed ?? 0)
        sweep()
        return going
      })
      known.drop(removed)
      return removed
    }),
  }
}

/** The forks of the last search, which reads the journal, and those made since: other processes wait only for the second search. */
function forksKnown(query: Connection['query']) {
  const all = query<Fork>(FORKS)
  const madeSince = query<Fork>(NEW_FORKS)
  const lastChange = query<{ changed: number | null }>(LAST_CHANGE)
  let found: { readonly since: number; readonly forks: readonly Fork[] } | undefined
  const search = () => {
    // What changes during the search is searched again.
    const since = lastChange.get()?.changed ?? 0
    found = { since, forks: all.all().map(({ thread, parent }) => ({ thread, parent })) }
    return found
  }
  return {
    search: () => search().forks,
    require: () => void (found ?? search()),
    now(): readonly Fork[] {
      const { since, forks } = found ?? search()
      return [...forks, ...madeSince.all(since)]
    },
    drop(threads: readonly string[]) {
      const gone = new Set(threads)
      const { since, forks } = found ?? search()
      found = { since, forks: forks.filter(({ thread }) => !gone.has(thread)) }
    },
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
