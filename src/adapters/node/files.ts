/** Writes text files and archives (gzip) atomically, from lines that arrive one at a time, and reads archives. */
import { createReadStream } from 'node:fs'
import { lstat, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { openOutput } from '../pipe.ts'
import { codedError } from '../../core/watch/data/fault.ts'
import { defined } from '../../core/watch/data/json.ts'
import { BadArchive } from '../../runtime/store/archive.ts'
import { archiveLinesIn } from '../../runtime/store/archive-bytes.ts'
import { unreadable } from '../../runtime/system-error.ts'

/** The file cannot be written. */
class Unwritable extends codedError('Unwritable', 'unwritable') {}

interface WriteOptions {
  /** Files that must not be replaced: those that are read, and the store. */
  readonly keep?: readonly string[]
  /** Packs the text with gzip. */
  readonly pack?: boolean
  /** Makes the file readable for its owner only: it holds a whole journal. */
  readonly own?: boolean
  /** Ends the writing, and removes what was written. */
  readonly signal?: AbortSignal
}

/**
 * Writes the file atomically: it exists completely or not at all. A pipe, a device or a link cannot be replaced: there, each line is
 * written when it arrives.
 * @throws Unwritable, also for a file to keep; the reason of the signal
 */
export async function writeLines(
  file: string,
  lines: AsyncIterable<string>,
  { keep = [], pack = false, own = false, signal }: WriteOptions = {},
) {
  if (file === '') throw new Unwritable('expected the name of a file to write, got an empty one')
  for (const other of keep)
    if (await isSame(file, other))
      throw new Unwritable(`${file}: is also read; expected another file to write`)
  let ofLines: unknown
  const noted = async function* () {
    try {
      yield* lines
    } catch (error) {
      ofLines = error
      throw error
    }
  }
  const write = async (path: string) => {
    const to = await openOutput(path, { ...(own && { mode: 0o600 }), ...defined({ signal }) })
    const of = defined({ signal })
    await (pack ? pipeline(noted, createGzip(), to, of) : pipeline(noted, to, of))
  }
  const about = await lstat(file).catch(() => undefined)
  try {
    await (about?.isFile() === false ? write(file) : writeAtomically(file, write))
  } catch (cause) {
    signal?.throwIfAborted()
    const { code, syscall } = cause as { code?: string; syscall?: string }
    if (cause === ofLines || syscall === undefined) throw cause
    throw new Unwritable(`${file}: cannot be written (${code})`, { cause })
  }
}

/** Whether both names refer to one file, also through links. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map(file => stat(file).catch(() => undefined)))
  if (!a || !b) return resolve(one) === resolve(other)
  return a.isFile() && a.ino === b.ino && a.dev === b.dev
}

/** `write` writes another file, which then replaces this one. */
async function writeAtomically(file: string, write: (part: string) => Promise<void>) {
  const part = `${file}.${process.pid}.part`
  try {
    await write(part)
    await rename(part, file)
  } catch (error) {
    // A path through a file has no part, and the first error says so.
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

/** The lines of a file, packed or not, without their line breaks. @throws BadArchive */
export async function* readArchive(file: string): AsyncGenerator<string> {
  try {
    const about = await stat(file)
    if (!about.isFile()) throw new BadArchive('is not a file')
    yield* archiveLinesIn(createReadStream(file), about.size)
  } catch (error) {
    throw explainError(error)
  }
}

const ARCHIVE_MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  ENAMETOOLONG: 'is too long for a path',
  EACCES: 'cannot be read: permission denied',
}

function explainError(error: unknown): unknown {
  const { code = '' } = error as { code?: string }
  const message = ARCHIVE_MESSAGES[code] ?? unreadable(error)
  return message === undefined ? error : new BadArchive(message, { cause: error })
}
