/** Tools that read the workspace: one page of a text file, one folder, the lines that match a pattern. */
import { lstat, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { doc } from '../../core/watch/data/doc.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Calling, Tool } from '../../runtime/ports.ts'
import { BusinessError, InvalidArguments, tool } from '../tool.ts'
import { isBinary, openFile, readBytes, readFolder, throwFileError } from '../workspace.ts'
import type { Place, Workspace } from '../workspace.ts'
import { filesBelow } from './files-below.ts'
import { setImmediate } from 'node:timers/promises'
import { createContext, Script } from 'node:vm'
import { LinearPattern } from '../../core/watch/data/pattern.ts'

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
  const all = (await readText(place, call, BYTES_MAX)).split(/\r?\n/)
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

async function readText(
  place: Place,
  { signal, redact }: Calling,
  bytesMax: number,
): Promise<string> {
  const { handle, size } = await openFile(place)
  try {
    const tooLarge = (has: string) =>
      new BusinessError(
        `'${place.shown}' has ${has} bytes; at most ${bytesMax} can be read. Search it with grep instead.`,
      )
    if (size > bytesMax) throw tooLarge(`${size}`)
    // A file may grow after its size is checked.
    const bytes = await readBytes(handle, { size, max: bytesMax + 1, signal })
    if (bytes.length > bytesMax) throw tooLarge(`more than ${bytesMax}`)
    const binary = `is a binary file of ${bytes.length} bytes; only text can be read`
    if (isBinary(bytes)) throw new BusinessError(`'${place.shown}' ${binary}`)
    // Before the text is cut in pages and lines, because half a secret is not recognized.
    return redact(new TextDecoder().decode(bytes))
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

const FILES_MAX = 5_000
const FILE_BYTES_MAX = 1_000_000
const MATCHES_MAX = 200
const LINE_MAX = 240
/** The longest that a search in one file may block the process, in ms. Patterns run in linear time, and most need less than one. */
const TIMEOUT = 300

const schema = z.strictObject({
  pattern: doc(z.string().min(1).max(500))`A regular expression without lookaround and
    backreferences, matched against each line; with \`plain\`, the text itself.`,
  path: doc(z.string().default('.'))`A folder or a file, relative to the workspace.`,
  plain: doc(z.boolean().default(false))`Take the pattern as plain text.`,
  ignoreCase: z.boolean().default(false),
  ending: doc(z.string().max(40).optional())`Only files whose names end with this text, such as
    \`.ts\`.`,
  max: doc(z.int().min(1).max(MATCHES_MAX).default(50))`The most matches to return.`,
})

type Query = z.output<typeof schema>

/** Searches the files of the workspace line by line. */
export function grep(workspace: Workspace): Tool {
  return tool({
    name: 'grep',
    description:
      'Searches the text files of the workspace for lines that match a pattern. Skips node_modules, .git, binary files and files over 1 MB.',
    inputSchema: schema,
    effects: 'read',
    execute: async (query, call) => {
      const search = searcher(query)
      return searchFiles(await workspace.find(query.path), query, search, call)
    },
  })
}

async function searchFiles(start: Place, query: Query, search: Search, call: Calling) {
  const matches: { file: string; line: number; text: string }[] = []
  let files = 0
  let more = false
  for await (const place of filesBelow(start, call.signal)) {
    if (query.ending !== undefined && !place.shown.endsWith(query.ending)) continue
    more = files >= FILES_MAX || matches.length > query.max
    if (more) break
    // A timeout or a signal of the process is noticed between two files.
    await setImmediate()
    call.signal.throwIfAborted()
    const text = await readText(place, call, FILE_BYTES_MAX).catch(() => undefined)
    if (text === undefined) continue
    files++
    // One match beyond the maximum shows that there are more.
    for (const { line, text: found } of search(text, query.max + 1 - matches.length))
      matches.push({ file: place.shown, line, text: found })
  }
  const isCut = more || matches.length > query.max
  return { matches: matches.slice(0, query.max), files, ...(isCut && { more: true }) }
}

type Search = (text: string, room: number) => readonly { line: number; text: string }[]

// Run as a script: only a script can be interrupted. A large pattern is slow in a long line.
const SEARCH = new Script(`(() => {
  const hits = []
  const lines = text.split('\\n')
  for (let index = 0; index < lines.length && hits.length < room; index++) {
    const line = lines[index]
    if (expression.test(line)) hits.push([index + 1, line.length > ${LINE_MAX} ? expression.exec(line).index : 0])
  }
  return JSON.stringify(hits)
})()`)

function searcher({ pattern, plain, ignoreCase }: Query): Search {
  const expression = expressionOf(
    plain ? pattern.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&') : pattern,
    ignoreCase ? 'i' : '',
  )
  const context = createContext({ expression, text: '', room: 0 })
  return (text, room) => {
    Object.assign(context, { text, room })
    const lines = text.split('\n')
    return (JSON.parse(withTimeout(context)) as [number, number][]).map(([line, at]) => ({
      line,
      text: around(lines[line - 1] ?? '', at),
    }))
  }
}

function withTimeout(context: object): string {
  try {
    return String(SEARCH.runInContext(context, { timeout: TIMEOUT }))
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw invalidPattern(
      'takes far too long to match; expected one with smaller repetitions than {1,500} (or use `plain`)',
    )
  }
}

function expressionOf(pattern: string, flags: '' | 'i'): LinearPattern {
  try {
    return new LinearPattern(pattern, flags)
  } catch (error) {
    const { message } = error as Error
    throw invalidPattern(`expected a regular expression (or \`plain\`): ${message}`)
  }
}

const invalidPattern = (message: string): InvalidArguments =>
  new InvalidArguments('grep', [{ path: 'pattern', message }])

function around(line: string, at: number): string {
  if (line.length <= LINE_MAX) return line.trimEnd()
  const from = Math.max(0, at - LINE_MAX / 4)
  return `${from > 0 ? '…' : ''}${line.slice(from, from + LINE_MAX)}…`
}
