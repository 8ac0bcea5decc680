/** Conversations as frameworks keep them: a list of messages or steps. A file holds one, in lines or as a whole, or one a line. */
import type { Act, Trace } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { textOf } from '../../core/watch/sense.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import { type Fields, isMap, listIn, mapAt, type Place } from './fields.ts'

export interface Conversing {
  /** Where a conversation keeps its list. */
  readonly list: 'messages' | 'steps'
  /** What an item of the list is called. */
  readonly item: string
  /** What was done by one item; nothing, where it is of a kind that tells of nothing. @throws InvalidTrace */
  readonly acts: (place: Place, item: Fields) => readonly Act[]
}

/** A conversation is known by its `id` or `thread_id`, else by its file (and line). @throws InvalidTrace */
export async function* conversationsIn(file: string, documents: AsyncIterable<Document>, { list, item, acts }: Conversing): AsyncGenerator<Trace> {
  const actsAt = ([place, value]: readonly [Place, unknown]) => acts(place, mapAt(place, value, item))
  const lines: Act[] = []
  let size = 0
  for await (const { place, value, size: more } of documents) {
    if (Array.isArray(value)) {
      yield { id: place.where, acts: value.flatMap((one, index) => actsAt([{ ...place, path: `[${index}]` }, one])) }
    } else if (isMap(value) && Array.isArray(value[list])) {
      yield { id: idOf(value) ?? place.where, acts: listIn(place, value, list).flatMap(actsAt) }
    } else {
      size += more
      if (size > TRACE_MAX) throw tooLong({ where: file, path: '' })
      lines.push(...actsAt([place, value]))
    }
  }
  if (size > 0) yield { id: file, acts: lines }
}

function idOf({ id, thread_id }: Fields): string | undefined {
  return [id, thread_id].find(name => typeof name === 'string' && name !== '') as string | undefined
}

/** What is said; nothing is said by no text. */
export function said(text: string, by?: unknown): readonly Act[] {
  return text.trim() === '' ? [] : [{ act: 'said', text, ...(typeof by === 'string' && by !== '' ? { by } : {}) }]
}

export function saidByPerson(text: string): readonly Act[] {
  return text === '' ? [] : [{ act: 'said', text, by: 'user', person: true }]
}

/** The text of a message, which is a text, or parts of which some are. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return textOf((content ?? null) as Json)
  return content.flatMap(part => (typeof part === 'string' ? [part] : isMap(part) && part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}

/** Arguments that are written as JSON in a text; what a model wrote there may be anything. */
export function writtenArgs(given: unknown): Json {
  if (typeof given !== 'string') return (given ?? null) as Json
  try {
    return JSON.parse(given) as Json
  } catch {
    return given
  }
}
