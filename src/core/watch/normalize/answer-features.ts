/** The content of an answer, without what differs each time. */
import type { RequestFeatures } from './request-features.ts'
import type { Facts } from '../failure/failure.ts'
import { SHORT_HASH, hash } from '../data/json.ts'
import { complains } from '../outcome/complaint.ts'
import { withoutContent } from '../answer/content-fields.ts'
import { filesReported } from '../outcome/file-report.ts'
import { withoutIntended } from './intention.ts'
import { emptyResult, FILLED } from '../answer/empty-result.ts'
import { saidIn } from '../answer/content-blocks.ts'
import { exitCodeOf, withoutExit } from '../answer/exit-code.ts'
import { unwrapped } from '../answer/envelope.ts'
import { numberedItemOf } from './numbered-item.ts'
import { shown } from '../text/shown.ts'
import { pageText } from '../text/page-text.ts'
import { isOfCheckedPage, withoutPage } from '../answer/paging.ts'
import { withoutWarnings } from '../answer/program-warnings.ts'
import { withoutRepeatedId } from '../answer/receipt.ts'
import { reportOf } from './report.ts'
import { passes } from '../outcome/passed.ts'
import { isLabel } from '../outcome/label.ts'
import { isNotOk, saysFailed, SHORT } from '../outcome/reported-failure.ts'
import { decodeHashes, encodeHashes } from '../text/similarity.ts'
import { withoutNumbers } from '../text/without-numbers.ts'
import { withoutQuotes } from './without-quotes.ts'
import { numberHash, READ_MAX, read, readWhole, type Reader, wordHash } from '../text/words.ts'

/**
 * - `brief`: at most a short sentence, a label, or a record such as `{ "status": 200 }`
 * - `bland`: only that the call is done, such as "ok", or nothing
 * - `empty`: JSON with empty lists only
 * - `nothing`: the text says that nothing was found; an empty text as the answer to a search means the same
 * - `later`: try again later, which is left to retries and breakers
 * - `unseen`: the result of the call is unknown
 */
export type AnswerKind = 'plain' | 'brief' | 'bland' | 'empty' | 'nothing' | 'later' | 'unseen'

export interface AnswerFeatures {
  /** Equal for answers with the same content. */
  readonly answerHash: string
  readonly tone: AnswerKind
  /** The answer reports that the call failed. */
  readonly failed: boolean
  /** The answer quotes a text of the call, which does not count as its content. */
  readonly quotes?: true
  /** The answer says by a flag that the call failed. */
  readonly flagged?: true
  /** A failure of what was called or checked: the call was made. */
  readonly report?: true
  /** The call succeeded, and its answer has words of failure. */
  readonly complains?: true
}

/** An answer as received. `ok` is `null` if the source does not know. */
export interface RawAnswer {
  readonly text: string
  readonly ok: boolean | null
  /** The call was a write. */
  readonly writes?: boolean
  /** The digest of the whole answer. `text` may be a part of it. */
  readonly hash: string
  readonly whole: boolean
}

export const UNSEEN: AnswerFeatures = { answerHash: 'unseen', tone: 'unseen', failed: false }

/** The beginning of a text, where reports of failures stand. */
const SOON = 200
/** "Command not found" is not an answer to a search. */
const NOTHING =
  /(?<!command )\b(no|0|nothing|not|zero)( \w+)? (match(es)?|results?|found|hits?)\b|no more\b|could not find/i
const LATER =
  /\b(429|503|too many requests|rate.?limit|retry.after|overloaded|temporarily unavailable|try again later|unreachable|econn\w+|etimedout|socket hang up|connection (error|refused|reset|aborted|closed|timeout|timed out))\b/i

/** The beginning of an answer that says first that nothing was found. */
const OPENING = 60
/** A text of at most this many distinct words, and without numbers, is bland. */
const BLAND_WORDS = 3
/** The words and numbers of a brief answer. */
const SENTENCE = 8
/** `exit code: 0` does not count as a number. */
const CODES = hashSet('code status exit exitcode returncode rc')
const ZERO = numberHash('0')
/** Common words stand in a call and in an error without one quoting the other. */
const COMMON = hashSet(
  'a an the this that it its is are was be of in on at to for from with by as and or not no any all if while we there file files directory command error errors line syntax unexpected end find found looking matching search invalid argument arguments option failed',
)
const NO_HASHES: ReadonlySet<number> = new Set()

function hashSet(words: string): ReadonlySet<number> {
  return new Set(words.split(' ').map(wordHash))
}

