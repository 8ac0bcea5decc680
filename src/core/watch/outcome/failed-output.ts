/**
 * Whether the output of a program that writes says at its end that it has failed.
 *
 * Intuition: a deployment prints its progress, and then "Error: deployment failed". An exit code says the same in a number.
 * Hard cases: a migration that prints "ERROR: column exists, skipping", and then "Done."; and an error that is followed by where its log
 * was written, or by what it protects "from being written". Rejected: an error in any line, which is how a program also logs what it has
 * mended.
 */
import { exitCodeOf } from '../answer/exit-code.ts'
import { isRefusedCommit } from './refused-commit.ts'
import { hasMade } from './refused-write.ts'

/** What the lines around an output say after it, rules, how long a task of Ansible took, and where a log is. */
const FRAME =
  /^(?:\[.*\]|[^\p{L}\p{N}✓✔√]*|<\/?\w+>|.{1,120}?-{3,} [\d.]+s\s*|(?:Error|Signal|Background PIDs): \(none\)|(?:Process Group PGID|Exit Code): .*)$|\b(?:logs?|transcript|trace|dump)\b[^.:]{0,30}\b(?:written|saved|stored|found) (?:to|at|in|on)\b/iu

/** An error at the beginning of a line, also behind marks and the name of the program. */
const ERROR_LINE = new RegExp(
  [
    '^[^\\w\\n]{0,8}\\[?(?:error|fatal|failed|failure|panic)(?:\\]|:| {2,}| \\(| \\d)',
    // The error codes of a registry of containers.
    '^(?:denied|unauthorized|toomanyrequests|unsupported|(?:name|manifest|blob|tag) (?:unknown|invalid)): ',
    '^(?:received )?unexpected (?:http )?(?:status|response)\\b.{0,40}[45]\\d\\d\\b',
    '^(?!(?:warn(?:ing)?|info|debug|notice): )(?:[\\w./-]{1,40}: ){1,2}(?:failed to \\w|connection (?:closed|reset|refused|timed out)\\b)',
    '^(?:\\W{0,6}[\\w -]{1,60}: )?exit status [1-9]\\d{0,2}\\s*$',
    '^make(?:\\[\\d+\\])?: \\*{3} ',
    '^ ?(?:\\S{1,60} {1,2}){0,3}\\S{0,60}(?:\\berror|\\bfailed|\\bfatal|Error|Exception): ',
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
  /(?:[:\])]|\b(?:error|fatal) {2,}|\*{3}|…|\.{3}|build|npm err\S*|Traceback|\d) ?\W{0,4}\S+[ ]\S+|\bfail(?:ed|ure)\b[!.]*$|^exit status/i
