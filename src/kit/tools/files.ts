/** Tools that read the workspace: one page of a text file, one folder. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { doc } from '../../core/graph/spec/name.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'
import { BusinessError, InvalidArguments, tool } from '../tool.ts'
import type { Place, Workspace } from '../workspace.ts'
import { isBinary, openFile, readFolder, throwFileError } from '../workspace.ts'

const BYTES_MAX = 10_000_000
/** One page: an amount that fits into one message to a model. */
const LINES_MAX = 400
const CHARACTERS_MAX = 12_000

/** Reads a page of a text file of the workspace. */
export function readFile(workspace: Workspace): Tool {
  return tool({
    name: 'read_file',
    description: `Reads a text file of the workspace, at most ${LINES_MAX} lines at once. If the answer has \`next\`, the file continues at that line.`,
    inputSchema: z.strictObject({
      path: z.string().min(1).describe('The file, relative to the workspace.'),
      from: z.int().min(1).max(100_000_000).default(1).describe('The first line to read, from 1.'),
      lines: z.int().min(1).max(LINES_MAX).default(LINES_MAX).describe('How many lines to read.'),
    }),
    effects: 'read',
    execute: async ({ path, from, lines }, call) =>
      readPage(await workspace.find(path), from, lines, call),
  })
}

async function readPage(place: Place, from: number, lines: number, call: Calling) {
  const all = (await readText(place, call)).split(/\r?\n/)
  if (all.at(-1) === '') all.pop()
  if (from > Math.max(1, all.length)) {
    const message = `expected at most ${all.length}, the number of lines of '${place.shown}'`
    throw new InvalidArguments('read_file', [{ path: 'from', message }])
  }
  const page: string[] = []
  let characters = 0
  for (const line of all.slice(from - 1, from - 1 + lines)) {
    if (characters + line.length > CHARACTERS_MAX && page.length > 0) break
    const more = line.length - CHARACTERS_MAX
    const note = ` … [${more} more characters in this line]`
    page.push(more > 0 ? `${line.slice(0, CHARACTERS_MAX)}${note}` : line)
    characters += line.length + 1
  }
  const to = from + page.length - 1
  const next = to < all.length ? to + 1 : undefined
  const text = page.join('\n')
  return { path: place.shown, from, to, total: all.length, text, ...defined({ next }) }
}

async function readText(place: Place, { signal }: Calling): Promise<string> {
  const { handle, size } = await openFile(place)
  try {
    const tooLarge = `has ${size} bytes; at most ${BYTES_MAX} can be read. Search it with grep instead.`
    if (size > BYTES_MAX) throw new BusinessError(`'${place.shown}' ${tooLarge}`)
    const bytes = await handle.readFile({ signal })
    const binary = `is a binary file of ${bytes.length} bytes; only text can be read`
    if (isBinary(bytes)) throw new BusinessError(`'${place.shown}' ${binary}`)
    return new TextDecoder().decode(bytes)
  } finally {
    await handle.close()
  }
}

const ENTRIES_MAX = 300
/** Entries read in one folder. */
const ENTRIES_READ_MAX = 20_000

/** Lists one folder of the workspace. */
export function listDir(workspace: Workspace): Tool {
  return tool({
    name: 'list_dir',
    description:
      'Lists the folders and files in one folder of the workspace. Files have their size in bytes.',
    inputSchema: z.strictObject({
      path: doc(
        z.string().default('.'),
      )`The folder, relative to the workspace; \`.\` is the workspace
        itself.`,
    }),
    effects: 'read',
    execute: async ({ path }, call) => {
      const place = await workspace.find(path)
      return readFolder(place, folder => entriesOf(folder, place.shown, call))
    },
  })
}

async function entriesOf(folder: string, path: string, { signal }: Calling) {
  const found = { folders: [] as string[], files: [] as string[], links: [] as string[] }
  let count = 0
  for await (const entry of await opendir(folder).catch(throwFileError(path))) {
    signal.throwIfAborted()
    if (++count > ENTRIES_READ_MAX) break
    if (entry.isDirectory()) found.folders.push(entry.name)
    else if (entry.isFile()) found.files.push(entry.name)
    else if (entry.isSymbolicLink()) found.links.push(entry.name)
  }
  const folders = found.folders.sort().slice(0, ENTRIES_MAX)
  const names = found.files.sort().slice(0, ENTRIES_MAX - folders.length)
  const sizeOf = async (name: string) =>
    (await lstat(join(folder, name)).catch(() => undefined))?.size ?? 0
  const files = await Promise.all(names.map(async name => ({ name, bytes: await sizeOf(name) })))
  const more = found.folders.length + found.files.length - folders.length - files.length
  return {
    path,
    folders,
    files,
    ...(found.links.length > 0 && { links: found.links.sort().slice(0, ENTRIES_MAX) }),
    ...((more > 0 || count > ENTRIES_READ_MAX) && { more }),
  }
}
