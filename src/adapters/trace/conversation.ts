/** Conversations as frameworks keep them: a list of messages or steps. A file holds one, in lines or as a whole, or many, one a line or in a list. */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/normalize/answer-features.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import { type Fields, inside, isMap, listIn, mapAt, type Passed, type Place } from './fields.ts'

export interface Dialect {
  /** Where a conversation keeps its lists. */
  readonly lists: readonly string[]
  /** What an item of a list is called. */
  readonly item: string
  /** What was done by one item; nothing, where it is of a kind that tells of nothing. @throws InvalidTrace */
  readonly acts: (place: Place, item: Fields, passed: Passed) => readonly Act[]
  /** The conversation in what was stored around it. */
  readonly inner?: (place: Place, value: unknown) => Conversation
}

export type Conversation = readonly [Place, unknown, id?: string]

/** A conversation is known by its `id` or `thread_id`, else by its file (and line, and place). @throws InvalidTrace */
export async function* conversationsIn(
  file: string,
  documents: AsyncIterable<Document>,
  conversing: Dialect,
  passed: Passed,
): AsyncGenerator<Trace> {
  const { item, acts } = conversing
  const actsAt = ([place, value]: readonly [Place, unknown]) =>
    acts(place, mapAt(place, value, item), passed)
  const lines: Act[] = []
  let size = 0
  for await (const { place, value, size: more } of documents) {
    const found = conversationsAt(place, value, conversing)
    for (const { id, items } of found) yield { id, acts: items.flatMap(actsAt) }
    if (found.length > 0) continue
    size += more
    if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
    lines.push(...actsAt([place, value]))
  }
  if (size > 0) yield { id: file, acts: lines }
}

interface Items {
  readonly id: string
  readonly items: readonly (readonly [Place, unknown])[]
}

/** None, where the value is an item itself. */
function conversationsAt(
  given: Place,
  found: unknown,
  { lists, inner = (...as) => as }: Dialect,
): readonly Items[] {
  const one = itemsIn(given.where, inner(given, found))
  if (one) return [one]
  if (!Array.isArray(found)) return []
  const each = found.map((value, index) =>
    itemsIn(`${given.where}[${index}]`, inner(inside(given, index), value)),
  )
  if (found.length > 0 && each.every(items => items !== undefined)) return each
  return [
    { id: given.where, items: found.map((value, index) => [inside(given, index), value] as const) },
  ]

  function itemsIn(name: string, [place, value, thread]: Conversation): Items | undefined {
    if (Array.isArray(value))
      return place === given
        ? undefined
        : { id: name, items: value.map((item, index) => [inside(place, index), item] as const) }
    // An item may have a list of such a name, too.
    if (!isMap(value) || typeof value.role === 'string' || typeof value.type === 'string')
      return undefined
    const kept = lists.filter(list => Array.isArray(value[list]))
    return kept.length === 0
      ? undefined
      : {
          id: thread ?? idOf(value) ?? name,
          items: kept.flatMap(list => listIn(place, value, list)),
        }
  }
}

function idOf({ id, thread_id }: Fields): string | undefined {
  return [id, thread_id].find(name => typeof name === 'string' && name !== '') as string | undefined
}

/** What is said; nothing is said by no text. */
export function spokenBy(text: string, by?: unknown): readonly Act[] {
  return text.trim() === ''
    ? []
    : [{ act: 'said', text, ...(typeof by === 'string' && by !== '' ? { by } : {}) }]
}

export function saidByPerson(text: string): readonly Act[] {
  return text === '' ? [] : [{ act: 'said', text, by: 'user', person: true }]
}

/** The text of a message, which is a text, or parts of which some are. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf((content ?? null) as Json)
  return content
    .flatMap(part => (typeof part === 'string' ? [part] : isMap(part) ? partText(part) : []))
    .join('\n')
}

function partText({ type, text, refusal }: Fields): readonly string[] {
  const said = type === 'refusal' ? refusal : TEXTS.has(type) ? text : undefined
  return typeof said === 'string' ? [said] : []
}

const TEXTS: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text'])

/** Arguments that are written as JSON in a text; what a model wrote there may be anything. */
export function parseArgs(given: unknown): Json {
  if (typeof given !== 'string') return (given ?? null) as Json
  try {
    return JSON.parse(given) as Json
  } catch {
    return given
  }
}
