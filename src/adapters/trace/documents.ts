/** The JSON values of a file: one a line, read as a stream, or one that fills the whole file. */
import { createReadStream } from 'node:fs'
import { InvalidTrace, type Place } from './fields.ts'

export interface Document {
  readonly place: Place
  readonly value: unknown
  /** In characters. */
  readonly size: number
}

/** Characters of one trace. The reader holds one trace in memory at a time. */
const TRACE_MAX = 67_108_864

/** The end of a first line whose JSON continues on the next line. */
const CONTINUES = /[[{,]\s*$/

export interface ReaderOptions {
  readonly signal?: AbortSignal
  /** Called with the number of bytes of each chunk. */
  readonly read?: (bytes: number) => void
}

/** @throws InvalidTrace, or the reason of the signal */
export async function* documentsIn(file: string, reader: ReaderOptions): AsyncGenerator<Document> {
  let started = false
  const whole: string[] = []
  let size = 0
  for await (const [number, line] of linesIn(file, reader)) {
    if (whole.length === 0 && line.trim() === '') continue
    // Blank lines replace those before it: the line numbers of the parser stay correct.
    if (!started && CONTINUES.test(line)) whole.push('\n'.repeat(number - 1))
    started = true
    if (whole.length === 0) {
      yield parseDocument(`${file}:${number}`, line, 'a JSON object, one a line')
      continue
    }
    size += line.length
    checkSize(size, file)
    whole.push(`${line}\n`)
  }
  if (whole.length > 0) yield parseDocument(file, whole.join(''), 'JSON')
}

/** @throws InvalidTrace for a trace above the limit */
export function checkSize(size: number, where: string): void {
  if (size <= TRACE_MAX) return
  const most = `the limit of one trace, or of a file with one JSON value`
  throw new InvalidTrace(where, `has more than ${TRACE_MAX} characters, ${most}`)
}

function parseDocument(where: string, text: string, what: string): Document {
  try {
    return { place: { where, path: '' }, value: JSON.parse(text), size: text.length }
  } catch (error) {
    const message = (error as Error).message.replace(/[\s\p{Cc}]+/gu, ' ')
    throw new InvalidTrace(where, `expected ${what}: ${message}`)
  }
}

/** Some editors and most Windows programs write it at the start of a file. */
const BYTE_ORDER_MARK = /^\uFEFF/

async function* linesIn(
  file: string,
  { signal, read }: ReaderOptions,
): AsyncGenerator<readonly [number: number, line: string]> {
  let number = 1
  let rest: string[] = []
  let size = 0
  let bytes = 0
  const stream = createReadStream(file, { encoding: 'utf8', ...(signal ? { signal } : {}) })
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      const started = bytes > 0
      read?.(stream.bytesRead - bytes)
      bytes = stream.bytesRead
      if (!started) checkText(file, chunk)
      const text = started ? chunk : chunk.replace(BYTE_ORDER_MARK, '')
      const [first = '', ...others] = text.split('\n')
      size += first.length
      checkSize(size, `${file}:${number}`)
      rest.push(first)
      for (const line of others) {
        yield [number++, rest.join('')]
        rest = [line]
        size = line.length
      }
    }
  } catch (error) {
    const message = MESSAGES[(error as { code?: string }).code ?? '']
    throw message === undefined ? error : new InvalidTrace(file, message)
  }
  yield [number, rest.join('')]
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  EISDIR: 'is a folder; expected a file of traces',
  EACCES: 'cannot be read: permission denied',
}

/** The starts of files that are not UTF-8, decoded as UTF-8: an invalid byte becomes U+FFFD. */
const BINARY: readonly (readonly [start: RegExp, what: string, decode: string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the magic number of gzip
  [/^\x1F\uFFFD/, 'packed by gzip', 'gunzip -c'],
  [/^\uFFFD7zXZ/, 'packed by xz', 'xz -dc'],
  [/^BZh/, 'packed by bzip2', 'bunzip2 -c'],
  [/^\(\uFFFD\/\uFFFD/, 'packed by zstd', 'zstd -dc'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the magic number of zip
  [/^PK\x03\x04/, 'a zip archive', 'unzip -p'],
  [/^\uFFFD\uFFFD.?\0/s, 'text in UTF-16', 'iconv -f UTF-16 -t UTF-8'],
  [/^[^\0]\0/, 'text in UTF-16LE', 'iconv -f UTF-16LE -t UTF-8'],
  [/^\0[^\0]/, 'text in UTF-16BE', 'iconv -f UTF-16BE -t UTF-8'],
]

/** @throws InvalidTrace for a binary file, with the command that decodes it */
function checkText(file: string, start: string): void {
  const [, what, decode] = BINARY.find(([pattern]) => pattern.test(start)) ?? []
  const name = /^[\w./:@%+,-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  const command = `\`${decode} ${name} | escapement watch /dev/stdin\``
  if (what !== undefined)
    throw new InvalidTrace(file, `seems to be ${what}; expected text in UTF-8: ${command}`)
  if (start.includes('\0')) throw new InvalidTrace(file, 'is a binary file; expected text in UTF-8')
}
