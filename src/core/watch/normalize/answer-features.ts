/** What an answer says, without what differs each time it is given. */
import type { RequestFeatures } from './request-features.ts'
import type { Json } from '../data/json.ts'
import { decodeHashes } from './similarity.ts'
import { SHORT_HASH, canonical, hash } from '../data/signature.ts'
import { numberHash, READ_MAX, read, type Reader, wordHash } from './words.ts'

/**
 * - `brief`: no more than a short sentence, as `{ "status": 200 }`, or a label
 * - `bland`: no more than that it is done, as "ok", or nothing at all
 * - `nothing`: that nothing was found, which is an answer, too; a search that is answered by nothing at all says the same
 * - `later`: that one should come back later: the affair of retries and breakers
 * - `unseen`: it is not known what came of the call
 */
export type AnswerKind = 'plain' | 'brief' | 'bland' | 'nothing' | 'later' | 'unseen'

export interface AnswerFeatures {
  /** The same for answers that say the same. */
  readonly outcome: string
  readonly tone: AnswerKind
  /** It says that the call has failed, in whatever way it says so. */
  readonly failed: boolean
}

/** An answer as it came. `ok` is `null` where the source does not know. */
export interface RawAnswer {
  readonly text: string
  readonly ok: boolean | null
  /** The digest of the whole, of which `text` may be a part only. */
  readonly hash: string
  readonly whole: boolean
}

export const UNSEEN: AnswerFeatures = { outcome: 'unseen', tone: 'unseen', failed: false }

/** Where a text says that something failed, it says so soon; that nothing did, it says as well. */
const SOON = 200
const FAILED =
  /\b(?<!\b(?:0|no|zero|without) )(error|exception|traceback|not found|no such|failed|failure|invalid|denied|unable|cannot|could not|can't|refused|timed out|timeout|unknown|unrecognized|no (more|results?|matches?))\b/i
/** "Command not found" is no answer to a search. */
const NOTHING =
  /(?<!command )\b(no|0|nothing|not|zero)( \w+)? (match(es)?|results?|found|hits?)\b|no more\b|could not find/i
const LATER =
  /\b(429|503|too many requests|rate.?limit|retry.after|overloaded|temporarily unavailable|try again later|unreachable|econn\w+|connection (error|refused|reset|aborted|closed|timeout|timed out))\b/i

/** A long text in which a word of failure stands may be about anything. */
const SHORT = 300

/** So few different words, and no number, say nothing of what was done. */
const BLAND_WORDS = 3
/** Words and numbers of a short sentence, or of a small record. */
const SENTENCE = 8
/** `exit code: 0` is no number either. */
const CODES: ReadonlySet<number> = new Set(
  ['code', 'status', 'exit', 'exitcode', 'returncode', 'rc'].map(wordHash),
)
const ZERO = numberHash('0')

export function answerFeatures(
  told: RawAnswer,
  request: RequestFeatures | undefined,
): AnswerFeatures {
  const head = told.text.slice(0, SOON)
  const failed =
    told.ok === false || ((told.ok === null || told.text.length < SHORT) && FAILED.test(head))
  if (!failed) return contentFeatures(told, request)
  const tone = LATER.test(head) ? 'later' : NOTHING.test(head) ? 'nothing' : 'plain'
  return { outcome: failureFeatures(told.text, request), tone, failed }
}

/** In their order, with all symbols: a map drawn in `#` and `.` is told from another one. What was not seen whole is told by its digest. */
function contentFeatures(
  { text, whole, hash: digest }: RawAnswer,
  request: RequestFeatures | undefined,
): AnswerFeatures {
  if (!whole || text.length > READ_MAX) return { outcome: digest, tone: 'plain', failed: false }
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
      mix(word)
    },
    number(number) {
      if (number !== ZERO || !CODES.has(last)) numbers++
      mix(number + 1)
    },
    symbol: mix,
  }
  read(text, 'answer', reader)
  const bland = words === 0 && request?.aim === 'seek' ? 'nothing' : 'bland'
  const tone =
    numbers === 0 && distinct.length <= BLAND_WORDS
      ? bland
      : words + numbers <= SENTENCE
        ? 'brief'
        : 'plain'
  return { outcome: sevenChars(order ^ words), tone, failed: false }
}

/** Errors are short texts made from a pattern: the words they add to what was asked, in any order, and their numbers. */
function failureFeatures(text: string, request: RequestFeatures | undefined): string {
  const quoted = request ? decodeHashes(request.words + request.numbers) : NONE
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
  read(text, 'failure', reader)
  return sevenChars(
    Math.imul(sum ^ Math.imul(product, 0x85ebca6b | 0), 0xc2b2ae35 | 0) ^ numbers ^ count,
  )
}

/** 32 bits in as many characters as a signature keeps of a hash. */
function sevenChars(bits: number): string {
  return (bits >>> 0).toString(36).padStart(SHORT_HASH, '0')
}

const NONE: ReadonlySet<number> = new Set()

/** Words that stand in a call, and in an error, without the one quoting the other. */
const COMMON: ReadonlySet<number> = new Set(
  'a an the this that it its is are was be of in on at to for from with by as and or not no any all if while we there file files directory command error errors line syntax unexpected end find found looking matching invalid argument arguments option failed'
    .split(' ')
    .map(wordHash),
)

/** The identity of an error: what it says without what differs each time, and without what it quotes of the call. */
export function errorKey(
  {
    name,
    message,
    status,
    code,
  }: {
    readonly name: string
    readonly message: string
    readonly status?: number
    readonly code?: string
  },
  request?: RequestFeatures,
): string {
  return hash(`${name} ${status ?? ''} ${code ?? ''} ${failureFeatures(message, request)}`)
}

/** What counts of a result: of a declared `progress` that value alone, also where the result is JSON as a text; where it is not there, all of it. */
export function progressPart(
  result: Json,
  { whole, progress }: { readonly whole: boolean; readonly progress: string | undefined },
): Pick<RawAnswer, 'text' | 'whole'> {
  const value =
    progress === undefined
      ? undefined
      : valueAt(typeof result === 'string' ? parseJson(result) : result, progress)
  return value === undefined
    ? { text: textOf(result), whole }
    : { text: textOf(value), whole: true }
}

/** A value as a text: a text itself, nothing as none, all else as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : value === null ? '' : canonical(value)
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (inner, name) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, name)
          ? (inner as Record<string, Json>)[name]
          : undefined,
      value,
    )
}
