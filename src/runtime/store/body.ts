/** A line with one JSON value and its checksum, by which a reader finds a flipped bit that is valid JSON. */
import { crc32 } from 'node:zlib'
import { damagedError } from './row-text.ts'

/** `sum` is null in lines of earlier versions, and of blobs: their hash is their checksum. */
export type Body = Readonly<{ body: string; sum: number | null }>

/** A text and its checksum. */
export const summed = (text: string): readonly [string, number] => [text, crc32(text)]

/** The value of a line. @throws StoreUnavailable if its text is not JSON or differs from its checksum */
export function parseBody<T>({ body, sum }: Body, what: string): T {
  try {
    if (sum === null || sum === crc32(String(body))) return JSON.parse(body)
  } catch {
    // Reported like a wrong checksum.
  }
  throw damagedError(what)
}
