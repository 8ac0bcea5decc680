/**
 * The ids and times that a sender makes for each of its messages. They say nothing of what the message is about.
 *
 * Hard case: the id of a document is what a message is about. Only names of messages, requests and their like are read, and a generated
 * `id` beside the text of a message or in its tag.
 */
import { isMap, isTooDeep, type Json, jsonOrText, mapFields } from '../data/json.ts'

const OF = '(?:message|msg|request|req|trace|span|correlation|event|delivery|idempotency)'
/** A line, or what follows a sentence: `message-id: 3f2a…`. */
const LINE = new RegExp(
  `(?<=^|\\n|[.!?\\u2026]\\s)[^\\S\\n]*(?:x[-_])?${OF}[-_ ]?(?:id|key)\\s?[:=]\\s?\\S{4,64}[^\\S\\n]*(?=\\n|$)`,
  'giu',
)
const FIELD_NAME = `(?:${OF}[-_]?(?:id|key)|nonce|ts|timestamp|(?:sent|created)_?at)`
const FIELD = new RegExp(`^${FIELD_NAME}$`, 'i')
const ID = /^id$/i
/** What a message says: a text, or a list of parts. */
const TEXT = /^(?:text|message|content|body|prompt|messages|parts)$/i
const GENERATED = /^(?:[a-z]{1,8}[-_])?(?=[a-z\d-]*\d)[a-z\d-]{16,64}$/i

const TAG = /<[a-z][^<>]{1,400}>/gi
const OF_MESSAGE = /^<(?:message|msg)\s/i
/** The value of an attribute. */
const VALUE = `\\s*=\\s*(?:"[^"]*"|'[^']*')`
const ATTRIBUTE = new RegExp(`\\s${FIELD_NAME}${VALUE}`, 'gi')
const ATTRIBUTE_OF_MESSAGE = new RegExp(`\\s(?:id|time|date|at)${VALUE}`, 'gi')

/** A text without the lines and the attributes of tags that give its message an id or a time. */
export const withoutIdMarks = (text: string): string =>
  text.replace(LINE, '').replace(TAG, tag => {
    const rest = tag.replace(ATTRIBUTE, '')
    return OF_MESSAGE.test(tag) ? rest.replace(ATTRIBUTE_OF_MESSAGE, '') : rest
  })

/** A value without the ids and times of its messages, and with each text changed. A record that has nothing else remains. */
export function withoutIds(value: Json, ofText: (text: string) => string): Json {
  if (typeof value === 'string') return ofText(value)
  if (Array.isArray(value)) return value.map(item => withoutIds(item, ofText))
  if (!isMap(value)) return value
  const fields = Object.entries(value)
  const hasText = fields.some(
    ([name, inner]) => TEXT.test(name) && (typeof inner === 'string' || Array.isArray(inner)),
  )
  const rest = fields.filter(
    ([name, inner]) =>
      !FIELD.test(name) && !(hasText && ID.test(name) && GENERATED.test(`${inner}`)),
  )
  return mapFields(rest.length > 0 ? Object.fromEntries(rest) : value, inner =>
    withoutIds(inner, ofText),
  )
}

/** A longer text is not read for a record. */
const LONG = 4_000
const OPENING = /\[\s*\{|\{/

/** A text that contains JSON, such as a message in a fence or behind a label: what stands before, the JSON, and what stands after. */
export function aroundJson(text: string): readonly [string, Json, string] | undefined {
  const start = text.length > LONG ? -1 : text.search(OPENING)
  if (start < 0) return undefined
  const end = text.lastIndexOf(text[start] === '[' ? ']' : '}') + 1
  const value = jsonOrText(text.slice(start, end))
  return typeof value === 'string' || isTooDeep(value)
    ? undefined
    : [text.slice(0, start), value, text.slice(end)]
}
