/**
 * Conversations as frameworks keep them: a list of messages or steps. A file holds one, in lines or as a whole, or many, one a
 * line or in a list.
 */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { type Document, TRACE_MAX, tooLong } from './documents.ts'
import {
  type Fields,
  inside,
  isMap,
  Item,
  type Located,
  located,
  type Passed,
  type Place,
} from './fields.ts'

export interface Dialect {
  /** Where a conversation keeps its lists. */
  readonly lists: readonly string[]
  /** What an item of a list is called. */
  readonly item: string
  /** The acts of one item. A kind without acts gives an empty list. @throws InvalidTrace */
  readonly acts: (item: Item, passed: Passed) => readonly Act[]
  /** The conversation in what was stored around it. */
  readonly inner?: (place: Place, value: unknown) => Conversation
}

export type Conversation = readonly [...Located, string?]

/** A conversation is named by its `id` or `thread_id`, else by its file (and line, and place). @throws InvalidTrace */
export async function* conversationsIn(
  file: string,
  documents: AsyncIterable<Document>,
  dialect: Dialect,
  passed: Passed,
): AsyncGenerator<Trace> {
  const actsAt = ([place, value]: Located) =>
    dialect.acts(new Item(place, value, dialect.item), passed)
  const lines: Act[] = []
  let size = 0
  for await (const { place, value, size: more } of documents) {
    const found = conversationsAt(place, value, dialect)
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
  readonly items: readonly Located[]
}

/** Empty where the value is an item itself. */
function conversationsAt(
  given: Place,
  found: unknown,
  { lists, inner = (...as) => as }: Dialect,
): readonly Items[] {
  const one = itemsIn(given.where, inner(given, found))
  if (one) return [one]
  if (!Array.isArray(found)) return []
  const values = located(given, found)
  const each = values.map((value, index) => itemsIn(`${given.where}[${index}]`, inner(...value)))
  const all = each.filter(items => items !== undefined)
  return found.length > 0 && all.length === each.length ? all : [{ id: given.where, items: values }]

  function itemsIn(name: string, [place, value, thread]: Conversation): Items | undefined {
    if (Array.isArray(value))
      return place === given ? undefined : { id: name, items: located(place, value) }
    // An item may have a list of such a name, too.
    if (!isMap(value) || typeof value.role === 'string' || typeof value.type === 'string')
      return undefined
    const items = lists.flatMap(list => {
      const kept = value[list]
      return Array.isArray(kept) ? [located(inside(place, list), kept)] : []
    })
    if (items.length === 0) return undefined
    return { id: thread ?? idOf(value) ?? name, items: items.flat() }
  }
}

function idOf({ id, thread_id }: Fields): string | undefined {
  return [id, thread_id].find(name => typeof name === 'string' && name !== '') as string | undefined
}
