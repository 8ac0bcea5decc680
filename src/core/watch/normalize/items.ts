/** The items of a call: its short values, such as ids, paths and names. An answer that repeats one is about it. */
import { hashNumber, isMap, type Json } from '../data/json.ts'
import { decodeHashes, encodeHashes, type MinHash } from '../text/similarity.ts'

/** A longer text is what is said about an item. */
const WORDS_MAX = 3
const LENGTH_MAX = 200
const ITEMS_MAX = 8
const BLANK = /\s+/

/** The text of a value that may name an item. */
export function itemText(value: Json): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const text = String(value).trim().toLowerCase()
  const isShort = text.length <= LENGTH_MAX && text.split(BLANK, WORDS_MAX + 1).length <= WORDS_MAX
  return text !== '' && isShort ? text : undefined
}

function itemHash(value: Json): number | undefined {
  const text = itemText(value)
  return text === undefined ? undefined : hashNumber(text) % 0x40000
}

/** The texts of the items of the arguments, also of those in a record or a list. */
export function itemTexts(args: Json): readonly string[] {
  const values = isMap(args) ? Object.values(args).flatMap(innerValues) : [args]
  return values.slice(0, ITEMS_MAX).flatMap(value => itemText(value) ?? [])
}

/** The items of the arguments. */
export function itemsOf(args: Json): MinHash | undefined {
  const hashes = itemTexts(args).map(text => hashNumber(text) % 0x40000)
  return hashes.length > 0 ? encodeHashes(hashes) : undefined
}

const innerValues = (value: Json): readonly Json[] =>
  typeof value === 'object' && value !== null ? Object.values(value).slice(0, ITEMS_MAX) : [value]

/** The items among some values, in order of their hashes; `''` if none is named. */
export function namedItems(values: readonly Json[], items: MinHash | undefined): MinHash {
  if (items === undefined) return ''
  const known = decodeHashes(items)
  const named = values.map(itemHash).filter(hash => hash !== undefined && known.has(hash))
  return encodeHashes([...new Set(named as readonly number[])].toSorted((a, b) => a - b))
}
