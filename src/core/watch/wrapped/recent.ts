/** Recent messages and answers of a wrapped agent. They distinguish a new task from a harness that only repeats itself or counts. */
import { type Json, remember, canonical, hash } from '../data/json.ts'
import type { EventOf } from '../event/event.ts'
import { answerFeatures } from '../normalize/answer-features.ts'
import { progressPart } from '../answer/result-text.ts'
import { DIGIT, withoutAdded } from '../text/without-numbers.ts'

/** Hashes of recent messages, the latest last: of the whole text and, if it has numbers, of it without what a harness adds. */
export type RecentMessages = readonly string[]

/** How new a message is. `added`: only in the counters, times and ids that a harness adds. */
export type Novelty = 'all' | 'added' | 'none'

export interface RecentAnswers {
  /** Hashes of recent informative answers, the latest last. */
  readonly answers: readonly string[]
  /** One of them came after the latest message. */
  readonly news: boolean
}

export const NO_ANSWERS: RecentAnswers = { answers: [], news: false }
const RECENT_MAX = 32

export function noveltyOf(recent: RecentMessages, message: Json): Novelty {
  const [whole, words] = keysOf(message)
  if (recent.includes(whole)) return 'none'
  return words !== undefined && recent.includes(words) ? 'added' : 'all'
}

/** Adds a message, or moves it to the end. */
export function rememberMessage(recent: RecentMessages, message: Json): RecentMessages {
  const keys: readonly string[] = keysOf(message)
  return [...recent.filter(key => !keys.includes(key)), ...keys].slice(-RECENT_MAX)
}

function keysOf(message: Json): readonly [whole: string, ...words: readonly string[]] {
  const text = canonical(message)
  const shown = typeof message === 'string' ? message : text
  return DIGIT.test(shown) ? [hash(text), hash(withoutAdded(shown).toLowerCase())] : [hash(text)]
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
  return { answers: remember(recent.answers, answer, RECENT_MAX), news: true }
}
