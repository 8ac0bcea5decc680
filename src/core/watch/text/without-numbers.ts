/** Texts without their numbers, times, ids and symbols: an agent or a harness that only counts or decorates repeats itself. */
import { canonical, hash } from '../data/json.ts'
import { aroundJson, withoutIdMarks, withoutIds } from './message-ids.ts'

/** Characters around a digit that form a number, a time or an id. */
const TOKEN = /[\w.:/+@#%-]+/g
const DIGIT = /\p{Nd}/u

/** A text in lower case without its numbers, times and ids; `undefined` for a text without digits. */
export function withoutNumbers(text: string): string | undefined {
  if (!DIGIT.test(text)) return undefined
  return text.replace(TOKEN, token => (DIGIT.test(token) ? '' : token)).toLowerCase()
}

/**
 * What a harness adds to each message, each at its beginning or end or apart from the rest: a counter or a time in brackets, the time
 * of a log, the number of a step, a sentence that states the time, the id of the message. Other dates and numbers are what the message is about.
 */
const ADDED: readonly RegExp[] = [
  /(?:^|\s)[([](?=[^()[\]]*\p{Nd})[^()[\]]*[)\]]/gu,
  /^\W*(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d(?::\d\d\S*|(?<=-\d\d[T ]\d\d:\d\d)\S*)(?=\s)/,
  /^\W*(?:step|round|turn|iteration|attempt|retry|tick|reminder|nudge)\W? ?#?\d+(?: ?(?:\/|of) ?\d+)?[:.]/i,
  /(?<=[.!?\uff1f\u061f] )(?:\d+ ?\/ ?\d+|(?:step|round|turn|iteration|attempt|retry) #?\d+ ?(?:\/|of) ?\d+)\W*$/iu,
  /(?<=^\W{0,6}|[.!?]\s{1,3}|\n\W{0,6})(?:it is|it['\u2019]s|(?:it is |it['\u2019]s )?now|today is|(?:the )?time is|(?:the )?current (?:date|time|date and time)|timestamp)(?: now| is)?[: ]\s*(?:\p{L}+,? )?(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d)[\d:.TZ+-]*(?: \d{1,2}:\d\d[\d:.]*)?(?: ?[ap]\.?m\b)?(?: [A-Z]{1,4})?(?:[.!,;]+(?=\s|$)|(?=\s*(?:\n|$)))/giu,
]

/** A text without what a harness adds to it, also in JSON. A text that is nothing else remains. */
export function withoutAdded(text: string): string {
  const around = aroundJson(text)
  if (around === undefined) return withoutMarks(text)
  const [before, json, after] = around
  return `${withoutMarks(before)}${canonical(withoutIds(json, withoutAdded))}${withoutMarks(after)}`
}

function withoutMarks(text: string): string {
  const rest = ADDED.reduce((left, pattern) => left.replace(pattern, ''), withoutIdMarks(text))
  return CONTENT.test(rest) ? rest : text
}

/** The number of an attempt: `"attempt":4`, `Attempt 4 of 60`, `Tried 4 times`, `after 4 attempts`. */
const ATTEMPT =
  /(?<=\b(?:attempts?(?:_?(?:number|no|count|made))?|retry_?(?:count|attempts?|number)|retries_?(?:count|made)?|tries|tried|try|retry|retries)(?:["']?\s?[:=]\s?|\s?#|\s(?:no\.? ?|number )?))\d+(?: ?(?:\/|of) ?\d+)?|\b\d+(?= (?:attempts|tries|retries)\b)/giu

/** A text without the numbers of attempts: nothing else differs between attempts that bring the same. */
export const withoutAttempts = (text: string): string => text.replace(ATTEMPT, '')

const CONTENT = /[\p{L}\p{Nd}]/u

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
