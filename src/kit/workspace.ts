/** The workspace: the folder that the built-in tools can read. */
import { type BigIntStats, constants, existsSync, lstatSync, realpathSync } from 'node:fs'
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises'
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { lookUp, MOVED, mountOf, NAMES_OPEN_FILES, ownMounts } from './look-up.ts'
import { BusinessError } from './tool.ts'

/** A path outside the workspace. */
export class OutsideWorkspace extends Error {
  override readonly name = 'OutsideWorkspace'
  readonly path: string
  constructor(path: string, why: string) {
    super(`'${printable(path)}' ${why}; only files inside the workspace are accessible`)
    this.path = path
  }
}

export interface Workspace {
  /** Finds an existing file or folder. @throws OutsideWorkspace */
  find(path: string): Promise<Place>
}

export interface Place {
  /** Free of symbolic links. */
  readonly real: string
  /** Relative to the workspace, with `/`. The workspace itself is `.`. */
  readonly shown: string
  /** The workspace, free of symbolic links. */
  readonly root: string
}

export function workspaceAt(folder: string): Workspace {
  const root = resolve(folder)
  // Resolved once: a folder above may become a link later.
  let realRoot = existsSync(root) ? realpathSync(root) : undefined
  return {
    async find(path) {
      if (path.includes('\0')) throw new OutsideWorkspace(path, 'contains a NUL byte')
      const wanted = resolve(root, path)
      // Checked before the disk is read: the error does not reveal whether the path exists.
      if (!contains(root, wanted)) throw new OutsideWorkspace(path, 'leads out of the workspace')
      const fail = throwFileError(path)
      realRoot ??= await realpath(root).catch(fail)
      const place = resolve(realRoot, relative(root, wanted))
      const found = await lookUp(realRoot, place, realOf).catch(fail)
      if (found === undefined) throw new OutsideWorkspace(path, LEADS_OUT)
      const shown = relative(realRoot, found).split(sep).join('/') || '.'
      return { real: found, shown, root: realRoot }
    },
  }
}

const LEADS_OUT = 'is a link that leads out of the workspace'
const IS_MOVED = 'is in a workspace whose folder was moved, removed or replaced'

/** The real path of what exists. */
const realOf = (name: string, real: string): Promise<string> => lstat(name).then(() => real)

