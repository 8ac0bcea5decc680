import type { DatabaseSync } from 'node:sqlite'

/** All of it or nothing. From its beginning on, other processes wait with their writing. */
export function inTransaction<R>(db: DatabaseSync, work: () => R): R {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    db.exec('COMMIT')
    return result
  } catch (error) {
    rollBack(db)
    throw error
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK')
  } catch {
    // After a full disk or a failed write SQLite has rolled back by itself.
  }
}
