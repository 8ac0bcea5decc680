/** Texts without their numbers, times, ids and symbols: an agent or a harness that only counts or decorates repeats itself. */
import { hash } from '../data/json.ts'

/** Characters around a digit that form a number, a time or an id. */
const TOKEN = /[\w.:/+@#%-]+/g
const DIGIT = /\p{Nd}/u

/** A text in lower case without its numbers, times and ids; `undefined` for a text without digits. */
export function withoutNumbers(text: string): string | undefined {
  if (!DIGIT.test(text)) return undefined
  return text.replace(TOKEN, token => (DIGIT.test(token) ? '' : token)).toLowerCase()
}

const QUESTION = /[?\uff1f\u061f](?=["')\]\u00bb\u201d]*(?:\s|$))/u
/** What a harness adds to each message: its counter, a clock, a date, an id. */
const ADDED =
  /\([^()]*\)|\[[^[\]]*\]|^\W*\p{L}+\W? ?#?\p{Nd}+(?: ?(?:\/|of) ?\p{Nd}+)?[:.]|^\W*\p{Nd}+[).:/]|(?<=[.!?\uff1f\u061f] )#?\p{Nd}+(?: ?\/ ?\p{Nd}+)?\W*$|\p{Nd}+:\p{Nd}+\S*|\p{Nd}{4}-\p{Nd}\S*|\b[\da-f]+-[\da-f-]+\b/giu

/** A question about something with a number, in lower case and without what a harness adds; `undefined` for any other text. */
export function questionOf(text: string): string | undefined {
  if (!QUESTION.test(text)) return undefined
  const asked = text.replace(ADDED, '')
  return DIGIT.test(asked) ? asked.toLowerCase() : undefined
}

/** A shorter text is a label, such as a score: its number is the content. */
const WORDS_MIN = 4
const WORD = /\p{L}{2,}/gu
/** A single letter may be an answer: "B is right." */
const LETTERS = /[\p{L}\p{M}]+/gu
/** Characters of a sentence. Reports are longer, and their numbers may be results. */
const SENTENCE_MAX = 300

/** The hash of a sentence without its numbers, times and ids; `undefined` for texts without digits, labels and reports. */
export function wordsHash(text: string): string | undefined {
  const words = text.length > SENTENCE_MAX ? undefined : withoutNumbers(text)
  return words !== undefined && isSentence(words) ? hash(words) : undefined
}

/** The hash of the letters of a sentence: also without punctuation and emoji. */
export function lettersHash(text: string): string | undefined {
  if (text.length > SENTENCE_MAX) return undefined
  const words = withoutNumbers(text) ?? text.toLowerCase()
  return isSentence(words) ? hash((words.match(LETTERS) ?? []).join(' ')) : undefined
}

const isSentence = (words: string): boolean => (words.match(WORD)?.length ?? 0) >= WORDS_MIN
