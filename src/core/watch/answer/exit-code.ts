/**
 * The exit code of a command, in the lines that coding agents and husky put around its output, or in the record of a tool.
 *
 * Hard case: an output that quotes `Exit code: 1`, as the log of a test does. Only the first and the last lines count. Rejected: the code
 * of a record that also says in another field what went wrong: its tool may have failed around the command.
 */
import { isMap, type Json, parseJson } from '../data/json.ts'
import { recordIn } from './envelope.ts'

const CODE = '(\\d{1,3})'
const LINE = new RegExp(
  `^(?:Exit Code:? ${CODE}|\\[exit code:? ${CODE}\\]|\\[(?:The command completed|Command finished) with exit code ${CODE}\\.?\\]|<exited with exit code ${CODE}>|<returncode>${CODE}</returncode>|(?:Process|Command) exited with (?:exit )?code ${CODE}\\.?|[\\w -]{1,60} (?:failed \\(code ${CODE}\\)|exited with code ${CODE} \\(error\\))|Command executed in terminal\\b.* Exit code: ${CODE})\\s*$`,
  'i',
)
/** Cursor and Codex begin with it, OpenHands and Gemini CLI end with it and some lines more. */
const FIRST_LINES = 2
const LAST_LINES = 5
/** Characters at each end that are read. */
const READ = 1_000
/** A longer record is not parsed. */
const RECORD_MAX = 65_536

const RECORD = /^\s*\{[\s\S]*"(?:stdout|output)"/
const NAME = /^(?:exit_?(?:code|status)|return_?code|rc)$/i
/** Fields that say nothing of a failure. */
const PLAIN =
  /^(?:std(?:out|in)|stderr|output|command|cmd|cwd|pid|shell|duration\w*|wall\w*|elapsed\w*|time\w*|took\w*|metadata|description|truncated|sandbox\w*)$/i

/** Returns `undefined` if the text has none. */
export function exitCodeOf(text: string): number | undefined {
  const record = text.length <= RECORD_MAX && RECORD.test(text) ? recordIn(text) : undefined
  if (isMap(record)) return codeIn(record)
  const first = text.slice(0, READ).split('\n').slice(0, FIRST_LINES)
  const last = text.slice(-READ).split('\n').slice(-LAST_LINES)
  const codes = [...first, ...last].flatMap(line => codeOf(line) ?? [])
  return codes.find(code => code > 0) ?? codes[0]
}

/** The record that a command has printed, without the lines about its exit. Any other text is unchanged: its lines are read together. */
export function withoutExit(text: string): string {
  if (text.length > RECORD_MAX || !/[[{]/.test(text)) return text
  const rest = text
    .split('\n')
    .filter(line => codeOf(line) === undefined)
    .join('\n')
    .trim()
  return rest.length < text.length && /^[[{]/.test(rest) && parseJson(rest) ? rest : text
}

function codeOf(line: string): number | undefined {
  const code = LINE.exec(line.trimEnd())
    ?.slice(1)
    .find(digits => digits !== undefined)
  return code === undefined ? undefined : Number(code)
}

function codeIn(record: Readonly<Record<string, Json>>): number | undefined {
  const { metadata } = record
  const fields = [...Object.entries(record), ...Object.entries(isMap(metadata) ? metadata : {})]
  const isPlain = ([name, value]: readonly [string, Json]) =>
    NAME.test(name) || PLAIN.test(name) || isGood(value) || (value === false && !SUCCESS.test(name))
  const [, code] = fields.find(([name]) => NAME.test(name)) ?? []
  return typeof code === 'number' && fields.every(isPlain) ? code : undefined
}

const SUCCESS = /^(?:is_?)?(?:ok|success|succeeded|successful)$/i

/** `null` and 0 stand beside `error` and `signal`, and `true` and "completed" beside `ok` and `status`. */
const isGood = (value: Json): boolean =>
  value === null ||
  value === 0 ||
  value === true ||
  value === '' ||
  (typeof value === 'string' &&
    /^(?:ok|done|success|succeeded|completed?|exited|finished)$/i.test(value))
