/**
 * Opens files that may be pipes. Node.js reads and writes a file on a thread of its pool, and such a thread cannot be interrupted while
 * the other end of a pipe is silent: not even `process.exit` ends then. A socket waits without a thread.
 */
import {
  closeSync,
  constants,
  createReadStream,
  createWriteStream,
  open,
  openSync,
  type ReadStream,
  type WriteStream,
} from 'node:fs'
import { stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { addAbortSignal } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ReadStream as TerminalStream, isatty } from 'node:tty'
import { promisify } from 'node:util'

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants

/** Reads a file as text. The signal ends it at once, also while nothing writes to a pipe. @throws the reason of the signal */
export async function openText(file: string, signal?: AbortSignal): Promise<ReadStream | Socket> {
  const stream = await openInput(file, signal)
  stream.setEncoding('utf8')
  return signal ? addAbortSignal(signal, stream) : stream
}

async function openInput(file: string, signal?: AbortSignal): Promise<ReadStream | Socket> {
  const about = await stat(file).catch(() => undefined)
  if (about?.isFIFO())
    return new Socket({ fd: await openPipe(file, O_RDONLY, signal), writable: false })
  if (!about?.isCharacterDevice()) return createReadStream(file)
  const fd = await promisify(open)(file, O_RDONLY)
  return isatty(fd) ? new TerminalStream(fd) : createReadStream(file, { fd })
}

/** Writes a file. The signal ends the wait for the reader of a pipe. @throws the reason of the signal */
export async function openOutput(
  file: string,
  { signal, ...options }: { readonly signal?: AbortSignal; readonly mode?: number } = {},
): Promise<WriteStream | Socket> {
  const about = await stat(file).catch(() => undefined)
  if (!about?.isFIFO()) return createWriteStream(file, options)
  return new Socket({ fd: await openPipe(file, O_WRONLY, signal), readable: false })
}

/** The time in ms between two attempts to end the wait of an `open`. */
const RETRY = 10

/** Opens one end of a pipe: this waits for a process that opens the other end. @throws the reason of the signal */
async function openPipe(file: string, end: number, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted()
  let isWaiting = true
  const endWait = async () => {
    const other = (end === O_RDONLY ? O_WRONLY : O_RDONLY) | O_NONBLOCK
    while (isWaiting) {
      try {
        closeSync(openSync(file, other))
      } catch {
        // The thread has not started to wait.
      }
      await pause(RETRY)
    }
  }
  signal?.addEventListener('abort', endWait, { once: true })
  try {
    const fd = await promisify(open)(file, end)
    if (!signal?.aborted) return fd
    closeSync(fd)
    throw signal.reason
  } finally {
    isWaiting = false
    signal?.removeEventListener('abort', endWait)
  }
}
