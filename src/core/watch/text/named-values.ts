/** Names before values that differ from answer to answer: generated ids and measured durations. */
import { codeAt, COLON, EQUALS, isDigit, QUOTE } from './characters.ts'

/** `messageId: m-17`, `"id":"m-17"`, `the request ID C0DE:1A2B`: a generated name follows. */
export function namesAnId(text: string, end: number): boolean {
  const last = text.charCodeAt(end - 1) | 32
  if (last === LETTER_N) return text.slice(Math.max(0, end - VERSION.length), end) === VERSION
  if (last !== 100 || (codeAt(text, end - 2) | 32) !== 105) return false
  const after = text.slice(end, end + 24)
  return (
    /^["']?\s?[:=]/.test(after) ||
    (ID_IN_WORDS.test(after) && OF_REQUEST.test(text.slice(Math.max(0, end - 16), end)))
  )
}

/** Of Kubernetes: it counts each change of the cluster. */
const VERSION = 'resourceVersion'
const LETTER_N = 110
const ID_IN_WORDS = /^ [\w:.-]*\d/
const OF_REQUEST = /\b(?:request|trace|correlation|ray) id$/i

/**
 * `"took_ms": 121`, `duration=0.12`, `duration_ms 95.8` of Node.js: a measured duration follows. Elapsed whole seconds count, because an
 * agent that waits watches them. So do other milliseconds, such as a position in a video.
 */
export function namesADuration(text: string, start: number, end: number): boolean {
  const after = codeAt(text, end)
  if (after === 32)
    return isDigit(codeAt(text, end + 1)) && DURATION_MS.test(text.slice(start, end))
  if (after !== COLON && after !== EQUALS && after !== QUOTE) return false
  const value = FIGURE.exec(text.slice(end, end + 14))
  return (
    value !== null &&
    (DURATION.test(text.slice(start, end)) ||
      (value[1] !== undefined && ELAPSED.test(text.slice(start, end))))
  )
}

const DURATION_MS = /(?:duration|elapsed|took)_ms$/
const FIGURE = /^"?\s?[:=]\s?"?(?:PT?)?\d+(\.\d)?/i
const DURATION =
  /(took|duration|latency|time_?taken|time_?used|q_?time|(?:response|request|query|execution|processing|envelope|message|search|exec|queue|wall|cpu|lookup|connect|transfer|round_?trip)_?time)(_?(ms|msecs?|us|ns|millis|s|secs?|seconds|milliseconds))?$|(elapsed|time)_?(in_?)?(ms|us|ns|millis|nanos|micros|milliseconds|microseconds|nanoseconds)$|(?:parsing|processing|encoding|execution|planning|queue|total)_(?:ns|nanos|micros)$/i
/** Whether a field with this name holds a measured duration. */
export const isDurationName = (name: string): boolean => DURATION.test(name)

const ELAPSED = /(elapsed|time)(_?(s|secs?|seconds))?$/i

/** The end of the value that follows a name, and of the text at the latest. */
export function pastValue(text: string, end: number, to: number): number {
  const value = /^(?:["']?\s?[:=]\s*["']?| )[^\s,}"';]*/.exec(
    text.slice(end, Math.min(to, end + 80)),
  )
  return end + (value?.[0].length ?? 0)
}
