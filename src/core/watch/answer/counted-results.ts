/**
 * Whether an answer counts results, without the texts of its call.
 *
 * Intuition: "3 results for X" is another answer for another X. "Nothing for X in the index of 29 May 2026" is the same one.
 * Hard cases: a total of zero says that nothing was found, whatever numbers stand beside it, and so do lists that are all empty.
 * Rejected: each digit counts. Most empty answers of services have a version, a date, the name of a model or the size of a page.
 */
import { isMap, type Json, parseJson } from '../data/json.ts'
import { FILLED, hasOnlyEmptyLists } from './empty-result.ts'
import { isPlaceOfPage } from './paging.ts'

const COUNTED = /[1-9]/
const RECORD = /^\s*[[{]/
const FIGURE = /^\s*\d[\d.,]*\s*$/

/** Numbers that count no results: of markup, of headings and versions, and of what was searched. */
const UNCOUNTED =
  /<\?xml\b[^>]*>|<!doctype\b[^>]*>|<\/?[a-z][\w:-]*|\b(?:version|xmlns(?::\w+)?)="[^"]*"|^#+ +\d+[.)]?|\b(?:v\d|(?:version|api) \d)[\d.]*\b|\bpage \d+\b(?! *(?:of|\/))|\b(?:searched|scanned|examined|checked) \d+ \w+|\b0 (?:of|\/|out of) \d+/gim
/** Addresses, dates in words, and the year at the end of a name. "2024 results" is a count. */
const PLACED =
  /\bhttps?:\/\/[^\s"'<>]+|\b\d{1,2}\.? \p{L}{3,10}\.?,? (?:19|20)\d\d\b|\b\p{L}{3,10}\.? \d{1,2},? (?:19|20)\d\d\b|\b(?:19|20)\d\d\b(?! *\p{L})/giu
/** Times and ids are not the content of an answer. Where lists are not empty, they may be what was found. */
const VOLATILE =
  /\b\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d[\d:.]*(?:z|[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d(?::\d\d)?\b|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\b\w{8,}\b/gi
const TOKEN = /[\p{L}\p{Nd}_.-]+/gu
/** Names such as `text-embedding-3-small`, and versions such as `1.0.0`. */
const NAME = /^[\p{L}_]|^\d+\.\d+\.\d/u
const ID = /^\w{8,}$/

/** The name of a total, and such a name of anything but results. */
const TOTAL =
  /total|found|hits|matches|results|(?:^|[^a-z]|result|item|doc|num|hit|row|record)count/i
const OF_OTHERS =
  /time|took|taken|duration|elapsed|tokens|bytes|cost|price|error|fail|warn|skip|page|limit|max|min/i
const ZERO_IN_MARKUP = /(?:total|count|found|hits|matches|results)[\w-]{0,20}(?:="0"|>\s*0\s*<)/i
/** The name of a setting of the search, or of a generated value, which does not count. */
const SETTING =
  /version|limit|cutoff|threshold|dimension|timeout|time|took|duration|elapsed|year|seed|port|created|updated|indexed|id$|(?:^|_)(?:max|min|top_?k|k|at)(?:_|$)/i
/** The name of a record that repeats what was asked, or says where. */
const REQUEST =
  /^(?:\w*_)?(?:request|params|parameters|options|settings|config|(?:response_?)?header|shards)$/i
/** The name of a flag that says whether something was found. */
const FOUND = /^(?:is_?)?found$|^has_?(?:results?|hits|match(?:es)?)$/i

/** Whether a text, from which the texts of its call were removed, counts results. */
export function countsResults(text: string): boolean {
  if (!COUNTED.test(text)) return false
  const value = RECORD.test(text) ? parseJson(text) : undefined
  if (value === undefined) return !ZERO_IN_MARKUP.test(text) && isCountedIn(text)
  const fields = fieldsOf('', value)
  const totals = fields.filter(([name, inner]) => isTotal(name, inner))
  if (totals.length > 0) return totals.some(([, total]) => COUNTED.test(`${total}`))
  const texts = fields.filter(([name, inner]) => isText(inner) && !SETTING.test(name))
  if (hasOnlyEmptyLists(value))
    return texts.some(([, inner]) => isCountedIn(`${inner}`.replace(VOLATILE, '')))
  // Any number may be a part of what was found.
  if (FILLED.test(text)) return COUNTED.test(text.replace(UNCOUNTED, ''))
  return texts.some(([, inner]) => isCountedIn(`${inner}`)) || fields.some(isCount)
}

function isCountedIn(text: string): boolean {
  const rest = text.replace(UNCOUNTED, '').replace(PLACED, '')
  return COUNTED.test(rest) && (rest.match(TOKEN) ?? []).some(isCounted)
}

const isCounted = (token: string): boolean =>
  COUNTED.test(token) && (!NAME.test(token) || ID.test(token))

type Field = readonly [name: string, value: Json]

/** The values in a record, each with its name. Lists hold results, and what repeats the request is left out. */
function fieldsOf(name: string, value: Json): readonly Field[] {
  if (!isMap(value)) return typeof value === 'object' ? [] : [[name, value]]
  return Object.entries(value)
    .filter(([inner]) => !REQUEST.test(inner))
    .flatMap(([inner, item]) => fieldsOf(inner === 'value' ? name : inner, item))
}

const isText = (value: Json): boolean => typeof value === 'string' && !FIGURE.test(value)

const isFigure = (value: Json): boolean =>
  typeof value === 'number' || (typeof value === 'string' && FIGURE.test(value))

/** `{ "found": false }` is a total of zero. */
const isTotal = (name: string, value: Json): boolean =>
  (isFigure(value) && TOTAL.test(name) && !OF_OTHERS.test(name)) ||
  (value === false && FOUND.test(name))

const isCount = ([name, value]: Field): boolean =>
  isFigure(value) && COUNTED.test(`${value}`) && !SETTING.test(name) && !isPlaceOfPage(name)
