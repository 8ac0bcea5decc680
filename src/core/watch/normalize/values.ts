/** The values of a text that may name an item, as hashes. */
import { hashNumber } from '../data/json.ts'
import { oneHash } from '../text/similarity.ts'

const VALUES_MAX = 12
/** A longer text is read up to here. */
const LENGTH_MAX = 2_000

/** A word, a number, an id or an address. */
export const VALUE = /[\p{L}\p{Nd}_]+(?:[.@+-][\p{L}\p{Nd}_]+)*/gu
export const PART = /[\p{L}\p{Nd}_]+/gu
const DIGIT = /\p{Nd}/u
/** The value of an id follows, which may have no digit. */
const NAMED = /id["']?\s?[:=]\s?["']?$/i
/** The value names the call itself: the request that failed, or the number of the attempt. */
const OF_CALL =
  /(?:request|trace|span|correlation|attempt|retr(?:y|ies))[_-]?(?:id|no|number)?["']?\s?[:=]\s?["']?$/i
const OF_CALL_MAX = 28

/** The hashes of the values that may name an item: first those of ids, then those with a digit. */
export function valuesOf(text: string): readonly string[] {
  const ids: string[] = []
  const others: string[] = []
  for (const { 0: value, index } of text.slice(0, LENGTH_MAX).matchAll(VALUE)) {
    const before = text.slice(Math.max(0, index - OF_CALL_MAX), index)
    const isNamed = NAMED.test(before)
    if ((isNamed || DIGIT.test(value)) && !OF_CALL.test(before))
      (isNamed ? ids : others).push(value)
  }
  const values = [...ids, ...others]
  return [...values, ...values.flatMap(shortened)].slice(0, VALUES_MAX).map(valueHash)
}

const LONG_ID = /^[\da-f]{32,64}$/i
/** The lengths to which Git and Docker shorten them. */
const SHORTENED = [7, 8, 12]

/** How a long id is also written: `docker logs 3f2a9c1e7b4d`. */
const shortened = (value: string): readonly string[] =>
  LONG_ID.test(value) ? SHORTENED.map(length => value.slice(0, length)) : []

export const valueHash = (value: string): string => oneHash(hashNumber(value.toLowerCase()))

/** The hashes in a string of them. */
export const pieces = (values: string): readonly string[] => values.match(/.{3}/gs) ?? []
