/**
 * Whether the output of a program that writes says at its end that it has failed.
 *
 * Intuition: a deployment prints its progress, and then "Error: deployment failed". An exit code says the same in a number.
 * Hard case: a migration that prints "ERROR: column exists, skipping", and then "Done." Rejected: an error in any line, which is how a
 * program also logs what it has mended.
 */
import { exitCodeOf } from '../answer/exit-code.ts'
import { hasMade } from './refused-write.ts'

/** What the lines around an output say after it. */
const FRAME =
  /^(?:\[.*\]|<\/?\w+>|(?:Error|Signal|Background PIDs): \(none\)|(?:Process Group PGID|Exit Code): .*|```)$/i

/** An error at the beginning of a line, also behind marks and the name of the program. */
const ERROR_LINE = new RegExp(
  [
    '^[^\\w\\n]{0,8}\\[?(?:error|fatal|failed|failure|panic)(?:\\]|:| {2,}| \\(| \\d)',
    '^denied: ',
    '^make(?:\\[\\d+\\])?: \\*{3} ',
    '^(?:\\S{1,60} {1,2}){0,3}\\S{0,60}(?:\\berror|\\bfailed|\\bfatal|Error|Exception): ',
    '^Traceback \\(most recent call last\\)',
    '^\\W{0,8}build fail(?:ed|ure)\\b',
    '^npm err(?:or|!) ',
  ].join('|'),
  'i',
)
/** Advice, code, data, a line of a diff, of `git log` or of `grep`: not what a program says. */
const CONTENT =
  /^\s*(?:if|when|note|tip|see)\b|^[+-]|^[\da-f]{7,40} |[,;{([|]\s*$| (?:=|\||&&) |\b(?:function|const|return|import|throw|catch)\b|^[\w./-]+:\d+:\d*:? /i
/** "Error: permission denied", and not `error: string`. */
const SENTENCE =
  /(?:[:\])]|\b(?:error|fatal) {2,}|\*{3}|…|\.{3}|build|npm err\S*|Traceback|\d) ?\W{0,4}\S+[ ]\S+|\bfail(?:ed|ure)\b[!.]*$/i
/** Of a count, and of an error that does not matter. */
const NONE =
  /\b(?:errors?|failed|failures?)\b["']?\s*[:=]?\s*0\b|(?<!=)\b(?:0|no) (?:errors?|failed|failures?)\b|\b(?:ignored|skipping|skipped|ignoring|retrying|recovered|continuing|falling back|fallback|non-fatal|expected)\b/i

/** The lines at the end that are read. A box around an error and its hints have up to ten. */
const LINES_MAX = 14
const LENGTH_MAX = 2_000

export function failsAtEnd(text: string): boolean {
  const code = exitCodeOf(text)
  if (code !== undefined) return code > 0
  const lines = linesIn(text)
  if (lines.length < 2 && !lines.some(line => PROGRESS.test(line))) return false
  const last = lines.slice(-LINES_MAX)
  // In the middle, it is one of several attempts.
  if (last.slice(-2).some(line => AFTER_PROGRESS.test(line)) && !saysDone(last.at(-1) ?? ''))
    return true
  const at = last.findLastIndex(isErrorLine)
  return at >= 0 && !last.slice(at + 1).some(saysDone)
}

const PROGRESS = /\.\.\.|…/
const AFTER_PROGRESS = /(?:\.\.\.|…)\s*(?:failed|error)\b/i

const isErrorLine = (line: string): boolean =>
  ERROR_LINE.test(line) && SENTENCE.test(line) && !NONE.test(line) && !CONTENT.test(line)

/** Whether the last of several lines says what was done, whatever the first one says. */
export function endsWell(text: string): boolean {
  const lines = linesIn(text)
  return lines.length > 1 && saysDone(lines.at(-1) ?? '')
}

const linesIn = (text: string): readonly string[] =>
  text
    .slice(-LENGTH_MAX)
    .split(/[\r\n]+/)
    .filter(line => line.trim() !== '' && !FRAME.test(line))

/** A last line such as "Deployed.", "Done in 3 s", "12 passed" or "Aliased to …". */
const saysDone = (line: string): boolean =>
  !ERROR_LINE.test(line) && (DONE.test(line) || (!NOT.test(line) && hasMade(line)))

const DONE =
  /^\W{0,6}(?:done|finished|completed?|success\w*|deployed|pass(?:ed)?|ok|ready|listening|aliased|compiled|built|all \w+ (?:\w+ )?(?:passed|done))\b|\bbuild success|\b\d+ (?:passed|passing)\b|(?<!=)\b0 (?:failed|failing|failures|errors)\b|\bfail 0\b|\bsuccessfully\b|^\s*[✓✔√]|\b(?:ready|deployed|live)\W*$|\bcompiled with \d+ warnings?\b|\bis (?:now )?(?:ready|live|running|up)\b/i
const NOT = /\b(?:not|no|never|cannot|without)\b|n['’]t\b/i
