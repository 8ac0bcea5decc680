/** Where a folder has its store. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The store of a folder: its SQLite file, unless a database was named with `keepAt`. */
export function placeIn(folder: string): string {
  const named = join(folder, 'place')
  return existsSync(named) ? readFileSync(named, 'utf8') : join(folder, 'threads.db')
}

/** Names the database of a folder. */
export const keepAt = (folder: string, url: string): void =>
  writeFileSync(join(folder, 'place'), url)
