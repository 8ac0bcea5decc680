import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its parents. The recursive `mkdir` of Node.js never ends below a folder that accepts no entries, such as `/proc`.
 * @throws an error of the file system
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) {
    missing.unshift(folder)
    // The root of a drive that does not exist.
    if (dirname(folder) === folder) break
  }
  for (const folder of missing)
    await mkdir(folder).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  await mkdir(path, { recursive: true })
}
