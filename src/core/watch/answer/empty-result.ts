/** Whether an answer is JSON whose lists are all empty, and what else it says. */
import type { Json } from '../data/json.ts'
import { isPlaceOfPage } from './paging.ts'
import { read } from '../text/words.ts'

/** A list with content in it. */
export const FILLED = /\[\s*[^\]\s]/
/** The beginning of a record or a list, and an empty list. */
const EMPTY = /^\s*[[{][\s\S]*\[\s*\]|^\s*\[\s*\]/
const STATUS = /^\w{0,12}$/
/** A number as a text, such as a duration: `0.013`, `13ms`. */
const FIGURE = /^\d{1,12}([.,]\d{1,12})?\s?(%|[mµun]?s|secs?|seconds|min)?$/
/** The name of a generated value, which differs each time, of the server that answered, or of what an empty search suggests instead. */
const BESIDES =
  /(^|[a-z]I|[_-]i|^i)d$|^(suggestions?|suggestion_?snippet|suggest|spelling|spell_?check|query_?corrections?|corrected_?query|did_?you_?mean|alternatives|shard|node|host(name)?|server|replica|region|zone|cluster|served_?by)$/i
/** Lists that are filled although nothing was found: suggestions, and the words of the search. */
const SUGGESTED =
  /"(?:suggestions?|collations|query_?corrections?|did_?you_?mean|alternatives|terms|tokens|keywords|queries|search_?queries)":\s*\[[^\]]*\]/gi

const SUGGESTED_RECORD =
  /"(?:suggest|spelling|spell_?check)":\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/gi

/** A text and one empty list or more, as OpenSearch and MediaWiki suggest what they know about it. */
const SUGGESTIONS = /^\s*\[\s*"[^"]*"(?:\s*,\s*\[\s*\])+\s*\]\s*$/

const withoutSuggested = (text: string): string =>
  text.replace(SUGGESTED_RECORD, '').replace(SUGGESTED, '')

/** Whether JSON has empty lists, and no list with content. */
export const hasOnlyEmptyLists = (text: string): boolean =>
  EMPTY.test(text) && (!FILLED.test(withoutSuggested(text)) || SUGGESTIONS.test(text))

/** The status words of JSON whose lists are all empty. Its other texts quote the request, and its numbers only count. */
export function emptyResult(text: string, quoted: ReadonlySet<number>): string | undefined {
  if (!hasOnlyEmptyLists(text)) return undefined
  const value = parseJson(text)
  return value === undefined ? undefined : statusOf(value, quoted)
}

/** The status words in a value, or `undefined` if it has content. */
function statusOf(value: Json, quoted: ReadonlySet<number>): string | undefined {
  if (value === null || typeof value === 'boolean') return `${value}`
  if (typeof value === 'object') {
    const parts = Object.entries(value).map(([name, inner]) =>
      BESIDES.test(name) || isPlaceOfPage(name) ? '' : statusOf(inner, quoted),
    )
    return parts.includes(undefined) ? undefined : parts.filter(part => part !== '').join(' ')
  }
  const isText = typeof value === 'string'
  let quotes = true
  // A number of the request names the item that was found.
  const check = (hash: number) => {
    quotes &&= quoted.has(hash) === isText
  }
  read(String(value), 'none', { word: check, number: check })
  if (quotes || (isText && FIGURE.test(value))) return ''
  return isText && STATUS.test(value) ? value : undefined
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
