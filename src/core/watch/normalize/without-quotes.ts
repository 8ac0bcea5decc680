/** An answer without the texts of its call. */
import { countsResults } from '../answer/counted-results.ts'
import { withoutQuoted } from '../answer/quoted-texts.ts'
import type { RequestFeatures } from './request-features.ts'

const RECORD = /^\s*[[{]/
/** Nothing else remains of a path that was found. */
const WORD = /\p{L}/u

const URL_ENCODED = /(?:%[\da-f]{2})+/gi

/** A text with the queries of its URLs as they were before they were encoded. */
const urlDecoded = (text: string): string =>
  text.replaceAll('+', ' ').replace(URL_ENCODED, encoded => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/** The answer without the texts of its call, unless it counts results. A record that is not about a search names its item. */
export function withoutQuotes(text: string, request: RequestFeatures | undefined): string {
  if (!request?.texts || (request.aim !== 'seek' && RECORD.test(text))) return text
  const plain = withoutQuoted(text, request.texts)
  const decoded = plain.length === text.length && /[%+]/.test(text) ? urlDecoded(text) : text
  const rest = decoded === text ? plain : withoutQuoted(decoded, request.texts)
  if (rest.length === decoded.length) return text
  return countsResults(rest) || !WORD.test(rest) ? text : rest
}
