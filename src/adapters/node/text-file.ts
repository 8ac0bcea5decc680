/** A text file of lines that come one after the other. */
import { createWriteStream } from 'node:fs'
import { lstat, stat, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A file that cannot be written where it was asked for. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/** Writes the file in one piece; a pipe, a device or a link, which no other file can stand in for, as the lines come. Never over one of those that are `read` meanwhile. @throws Unwritable */
export async function writeText(
  file: string,
  lines: AsyncIterable<string>,
  read: readonly string[] = [],
): Promise<void> {
  if (file === '') throw new Unwritable('expected the name of a file to write, got an empty one')
  for (const other of read)
    if (await isSame(file, other))
      throw new Unwritable(`${file}: is read from; expected another file to write`)
  const write = (path: string) => pipeline(Readable.from(lines), createWriteStream(path))
  const plain = await lstat(file).then(
    about => about.isFile(),
    () => true,
  )
  try {
    await (plain ? writeAtomically(file, write) : write(file))
  } catch (error) {
    const { code = '', syscall } = error as { code?: string; syscall?: string }
    throw syscall === 'open' && UNWRITABLE.has(code)
      ? new Unwritable(`${file}: cannot be written (${code})`, { cause: error })
      : error
  }
}

/** Whether both names, through links or not, are those of one file. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(file => stat(file).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev
}

const UNWRITABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EROFS'])

/** `write` writes another file, which takes this one's place when it is complete. */
export async function writeAtomically(
  file: string,
  write: (part: string) => Promise<void>,
): Promise<void> {
  const part = `${file}.${process.pid}.part`
  try {
    await write(part)
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}
