/** Writes files atomically, from lines that arrive one at a time. */
import { createWriteStream } from 'node:fs'
import { lstat, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The file cannot be written. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/**
 * Writes the file atomically. A pipe, a device or a link cannot be replaced: there, each line is written when it arrives.
 * @throws Unwritable, also for a file in `read`
 */
export async function writeText(
  file: string,
  lines: AsyncIterable<string>,
  read: readonly string[] = [],
) {
  if (file === '') throw new Unwritable('expected the name of a file to write, got an empty one')
  for (const other of read)
    if (await isSame(file, other))
      throw new Unwritable(`${file}: is also read; expected another file to write`)
  const write = (path: string) => pipeline(Readable.from(lines), createWriteStream(path))
  const about = await lstat(file).catch(() => undefined)
  try {
    await (about?.isFile() === false ? write(file) : writeAtomically(file, write))
  } catch (cause) {
    const { code = '', syscall } = cause as { code?: string; syscall?: string }
    if (syscall !== 'open' || !UNWRITABLE.has(code)) throw cause
    throw new Unwritable(`${file}: cannot be written (${code})`, { cause })
  }
}

/** Whether both names refer to one file, also through links. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(file => stat(file).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev
}

const UNWRITABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EROFS'])

/** The file exists completely or not at all: `write` writes another file, which then replaces this one. */
export async function writeAtomically(file: string, write: (part: string) => Promise<void>) {
  const part = `${file}.${process.pid}.part`
  try {
    await write(part)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
