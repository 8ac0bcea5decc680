/** What the body of an answer is, by its first characters. Proxies and relays change its content type. */

/** Characters of an answer that show its form. */
export const HEAD_MAX = 1_000

/** The first characters that are not blank: enough for the longest name of a field. */
export const HEAD_MIN = 'event:'.length

export type AnswerForm = 'json' | 'events' | 'page' | 'text'

const PAGE = /^\s*<(?:!|\?xml|html|head|body)/i
const BRACE = /^\s*\{/
const FIELD = /^(?:data|event|id|retry)?:/m
/** A text in YAML may begin with `id:`, too. */
const FIRST_FIELD = /^\s*(?:data|event|(?:id|retry):[^\r\n]{0,200}[\r\n]+(?:data|event))?:/

/** The form of an answer of this content type that begins with this text. */
export function formOf(type: string, head: string): AnswerForm {
  if (/^application\/json/i.test(type) || BRACE.test(head)) return 'json'
  const field = /^text\/event-stream/i.test(type) ? FIELD : FIRST_FIELD
  if (field.test(head)) return 'events'
  return PAGE.test(head) ? 'page' : 'text'
}
