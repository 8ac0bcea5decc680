/** What is said to an agent, and whether it is news: a harness may say the same over and over, with a clock or a counter in it. */
import { type Json, remember } from '../data/json.ts'
import { canonical, hash } from '../data/signature.ts'

/** What was said lately, in short, the latest last: whole, and, where there are numbers in it, its words alone, too. */
export type RecentMessages = readonly string[]

const MESSAGES_MAX = 32

/** `numbers`: what is said is old but for its numbers, times and ids. */
export type Novelty = 'all' | 'numbers' | 'none'

export function noveltyOf(heard: RecentMessages, said: Json): Novelty {
  const [whole, words] = keysOf(said)
  return heard.includes(whole)
    ? 'none'
    : words !== undefined && heard.includes(words)
      ? 'numbers'
      : 'all'
}

/** With what has been said just now. The words are remembered anew, however often they have come with other numbers. */
export function rememberMessage(heard: RecentMessages, said: Json): RecentMessages {
  const keys: readonly string[] = keysOf(said)
  return keys.reduce<RecentMessages>(
    (kept, key) => remember(kept, key, MESSAGES_MAX),
    heard.filter(key => !keys.includes(key)),
  )
}

function keysOf(said: Json): readonly [whole: string, ...words: readonly string[]] {
  const text = canonical(said)
  const words = text.replace(TOKEN, token => (DIGIT.test(token) ? '' : token.toLowerCase()))
  return DIGIT.test(text) ? [hash(text), hash(words)] : [hash(text)]
}

/** What stands together around a digit is a number, a time or an id. */
const TOKEN = /[\w.:/+@#%-]+/g
const DIGIT = /\p{Nd}/u
