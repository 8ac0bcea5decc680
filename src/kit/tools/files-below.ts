/** The files below a folder of the workspace. */
import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { OutsideWorkspace, readFolder, throwFileError } from '../workspace.ts'
import type { Place } from '../workspace.ts'

const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git'])
/** A folder that cannot be read, or was removed or replaced meanwhile, does not end a search. */
const UNREADABLE: ReadonlySet<string | undefined> = new Set([
  'EACCES',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
])
/** Entries between two turns of the event loop, in which a timeout or a signal of the process is noticed. */
const ENTRIES_PER_TURN = 256

interface Entry {
  readonly place: Place
  readonly isFile: boolean
}

/** The files below a place in the order of their names, or the place itself. Links are not followed. @throws the reason of the signal */
export async function* filesBelow(start: Place, signal: AbortSignal): AsyncGenerator<Place> {
  // Not a generator for each folder: an entry would pass through one for each level.
  const left = await entriesIn(start, signal).catch(error => {
    if (error.code === 'ENOTDIR') return [{ place: start, isFile: true }]
    throw error
  })
  for (let passed = 1; ; passed++) {
    const entry = left.pop()
    if (!entry) return
    if (passed % ENTRIES_PER_TURN === 0) await setImmediate()
    signal.throwIfAborted()
    if (entry.isFile) yield entry.place
    else for (const inner of await readableIn(entry.place, signal)) left.push(inner)
  }
}

/** The files and folders in a folder, the last name first. @throws the reason of the signal */
async function entriesIn(folder: Place, signal: AbortSignal): Promise<Entry[]> {
  const found: Dirent[] = []
  await readFolder(folder, async path => {
    const options = { bufferSize: ENTRIES_PER_TURN }
    for await (const entry of await opendir(path, options).catch(throwFileError(folder.shown))) {
      signal.throwIfAborted()
      if (entry.isFile() || (entry.isDirectory() && !SKIPPED.has(entry.name))) found.push(entry)
    }
  })
  return found
    .sort((a, b) => (a.name < b.name ? 1 : -1))
    .map(entry => ({ place: placeIn(folder, entry.name), isFile: entry.isFile() }))
}

const placeIn = (folder: Place, name: string): Place => ({
  ...folder,
  real: join(folder.real, name),
  shown: folder.shown === '.' ? name : `${folder.shown}/${name}`,
})

const readableIn = (folder: Place, signal: AbortSignal): Promise<readonly Entry[]> =>
  entriesIn(folder, signal).catch(error => {
    if (UNREADABLE.has(error.code) || error instanceof OutsideWorkspace) return []
    throw error
  })
