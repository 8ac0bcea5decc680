/** The external system: a SQLite file of its own. It counts every write and rejects attempts that were fenced off. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Calling } from '../../../src/runtime/ports.ts'

export interface Visit {
  readonly key: string
  readonly tool: string
}

export interface Shop {
  visit(tool: string, call: Calling): void
  /** A write that repeats itself whenever it is requested. */
  write(tool: string, call: Calling): void
  /** A write that the key makes idempotent. */
  writeOnce(tool: string, call: Calling): void
  /** Rejects earlier attempts of this call from now on. */
  fence(call: Calling): void
  has(key: string): boolean
  visits(): readonly Visit[]
  writes(): readonly Visit[]
  close(): void
}

const TABLES = `
  PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA busy_timeout = 30000;
  CREATE TABLE IF NOT EXISTS visits (key TEXT, tool TEXT);
  CREATE TABLE IF NOT EXISTS writes (key TEXT, tool TEXT);
  CREATE TABLE IF NOT EXISTS fences (key TEXT PRIMARY KEY, token INTEGER)`

export function shopIn(folder: string): Shop {
  const db = new DatabaseSync(join(folder, 'shop.db'), { timeout: 30_000 })
  db.exec(TABLES)
  const visit = db.prepare('INSERT INTO visits VALUES (?, ?)')
  const write = db.prepare(`INSERT INTO writes SELECT ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM fences WHERE key = ? AND token > ?)`)
  const writeOnce = db.prepare(`INSERT INTO writes SELECT ?, ?
    WHERE NOT EXISTS (SELECT 1 FROM writes WHERE key = ?)`)
  const fence = db.prepare(`INSERT INTO fences VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET token = max(token, excluded.token)`)
  const has = db.prepare('SELECT 1 FROM writes WHERE key = ?')
  const listed = (table: string) => db.prepare(`SELECT * FROM ${table}`).all() as unknown as Visit[]
  return {
    visit: (tool, { idempotencyKey }) => void visit.run(idempotencyKey, tool),
    write(tool, { idempotencyKey: key, fencingToken }) {
      if (write.run(key, tool, key, fencingToken).changes === 0)
        throw new Error('a later attempt fenced off this one')
    },
    writeOnce: (tool, { idempotencyKey: key }) => void writeOnce.run(key, tool, key),
    fence: ({ idempotencyKey, fencingToken }) => void fence.run(idempotencyKey, fencingToken),
    has: key => has.get(key) !== undefined,
    visits: () => listed('visits'),
    writes: () => listed('writes'),
    close: () => db.close(),
  }
}
