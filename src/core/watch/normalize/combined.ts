/**
 * The values of a call that combines them: `{ "from": "BER", "to": "JFK" }`.
 *
 * Intuition: four origins and five destinations are twenty questions, although all of their names are known after eight.
 * Hard case: the words of a text in another order are the same question. A text of other words is another value, so it is never a known
 * one; a long text is not read, because its variants could be combined with any option.
 */
import { hashNumber, isMap, type Json } from '../data/json.ts'
import { encodeHashes, type MinHash } from '../text/similarity.ts'
import { itemText } from './items.ts'

const VALUES_MAX = 8

/** A hash for each argument with its name; `undefined` for a call with one argument, or with a long or nested one. */
export function combinedIn(args: Json): MinHash | undefined {
  if (!isMap(args)) return undefined
  const fields = Object.entries(args)
  if (fields.length < 2 || fields.length > VALUES_MAX) return undefined
  const texts = fields.map(([name, value]) => [name, itemText(value)] as const)
  if (texts.some(([, text]) => text === undefined)) return undefined
  return encodeHashes(texts.map(([name, text]) => hashNumber(`${name} ${text}`) % 0x40000))
}
