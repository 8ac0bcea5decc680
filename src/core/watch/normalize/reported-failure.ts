/** Whether an answer reports that its call failed: in words, or by a flag of a record. */
import { isMap, type Json } from '../data/json.ts'

/** A longer text with a word of failure may be about anything. */
export const SHORT = 300
const FAILED =
  /\b(?<!\b(?:0|no|zero|without) )(error|exception|traceback|not found|no such|failed|failure|invalid|denied|unable|cannot|could not|can't|refused|timed out|timeout|unknown|unrecognized|no (more|results?|matches?))\b/i
/** A field without content, such as `"error": null` or `failed: 0`, and a number of anything but failures: `timeout: 5000`. */
const UNSET =
  /["']?\b(?:\w{1,40}["']?\s*[:=]\s*(?:null|none|false|0|""|''|\[\s*\]|\{\s*\})|(?!\w*(?:error|fail))\w{1,40}["']?\s*[:=]\s*\d+)(?![\w.])/gi

/** A status line of HTTP. "404 rows saved" is another text. */
const STATUS_LINE =
  /^\W{0,3}(?:(?:http\/[\d.]+ )?[45]\d\d (?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|conflict|gone|unprocessable \w+|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\b|(?:unauthorized|forbidden|internal server error|bad gateway|service unavailable)\W*$)/i

/** Whether a text contains words of a failure. */
export const saysFailed = (text: string): boolean =>
  STATUS_LINE.test(text) || (FAILED.test(text) && FAILED.test(text.replace(UNSET, '')))

const RECORD = /^\s*[[{]/
/** What a record with a flag contains. */
const FLAGGED = /false|true|"no"|error|exception|fail|[45]\d\d/i
const SUCCESS = /^(ok|success|succeeded|successful)$/i
const HTTP_STATUS = /^(http_?status|status_?(code)?)$/i
const CODE = /^code$/i
/** Of a write. A read may ask for them. */
const REPLACED = /^(replacements?|replaced)$/i
const TAKEN = /^(accepted|applied|saved|stored)$/i
const ERROR = /^(\w*errors?|err|exception|error_?message)$/i
/** Of a write: not 0. */
const EXIT_CODE = /^(exit_?code|errno|error_?code)$/i
const OUTCOME = /^(status|state|result|outcome)$/i
const BAD_OUTCOME = /^(error|failed|failure|denied|rejected|refused|forbidden|nok|not[ _-]?ok)$/i
/** Where a client puts the answer of a server. */
const INNER = /^(response|results?|data|body)$/i
/** The beginning of a refusal. Other texts about errors may be the content that was written. */
const REFUSED =
  /^\W{0,3}(?:(?:error|failed|failure|fatal|exception)\s*:|failed to\b|(?:nok|not ok)\W*$|traceback \(most recent|exception in thread\b|command failed\b|(?:permission|access) denied\b|(?:could not|cannot|unable to)\b)/i

/** The name of an exception as a language prints it: `PermissionError: …`, `java.io.IOException: …`. */
const THROWN = /^\W{0,3}(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error)\s*(?::|\n|$)/
/** The whole answer of a shell. With other output, a command may have had an effect. */
const SHELL =
  /^\W{0,3}(?:(?:\w+ )?exit(?:ed)?\b[^\n\d]{0,20}[1-9]\d{0,2}|\S*sh: [^\n]*\b(?:permission denied|no such file or directory|not found|operation not permitted|read-only file system|(?:is|not) a directory))\W*$/i

/**
 * The beginning of the answer of an edit that changed nothing. It may quote a long text. The answers of edits that succeed are as
 * equal as those that are refused, so only words tell them apart.
 */
const UNCHANGED =
  /^\W{0,3}(?:<\w*error>\s*|failed to \w+[,.:] )?(?:(?:no|0|zero) (?:replacements?|changes?|edits?|modifications?|occurrences?)(?: (?:was|were|has been|have been))?(?: (?:performed|made|applied|found|done))?\b|nothing (?:was|has been) (?:changed|replaced|edited|modified)\b|(?:the )?(?:\w+ ){0,2}(?:string|text|pattern|snippet|block|hunk|context|lines?|old_\w+)(?: \w+){0,3} (?:was )?(?:not found|not appear|not match)\b)/i
const UNCHANGED_WITHIN = 120

/** Whether a short answer reports a failure by a flag. `writes`: the call was a write, whose answer only states whether it was made. */
export function isNotOk(text: string, writes = false): boolean {
  if (writes && UNCHANGED.test(text.slice(0, UNCHANGED_WITHIN))) return true
  if (text.length >= SHORT) return false
  if (!RECORD.test(text)) return writes && (isFalse(text.trim()) || isRefused(text))
  if (!writes && !FLAGGED.test(text)) return false
  try {
    return isFlagged(JSON.parse(text) as Json, writes)
  } catch {
    return false
  }
}

const isRefused = (text: string): boolean =>
  REFUSED.test(text.replace(UNSET, '')) ||
  [STATUS_LINE, THROWN, SHELL].some(pattern => pattern.test(text))

function isFlagged(value: Json, writes: boolean): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(item => isFlagged(item, writes))
  if (!isMap(value)) return false
  const entries = Object.entries(value)
  return entries.some(
    ([name, inner]) =>
      (SUCCESS.test(name) && (isFalse(inner) || inner === 'no' || (writes && inner === 0))) ||
      (/^is_?error$/i.test(name) && inner === true) ||
      (HTTP_STATUS.test(name) && isErrorStatus(inner)) ||
      (writes && (isRefusal(name, inner) || isAllFailed(name, inner, entries))) ||
      ((INNER.test(name) || (writes && entries.length === 1)) && isFlagged(inner, writes)),
  )
}

const isErrorStatus = (value: Json): boolean => Number(value) >= 400 && Number(value) < 600

/** Failed items beside none that succeeded. A number alone may be the result of a test. */
function isAllFailed(name: string, value: Json, entries: readonly (readonly [string, Json])[]) {
  if (!/^(failed|rejected)$/i.test(name) || isUnset(value)) return false
  const done = entries.filter(([other]) => /^succe/i.test(other) || TAKEN.test(other))
  const isList = /^failed$/i.test(name) && Array.isArray(value)
  return (isList || done.length > 0) && done.every(([, items]) => isUnset(items))
}

function isRefusal(name: string, value: Json): boolean {
  if (TAKEN.test(name)) return isFalse(value)
  if (REPLACED.test(name)) return value === 0
  if (CODE.test(name)) return isErrorStatus(value)
  if (EXIT_CODE.test(name)) return Number(value) !== 0 && value !== null
  if (ERROR.test(name)) return !isUnset(value)
  return OUTCOME.test(name) && typeof value === 'string' && BAD_OUTCOME.test(value)
}

const isFalse = (value: Json): boolean => value === false || value === 'false'

const isUnset = (value: Json): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : !value || value === 'none'
