import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Calling, Tool } from '../../runtime/ports.ts'
import { tool } from '../tool.ts'
import { fileError, type Place, type Workspace } from '../workspace.ts'

const ENTRIES_MAX = 300
/** Entries looked at in one folder: beyond it a listing says nothing to a model. */
const SEEN_MAX = 20_000

/** Lists one folder of the workspace. */
export function listDir(workspace: Workspace): Tool {
  return tool({
    name: 'list_dir',
    description:
      'Lists the folders and files in one folder of the workspace. Files come with their size in bytes.',
    inputSchema: z.strictObject({
      path: z
        .string()
        .default('.')
        .describe('The folder, relative to the workspace; `.` is the workspace itself.'),
    }),
    effects: 'read',
    execute: async ({ path }, call) => listing(await workspace.find(path), call),
  })
}

async function listing({ real, shown }: Place, { signal }: Calling) {
  const folders: string[] = []
  const names: string[] = []
  const links: string[] = []
  const folder = await opendir(real).catch(error => {
    throw fileError(shown, error)
  })
  let seen = 0
  for await (const entry of folder) {
    signal.throwIfAborted()
    if (++seen > SEEN_MAX) break
    if (entry.isDirectory()) folders.push(entry.name)
    else if (entry.isFile()) names.push(entry.name)
    else if (entry.isSymbolicLink()) links.push(entry.name)
  }
  const shownFolders = folders.sort().slice(0, ENTRIES_MAX)
  const shownNames = names.sort().slice(0, ENTRIES_MAX - shownFolders.length)
  const files = await Promise.all(
    shownNames.map(async name => ({
      name,
      bytes: (await stat(join(real, name)).catch(() => undefined))?.size ?? 0,
    })),
  )
  const more = folders.length + names.length - shownFolders.length - files.length
  return {
    path: shown,
    folders: shownFolders,
    files,
    ...(links.length > 0 ? { links: links.sort().slice(0, ENTRIES_MAX) } : {}),
    ...(more > 0 || seen > SEEN_MAX ? { more } : {}),
  }
}
