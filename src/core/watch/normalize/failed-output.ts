/**
 * Whether the output of a program that writes says at its end that it has failed.
 *
 * Intuition: a deployment prints its progress, and then "Error: deployment failed". An exit code says the same in a number.
 * Hard case: a migration that prints "ERROR: column exists, skipping", and then "Done." Rejected: an error in any line, which is how a
 * program also logs what it has mended.
 */
import { saysMade } from './refused-write.ts'

/** The exit code of a command in the lines that coding agents put around its output. */
const EXIT_CODE =
  /^(?:Exit Code:? [1-9]\d{0,2}|\[(?:The command completed|Command finished) with exit code [1-9]\d{0,2}\.?\]|<returncode>[1-9]\d{0,2}<\/returncode>|<exited with exit code [1-9]\d{0,2}>|(?:Process|Command) exited with (?:exit )?code [1-9]\d{0,2}\.?|Command executed in terminal\b.* Exit code: [1-9]\d{0,2})[ \t]*\r?$/im
/** What the lines around an output say after it. */
const FRAME =
  /^(?:\[.*\]|<\/?\w+>|(?:Error|Signal|Background PIDs): \(none\)|(?:Process Group PGID|Exit Code): .*|```)$/i

/** An error at the beginning of a line, also behind marks and the name of the program. */
const ERROR_LINE =
  /^(?:[^\w\n]{0,8}\[?(?:error|fatal|failed|failure|panic)\]?(?:[:!(]|\s+\S)|denied: |make(?:\[\d+\])?: \*{3} |(?:\S{1,60} {1,2}){0,3}\S{0,60}(?:\berror|\bfailed|\bfatal|Error|Exception|\*\*\*)(?:: |:$| \d)|Traceback \(most recent call last\)|\W{0,8}build fail|npm err(?:or|!) )/i
/** On the same line as its progress. */
const AFTER_PROGRESS = /(?:\.\.\.|…)\s*(?:failed|error)\b/i
/** Of a count, and of an error that does not matter. */
const NONE =
  /\b(?:errors?|failed|failures?)\b["']?\s*[:=]?\s*0\b|\b(?:0|no) (?:errors?|failed|failures?)\b|\b(?:ignored|skipping|skipped|ignoring|retrying|recovered)\b/i

/** The lines at the end that are read. A box around an error and its hints have up to ten. */
const LINES_MAX = 14
const LENGTH_MAX = 2_000

export function failsAtEnd(text: string): boolean {
  if (EXIT_CODE.test(text.slice(0, LENGTH_MAX)) || EXIT_CODE.test(text.slice(-LENGTH_MAX)))
    return true
  if (AFTER_PROGRESS.test(text.slice(-LENGTH_MAX))) return true
  const lines = linesIn(text)
  if (lines.length < 2) return false
  const last = lines.slice(-LINES_MAX)
  const at = last.findLastIndex(line => ERROR_LINE.test(line) && !NONE.test(line))
  return at >= 0 && !last.slice(at + 1).some(saysDone)
}

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

/** A last line such as "Deployed." or "Done in 3 s". */
const saysDone = (line: string): boolean =>
  /^\W{0,6}(?:done|finished|completed?|success\w*|deployed|all \w+ (?:passed|done))\b/i.test(
    line,
  ) ||
  (!NOT.test(line) && !ERROR_LINE.test(line) && saysMade(line, line.length))

const NOT = /\b(?:not|no|never|cannot|without)\b|n['’]t\b/i
