/** The JSON values of a file: one a line, read as they come, or one that is the whole file. */
import { createReadStream } from 'node:fs'
import { fault, InvalidTrace, type Place } from './fields.ts'
import { noText } from './no-text.ts'

export interface Document {
  readonly place: Place
  readonly value: unknown
  /** Characters. */
  readonly size: number
}

/** Characters of one trace: what is read is held in memory, one trace at a time. */
export const TRACE_MAX = 67_108_864

/** No JSON ends like this: a file whose first line does is one value over many lines. */
const GOES_ON = /[[{,]\s*$/

/** Whoever has a file read may stop it, and be told how far it is. */
export interface ReaderOptions {
  readonly signal?: AbortSignal
  /** Called with the bytes of each piece as it comes. */
  readonly read?: (bytes: number) => void
}

/** @throws InvalidTrace, or the abort of the signal */
export async function* documentsIn(
  file: string,
  reader: ReaderOptions = {},
): AsyncGenerator<Document> {
  let began = false
  const whole: string[] = []
  let size = 0
  for await (const [number, line] of linesIn(file, reader)) {
    if (whole.length === 0 && line.trim() === '') continue
    // Blank lines stand for those before it, so that the parser's own line numbers are right.
    if (!began && GOES_ON.test(line)) whole.push('\n'.repeat(number - 1))
    began = true
    if (whole.length === 0) {
      yield documentOf({ where: `${file}:${number}`, path: '' }, line, 'a JSON object, one a line')
      continue
    }
    size += line.length
    if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
    whole.push(`${line}\n`)
  }
  if (whole.length > 0) yield documentOf({ where: file, path: '' }, whole.join(''), 'JSON')
}

export function tooLong(place: Place): InvalidTrace {
  return fault(
    place,
    `has more than ${TRACE_MAX} characters; expected no trace, and no file that is read as a whole, to be longer`,
  )
}

function documentOf(place: Place, text: string, what: string): Document {
  try {
    return { place, value: JSON.parse(text), size: text.length }
  } catch (error) {
    throw fault(
      place,
      `expected ${what}: ${(error as Error).message.replace(/[\s\p{Cc}]+/gu, ' ')}`,
    )
  }
}

/** Some editors, and most of Windows, begin a file with it. */
const MARK = /^\uFEFF/

async function* linesIn(
  file: string,
  { signal, read }: ReaderOptions,
): AsyncGenerator<readonly [number: number, line: string]> {
  let number = 1
  let rest: string[] = []
  let size = 0
  let begun = false
  const stream = createReadStream(file, { encoding: 'utf8', ...(signal ? { signal } : {}) })
  let bytes = 0
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      read?.(stream.bytesRead - bytes)
      bytes = stream.bytesRead
      const foreign = begun ? undefined : noText(file, chunk)
      if (foreign !== undefined) throw fault({ where: file, path: '' }, foreign)
      const [first = '', ...others] = (begun ? chunk : chunk.replace(MARK, '')).split('\n')
      begun = true
      size += first.length
      if (size > TRACE_MAX) throw tooLong({ where: `${file}:${number}`, path: '' })
      rest.push(first)
      for (const line of others) {
        yield [number++, rest.join('')]
        rest = [line]
        size = line.length
      }
    }
  } catch (error) {
    throw explainError(file, error)
  }
  yield [number, rest.join('')]
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'is a folder, and no file of traces',
  EACCES: 'may not be read',
}

function explainError(file: string, error: unknown): unknown {
  const words = WORDS[(error as { code?: string }).code ?? '']
  return words === undefined ? error : new InvalidTrace(`${file}: ${words}`)
}
