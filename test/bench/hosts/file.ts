/** The size of a file of SQLite. */
import { stat } from 'node:fs/promises'

/** With what is left of the write-ahead log. */
export async function bytesOfFile(file: string): Promise<number> {
  const sizes = await Promise.all(
    [file, `${file}-wal`, `${file}-shm`].map(name => stat(name).catch(() => ({ size: 0 }))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
