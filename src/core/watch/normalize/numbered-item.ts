/**
 * The numbered item of its call that an answer is about: the order 7 of `{ "order_id": 7, "status": "open" }`.
 *
 * Ids do not count as content, because a tool may name each answer by a new one. An id that the call named is the item, also in a
 * list or an envelope of records.
 *
 * Hard cases: a search repeats its page, its query or its limit beside the same results, and ranks its results from 1. Therefore
 * records of a search need content beside the number, and all records of a list must repeat it. Rejected: no items for searches,
 * because tools such as `find_order` get one record each.
 */
import { isMap, type Json } from '../data/json.ts'
import { recordIn } from '../answer/envelope.ts'
import type { Field } from '../outcome/failed-record.ts'
import { namedItems } from './items.ts'
import { mayName } from './report.ts'
import type { RequestFeatures } from './request-features.ts'
import type { MinHash } from '../text/similarity.ts'

/** A longer text is not read as a record. */
const LONG = 4_000
const RECORD = /^\s*[[{]/
/** Envelopes in one another: `{ "hits": { "hits": [{ "_source": {…} }] } }`. */
const LEVELS = 4

/** The name of what an envelope contains. */
const INNER =
  /^(?:data|results?|hits|matches|records?|rows?|documents?|docs?|response|output|payload|body|value|_source)$/i
/** What a search repeats of its call. */
const ASKED = /^(?:\w*_)?(?:q|query|search|keywords?|terms?|filters?|top_?k|size|max_?results)$/i
/** How a search went, and the ids of the search itself. */
const COURSE =
  /^(?:is_?)?(?:ok|success|succeeded|successful)$|^(?:status_?)?code$|version|(?:^|_)(?:time|took|duration|elapsed|score|rank|index|position)(?:_|$)|(?:^|_)(?:request|trace|correlation|session|conversation|query|search)_?id$/i
/** Flags that say whether something was found, and totals. */
const FOUND = /(?:^|_)(?:found|exists|total|count|hits|matches|results)|(?:^|[a-z])Count$/
/** A text that says nothing of an item. Longer ones do. */
const BRIEF = 24
const NOTHING =
  /^\W*(?:none|null|nil|n\/a|ok|success|unknown|missing|empty|no|(?:not|nothing)[ _-]?found|no[ _-](?:results?|match(?:es)?|hits?|records?))?\W*$/i

/** The numbered items that each record of the answer repeats, otherwise `''`. */
export function numberedItemOf(text: string, request: RequestFeatures | undefined): MinHash {
  if (request?.items === undefined || text.length > LONG || !RECORD.test(text)) return ''
  const { items, aim } = request
  const value = recordIn(text)
  const named = (record: JsonMap): MinHash => {
    const fields = Object.entries(record)
    return aim === 'seek' ? foundItem(fields, items) : namedItems(numbersOf(fields), items)
  }
  const whole = isMap(value) && (aim !== 'seek' || !isEnvelope(value)) ? named(value) : ''
  return whole === '' ? sharedItem(recordsIn(value, LEVELS).map(named)) : whole
}

/** Records of other items beside one another are results: their numbers may be ranks. */
function sharedItem(named: readonly MinHash[]): MinHash {
  const [first = '', ...others] = named
  return others.every(other => other === first) ? first : ''
}

type JsonMap = Readonly<Record<string, Json>>

const isEnvelope = (record: JsonMap): boolean => Object.entries(record).some(isInner)

const isInner = ([name, value]: Field): boolean =>
  INNER.test(name) && typeof value === 'object' && value !== null

/** The record of one name, also beside what belongs to the response: `{ "ticket": {…}, "meta": {…} }`. */
const isOnlyRecord = ([name, value]: Field, fields: readonly Field[]): boolean =>
  isMap(value) &&
  fields.every(([other]) => other === name || /^(?:meta|links|_links)$/i.test(other))

const isListOfRecords = (value: Json): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isMap)

/** The innermost records of lists and envelopes. */
function recordsIn(value: Json | undefined, levels: number): readonly JsonMap[] {
  if (levels === 0) return []
  if (Array.isArray(value)) return value.flatMap(item => recordOr(item, levels - 1))
  if (!isMap(value)) return []
  const fields = Object.entries(value)
  return fields
    .filter(field => isInner(field) || isListOfRecords(field[1]) || isOnlyRecord(field, fields))
    .flatMap(([, inner]) => recordOr(inner, levels - 1))
}

const recordOr = (value: Json, levels: number): readonly JsonMap[] =>
  isMap(value) && !isEnvelope(value) ? [value] : recordsIn(value, levels)

/** The item that a record of a search names, if the record says anything about it. */
function foundItem(fields: readonly Field[], items: MinHash): MinHash {
  const telling = fields.filter(([name]) => !ASKED.test(name) && !COURSE.test(name))
  const item = namedItems(numbersOf(telling.filter(([name]) => !FOUND.test(name))), items)
  // Results in a list, and their total, may be the same for all calls.
  const lists = fields.some(([, value]) => isListOfRecords(value))
  const content = lists ? telling.filter(([name]) => !FOUND.test(name)) : telling
  return content.some(field => hasContent(field, items)) ? item : ''
}

function hasContent([name, value]: Field, items: MinHash): boolean {
  if (!mayName([name, value]) || namedItems([value], items) !== '' || isListOfRecords(value))
    return false
  if (typeof value === 'boolean') return value || !FOUND.test(name)
  if (typeof value === 'string') return value.trim().length > BRIEF || !NOTHING.test(value.trim())
  return typeof value === 'object' ? Object.keys(value ?? {}).length > 0 : value !== 0
}

const NUMBERED = /\d/
const isNumbered = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'string' && NUMBERED.test(value))

const numbersOf = (fields: readonly Field[]): readonly Json[] =>
  fields
    .filter(mayName)
    .map(([, value]) => value)
    .filter(isNumbered)