export function contains(folder: string, path: string): boolean {
  const steps = relative(folder, path)
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Opens a regular file for reading. Does not follow links, and does not block on a pipe without a writer. */
export async function openFile(place: Place) {
  const { handle } = await openInside(place, constants.O_NONBLOCK).catch(error => {
    throw error.code === 'ENXIO' ? neitherFileNorFolder(place) : error
  })
  const stat = await handle.stat()
  if (stat.isFile()) return { handle, size: stat.size }
  await handle.close()
  if (stat.isDirectory()) throwFileError(place.shown)({ code: 'EISDIR' })
  throw neitherFileNorFolder(place)
}

const neitherFileNorFolder = ({ shown }: Place): BusinessError =>
  new BusinessError(`'${printable(shown)}' is neither a file nor a folder`)

/** Reads an open file from its start, at most `max` bytes. `size` is the expected size. */
export async function readBytes(
  handle: FileHandle,
  {
    size,
    max,
    signal,
  }: { readonly size: number; readonly max: number; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  // One byte more than expected: the read that finds the end needs room.
  let bytes = Buffer.allocUnsafe(Math.min(size + 1, max))
  for (let length = 0; ; ) {
    signal.throwIfAborted()
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length)
    length += bytesRead
    if (bytesRead === 0 || length === max) return bytes.subarray(0, length)
    if (length === bytes.length) bytes = Buffer.concat([bytes], Math.min(2 * length, max))
  }
}

/** Reads a folder that stays the same while it is read, where the system can name an open folder. */
export async function readFolder<T>(place: Place, read: (path: string) => Promise<T>): Promise<T> {
  const { handle, path } = await openInside(place, constants.O_DIRECTORY)
  try {
    return await read(path)
  } finally {
    await handle.close()
  }
}

/**
 * Opens a place and checks the opened file or folder itself: since `find`, a folder on the way may have become a link. `path` names
 * it as long as it is open.
 * @throws OutsideWorkspace
 */
async function openInside(place: Place, flag = 0) {
  const { O_RDONLY, O_NOFOLLOW = 0 } = constants
  const { real, shown, root } = place
  const openAt = (path: string) => open(path, O_RDONLY | O_NOFOLLOW | flag)
  const handle = await lookUp(root, real, openAt).catch(throwFileError(shown))
  if (!handle) throw new OutsideWorkspace(shown, LEADS_OUT)
  try {
    if (await (NAMES_OPEN_FILES ? isReadHere(handle, root) : isStillAt(handle, place)))
      return { handle, path: NAMES_OPEN_FILES ? `/proc/self/fd/${handle.fd}` : real }
  } catch (error) {
    await handle.close()
    throwFileError(shown)(error)
  }
  await handle.close()
  throw new OutsideWorkspace(shown, LEADS_OUT)
}

/**
 * Whether the system names an open file inside the workspace. It names none whose path has become too long. Of a file that was reached
 * through `/proc/PID/root` it names the path in the mounts of that process, so its mount must be one of this process.
 */
async function isReadHere(handle: FileHandle, root: string): Promise<boolean> {
  const actual = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
  if (actual === undefined || !contains(root, actual)) return false
  const mount = mountOf(handle)
  return mount === undefined || ownMounts().has(mount)
}

/** Each look can be misled by a folder that is swapped at that moment. As many in succession cannot, whatever the pace of the swaps. */
const LOOKS = 16

/** Whether a place without links on its way leads to an open file, on systems that cannot name the path of an open file. */
async function isStillAt(handle: FileHandle, { real, root }: Place): Promise<boolean> {
  const opened = await handle.stat({ bigint: true })
  if (!contains(root, real)) return false
  for (let look = 0; look < LOOKS; look++) if (!leadsTo(opened, real)) return false
  return true
}

/** Synchronous, to leave no time for a swap in between. Each folder above, also of the workspace, is looked at before and after what it contains. */
function leadsTo(opened: BigIntStats, real: string): boolean {
  const areFolders = () => foldersAbove(real).every(at => lstatSync(at, QUIET)?.isDirectory())
  if (!areFolders()) return false
  const found = lstatSync(real, { ...QUIET, bigint: true })
  return found?.dev === opened.dev && found.ino === opened.ino && areFolders()
}

/** From that of the path itself to that of the system. */
function foldersAbove(path: string): readonly string[] {
  const folders: string[] = []
  for (let at = dirname(path); !folders.includes(at); at = dirname(at)) folders.push(at)
  return folders
}

const QUIET = { throwIfNoEntry: false } as const

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist in the workspace',
  ENOTDIR: 'is inside something that is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  ELOOP: 'is a broken or circular link',
  ENAMETOOLONG: 'is too long for a path',
}

/** Rewrites a file error for the model: it keeps the code, and leaves out the path of the workspace on this machine. @throws OutsideWorkspace */
export function throwFileError(path: string): (error: unknown) => never {
  return error => {
    const { code = '', message = '' } = error as { code?: string; message?: string }
    if (code === MOVED) throw new OutsideWorkspace(path, IS_MOVED)
    const problem = PROBLEMS[code] ?? `cannot be read: ${code || message}`
    throw Object.assign(new Error(`'${printable(path)}' ${problem}`), code === '' ? {} : { code })
  }
}

/** Whether the first bytes of a file contain a NUL, which text does not. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_000).includes(0)

const printable = (path: string): string => JSON.stringify(path.slice(0, 200)).slice(1, -1)
