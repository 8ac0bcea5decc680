/** Recognizes a command without output by the lines or the record that coding agents put around it. */
import { isMap, type Json } from '../data/json.ts'
import { recordIn } from './envelope.ts'

/** Whole lines, of a command that succeeded. */
const LINES = [
  // Gemini CLI.
  ...['Command: .*', 'Directory: .*', '(?:Stdout|Stderr|Output): \\(empty\\)', 'Exit Code: 0'],
  ...['(?:Error|Signal|Background PIDs): \\(none\\)', 'Process Group PGID: \\d+'],
  // OpenHands.
  ...['\\[(?:The command completed|Command finished) with exit code 0\\.?\\]'],
  ...['\\[Python interpreter: .*\\]'],
  // SWE-agent, Claude, Copilot.
  ...['Tool ran without output', '\\(Bash completed with no output\\)', '\\(no output\\)'],
  '<exited with exit code 0>',
  'Your command ran successfully and did not produce any output\\.',
  // Codex.
  ...['Exit code: 0', 'Wall time: [\\d.]+ seconds', 'Output:'],
  // mini-swe-agent.
  ...['<returncode>0</returncode>', '</?output>'],
  // Cline and Roo Code.
  ...['Command executed\\.', 'Command executed in terminal\\b.* Exit code: 0'],
  // Cursor.
  ...['Command output:', 'Command completed\\.', 'The previous shell command ended, so .*'],
]
const AROUND = new RegExp(`^(?:${LINES.join('|')})[ \\t]*(?:\\n|$)`, 'gm')
/** One of these is in each such text. The other lines alone may be the output of any tool. */
const MARK =
  /^(?:Process Group PGID: |Signal: \(none\)|\[(?:The command completed|Command finished) with exit code 0|Your command ran successfully and did not|Wall time: [\d.]+ seconds|Command executed\b|Command completed\.|Tool ran without output|\((?:no output|Bash completed with no output)\)|<exited with exit code 0>|<returncode>0<)/m
/** A folder is news: `cd ..` changes it. */
const FOLDER = /^\[Current working directory: (.*)\]$/

const EMPTY_FENCE = /^```\s*```$/gm

/** An empty text, or only its folder, for a command that succeeded without output. Any other text is unchanged: its exit code says how to read it. */
export function withoutShell(text: string): string {
  if (text.length > LONG) return text
  if (isSilentRecord(text)) return ''
  if (!MARK.test(text)) return text
  const rest = text.replace(AROUND, '').replace(EMPTY_FENCE, '').trim()
  const folder = FOLDER.exec(rest)?.[1]
  return folder ?? (rest === '' ? '' : text)
}

/** Longer texts are not empty. */
const LONG = 1_000
const RECORD = /^\s*\{[\s\S]*"(?:stdout|output)"/
const OUTPUT = /^(?:stdout|output)$/
const CODE = /^(?:exit_?(?:code|status)|return_?code|code|status)$/i
/** What did not happen. Any other `false`, such as `"success":false`, says that the command failed. */
const BESIDE = /^(?:interrupted|is_?image|timed_?out|truncated|killed)$/i
const MEASURED = /^(?:duration(?:_?(?:ms|seconds))?|wall_?time(?:_?seconds)?|pid)$/i

/** A record says that a command succeeded, and all that it could have printed is empty. */
function isSilentRecord(text: string): boolean {
  const record = RECORD.test(text) ? recordIn(text) : undefined
  if (!isMap(record)) return false
  const { metadata, ...rest } = record
  const fields = [...Object.entries(rest), ...Object.entries(isMap(metadata) ? metadata : {})]
  const isUnset = ([name, value]: readonly [string, Json]) =>
    value === '' ||
    value === null ||
    (value === false && BESIDE.test(name)) ||
    (value === 0 && CODE.test(name)) ||
    MEASURED.test(name)
  return fields.some(([name]) => OUTPUT.test(name)) && fields.every(isUnset)
}
