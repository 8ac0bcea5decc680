/**
 * Messages that are sent again: what starts a round, and says nothing new to the agent.
 *
 * Intuition: a harness that sends "Continue." or "Go on." after each answer repeats itself, also in turn, and with a clock or a counter.
 * Hard cases: a person asks the same question later, or about another number, date or order. Rejected: leaving out all numbers, which
 * makes one message of "Cancel order 7." and "Cancel order 8."
 */
import type { Resent, Run } from './run.ts'
import { type Json, canonical, hash } from './watch/data/json.ts'
import { RESENT_WITHIN } from './watch/judge.ts'
import { withoutAdded } from './watch/normalize/without-numbers.ts'

/** Signs without a width. */
const INVISIBLE = /\p{Cf}/gu
/** Punctuation and marks of Markdown around words: `Continue…`, `> "Continue"`, `**Continue.**`. Signs around numbers count. */
const MARKS =
  /(?<!\S)[\p{P}`~^|<>=+]+(?=\s*\p{L})|(?<=\p{L})(?:(?![#%])[\p{P}`~^|<>=])+(?!\S)|[.!?…。！？]+(?!\S)/gu

/** A reminder is short. A long text is compared as it is. */
const REMINDER_MAX = 300
/** The messages that may come in turn. */
const IN_TURN_MAX = 4

/** A message as a harness repeats it. Other numbers count: a question about another day is another question. */
function withoutVariation(message: string): string {
  const visible = message.replace(INVISIBLE, '')
  if (visible.length > REMINDER_MAX) return message
  return canonical(
    JSON.parse(visible, (_, value) => (typeof value === 'string' ? plainText(value) : value)),
  )
}

const plainText = (text: string): string =>
  withoutAdded(text).replace(MARKS, '').replace(/\s+/g, ' ').trim().toLowerCase()

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
