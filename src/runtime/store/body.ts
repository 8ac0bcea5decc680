/** A line with one JSON value and its checksum, by which a reader finds a flipped bit that is valid JSON. */
import { crc32 } from 'node:zlib'
import { damagedError } from './row-text.ts'

/** `sum` is null in lines of earlier versions, and of blobs: their hash is their checksum. */
export type Body = Readonly<{ body: string; sum: number | null }>

/** A text and its checksum. With `key`, the place of the line in its table, the checksum covers that, too. */
export const summed = (text: string, key = ''): readonly [string, number] => [
  text,
  sumOf(text, key),
]

const sumOf = (text: string, key: string): number => crc32(key, crc32(text))

/** The key of a checkpoint. With a flipped bit in it, an old run would be taken for the current one, or for that of another thread. */
export const checkpointKey = (thread: string, seq: number): string => `${thread} ${seq}`

/** The key of a command. With a flipped bit in it, a command would be applied to another thread, or twice. */
export const commandKey = (thread: string, command: string): string => `${thread} ${command}`

/** The value of a line; lines of earlier versions have a checksum without a key. @throws StoreUnavailable if its text is not JSON or differs from its checksum */
export function parseBody<T>({ body, sum }: Body, what: string, key = ''): T {
  try {
    // With a flipped bit, a column may have another type.
    const isText = typeof body === 'string' && typeof key === 'string'
    if (isText && (sum === null || sum === sumOf(body, key) || sum === crc32(body)))
      return JSON.parse(body)
  } catch {
    // Reported like a wrong checksum.
  }
  throw damagedError(what)
}