/** Of a count, and of an error that does not matter. */
const NONE =
  /\b(?:errors?|failed|failures?)\b["']?\s*[:=]?\s*0\b|(?<!=)\b(?:0|no) (?:errors?|failed|failures?)\b|\b(?:ignored|skipping|skipped|ignoring|retrying|recovered|continuing|falling back|fallback|non-fatal|(?:as|is|was|are|were) expected|expected(?: error| failure|\W*$))\b/i

/** The result of Ansible for one host. */
const HOST = /^\S+ \| (?:FAILED|UNREACHABLE)! =>/
/** A line of the recap of Ansible, and one of a host that failed. */
const RECAP = /\bunreachable=\d+\s+failed=\d/
const RECAP_HEADING = 'PLAY RECAP'
const RECAP_FAILED = /\bunreachable=(?:[1-9]|\d+\s+failed=[1-9])/

/** The beginning of a last line that says what the program was not able to do, or what it lacked. */
const REFUSED =
  /^[^\w\n]{0,8}(?:(?:unable to|could not|couldn['’]t|cannot|can['’]t|not (?:allowed|authorized|permitted) to) \w|no (?:[\w-]+ ){0,3}credentials\b(?! (?:needed|required))|(?:an?|the) (?:[\w-]+ ){1,3}(?:does not|doesn['’]t) exist\b)/i
/** What followed instead, and what does not matter to the work: "Could not find a stack, creating a new one". */
const BESIDE =
  /, (?:so|using|creating|making|continuing|trying)\b|\b(?:preview|browser|new version|notify)\b/i
const SENTENCE_END = /[.;](?: |$)/

/** The lines at the end that are read. A box around an error and its hints have up to ten. */
const LINES_MAX = 14
const LENGTH_MAX = 2_000

export function failsAtEnd(text: string): boolean {
  const code = exitCodeOf(text)
  if (code !== undefined) return code > 0
  if (isRefusedCommit(text)) return true
  const lines = linesIn(text)
  if (lines.length < 2 && !lines.some(line => PROGRESS.test(line))) return false
  const last = lines.slice(-LINES_MAX)
  // In the middle, it is one of several attempts.
  if (last.slice(-2).some(line => AFTER_PROGRESS.test(line)) && !saysDone(last.at(-1) ?? ''))
    return true
  if (endsRefused(last)) return true
  // The recap of several hosts, of any number, is one outcome.
  const failed = last.some(line => RECAP.test(line)) && recapOf(text).some(isFailedHost)
  const at = last.findLastIndex(line => (RECAP.test(line) ? failed : isErrorLine(line)))
  const isDone = (line: string) => (RECAP.test(line) ? !failed : saysDone(line))
  return at >= 0 && !last.slice(at + 1).some(isDone)
}

const recapOf = (text: string): readonly string[] =>
  text.slice(Math.max(0, text.lastIndexOf(RECAP_HEADING))).split('\n')
const isFailedHost = (line: string): boolean => RECAP_FAILED.test(line)

const PROGRESS = /\.\.\.|…/
const AFTER_PROGRESS = /(?:\.\.\.|…)\s*(?:failed|error)\b/i

const isErrorLine = (line: string): boolean =>
  HOST.test(line) ||
  (ERROR_LINE.test(line) && SENTENCE.test(line) && !NONE.test(line) && !CONTENT.test(line))

/** After what was done, it is a remark. */
function endsRefused(lines: readonly string[]): boolean {
  const [said = ''] = (lines.at(-1) ?? '').split(SENTENCE_END)
  if (!REFUSED.test(said) || BESIDE.test(said)) return false
  return !NONE.test(said) && !CONTENT.test(said) && !lines.some(isMade(said))
}

const isMade = (refusal: string) => (line: string) =>
  line.startsWith(refusal) ? hasMade(refusal) : saysDone(line)

/** Whether the last of several lines says what was done, whatever the first one says. */
export function endsWell(text: string): boolean {
  if ((exitCodeOf(text) ?? 0) > 0 || isRefusedCommit(text)) return false
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
  !ERROR_LINE.test(line) &&
  !NONE_OF.test(line) &&
  (DONE.test(line) || (!REMARK.test(line) && hasMade(line)))

const DONE =
  /^\W{0,6}(?:done|finished|completed?|success\w*|deployed|pass(?:ed)?|ok|ready|listening|aliased|compiled|built|all \w+ (?:\w+ )?(?:passed|done))\b|\bbuild success|\b\d+ (?:passed|passing)\b|(?<!=)\b0 (?:failed|failing|failures|errors)\b|\bfail 0\b|\bsuccessfully\b|^\s*[✓✔√]|\b(?:ready|deployed|live)\W*$|\bcompiled with \d+ warnings?\b|\bis (?:now )?(?:ready|live|running|up)\b/i
/** "Deployed 0 of 1 stacks" */
const NONE_OF = /\b0 (?:out )?of [1-9]\d*\b(?![^.\n]*\b(?:fail|error))/i
/** What was not done, advice, and a sentence in the box of an error. */
const REMARK = /\b(?:looks like|not|no|never|cannot|without)\b|n['’]t\b|^\s*[│┃] /i
