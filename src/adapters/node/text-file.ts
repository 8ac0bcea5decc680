/** A text file that is written as its lines come. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export function writeText(file: string, lines: AsyncIterable<string>): Promise<void> {
  return pipeline(Readable.from(lines), createWriteStream(file))
}
