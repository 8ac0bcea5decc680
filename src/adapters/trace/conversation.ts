/** Conversations as lists of messages or steps. A file holds one (in lines or whole) or several (one a line or in a list). */
import type { Act, Trace } from '../../core/watch/normalize/act.ts'
import { checkSize, type Document } from './documents.ts'
import { inside, isMap, Item, type Located, locate, type Place, type Skip } from './fields.ts'

export interface Dialect {
  /** The fields of a conversation that hold its items. */
  readonly lists: readonly string[]
  /** Describes an item in messages. */
  readonly item: string
  /** The acts of one item. @throws InvalidTrace */
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
    lines.push(...actsAt([place, value]))
  }
  if (size > 0) yield { id: file, acts: lines }
}

interface Items {
  readonly id: string
  readonly items: readonly Located[]
}

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
