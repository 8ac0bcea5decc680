/**
 * Messages that are sent again: what starts a round, and says nothing new to the agent.
 *
 * Intuition: a harness that sends "Continue." or "Go on." after each answer repeats itself, also in turn, and with a clock or a counter.
 * Hard cases: a person asks the same question later, or about another number, date or order, and votes by an emoji. Rejected: leaving
 * out all numbers and ids, which makes one message of "Cancel order 7." and "Cancel order 8."
 */
import type { Resent, Run } from './run/run.ts'
import { type Json, canonical, hash } from './watch/data/json.ts'
import { RESENT_WITHIN } from './watch/judge.ts'
import { aroundJson, withoutIds } from './watch/text/message-ids.ts'
import { withoutAdded } from './watch/text/without-numbers.ts'

/** Signs without a width, and the variant of an emoji. */
const INVISIBLE = /\p{Cf}|\ufe0f/gu
/** Punctuation and marks of Markdown around words: `Continue…`, `> "Continue"`, `**Continue.**`. Signs around numbers count. */
const MARKS =
  /(?<!\S)[\p{P}`~^|<>=+]+(?=\s*\p{L})|(?<=\p{L})(?:(?![#%])[\p{P}`~^|<>=])+(?!\S)|[.!?…。！？]+(?!\S)/gu

/** Emoji after a word without a blank, or after a sentence. Others may be what the message is about: `React with 👍`. */
const EMOJI =
  /(?:(?<=\p{L})|(?<=[.!?…。！？]\s{0,2}))(?:[\p{Extended_Pictographic}\p{EMod}]\s?)+(?!\S)/gu

/** A reminder is short. A long text is compared as it is. */
const REMINDER_MAX = 300
/** The messages that may come in turn. */
const IN_TURN_MAX = 4

/** A message as a harness repeats it. Other numbers count: a question about another day is another question. */
function withoutVariation(message: string): string {
  const visible = message.replace(INVISIBLE, '')
  if (visible.length > REMINDER_MAX) return message
  return canonical(withoutIds(JSON.parse(visible) as Json, plainText))
}

/** A message may be a record in a text. */
function plainText(text: string): string {
  const around = aroundJson(text)
  if (around === undefined) return plainWords(text)
  const [before, json, after] = around
  const record = canonical(withoutIds(json, plainText))
  return `${plainWords(before)} ${record} ${plainWords(after)}`.trim()
}

function plainWords(text: string): string {
  const words = withoutAdded(text).replace(EMOJI, '').replace(MARKS, '')
  return words.replace(/\s+/g, ' ').trim().toLowerCase()
}

/** The messages of the latest rounds after a message. */
export function resentAfter({ ended, resent, at: last }: Run, input: Json, at: number): Resent {
  const message = hash(withoutVariation(canonical(input)))
  const soon = at - last <= RESENT_WITHIN && ended?.outcome !== 'stopped'
  const before = soon && resent ? resent : { messages: [], times: 0 }
  const again = before.messages.includes(message)
  const others = before.messages.filter(other => other !== message)
  const messages = [...others, message].slice(-IN_TURN_MAX)
  return { messages, times: again ? before.times + 1 : 1 }
}
