/** Whether an answer reports a failure, and the content of an answer, without what differs each time. */
import { encodeBits, hash } from '../data/json.ts'
import { saidIn } from '../answer/content-blocks.ts'
import { withoutContent } from '../answer/content-fields.ts'
import { unwrapped } from '../answer/envelope.ts'
import { exitCodeOf, withoutExit } from '../answer/exit-code.ts'
import { withoutWarnings } from '../answer/program-warnings.ts'
import type { Facts } from '../failure/failure.ts'
import { complains } from '../outcome/complaint.ts'
import { filesReported } from '../outcome/file-report.ts'
import { isLabel } from '../outcome/label.ts'
import { passes } from '../outcome/passed.ts'
import { refusingFields } from '../outcome/refusing-field.ts'
import { isNotOk, refusesWrite, saysFailed, SHORT } from '../outcome/reported-failure.ts'
import { type Figures, figuresOf } from '../text/figures.ts'
import { pageText } from '../text/page-text.ts'
import { shown } from '../text/shown.ts'
import { read, type Reader } from '../text/words.ts'
import { type AnswerFeatures, type AnswerKind, NOTHING, type RawAnswer } from './answer-kind.ts'
import { COMMON, hasQuotes, quotedHashes, repeatsCall } from './call-words.ts'
import { contentFeatures } from './content-features.ts'
import { withoutIntended } from './intention.ts'
import { namedItems } from './items.ts'
import { reportOf } from './report.ts'
import type { RequestFeatures } from './request-features.ts'

/** The beginning of a text, where reports of failures stand. */
const SOON = 200
const LATER =
  /\b(429|503|too many requests|rate.?limit|retry.after|overloaded|temporarily unavailable|try again later|unreachable|econn\w+|etimedout|socket hang up|connection (error|refused|reset|aborted|closed|timeout|timed out))\b/i

export function answerFeatures(
  answer: RawAnswer,
  request: RequestFeatures | undefined,
): AnswerFeatures {
  const { text, ok } = answer
  const writes = answer.writes && request?.asks !== true
  const names = () => hasQuotes(text, quotedHashes(request))
  const said = saidIn(text)
  const judged =
    ok === false ? said.text : withoutIntended(withoutWarnings(said.text), request?.intents, names)
  const head = judged.slice(0, SOON)
  const succeeded = ok !== false && exitCodeOf(judged) === 0
  const refused = said.failed || (!succeeded && isNotOk(judged, writes))
  const mayRefuse = !refused && ok !== false && writes === true && !succeeded
  const refusing = mayRefuse ? refusingIn(judged, request) : undefined
  const flagged = refused || refusing !== undefined
  const isAnswer = succeeded || (!writes && request?.runs !== true && isLabel(judged))
  const explained =
    !isAnswer && (ok === null || judged.length < SHORT) && explainsFailure(judged, refused)
  if (ok !== false && !explained && !flagged) {
    const content = succeeded ? unwrapped(withoutExit(text)) : text
    const features = contentFeatures({ ...answer, text: content }, request)
    const seeks = request?.aim === 'seek'
    const checked = { seeks, succeeded: succeeded && !runsSeveral(request) }
    return complains(judged, checked) ? { ...features, complains: true } : features
  }
  const isBare = flagged && !explained && !said.explained
  const tone = refusing ? 'bland' : toneOf(head, isBare)
  const outcome = failureOutcome(pageText(refusing?.sentences ?? said.text), request)
  const about = refusing?.others ?? (ok === false ? undefined : reportOf(said.text, request))
  return {
    answerHash: about ? hash(`${outcome} ${about}`) : outcome,
    tone,
    failed: true,
    ...(flagged && { flagged }),
    ...(about !== undefined && { report: true }),
  }
}

/** The numbers of an answer, unless the call writes, waits or polls: then another number is what it is for. */
export function answerFigures(
  { text, whole, writes }: RawAnswer,
  request: RequestFeatures | undefined,
): Figures | undefined {
  const isForNumbers = writes || request?.aim === 'wait' || request?.aim === 'poll'
  return whole && !isForNumbers ? figuresOf(text) : undefined
}

function toneOf(head: string, isOnlyFlagged: boolean): AnswerKind {
  if (LATER.test(head)) return 'later'
  if (NOTHING.test(head)) return 'nothing'
  return isOnlyFlagged ? 'bland' : 'plain'
}

/** A sentence in the words of the call may be what was written. */
const refusingIn = (text: string, request: RequestFeatures | undefined) =>
  refusingFields(text, {
    names: value => namedItems([value], request?.items) !== '',
    repeats: sentence => repeatsCall(sentence, quotedHashes(request)),
    refuses: refusesWrite,
  })

/** The exit code of several commands is that of the last one. After `&&`, the others have succeeded. */
const runsSeveral = (request: RequestFeatures | undefined): boolean =>
  request?.texts?.some(text => /[|;\n]|(?<![&>])&(?![&\d])/.test(text)) === true

/** Whether an answer has words of failure: with a flag in any field, otherwise outside of what people wrote. */
const explainsFailure = (text: string, flagged: boolean): boolean =>
  saysFailed(text.slice(0, SOON)) &&
  (flagged || (!passes(text) && saysFailed(withoutContent(text).slice(0, SOON))))

/**
 * Errors are short texts from a pattern: the words that they add to the request, in any order, and their numbers. A search that
 * finds nothing has one outcome, whatever it suggests instead.
 */
function failureOutcome(text: string, request: RequestFeatures | undefined): string {
  if (request?.aim === 'seek' && NOTHING.test(text.slice(0, SOON))) return 'nothing'
  const quoted = quotedHashes(request)
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
  return encodeBits(words ^ numbers ^ count)
}

/** The identity of an error: its text without what differs each time, and without quotes of the call. */
export function errorKey(
  { name, message, status, code }: Pick<Facts, 'name' | 'message' | 'status' | 'code'>,
  request?: RequestFeatures,
): string {
  const files = filesReported(message, request?.files)
  return hash(`${name} ${status ?? ''} ${code ?? ''} ${failureOutcome(message, request)} ${files}`)
}
