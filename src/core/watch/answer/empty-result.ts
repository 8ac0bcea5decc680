/**
 * Whether an answer is JSON whose lists are all empty, and what else it says.
 *
 * Intuition: a search for many queries at once returns an entry for each. If each repeats its query beside an empty list, nothing was
 * found.
 * Hard case: a result whose tags are an empty list. It says more than a query: a title, an id.
 * Rejected: each filled list as content, which misses every search that takes a list of queries.
 */
import { type Json, parseJson } from '../data/json.ts'
import { isPlaceOfPage } from './paging.ts'
import { read } from '../text/words.ts'

/** A list with content in it. */
export const FILLED = /\[\s*[^\]\s]/
/** The beginning of a record or a list, and an empty list. */
const EMPTY = /^\s*[[{][\s\S]*\[\s*\]|^\s*\[\s*\]/
const STATUS = /^(?:[1-5]\d\d )?\w{0,12}$/
/** A number as a text, such as a duration: `0.013`, `13ms`. */
const FIGURE = /^\d{1,12}([.,]\d{1,12})?\s?(%|[mµun]?s|secs?|seconds|min)?$/
/** The name of a generated value, which differs each time, of the server that answered, or of what an empty search suggests instead. */
const BESIDES =
  /(^|[a-z]I|[_-]i|^i)d$|^(suggestions?|suggestion_?snippet|suggest|spelling|spell_?check|query_?corrections?|corrected_?query|did_?you_?mean|alternatives|shard|node|host(name)?|server|replica|region|zone|cluster|served_?by|(?:quoted_?)?phrases_?(?:not_?found|ignored)|output_?messages)$/i
/** Lists that are filled although nothing was found. */
const SUGGESTED =
  /^(?:suggestions?|collations|query_?corrections?|did_?you_?mean|alternatives|suggest|spelling|spell_?check)$/i
/** The words of the search, and what PubMed says of them. */
const SEARCHED =
  /^(?:terms|tokens|keywords|queries|search_?queries|(?:quoted_?)?phrases_?(?:not_?found|ignored)|output_?messages)$/i
/** The name under which an entry repeats its query, and of a word that says how the search went. */
const QUERY =
  /^(?:q|query|question|keywords?|terms?|phrase|pattern|prompt|input|text|search(?:_?(?:query|terms?|text|string|for))?|query_?(?:string|text))$/i
const COURSE = /^(?:status|state|type|kind|object|engine|provider|source)$/i
/** What an exchange over HTTP puts around its content. */
const HEADERS = /^(?:response_?)?headers?$/i
const BODY = /^(?:body|data|json|text|content)$/i

type Field = readonly [name: string, value: Json]

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)
const isText = (value: Json): value is string => typeof value === 'string'

/** The fields of a record or a list that may hold results. */
function fieldsOf(value: Json): readonly Field[] {
  if (typeof value !== 'object' || value === null) return []
  const fields = Object.entries(value) as readonly Field[]
  const hasBody = fields.some(([name]) => BODY.test(name))
  return hasBody ? fields.filter(([name]) => !HEADERS.test(name)) : fields
}

const isSuggested = ([name, value]: Field): boolean =>
  typeof value === 'object' &&
  (SUGGESTED.test(name) || (SEARCHED.test(name) && isList(value) && value.every(isText)))

type Lists = 'none' | 'empty' | 'filled'

function listsIn(value: Json): Lists {
  if (isList(value)) return value.every(isEmptyEntry) ? 'empty' : 'filled'
  const lists = fieldsOf(value).map(field => (isSuggested(field) ? 'none' : listsIn(field[1])))
  if (lists.includes('filled')) return 'filled'
  return lists.includes('empty') ? 'empty' : 'none'
}

/** A query with empty lists, or only these. */
function isEmptyEntry(entry: Json): boolean {
  if (listsIn(entry) !== 'empty') return false
  const values = scalarsIn('', entry)
  const texts = values.filter(([name, value]) => isText(value) && !COURSE.test(name))
  return texts.length > 0
    ? texts.every(([name]) => QUERY.test(name))
    : values.every(([name, value]) => !Number(value) || COURSE.test(name))
}

/** The values outside of records and lists, each with its name. */
const scalarsIn = (name: string, value: Json): readonly Field[] =>
  typeof value === 'object' && value !== null
    ? fieldsOf(value).flatMap(([inner, item]) => scalarsIn(isList(value) ? name : inner, item))
    : [[name, value]]

/** A text and one empty list or more, as OpenSearch and MediaWiki suggest what they know about it, also beside a zero. */
const isEmptyTuple = (value: Json): boolean =>
  isList(value) &&
  value.length > 1 &&
  isText(value[0] ?? null) &&
  value.slice(1).every(part => part === 0 || (isList(part) && part.length === 0)) &&
  value.some(isList)

/** Whether JSON has empty lists, and no list with content. */
export const hasOnlyEmptyLists = (value: Json): boolean =>
  listsIn(value) === 'empty' || isEmptyTuple(value)

export interface EmptyResult {
  /** The status words. */
  readonly status: string
  /** All other values with digits. Of a search, they only count. */
  readonly figures: string
}

/** The call that was answered. */
export interface EmptyOf {
  /** The hashes of its words and numbers. */
  readonly quoted: ReadonlySet<number>
  /** It searches: a number of it that the answer repeats is an option, such as an attempt. */
  readonly seeks: boolean
  /** The place of a page counts. */
  readonly places: boolean
}

/** What JSON says whose lists are all empty. Its other texts quote the request. */
export function emptyResult(text: string, of: EmptyOf): EmptyResult | undefined {
  const value = EMPTY.test(text) ? parseJson(text) : undefined
  if (value === undefined || !hasOnlyEmptyLists(value)) return undefined
  const status = statusOf(value, of)
  return status && { status: [...new Set(status)].join(' '), figures: figuresIn(value, of.places) }
}

/** The status words in a value, or `undefined` if it has content. */
function statusOf(value: Json, of: EmptyOf): readonly string[] | undefined {
  if (value === null || typeof value === 'boolean') return [`${value}`]
  if (typeof value === 'object') {
    const parts = fieldsOf(value).map(([name, inner]) =>
      BESIDES.test(name) || isPlaceOfPage(name) ? [] : statusOf(inner, of),
    )
    return parts.includes(undefined) ? undefined : parts.flatMap(part => part ?? [])
  }
  let quotes = true
  // A number of the request names the item that was found.
  const check = (hash: number) => {
    quotes &&= isText(value) ? of.quoted.has(hash) : of.seeks || !of.quoted.has(hash)
  }
  read(String(value), 'none', { word: check, number: check })
  if (quotes || (isText(value) && FIGURE.test(value))) return []
  return isText(value) && STATUS.test(value) ? [value] : undefined
}

const DIGIT = /[1-9]/
const URL_ENCODED = /%[\da-f]{2}/gi

/** The values with digits, each with its name, as lines. */
const figuresIn = (value: Json, places: boolean): string =>
  scalarsIn('', value)
    .filter(([name, inner]) => DIGIT.test(`${inner}`) && (places || !isPlaceOfPage(name)))
    .map(([name, inner]) => `"${name}":${`${inner}`.replace(URL_ENCODED, ' ')}`)
    .join('\n')