export function answerFeatures(
  answer: RawAnswer,
  request: RequestFeatures | undefined,
): AnswerFeatures {
  const { text, ok } = answer
  const writes = answer.writes && request?.asks !== true
  const names = () => request !== undefined && hasQuotes(text, quotedHashes(request))
  const said = saidIn(text)
  const judged =
    ok === false ? said.text : withoutIntended(withoutWarnings(said.text), request?.intents, names)
  const head = judged.slice(0, SOON)
  const succeeded = ok !== false && exitCodeOf(judged) === 0
  const flagged = said.failed || (!succeeded && isNotOk(judged, writes))
  const isAnswer = succeeded || (!writes && request?.runs !== true && isLabel(judged))
  const explained =
    !isAnswer && (ok === null || judged.length < SHORT) && explainsFailure(judged, flagged)
  if (ok !== false && !explained && !flagged) {
    const content = succeeded ? unwrapped(withoutExit(text)) : text
    const features = contentFeatures({ ...answer, text: content }, request)
    const seeks = request?.aim === 'seek'
    const checked = { seeks, succeeded: succeeded && !runsSeveral(request) }
    return complains(judged, checked) ? { ...features, complains: true } : features
  }
  const negative = NOTHING.test(head) ? 'nothing' : flagged && !explained ? 'bland' : 'plain'
  const tone = LATER.test(head) ? 'later' : negative
  const outcome = failureOutcome(pageText(said.text), request)
  const about = ok === false ? undefined : reportOf(said.text, request)
  return {
    answerHash: about ? hash(`${outcome} ${about}`) : outcome,
    tone,
    failed: true,
    ...(flagged && { flagged }),
    ...(about !== undefined && { report: true }),
  }
}

/** The exit code of several commands is that of the last one. After `&&`, the others have succeeded. */
const runsSeveral = (request: RequestFeatures | undefined): boolean =>
  request?.texts?.some(text => /[|;\n]|(?<![&>])&(?![&\d])/.test(text)) === true

/** Whether an answer has words of failure: with a flag in any field, otherwise outside of what people wrote. */
const explainsFailure = (text: string, flagged: boolean): boolean =>
  saysFailed(text.slice(0, SOON)) &&
  (flagged || (!passes(text) && saysFailed(withoutContent(text).slice(0, SOON))))

/** Whether a text has a number of the call, or a word that is not common. */
function hasQuotes(text: string, quoted: ReadonlySet<number>): boolean {
  let found = false
  const word = (hash: number) => {
    found ||= quoted.has(hash) && !COMMON.has(hash)
  }
  const number = (hash: number) => {
    found ||= quoted.has(hash)
  }
  read(text, 'none', { word, number })
  return found
}

const TAG = /<\/?[a-z!?][^<>]*>/gi
function contentFeatures(
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
  const item = numberedItemOf(received, request)
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
  return { identity: sevenChars(order ^ words), words, numbers, isBland }
}

/** A result without content: nothing, or brackets. */
const BLANK = /^(?:null|[\s[\]{}"']*)$/

const quotedHashes = ({ words, numbers }: RequestFeatures): ReadonlySet<number> =>
  decodeHashes(words + numbers)

/**
 * Errors are short texts from a pattern: the words that they add to the request, in any order, and their numbers. A search that
 * finds nothing has one outcome, whatever it suggests instead.
 */
function failureOutcome(text: string, request: RequestFeatures | undefined): string {
  if (request?.aim === 'seek' && NOTHING.test(text.slice(0, SOON))) return 'nothing'
  const quoted = request ? quotedHashes(request) : NO_HASHES
  let sum = 0
  let product = 1
  let count = 0
  let numbers = 0
  const reader: Reader = {
    word(hash) {
      if (quoted.has(hash) && !COMMON.has(hash)) return
      count++
      sum = (sum + Math.imul(hash, 0x9e3779b1 | 0)) | 0
      product = Math.imul(product, (hash << 1) | 1)
    },
    number(hash) {
      if (!quoted.has(hash)) numbers = Math.imul(numbers ^ hash, 0x01000193)
    },
  }
  read(shown(text), 'failure', reader)
  const words = Math.imul(sum ^ Math.imul(product, 0x85ebca6b | 0), 0xc2b2ae35 | 0)
  return sevenChars(words ^ numbers ^ count)
}

/** 32 bits in as many characters as a short hash. */
const sevenChars = (bits: number): string => (bits >>> 0).toString(36).padStart(SHORT_HASH, '0')

/** The identity of an error: its text without what differs each time, and without quotes of the call. */
export function errorKey(
  { name, message, status, code }: Pick<Facts, 'name' | 'message' | 'status' | 'code'>,
  request?: RequestFeatures,
): string {
  const files = filesReported(message, request?.files)
  return hash(`${name} ${status ?? ''} ${code ?? ''} ${failureOutcome(message, request)} ${files}`)
}
