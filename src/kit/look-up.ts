/** Looks up a path below a folder, step by step: each step in the folder that the step before has opened. A folder that becomes a link meanwhile cannot lead it out. */
import { constants, existsSync, readFileSync } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'

/** Whether the system names the paths of open files. Found out once: a process in the workspace can make the name of one file unreadable. */
export const NAMES_OPEN_FILES = existsSync('/proc/self/fd')

/** The code of an error. */
export const MOVED = 'EMOVED'

/** Links on the way, and steps that are taken again. */
const TURNS_MAX = 40

/** A folder that is opened to look up names in it: that needs no permission to list them. Node.js has no constant for it. */
const O_PATH = 0x20_0000

/** A folder on the way. Without `handle`, another folder may take its name. */
interface Folder {
  readonly name: string
  readonly handle?: FileHandle
}

/** What `last` gets: a name that stays the same while it works, where the system names open files, and the path free of symbolic links. */
type Last<T> = (name: string, real: string) => Promise<T>

/**
 * The result of `last` for the last step; `undefined` if a link leads out of `root`. As for the system, `..` after a link is the parent
 * of what the link names. Neither the result nor an error depends on what exists outside.
 * @throws an error with the code `MOVED` if another folder than `root` has its path, or none
 */
export async function lookUp<T>(root: string, path: string, last: Last<T>): Promise<T | undefined> {
  const steps = stepsIn(relative(root, path))
  const above = steps.slice(0, -1)
  const found = await openAtOnce(root, above)
  let passed: readonly string[] = found ? steps.splice(0, above.length) : []
  let folder = found ?? (await openRoot(root))
  const enter = async (next: Folder, by: readonly string[]) => {
    const before = folder
    folder = next
    passed = by
    await before.handle?.close()
  }
  try {
    for (let turns = 0; ; ) {
      const step = steps.shift()
      if (step === undefined) return await last(`${folder.name}/.`, join(root, ...passed))
      if (step === '..') {
        if (passed.length === 0) return undefined
        // From the start: the parent of an open folder may be another one now.
        steps.unshift(...passed.slice(0, -1))
        await enter(await openRoot(root), [])
        continue
      }
      const name = join(folder.name, step)
      const target = await readlink(name).catch(() => undefined)
      if (target === undefined) {
        const by = [...passed, step]
        if (steps.length === 0) return await last(name, join(root, ...by))
        const next = await openFolder(name).catch(error => {
          // Perhaps it has become a link: whether it is one, the next look decides.
          if (error.code !== 'ENOTDIR' || ++turns > TURNS_MAX) throw error
        })
        if (next) await enter(next, by)
        else steps.unshift(step)
        continue
      }
      if (++turns > TURNS_MAX) throw Object.assign(new Error('too many links'), { code: 'ELOOP' })
      const isInside = target === root || target.startsWith(root + sep)
      if (isAbsolute(target) && !isInside) return undefined
      steps.unshift(...stepsIn(isInside ? target.slice(root.length) : target))
      if (isInside) await enter(await openRoot(root), [])
    }
  } finally {
    await folder.handle?.close()
  }
}

/** The folder at the end of these steps, if none of them is a link. Most are none, and a deep folder takes many steps. */
async function openAtOnce(root: string, steps: readonly string[]): Promise<Folder | undefined> {
  if (!NAMES_OPEN_FILES || steps.length === 0) return undefined
  const path = join(root, ...steps)
  return openNamed(path).catch(() => undefined)
}

/** Not an error of the system: it would depend on what is outside, where a folder above has become a link. */
const openRoot = async (root: string): Promise<Folder> => {
  const folder = await openNamed(root).catch(error => {
    if (!OF_ANOTHER.has(error.code)) throw error
  })
  if (folder) return folder
  throw Object.assign(new Error('the folder was moved'), { code: MOVED })
}

/** What the system says of a path that leads elsewhere. */
const OF_ANOTHER: ReadonlySet<string> = new Set(['EACCES', 'ELOOP', 'ENOENT', 'ENOTDIR'])

/** A folder that has this path. Without `handle`, that is found out when the file is open. */
async function openNamed(path: string): Promise<Folder | undefined> {
  const folder = await openFolder(path)
  const { name, handle } = folder
  if (!handle) return folder
  if ((await readlink(name).catch(() => '')) === path && isOnKnownMount(handle)) return folder
  await handle.close()
  return undefined
}

/** The mounts of this process, when they were last read. */
let known: ReadonlySet<string | undefined> = new Set()

/** Whether this process has the mount of an open folder. Through `/proc/PID/root`, a folder of another process may have the same path. */
function isOnKnownMount(handle: FileHandle): boolean {
  const mount = mountOf(handle)
  if (mount === undefined || known.has(mount)) return true
  known = ownMounts()
  return known.has(mount)
}

/** `undefined` on systems that do not tell it. The files of `/proc` are read at once: they are in memory. */
export const mountOf = ({ fd }: FileHandle): string | undefined =>
  /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]

/** Not by a pattern of lines: the name of a mount may contain a sign that ends a line for JavaScript, and then a number. */
export const ownMounts = (): ReadonlySet<string | undefined> =>
  new Set(
    readFileSync('/proc/self/mountinfo', 'utf8')
      .split('\n')
      .map(line => line.split(' ')[0]),
  )

const stepsIn = (path: string): string[] =>
  path.split(sep).filter(step => step !== '' && step !== '.')

async function openFolder(name: string): Promise<Folder> {
  if (!NAMES_OPEN_FILES) return { name }
  const { O_DIRECTORY, O_NOFOLLOW } = constants
  const handle = await open(name, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  return { name: `/proc/self/fd/${handle.fd}`, handle }
}
