/** The workspace: the one folder whose files the tools may see. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { BusinessError } from './tool.ts'

/** A path that leads out of the workspace, by whatever way. */
export class OutsideWorkspace extends Error {
  override readonly name = 'OutsideWorkspace'
  readonly path: string
  constructor(path: string, why: string) {
    super(`'${printable(path)}' ${why}; only files inside the workspace can be seen`)
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
  /** Relative to the workspace, with `/`; `.` is the workspace itself. */
  readonly shown: string
}

export function workspaceAt(folder: string): Workspace {
  const root = resolve(folder)
  return {
    async find(path) {
      if (path.includes('\0')) throw new OutsideWorkspace(path, 'holds a NUL byte')
      const wanted = resolve(root, path)
      // Asked before the disk is: what lies outside is not even said to exist.
      if (!contains(root, wanted)) throw new OutsideWorkspace(path, 'leads out of the workspace')
      const [realRoot, real] = await Promise.all([realpath(root), realpath(wanted)]).catch(
        error => {
          throw fileError(path, error)
        },
      )
      if (!contains(realRoot, real))
        throw new OutsideWorkspace(path, 'is a link that leads out of the workspace')
      return { real, shown: relative(realRoot, real).split(sep).join('/') || '.' }
    },
  }
}

export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Opens a regular file for reading. Links are not followed, and a pipe that nobody writes to does not block. */
export async function openFile({
  real,
  shown,
}: Place): Promise<{ readonly handle: FileHandle; readonly size: number }> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const handle = await open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(error => {
    throw fileError(shown, error)
  })
  const stat = await handle.stat()
  if (stat.isFile()) return { handle, size: stat.size }
  await handle.close()
  if (stat.isDirectory()) throw fileError(shown, { code: 'EISDIR' })
  throw new BusinessError(`'${printable(shown)}' is neither a file nor a folder`)
}

const SAID: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist in the workspace',
  ENOTDIR: 'lies behind something that is not a folder',
  EISDIR: 'is a folder, not a file',
  EACCES: 'may not be read by this user',
  EPERM: 'may not be read by this user',
  ELOOP: 'is a link that leads nowhere',
  ENAMETOOLONG: 'is too long for a path',
}

/** The system's error in words for the model, without the path of the workspace on this machine; its code is kept. */
export function fileError(path: string, error: unknown): Error {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return Object.assign(
    new Error(`'${printable(path)}' ${SAID[code] ?? `cannot be read: ${message}`}`),
    code === '' ? {} : { code },
  )
}

/** The first bytes of a file hold a NUL: no text in any encoding that is read here. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_000).includes(0)
}

function printable(path: string): string {
  return JSON.stringify(path.slice(0, 200)).slice(1, -1)
}
