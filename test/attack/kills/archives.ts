import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive } from '../../../src/adapters/node/files.ts'
import { parseArchive } from '../../../src/runtime/store/archive-parser.ts'

/** The archives of a folder that a kill has cut: an archive exists completely or not at all. */
export async function cutArchives(folder: string): Promise<readonly string[]> {
  const cut: string[] = []
  for (const file of readdirSync(folder).filter(name => name.endsWith('.escapement.gz')))
    await parseArchive(readArchive(join(folder, file))).catch(error =>
      cut.push(`the archive ${file}: ${error.message}`),
    )
  return cut
}
