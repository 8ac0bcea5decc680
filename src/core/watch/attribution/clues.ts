/** Clues in failures, times, restarts, and requests of the model. */
import { callKey, canonical, isMap, type Json } from '../data/json.ts'
import type { Attribution, FaultKind } from './fault.ts'
import type { Answered, Failed, Requested, Step } from './step.ts'
import { isEmptyValue } from './tool-answers.ts'

export const clue = (
  kind: FaultKind,
  { seq, subject }: { readonly seq: number; readonly subject: string },
  confidence: number,
): Attribution => ({ kind, at: seq, subject, confidence })

export const answersIn = (steps: readonly Step[]): readonly Answered[] =>
  steps.filter(of => of.step === 'answered')

const requestsIn = (steps: readonly Step[]): readonly Requested[] =>
  steps.filter(of => of.step === 'requested')

export function restartClues(steps: readonly Step[]): readonly Attribution[] {
  return steps.flatMap(of =>
    of.step === 'restarted' ? [clue('crash', { seq: of.seq, subject: '' }, 0.95)] : [],
  )
}

const TIMEOUT =
  /\btime[ds]?[ -]?out\b|ETIMEDOUT|TimeoutError|did not (answer|finish) (in time|within)/i
const LOST = /ECONNRESET|EPIPE|socket hang up|connection (was |is )?(lost|reset|closed)/i
const UNKNOWN_TOOL =
  /\b(unknown|no such|not a known) tool\b|\btool\b.{0,200}?\b(not found|does not exist|is not known)|UnknownTool|unknown-name/i
const MALFORMED =
  /\bInvalidArguments\b|invalid[- ]arguments|not (valid )?JSON|JSON\.parse|Unexpected (end|token)/i

/** A failure names its kind. A wrong request is a fault of the model that made it. */
export function failureClues(steps: readonly Step[]): readonly Attribution[] {
  let model: Requested | undefined
  return steps.flatMap(of => {
    if (of.step === 'requested') model = of
    if (of.step !== 'failed') return []
    const blamed = model && model.subject !== '' ? model : of
    if (of.rule === 'circuit') return []
    if (UNKNOWN_TOOL.test(of.text)) return [clue('unknown-tool', blamed, 0.9)]
    if (MALFORMED.test(of.text)) return [clue('malformed-call', blamed, 0.9)]
    // A business failure answers the question.
    return of.isBusiness ? [] : [clue(failureKind(of), of, 0.95)]
  })
}

function failureKind({ text, rule }: Failed): FaultKind {
  if (rule === 'deadline' || TIMEOUT.test(text)) return 'timeout'
  return LOST.test(text) ? 'lost-reply' : 'error'
}

/** In ms. A shorter call is not slow, whatever the others take. */
const SLOW = 2_000
/** Times the median of the others. */
const SLOWER = 4

export function slowClues(steps: readonly Step[]): readonly Attribution[] {
  const answers = answersIn(steps)
  const times = answers.flatMap(({ took }) => took ?? []).toSorted((a, b) => a - b)
  const median = times[Math.floor((times.length - 1) / 2)] ?? 0
  return answers.flatMap(of =>
    (of.took ?? 0) >= Math.max(SLOW, SLOWER * median) ? [clue('slow', of, 0.8)] : [],
  )
}

export function modelClues(steps: readonly Step[]): readonly Attribution[] {
  return [...formClues(steps), ...repeatClues(steps), ...earlyStopClues(steps)]
}

/** Arguments that are a text instead of a map: the text was not JSON. */
const formClues = (steps: readonly Step[]): readonly Attribution[] =>
  requestsIn(steps).flatMap(of =>
    of.requests.some(({ args }) => typeof args === 'string')
      ? [clue('malformed-call', of, 0.9)]
      : [],
  )

/** The same request again, although its answer was there and nothing changed. Polls receive other answers. */
function repeatClues(steps: readonly Step[]): readonly Attribution[] {
  let before: { readonly of: Requested; readonly at: number } | undefined
  return steps.flatMap((of, at) => {
    if (of.step !== 'requested') return []
    const last = before
    before = { of, at }
    if (!last || !isSame(last.of, of)) return []
    const between = steps.slice(last.at + 1, at)
    const answers = answersIn(between)
    const isAnswered = answers.length === between.length && answers.length > 0
    if (!isAnswered || answers.some(({ value }) => isEmptyValue(value))) return []
    const again = nextAnswer(steps, at)
    const value = again && !again.writes ? canonical(again.value) : undefined
    const hasNews =
      value !== undefined && answers.some(earlier => canonical(earlier.value) !== value)
    return hasNews ? [] : [clue('repeats', of, 0.8)]
  })
}

function nextAnswer(steps: readonly Step[], from: number): Answered | undefined {
  for (let at = from; at < steps.length; at++) {
    const of = steps[at]
    if (of?.step === 'answered') return of
  }
  return undefined
}

function isSame(one: Requested, other: Requested): boolean {
  if (one.requests.length === 0 || one.requests.length !== other.requests.length) return false
  return one.requests.every((request, index) => {
    const again = other.requests[index]
    if (!again || again.tool !== request.tool) return false
    return (
      callKey('', request.args) === callKey('', again.args) || isReworded(request.args, again.args)
    )
  })
}

/** The same arguments, with words added to one text. */
function isReworded(one: Json, other: Json): boolean {
  if (!isMap(one) || !isMap(other)) return false
  const keys = Object.keys(one)
  if (keys.length !== Object.keys(other).length) return false
  return keys.every(key => {
    const [before, after] = [one[key], other[key]]
    if (canonical(before) === canonical(after)) return true
    return typeof before === 'string' && before !== '' && String(after).startsWith(`${before} `)
  })
}

/** The model ended with a text before the work was done: a check rejects it, or the model is asked again. */
function earlyStopClues(steps: readonly Step[]): readonly Attribution[] {
  const lastRejection = steps.findLastIndex(({ step }) => step === 'rejected')
  let hasWritten = false
  return steps.flatMap((of, index) => {
    if (of.step === 'answered' && of.writes) hasWritten = true
    if (of.step !== 'requested' || of.requests.length > 0 || of.text === '') return []
    const isAskedAgain = steps[index + 1]?.step === 'requested'
    if (hasWritten && !isAskedAgain) return []
    // Many agents end with a text and without a write: that alone shows nothing.
    return isAskedAgain || lastRejection > index ? [clue('early-stop', of, 0.7)] : []
  })
}
