/** The workspace: the folder that the built-in tools can read. */
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
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
}

export function workspaceAt(folder: string): Workspace {
  const root = resolve(folder)
  return {
    async find(path) {
      if (path.includes('\0')) throw new OutsideWorkspace(path, 'contains a NUL byte')
      const wanted = resolve(root, path)
      // Checked before the disk is read: the error does not reveal whether the path exists.
      if (!contains(root, wanted)) throw new OutsideWorkspace(path, 'leads out of the workspace')
      const [realRoot, real] = await Promise.all([realpath(root), realpath(wanted)]).catch(
        throwFileError(path),
      )
      if (!contains(realRoot, real))
        throw new OutsideWorkspace(path, 'is a link that leads out of the workspace')
      return { real, shown: relative(realRoot, real).split(sep).join('/') || '.' }
    },
  }
}

export function contains(folder: string, path: string): boolean {
  const steps = relative(folder, path)
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps)
}

/** Opens a regular file for reading. Does not follow links, and does not block on a pipe without a writer. */
export async function openFile({ real, shown }: Place) {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(throwFileError(shown))
  const stat = await handle.stat()
  if (stat.isFile()) return { handle, size: stat.size }
  await handle.close()
  if (stat.isDirectory()) throwFileError(shown)({ code: 'EISDIR' })
  throw new BusinessError(`'${printable(shown)}' is neither a file nor a folder`)
}

const PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist in the workspace',
  ENOTDIR: 'is inside something that is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  ELOOP: 'is a broken or circular link',
  ENAMETOOLONG: 'is too long for a path',
}

/** Rewrites a file error for the model: it keeps the code, and leaves out the path of the workspace on this machine. */
export function throwFileError(path: string): (error: unknown) => never {
  return error => {
    const { code = '', message = '' } = error as { code?: string; message?: string }
    const problem = PROBLEMS[code] ?? `cannot be read: ${message}`
    throw Object.assign(new Error(`'${printable(path)}' ${problem}`), code === '' ? {} : { code })
  }
}

/** Whether the first bytes of a file contain a NUL, which text does not. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_000).includes(0)
}

const printable = (path: string): string => JSON.stringify(path.slice(0, 200)).slice(1, -1)
