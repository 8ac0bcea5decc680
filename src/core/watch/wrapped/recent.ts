/** Recent messages and answers of a wrapped agent. They distinguish a new task from a harness that only repeats itself or counts. */
import { type Json, remember, canonical, hash } from '../data/json.ts'
import type { EventOf } from '../event/event.ts'
import { answerFeatures } from '../normalize/answer-features.ts'
import { progressPart } from '../answer/result-text.ts'
import { withoutAdded, withoutNumbers } from '../text/without-numbers.ts'

/** Hashes of recent messages, the latest last: of the whole text and, if it has numbers, without what a harness adds, and without all numbers. */
export type RecentMessages = readonly string[]

/** How new a message is. `numbers`: only in its numbers, times and ids. `added`: only in those that a harness adds. */
export type Novelty = 'all' | 'numbers' | 'added' | 'none'

export interface RecentAnswers {
  /** Hashes of recent informative answers, the latest last. */
  readonly answers: readonly string[]
  /** One of them came after the latest message. */
  readonly news: boolean
  /** The agent has called a tool since the latest message. */
  readonly called?: true
}

export const NO_ANSWERS: RecentAnswers = { answers: [], news: false }
/** A message with a number has three keys. */
const KEYS_MAX = 48
const ANSWERS_MAX = 32

export function noveltyOf(recent: RecentMessages, message: Json): Novelty {
  const [whole, ...others] = keysOf(message)
  if (recent.includes(whole)) return 'none'
  const [without, words] = others.map(key => recent.includes(key))
  if (without) return 'added'
  return words ? 'numbers' : 'all'
}

/** Adds a message, or moves it to the end. */
export function rememberMessage(recent: RecentMessages, message: Json): RecentMessages {
  const keys: readonly string[] = keysOf(message)
  return [...recent.filter(key => !keys.includes(key)), ...keys].slice(-KEYS_MAX)
}

function keysOf(message: Json): readonly [whole: string, ...without: readonly string[]] {
  const text = canonical(message)
  const shown = typeof message === 'string' ? message : text
  const words = withoutNumbers(shown)
  if (words === undefined) return [hash(text)]
  return [hash(text), hash(withoutAdded(shown).toLowerCase()), hash(words)]
}

/** Adds the answer of a tool if it is informative and new. */
export function rememberAnswer(recent: RecentAnswers, event: EventOf<'tool.done'>): RecentAnswers {
  const { subject, result, digest, cut } = event
  const part = progressPart(result, { whole: cut === undefined, progress: undefined })
  const features = answerFeatures({ ...part, ok: true, hash: digest.hash }, undefined)
  const { answerHash, tone, failed } = features
  const answer = hash(`${subject} ${answerHash}`)
  const informative = !failed && (tone === 'plain' || tone === 'brief')
  if (!informative || recent.answers.includes(answer)) return recent
  return { ...recent, answers: remember(recent.answers, answer, ANSWERS_MAX), news: true }
}
