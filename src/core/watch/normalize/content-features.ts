/** The content of an answer that reports no failure. */
import { encodeBits, hash } from '../data/json.ts'
import { emptyResult, FILLED } from '../answer/empty-result.ts'
import { isOfCheckedPage, withoutPage } from '../answer/paging.ts'
import { withoutRepeatedId } from '../answer/receipt.ts'
import { SHORT } from '../outcome/reported-failure.ts'
import { pageText } from '../text/page-text.ts'
import { shown } from '../text/shown.ts'
import { decodeHashes, encodeHashes } from '../text/similarity.ts'
import { withoutNumbers } from '../text/without-numbers.ts'
import { hashSet, numberHash, READ_MAX, type Reader, readWhole } from '../text/words.ts'
import { type AnswerFeatures, NOTHING, type RawAnswer } from './answer-kind.ts'
import { COMMON, NO_HASHES, quotedHashes } from './call-words.ts'
import { numberedItemOf } from './numbered-item.ts'
import type { RequestFeatures } from './request-features.ts'
import { withoutQuotes } from './without-quotes.ts'

/** The beginning of an answer that says first that nothing was found. */
const OPENING = 60
/** A text of at most this many distinct words, and without numbers, is bland. */
const BLAND_WORDS = 3
/** The words and numbers of a brief answer. */
const SENTENCE = 8
/** `exit code: 0` does not count as a number. */
const CODES = hashSet('code status exit exitcode returncode rc')
const ZERO = numberHash('0')
/** A result without content: nothing, or brackets. */
const BLANK = /^(?:null|[\s[\]{}"']*)$/
const TAG = /<\/?[a-z!?][^<>]*>/gi

export function contentFeatures(
  { text: given, writes, whole, hash: digest }: RawAnswer,
  request: RequestFeatures | undefined,
): AnswerFeatures {
  const received = writes ? withoutRepeatedId(given) : pageText(given)
  if (!whole) return { answerHash: digest, tone: 'plain', failed: false }
  if (request?.thinks)
    return {
      answerHash: contentHash(withoutNumbers(received) ?? received),
      tone: 'bland',
      failed: false,
    }
  if (received.length > READ_MAX) return longContentFeatures(received, digest)
  const seeks = request?.aim === 'seek'
  const unquoted = withoutQuotes(received, request)
  const quotes = unquoted !== received
  const text = withoutPage(unquoted, page => isPageOf(request, page))
  const quoted = seeks && quotes ? quotedHashes(request) : NO_HASHES
  // Whatever it suggests instead, as in a failure.
  if (seeks && text.length < SHORT && NOTHING.test(text.replace(TAG, '').slice(0, OPENING)))
    return { answerHash: 'nothing', tone: 'nothing', failed: false }
  const empty = emptyFeatures(received, request)
  if (empty) return empty
  const { identity, words, numbers, isBland } = contentOf(text, quoted)
  const longer = words + numbers <= SENTENCE && !FILLED.test(text) ? 'brief' : 'plain'
  const shorter = words === 0 && seeks ? 'nothing' : 'bland'
  const tone = isBland ? shorter : longer
  // A search that finds nothing has one outcome, in any shape: `[]`, `{}`, "No results".
  const item = numberedItemOf(given, request)
  const content = item === '' ? identity : hash(`${identity} ${item}`)
  const answerHash = seeks && BLANK.test(text) ? 'nothing' : content
  const features = { answerHash, tone, failed: false } as const
  return quotes ? { ...features, quotes } : features
}

/** A tool that examines pages has a result for each. */
const isPageOf = (request: RequestFeatures | undefined, page: string): boolean =>
  request?.checks !== true && decodeHashes(request?.numbers ?? '').has(numberHash(page))

/** A search also returns how much it has searched. The numbers of another answer may be what was asked for. */
function emptyFeatures(
  text: string,
  request: RequestFeatures | undefined,
): AnswerFeatures | undefined {
  if (!request) return undefined
  const places = request.checks === true || isOfCheckedPage(text)
  const seeks = request.aim === 'seek'
  const empty = emptyResult(text, { quoted: quotedHashes(request), seeks, places })
  if (!empty) return undefined
  const { status } = empty
  const counted = seeks ? '' : numbersIn(empty.figures)
  // The item of the call is content, although its name may be that of a generated id.
  const numbers = counted + numberedItemOf(text, request)
  const answerHash =
    status === '' && numbers === '' ? 'nothing' : hash(`empty ${status} ${numbers}`)
  return { answerHash, tone: 'empty', failed: false }
}

/** The numbers of a text in order, without its times and ids. */
function numbersIn(text: string): string {
  const numbers: number[] = []
  const reader: Reader = { word: () => undefined, number: hash => numbers.push(hash) }
  readWhole(text, 'answer', reader)
  return encodeHashes(numbers)
}

/** A long answer of which nothing remains without its times and ids is a list of these: they are its content. */
function longContentFeatures(text: string, digest: string): AnswerFeatures {
  const { identity, isBland } = contentOf(text, NO_HASHES)
  return { answerHash: isBland ? digest : identity, tone: 'plain', failed: false }
}

/** Equal for texts with the same content, whatever their times and ids. */
export const contentHash = (text: string): string => contentOf(text, NO_HASHES).identity

/** Reads words in order, with all symbols: maps drawn in `#` and `.` differ. */
function contentOf(text: string, quoted: ReadonlySet<number>) {
  let order = 0
  let words = 0
  let numbers = 0
  let last = 0
  const distinct: number[] = []
  const mix = (value: number) => {
    order = Math.imul(order ^ value, 0x01000193)
  }
  const reader: Reader = {
    word(word) {
      words++
      last = word
      if (distinct.length <= BLAND_WORDS && !distinct.includes(word)) distinct.push(word)
      // A suggestion may consist of words of the search.
      if (!quoted.has(word) || COMMON.has(word)) mix(word)
    },
    number(number) {
      if (number !== ZERO || !CODES.has(last)) numbers++
      mix(number + 1)
    },
    symbol: mix,
  }
  readWhole(shown(text), 'answer', reader)
  const isBland = numbers === 0 && distinct.length <= BLAND_WORDS
  return { identity: encodeBits(order ^ words), words, numbers, isBland }
}
