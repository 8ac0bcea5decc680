/** The JSON values of a file, and the conversations in them. A file holds one (in lines or whole) or several (one a line or in a list). */
import { isTooDeep, LEVELS_MAX } from '../../core/watch/data/json.ts'
import { openText } from '../pipe.ts'
import { unreadable } from '../../runtime/system-error.ts'
import type { Act, Trace } from '../../core/watch/trace-watcher.ts'
import type { Located, Place, Skip } from './fields.ts'
import { inside, InvalidTrace, isMap, Item, locate } from './fields.ts'

export interface Dialect {
  /** The fields of a conversation that hold its items. */
  readonly lists: readonly string[]
  readonly item: string
  readonly acts: (item: Item, skip: Skip) => readonly Act[]
  /** Unwraps the conversation from what was stored around it. */
  readonly inner?: (place: Place, value: unknown) => Conversation
}

export type Conversation = readonly [...Located, thread?: string]

/** A conversation is named by its `id` or `thread_id`, otherwise by its file, line and place. @throws InvalidTrace */
export async function* conversationsIn(
  file: string,
  documents: AsyncIterable<Document>,
  dialect: Dialect,
  skip: Skip,
): AsyncGenerator<Trace> {
  const actsAt = ([place, value]: Located) =>
    dialect.acts(new Item(place, value, dialect.item), skip)
  const lines: Act[] = []
  let size = 0
  for await (const { place, value, size: more } of documents) {
    const conversations = conversationsAt(place, value, dialect)
    for (const { id, items } of conversations) yield { id, acts: items.flatMap(actsAt) }
    if (conversations.length > 0) continue
    size += more
    checkSize(size, file)
    for (const act of actsAt([place, value])) lines.push(act)
  }
  if (size > 0) yield { id: file, acts: lines }
}

type Items = Readonly<{ id: string; items: readonly Located[] }>

/** Empty if the value is itself an item. */
function conversationsAt(
  given: Place,
  value: unknown,
  { lists, inner = (...as) => as }: Dialect,
): readonly Items[] {
  const one = itemsIn(given.where, inner(given, value))
  if (one) return [one]
  if (!Array.isArray(value)) return []
  const values = locate(given, value)
  const each = values.map((one, index) => itemsIn(`${given.where}[${index}]`, inner(...one)))
  const all = each.filter(items => items !== undefined)
  return value.length > 0 && all.length === each.length ? all : [{ id: given.where, items: values }]

  function itemsIn(name: string, [place, value, thread]: Conversation): Items | undefined {
    if (Array.isArray(value))
      return place === given ? undefined : { id: name, items: locate(place, value) }
    // An item may have a list with such a name, too.
    if (!isMap(value) || typeof value.role === 'string' || typeof value.type === 'string')
      return undefined
    const items = lists.flatMap(list => {
      const entries = value[list]
      return Array.isArray(entries) ? [locate(inside(place, list), entries)] : []
    })
    const id = [thread, value.id, value.thread_id, name].find(id => typeof id === 'string' && id)
    return items.length === 0 ? undefined : { id: String(id), items: items.flat() }
  }
}

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

export type ReaderOptions = Readonly<{ signal?: AbortSignal; read?: (bytes: number) => void }>

/** @throws InvalidTrace, or the reason of the signal */
export async function* documentsIn(file: string, reader: ReaderOptions): AsyncGenerator<Document> {
  let started = false
  const whole: string[] = []
  let size = 0
  for await (const [number, lines] of linesIn(file, reader))
    for (const [index, line] of lines.entries()) {
      if (whole.length === 0 && line.trim() === '') continue
      if (!started && CONTINUES.test(line)) {
        // Blank lines replace those before it: the line numbers of the parser stay correct.
        size = number + index - 1
        checkSize(size, file)
        whole.push('\n'.repeat(size))
      }
      started = true
      if (whole.length === 0) {
        yield parseDocument(`${file}:${number + index}`, line, 'a JSON object, one a line')
        continue
      }
      const rest = `${lines.slice(index).join('\n')}\n`
      size += rest.length
      checkSize(size, file)
      whole.push(rest)
      break
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
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = (error as Error).message.replace(/[\s\p{Cc}]+/gu, ' ')
    throw new InvalidTrace(where, `expected ${what}: ${message}`)
  }
  if (isTooDeep(value)) throw new InvalidTrace(where, `is nested deeper than ${LEVELS_MAX} levels`)
  return { place: { where, path: '' }, value, size: text.length }
}

/** Some editors and most Windows programs write it at the start of a file. */
const BYTE_ORDER_MARK = /^\uFEFF/

/** The lines that end in the same part of the file, after the number of the first. */
async function* linesIn(
  file: string,
  { signal, read }: ReaderOptions,
): AsyncGenerator<readonly [number: number, lines: readonly string[]]> {
  let number = 1
  let rest: string[] = []
  let size = 0
  let bytes = 0
  try {
    const stream = await openText(file, signal)
    for await (const chunk of stream as AsyncIterable<string>) {
      const started = bytes > 0
      read?.(stream.bytesRead - bytes)
      bytes = stream.bytesRead
      if (!started) checkText(file, chunk)
      const text = started ? chunk : chunk.replace(BYTE_ORDER_MARK, '')
      const lines = text.split('\n')
      const [first = ''] = lines
      size += first.length
      checkSize(size, `${file}:${number}`)
      rest.push(first)
      if (lines.length === 1) continue
      const last = lines.pop() ?? ''
      lines[0] = rest.join('')
      yield [number, lines]
      number += lines.length
      rest = [last]
      size = last.length
    }
  } catch (error) {
    const message = MESSAGES[(error as { code?: string }).code ?? ''] ?? unreadable(error)
    throw message === undefined ? error : new InvalidTrace(file, message)
  }
  yield [number, [rest.join('')]]
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'file not found',
  ENAMETOOLONG: 'is too long for a path',
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
