/** Looks up a path below a folder, step by step: each step in the folder that the step before has opened. A folder that becomes a link meanwhile cannot lead it out. */
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether the system names the paths of open files. Found out once: a process in the workspace can make the name of one file unreadable. */
export const NAMES_OPEN_FILES = existsSync('/proc/self/fd')

/** Links on the way, and steps that are taken again. */
const TURNS_MAX = 40

/** A folder that is opened to look up names in it: that needs no permission to list them. Node.js has no constant for it. */
const O_PATH = 0x20_0000

/** A folder on the way. Without `handle`, `name` is its path, which another folder may take. */
interface Folder {
  readonly name: string
  readonly handle?: FileHandle
}

/**
 * The result of `last`, which gets the name of the last step, never of a link; `undefined` if a link leads out of `root`. As for the
 * system, `..` after a link is the parent of what the link names. No error depends on what exists outside.
 */
export async function lookUp<T>(
  root: string,
  path: string,
  last: (name: string) => Promise<T>,
): Promise<T | undefined> {
  const folders = [await openFolder(root)]
  const here = () => folders.at(-1)?.name ?? root
  const steps = stepsIn(relative(root, path))
  try {
    for (let turns = 0; ; ) {
      const step = steps.shift()
      if (step === undefined) return await last(here())
      if (step === '..') {
        if (folders.length === 1) return undefined
        await close(folders.splice(-1))
        continue
      }
      const name = join(here(), step)
      const target = await readlink(name).catch(() => undefined)
      if (target === undefined) {
        if (steps.length === 0) return await last(name)
        const folder = await openFolder(name).catch(error => {
          // Perhaps it has become a link: whether it is one, the next look decides.
          if (error.code !== 'ENOTDIR' || ++turns > TURNS_MAX) throw error
        })
        if (folder) folders.push(folder)
        else steps.unshift(step)
        continue
      }
      if (++turns > TURNS_MAX) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
      const isInside = target === root || target.startsWith(root + sep)
      if (isAbsolute(target) && !isInside) return undefined
      if (isInside) await close(folders.splice(1))
      steps.unshift(...stepsIn(isInside ? target.slice(root.length) : target))
    }
  } finally {
    await close(folders)
  }
}

const stepsIn = (path: string): string[] =>
  path.split(sep).filter(step => step !== '' && step !== '.')

async function openFolder(path: string): Promise<Folder> {
  if (!NAMES_OPEN_FILES) return { name: path }
  const { O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  return { name: `/proc/self/fd/${handle.fd}`, handle }
}

async function close(folders: readonly Folder[]): Promise<void> {
  for (const { handle } of folders) await handle?.close()
}
