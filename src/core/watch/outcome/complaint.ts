/**
 * Whether an answer has words of failure, although its call was made: a test, a compiler or a program reports what is wrong.
 *
 * Intuition: a check that fails alike after each new write shows that the writes change nothing. The name of an exception and an exit
 * code other than 0 are words of failure, too.
 * Hard cases: tests that pass may print exceptions, and are named after failures; code that is read handles them, and a search without
 * a result exits with 1.
 * `{ "done": false }` may be right after each write. Rejected: each text that refuses a write. "0 changes" and "no" are good results
 * of a check.
 */
import { shown } from '../text/shown.ts'
import { withoutStyle } from '../data/terminal-style.ts'
import { recordIn } from '../answer/envelope.ts'
import { isFailedRecord } from './failed-record.ts'
import { countsFailures, has, hasPassed } from './passed.ts'
import { isRefusal, saysFailed, SHORT } from './reported-failure.ts'

/** Words of a failure that a test which passes may print. */
const SAID =
  /\b(?:rejected|incorrect|wrong|mismatch)\b(?!["']?\s*[:=]?\s*["']?(?:0|false|null)\b)|\b(?:error|fatal)(?: \w+)?:/i
/** In capital letters, unlike `fail 0`. */
const FAIL = /\bFAIL\b/
/** The ends of programs that crashed. */
const CRASHED = /\bsegmentation fault\b|\(core dumped\)|\bpanicked at\b/i
/** A line that an exception leaves: `KeyError: 'x'`, and the line of Ruby. A name without a message may be that of a class. */
const THROWN =
  /^(?:E {2,}|Uncaught (?:\(in promise\) )?|Caused by: )?(?:[\w$]+(?:\.|::))*[A-Z]\w*(?:Exception|Error)(?::[ \t]*\S|\n\s{1,8}at |\s*(?![\s\S]))|\([A-Z]\w*(?:Exception|Error)\)$/m
/** `FAIL`. A shorter text has no word of failure. */
const LENGTH_MIN = 4
/** A longer text is not read as a record. */
const LONG = 4_000

/** The call that was answered. */
export interface Checked {
  /** It was a search, for which an exit code states whether something was found. */
  readonly seeks: boolean
  /** Its exit code is 0, and that of no other command of its line can be hidden. */
  readonly succeeded: boolean
}

export function complains(received: string, { seeks, succeeded }: Checked): boolean {
  if (succeeded || received.length < LENGTH_MIN) return false
  const text = shown(received)
  if (countsFailures(text, seeks)) return true
  const passed = () => hasPassed(text.replace(EXIT_FIELD, ''))
  const saysSo =
    has(text, SAID) ||
    has(text, FAIL) ||
    saysFailed(text.slice(0, SHORT)) ||
    (!seeks && has(text, CRASHED))
  return (saysSo && !passed()) || (!seeks && isFailedCheck(received, passed))
}

/** Of several commands, it is that of the last one. Otherwise it has been read before. */
const EXIT_FIELD = /"(?:exit_?(?:code|status)|return_?code)"\s*:\s*"?0"?/i

/** The text of a field begins a line. */
function isFailedCheck(received: string, passed: () => boolean): boolean {
  const says = (part: string) =>
    (has(shown(part).replaceAll('":"', '":"\n'), THROWN) || isRefusal(withoutStyle(part))) &&
    !passed()
  const record = received.length > LONG ? undefined : recordIn(withoutStyle(received))
  return record === undefined
    ? says(received)
    : says(received) || isFailedRecord(record, { of: 'check', text: says })
}
