/**
 * Whether an answer has words of failure, although its call was made: a test, a compiler or a program reports what is wrong.
 *
 * Intuition: a check that fails alike after each new write shows that the writes change nothing. The name of an exception and an exit
 * code other than 0 are words of failure, too.
 * Hard cases: tests that pass may print exceptions, code that is read handles them, and a search without a result exits with 1.
 * `{ "done": false }` may be right after each write. Rejected: each text that refuses a write. "0 changes" and "no" are good results
 * of a check.
 */
import { withoutStyle } from '../data/terminal-style.ts'
import { recordIn } from '../answer/envelope.ts'
import { isFailedRecord } from './failed-record.ts'
import { isRefusal, saysFailed, SHORT } from './reported-failure.ts'

/** Failures that a test or a compiler has counted, and other outcomes that a later try may change. */
const COUNTED =
  /\b[1-9]\d* (?:\w+ )?(?:fail\w*|errors?|problems?|issues?|violations?)\b|\b(?:fail\w*|errors?)["']?\s*[:=]\s*["']?[1-9]|\bfail\w* [1-9]|\b(?:FAIL|rejected|incorrect|wrong|mismatch)\b|\b(?:error|fatal)(?: \w+)?:/i
/** How a program ended, in a line or a field, and the ends of programs that crashed. */
const ENDED =
  /^\W{0,6}(?:[\w-]+ ){0,4}(?:exited|(?:exit|return)[ _-]?(?:code|status))\b[^\n\d]{0,20}[1-9]\d{0,2}\b\W{0,6}(?:<\/\w+>\s*)?$|"(?:exit_?(?:code|status)|return_?code)"\s*:\s*"?[1-9]\d{0,2}\b|\bsegmentation fault\b|\(core dumped\)|\bpanicked at\b|^(?:npm ERR!|not ok \d)/im
/** A line that an exception leaves: `KeyError: 'x'`, and the line of Ruby. A name without a message may be that of a class. */
const THROWN =
  /^(?:E {2,}|Uncaught (?:\(in promise\) )?|Caused by: )?(?:[\w$]+(?:\.|::))*[A-Z]\w*(?:Exception|Error)(?::[ \t]*\S|\n\s{1,8}at |\s*(?![\s\S]))|\([A-Z]\w*(?:Exception|Error)\)$/m
/** Tests that passed, and the end of a program without a failure. */
const PASSED =
  /\b[1-9]\d* (?:\w+ )?pass(?:ed|es|ing)?\b|\bpass\w*["']?\s*[:=]\s*["']?(?:[1-9]|true)|\bpass\w* [1-9]|\b(?:exit|return)[ _-]?(?:code|status)["']?\s*[:=]?\s*["']?0\b|\b(?:successful(?:ly)?|succeeded)\b/i

/** The parts of a text that are read. Summaries stand at its end, too. */
const HEAD = 2_000
const TAIL = SHORT
/** A longer text is not read as a record. */
const LONG = 4_000

/** `seeks`: the call was a search, for which an exit code states whether something was found. */
export function complains(received: string, seeks: boolean): boolean {
  const text = withoutStyle(received)
  if (has(text, COUNTED) || saysFailed(text.slice(0, SHORT))) return true
  return !seeks && (has(text, ENDED) || isFailedCheck(text))
}

const has = (text: string, pattern: RegExp): boolean =>
  pattern.test(text.slice(0, HEAD)) || (text.length > HEAD && pattern.test(text.slice(-TAIL)))

function isFailedCheck(text: string): boolean {
  const says = (part: string) => (has(part, THROWN) || isRefusal(part)) && !has(text, PASSED)
  const record = text.length > LONG ? undefined : recordIn(text)
  return record === undefined ? says(text) : isFailedRecord(record, { of: 'check', text: says })
}
