/** The JSON values of a file: one a line, read as they come, or one that is the whole file. */
import { createReadStream } from 'node:fs'
import { fault, InvalidTrace, type Place } from './fields.ts'

export interface Document {
  readonly place: Place
  readonly value: unknown
  /** Characters. */
  readonly size: number
}

/** Characters of one trace: what is read is held in memory, one trace at a time. */
export const TRACE_MAX = 67_108_864

/** The end of a first line whose JSON goes on in the next line. */
const CONTINUES = /[[{,]\s*$/

export interface ReaderOptions {
  readonly signal?: AbortSignal
  /** Called with the bytes of each piece as it comes. */
  readonly read?: (bytes: number) => void
}

/** @throws InvalidTrace, or the reason of the signal */
export async function* documentsIn(
  file: string,
  reader: ReaderOptions = {},
): AsyncGenerator<Document> {
  let began = false
  const whole: string[] = []
  let size = 0
  for await (const [number, line] of linesIn(file, reader)) {
    if (whole.length === 0 && line.trim() === '') continue
    // Blank lines stand for those before it: the parser's line numbers stay right.
    if (!began && CONTINUES.test(line)) whole.push('\n'.repeat(number - 1))
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
    `has more than ${TRACE_MAX} characters, the most that one trace, or a file of one JSON value, may have`,
  )
}

function documentOf(place: Place, text: string, what: string): Document {
  try {
    return { place, value: JSON.parse(text), size: text.length }
  } catch (error) {
    const message = (error as Error).message.replace(/[\s\p{Cc}]+/gu, ' ')
    throw fault(place, `expected ${what}: ${message}`)
  }
}

/** Some editors, and most of Windows, begin a file with it. */
const BYTE_ORDER_MARK = /^\uFEFF/

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
      const foreign = begun ? undefined : binaryFault(file, chunk)
      if (foreign !== undefined) throw fault({ where: file, path: '' }, foreign)
      const text = begun ? chunk : chunk.replace(BYTE_ORDER_MARK, '')
      const [first = '', ...others] = text.split('\n')
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
    const message = MESSAGES[(error as { code?: string }).code ?? '']
    throw message === undefined ? error : new InvalidTrace(`${file}: ${message}`)
  }
  yield [number, rest.join('')]
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EISDIR: 'is a folder; expected a file of traces',
  EACCES: 'may not be read',
}

/** How files that are not UTF-8 begin once they are decoded as UTF-8: an invalid byte is U+FFFD. */
const BINARY: readonly (readonly [begins: string | RegExp, what: string, decode: string])[] = [
  ['\x1F\uFFFD', 'packed by gzip', 'gunzip -c'],
  ['\uFFFD7zXZ', 'packed by xz', 'xz -dc'],
  ['BZh', 'packed by bzip2', 'bunzip2 -c'],
  ['(\uFFFD/\uFFFD', 'packed by zstd', 'zstd -dc'],
  ['PK\x03\x04', 'a zip archive', 'unzip -p'],
  [/^\uFFFD\uFFFD.?\0/s, 'text in UTF-16', 'iconv -f UTF-16 -t UTF-8'],
  [/^[^\0]\0/, 'text in UTF-16LE', 'iconv -f UTF-16LE -t UTF-8'],
  [/^\0[^\0]/, 'text in UTF-16BE', 'iconv -f UTF-16BE -t UTF-8'],
]

/** The fault of a file with this beginning, with the command that decodes it; `undefined`: it may be text. */
function binaryFault(file: string, begins: string): string | undefined {
  const fits = (start: string | RegExp) =>
    typeof start === 'string' ? begins.startsWith(start) : start.test(begins)
  const [, what, decode] = BINARY.find(([start]) => fits(start)) ?? []
  if (what !== undefined)
    return `seems to be ${what}; expected text in UTF-8: \`${decode} ${shellWord(file)} | escapement watch /dev/stdin\``
  return begins.includes('\0') ? 'is a binary file; expected text in UTF-8' : undefined
}

function shellWord(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
