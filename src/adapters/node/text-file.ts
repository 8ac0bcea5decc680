/** A text file of lines that come one after the other. */
import { createWriteStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { inOnePiece } from './one-piece.ts'

/** A file that cannot be written where it was asked for. */
class Unwritable extends Error {
  override readonly name = 'Unwritable'
}

/** Writes the file in one piece; a pipe, a device or a link, which no other file can stand in for, as the lines come. @throws Unwritable */
export async function writeText(file: string, lines: AsyncIterable<string>): Promise<void> {
  const write = (path: string) => pipeline(Readable.from(lines), createWriteStream(path))
  const plain = await lstat(file).then(
    about => about.isFile(),
    () => true,
  )
  try {
    await (plain ? inOnePiece(file, write) : write(file))
  } catch (error) {
    const { code = '', syscall } = error as { code?: string; syscall?: string }
    throw syscall === 'open' && UNWRITABLE.has(code) ? new Unwritable(`${file}: cannot be written (${code})`, { cause: error }) : error
  }
}

const UNWRITABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EROFS'])
