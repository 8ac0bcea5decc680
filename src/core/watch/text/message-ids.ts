/**
 * The ids and times that a sender makes for each of its messages. They say nothing of what the message is about.
 *
 * Hard case: the id of a document is what a message is about. Only names of messages, requests and their like are read, and a generated
 * `id` beside the text of a message.
 */
import { isMap, type Json } from '../data/json.ts'

const OF = '(?:message|msg|request|req|trace|span|correlation|event|delivery|idempotency)'
/** A line, or what follows a sentence: `message-id: 3f2a…`. */
const LINE = new RegExp(
  `(?<=^|\\n|[.!?\\u2026]\\s)[^\\S\\n]*(?:x[-_])?${OF}[-_ ]?(?:id|key)\\s?[:=]\\s?\\S{4,64}[^\\S\\n]*(?=\\n|$)`,
  'giu',
)
const FIELD = new RegExp(`^(?:${OF}[-_]?(?:id|key)|nonce|ts|timestamp|(?:sent|created)_?at)$`, 'i')
const ID = /^id$/i
const TEXT = /^(?:text|message|content|body|prompt)$/i
const GENERATED = /^(?:[a-z]{1,8}[-_])?(?=[a-z\d-]*\d)[a-z\d-]{16,64}$/i

/** A text without the lines that give its message an id. */
export const withoutIdLines = (text: string): string => text.replace(LINE, '')

/** A record without the ids and times of its message. A record that has nothing else remains. */
export function withoutIds(value: Json): Json {
  if (!isMap(value)) return value
  const fields = Object.entries(value)
  const hasText = fields.some(([name, inner]) => TEXT.test(name) && typeof inner === 'string')
  const rest = fields.filter(
    ([name, inner]) =>
      !FIELD.test(name) && !(hasText && ID.test(name) && GENERATED.test(`${inner}`)),
  )
  return rest.length > 0 ? Object.fromEntries(rest) : value
}
