/** Whether an answer reports that its call failed: in words, or by a flag of a record. */
import { withoutStyle } from '../data/terminal-style.ts'
import { recordIn, unwrapped } from '../answer/envelope.ts'
import { payloadOf } from '../answer/payload.ts'
import { endsWell, failsAtEnd } from './failed-output.ts'
import { isFailedRecord } from './failed-record.ts'
import { withoutNamed } from './failures-named.ts'
import { withoutNothingLeft } from './nothing-left.ts'
import { passes } from './passed.ts'
import { saysMade, saysNotMade, withoutNames } from './refused-write.ts'

/** A longer text with a word of failure may be about anything. */
export const SHORT = 300
const FAILED =
  /\b(?<!\b(?:0|no|zero|without) )(error|exception|traceback|not found|no such|failed|failure|invalid|denied|unable|cannot|could not|can't|refused|timed out|timeout|unknown|unrecognized|went wrong|no (more|results?|matches?))\b(?!-free)/i
/** A status line of HTTP. "404 rows saved" is another text. */
const STATUS_LINE =
  /^\W{0,6}(?:(?:http(?:\/[\d.]+)?|(?:http |response )?status(?: code)?|response)\W{0,3}[45]\d\d(?=\W*$|\]?\s*[:(\u2013\u2014-]\s*\w)|(?:http(?:\/[\d.]+)? )?[45]\d\d (?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|conflict|gone|unprocessable \w+|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\b|(?:unauthorized|forbidden|internal server error|bad gateway|service unavailable)\W*$)/i

/** The first line of a response with its headers, of any length. */
const STATUS_FIRST = /^(?:< )?HTTP\/[\d.]+ [45]\d\d\b/

/** The beginning of the answer of an edit that shows what was changed, or what an editor says of the file. */
const SAVED =
  /^\W{0,6}(?:(?![^\n.]{0,60}(?:\bnot\b|n['’]t\b|\bfail|\berror))[^\n.]{0,60}\bsuccessfully (?:saved|applied|updated|created|edited|written|replaced)\b(?![^\n]*\b(?:failed|rejected)\b)|(?:diff --git|Index:|--- ) ?\S[^\n]*\n(?:[^\n]*\n){0,3}\+\+\+ )/
/** What is not possible. After what was done, it is a remark: "Email sent. You cannot unsend it." */
const REMARKED = /\b(?:unable|cannot|could not|can't|unknown)\b/gi

/** "Query executed successfully but returned no results." */
const DONE_WITHOUT = /\bsuccessfully\b[^\n.]{0,40}\bno (?:more|results?|matches?)\b/gi

/** Whether a text contains words of a failure. */
export function saysFailed(styled: string): boolean {
  const text = withoutStyle(styled).replace(DONE_WITHOUT, '…')
  if (SAVED.test(text)) return false
  return (
    STATUS_LINE.test(text) || (FAILED.test(text) && hasFailure(withoutNamed(withoutNames(text))))
  )
}

function hasFailure(text: string): boolean {
  if (!FAILED.test(text)) return false
  return !saysMade(text) || FAILED.test(text.replace(REMARKED, ''))
}

/** What a record of a read with a flag contains. */
const FLAGGED = /false|true|"no"|error|exception|fail|[45]\d\d/i
const RECORD = /^\s*[[{]/
/** A longer text is not read for its flags. */
const LONG = 4_000

/** The beginning of a refusal. Other texts about errors may be the content that was written. */
const REFUSED =
  /^\W{0,6}(?:(?:error|fatal|critical) {2,}\S|(?:\d+ )?(?:(?!\w+ed\b)[a-z_/-]+ ){0,3}(?:error|failed|failure|fatal|exception)(?: near line \d+)?(?:\s?[:!\])=]|\s[\u2013\u2014-]\s)|error(?: code)? \d|(?:errno|winerror) \d{1,5}\]|(?:ora|pls|tns|sp2)-\d{4,5}:|(?:\d+ )?(?:(?!\w+ed\b)[a-z_/-]+ ){0,2}failed to\b|(?:fehler|erreur|errore?|erro|\u043e\u0448\u0438\u0431\u043a\u0430|\u9519\u8bef|\u932f\u8aa4|\u30a8\u30e9\u30fc|\uc624\ub958)\s?[:\uff1a]|traceback \(most recent|exception in thread\b|command failed\b|(?:permission|access) denied\b|(?:could not|cannot|unable to|not allowed|not authorized|not permitted)\b)/i
/** The beginning of what git, curl, kubectl and make print, and of the answer of a mail server. */
const OF_PROGRAMS =
  /^ ?! \[(?:remote )?rejected\]|^curl: \(\d{1,2}\) |^make(?:\[\d+\])?: \*{3} |^Error from server\b|^[45]\d\d[ -][45]\.\d{1,3}\.\d{1,3} /m
/** The whole of a refusal: `Failed`, `Error`, `The save failed.`, `Request was denied`. */
const REFUSED_WHOLE =
  /^\W{0,6}(?:ko|nok|not ok|error|failure|fault|exception|denied|forbidden|(?:the )?(?:[a-z]+ ){0,2}(?:(?:was|were|is|has been) )?(?:failed|unsuccessful|not successful|rejected|refused|denied|aborted|not (?:saved|stored|written|applied|sent|created|updated|deleted|allowed|permitted|authorized))|fehler|fehlgeschlagen|erreur|\u00e9chec|errore?|erro|\u043e\u0448\u0438\u0431\u043a\u0430|\u9519\u8bef|\u932f\u8aa4|\u5931\u8d25|\u5931\u6557|\u30a8\u30e9\u30fc|\uc624\ub958|\uc2e4\ud328)[\s.!\u3002*_`"')\]]*$/i
/** A write that was not made. Of a check, it may be the good result. */
const DECLINED = /^\W{0,6}(?:no|false)\W*$/i
/** A line with a flag, as YAML and logs write it. */
const FLAG_LINE =
  /^\W{0,6}(?:(?:ok|success(?:ful)?|succeeded|saved|applied|accepted)["']?\s*[:=]\s*(?:false|no(?! \w)|0)|(?:status|state|result|outcome)["']?\s*[:=]\s*["']?(?:err|error|fail|failed|failure|denied|rejected|refused|forbidden)|(?:exit_?(?:code|status)|return_?code|rc|errno)["']?\s*[:=]\s*[1-9]\d{0,2})\b/i
/** A fault of SOAP, and elements that report a failure. */
const MARKUP =
  /^\s*<[\s\S]{0,1000}?(?:<(?:\w+:)?(?:fault|errors?|exception)\b(?:[^>]*[^>/])?>\s*(?!<\/)\S|<(?:\w+:)?(?:success|ok)>\s*(?:false|no|0)\s*<|<(?:\w+:)?(?:status|result|outcome)>\s*(?:error|fail|failed|failure|denied|rejected|[45]\d\d)\s*<|\s(?:success|ok)="(?:false|no|0)"|\sstatus="(?:error|fail|failed|failure|denied|rejected|[45]\d\d)"|<(?:\w+:)?status>\s*HTTP\/[\d.]+ [45]\d\d\b(?![\s\S]*>\s*HTTP\/[\d.]+ 2)|<(?:title|h1)>\s*(?:[45]\d\d\b|error\s*<))/i

/** The name of an exception as a language prints it: `PermissionError: …`, `java.io.IOException: …`. */
const THROWN = /^\W{0,6}(?:[\w$]+\.)*[A-Z]\w*(?:Exception|Error)\s*(?::|\n|$)/
/** The whole answer of a shell or a program. With other output, a command may have had an effect. */
const SHELL =
  /^\W{0,6}(?:(?:\w+ )?exit(?:ed)?\b[^\n\d]{0,20}[1-9]\d{0,2}|\S*sh: [^\n]*\b(?:permission denied|no such file or directory|not found|operation not permitted|read-only file system|(?:is|not) a directory)|[\w./-]{1,40}: (?:[^\n]*: )?(?:permission denied|access denied|no such file or directory|operation not permitted|read-only file system|(?:is|not) a directory|no space left on device|disk quota exceeded|file name too long|too many open files|input\/output error|connection (?:refused|reset by peer|timed out)|no route to host))\W*$/i
/**
 * What clouds and APIs write without a word of failure: quotas and rates, missing access of the caller, locks, and the sentences of
 * Django REST, FastAPI and GitHub.
 */
const OF_SERVICES =
  /^\W{0,6}(?:(?:(?:your|the|api|daily|monthly|hourly|user|project|storage|disk|request|account|usage) ){0,3}(?:quota|rate|rate limit|limit|size limit|throughput)(?: (?:for|of) [^\n.]{1,60})? (?:was |has been |is )?exceeded\b|too many requests\b|(?:request|requests) (?:was|were|is|are) throttled\b|you (?:do not|don't) have (?:access|permissions?|the (?:required |necessary )?(?:permissions?|rights?|role)|sufficient|enough)\b|insufficient (?:permissions?|privileges|rights|scopes?|access)\b|missing (?:permissions?|access|scopes?)\W*$|(?:the )?[\w ]{1,40} is (?:currently )?locked (?:by another|for editing|by someone else)\b|(?:the )?database is locked\W*$|authentication (?:credentials )?(?:were|was|is) (?:not provided|required)\b|(?:not authenticated|bad credentials|requires authentication|invalid (?:token|credentials|api key)|resource not accessible\b[^\n]*)\W*$|method "?[a-z]{3,7}"? not allowed\b|(?:\w+: )?(?:received )?unexpected response\b)/i
/**
 * The beginning of the answer of an edit that changed nothing. It may quote a long text. The answers of edits that succeed are as
 * equal as those that are refused, so only words tell them apart.
 */
const UNCHANGED =
  /^\W{0,6}(?:<\w*error>\s*|failed to \w+[,.:] |dry[ -]run[,.:] )?(?:(?:no|0|zero) (?:replacements?|changes?|edits?|modifications?|occurrences?)(?: (?:was|were|has been|have been))?(?: (?:performed|made|applied|found|done))?\b|nothing (?:was|has been) (?:changed|replaced|edited|modified|written|saved|stored|sent|created|updated|deleted|applied)\b|(?:the )?(?:\w+ ){0,2}(?:string|text|pattern|snippet|block|hunk|context|lines?|old_\w+)(?: \w+){0,3} (?:was )?(?:not found|not appear|not match)\b)/i
const UNCHANGED_WITHIN = 120

/** Whether an answer reports a failure by a flag. `writes`: the call was a write, whose answer only states whether it was made. */
export function isNotOk(text: string, writes = false): boolean {
  if (text.length > LONG)
    return (
      writes && (UNCHANGED.test(text.slice(0, UNCHANGED_WITHIN)) || failsAtEnd(withoutStyle(text)))
    )
  const inner = withoutStyle(unwrapped(text))
  if (writes) return isRefusedWrite(inner) || isRefusedPayload(inner)
  if (inner.length >= SHORT || !RECORD.test(inner) || !FLAGGED.test(inner)) return false
  const record = recordIn(inner)
  return record !== undefined && isFailedRecord(record, READ)
}

function isRefusedWrite(given: string): boolean {
  const text = RECORD.test(given) ? given : withoutNothingLeft(given)
  if (STATUS_FIRST.test(text)) return true
  if (SAVED.test(text)) return failsAtEnd(text)
  if (UNCHANGED.test(text.slice(0, UNCHANGED_WITHIN))) return true
  const record = recordIn(text)
  return record === undefined ? refusesWrite(text) : isFailedRecord(record, WRITE)
}

/** A receipt may end with what was written. */
function isRefusedPayload(text: string): boolean {
  const payload = payloadOf(text)
  return payload !== text && (RECORD.test(text) || !saysMade(text)) && isRefusedWrite(payload)
}

/** Whether a text says that a write was not made. */
export function refusesWrite(styled: string): boolean {
  const text = withoutNothingLeft(withoutStyle(styled))
  if (endsWell(text) || passes(text)) return false
  const isAny = () => RECEIPTS.some(pattern => pattern.test(text)) || saysNotMade(text)
  return isRefusal(text) || (text.length < SHORT && isAny()) || failsAtEnd(text)
}

/** Whether a text refuses what was asked, in words that no success has. */
export const isRefusal = (text: string): boolean =>
  MARKUP.test(text) ||
  (text.length < SHORT &&
    (REFUSED.test(withoutNamed(text)) || REFUSALS.some(pattern => pattern.test(text))))

const REFUSALS = [REFUSED_WHOLE, STATUS_LINE, SHELL, OF_PROGRAMS, OF_SERVICES]
/** Of a write, whose answer only states whether it was made. */
const RECEIPTS = [DECLINED, FLAG_LINE, THROWN]
const READ = { of: 'read', text: () => false } as const
const WRITE = { of: 'write', text: refusesWrite } as const
