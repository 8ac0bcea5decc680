/** Texts without their numbers, times and ids: an agent or a harness that only counts repeats itself. */
import { hash } from '../data/json.ts'

/** Characters around a digit that form a number, a time or an id. */
const TOKEN = /[\w.:/+@#%-]+/g
const DIGIT = /\p{Nd}/u

/** A text in lower case without its numbers, times and ids; `undefined` for a text without digits. */
export function withoutNumbers(text: string): string | undefined {
  if (!DIGIT.test(text)) return undefined
  return text.replace(TOKEN, token => (DIGIT.test(token) ? '' : token)).toLowerCase()
}

/** A shorter text is a label, such as a score: its number is the content. */
const WORDS_MIN = 4
const WORD = /\p{L}{2,}/gu
/** Characters of a sentence. Reports are longer, and their numbers may be results. */
const SENTENCE_MAX = 300

/** The hash of a sentence without its numbers, times and ids; `undefined` for texts without digits, labels and reports. */
export function wordsHash(text: string): string | undefined {
  if (text.length > SENTENCE_MAX) return undefined
  const words = withoutNumbers(text)
  return words && (words.match(WORD)?.length ?? 0) >= WORDS_MIN ? hash(words) : undefined
}
