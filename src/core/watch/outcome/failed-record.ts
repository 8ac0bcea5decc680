/** Whether a record reports by one of its fields that its call failed. */
import { isMap, type Json } from '../data/json.ts'
import { recordIn } from '../answer/envelope.ts'
import { isBody, isResponse } from '../answer/payload.ts'
import { isTaggedFailure } from '../answer/tagged.ts'
import { isNoError } from './no-error.ts'
import { changedNoRows } from './no-rows.ts'
import { isRemark } from './remark.ts'
import { isFailureForm, isRefusedResponse, isStackLine } from './failure-form.ts'

export type Field = readonly [name: string, value: Json]

const SUCCESS = /^(is_?)?(ok|success|succeeded|successful)$/i
const IS_ERROR = /^is_?error$/i
const HTTP_STATUS = /^(http_?status(_?code)?|status_?(code)?)$/i
/** Where a client puts the answer of a server. */
const INNER = /^(response|results?|data|body|structured_?content)$/i
const BODY = /^body$/i
/** Of a write and a check: where a tool puts its whole answer. A read may return a document there. */
const PAYLOAD = /^(output|payload|return(_?value)?|metadata)$/i

const CODE = /^code$/i
/** The code of an error: of Node.js, and of gRPC or an API. */
const ERRNO = /^E[A-Z]{3,}$/
const ERROR_CODE =
  /^(?:ERR_\w+|(?:\w*_)?(?:DENIED|FORBIDDEN|UNAUTHENTICATED|UNAUTHORIZED|INVALID|FAILED|FAILURE|ERROR|NOT_FOUND|EXCEPTION|UNAVAILABLE|EXCEEDED|ABORTED|TIMEOUT)(?:_\w+)?)$/i
/** Of an exception, also with a namespace: `com.amazon.coral#AccessDeniedException`. */
const TYPE = /^(__type|(error|exception)_?(type|class|name))$/i
const ERROR_TYPE = /(?:Exception|Error|Fault|Denied|Failed|Failure)$/
const CODES = [ERRNO, ERROR_CODE, ERROR_TYPE]
/** A line of a log, if nothing else is in the record. A stored record may have a level, too. */
const LEVEL = /^(level|severity|lvl|log_?level)$/i
const BAD_LEVEL = /^(err|error|fatal|critical|crit|panic|emerg|alert)$/i
const LOGGED = /^(ts|time|timestamp|@timestamp|logger|caller)$/i
const REPLACED = /^(replacements?|replaced)$/i
/** Beside the results of all records, as AWS counts them. */
const FAILED_COUNT = /^failed_?(?:record|entry|put|item)_?count$/i
const TAKEN = /^(accepted|applied|saved|stored|written)$/i
/** Also a field of stored documents: a new task has `completed: false`. */
const TAKEN_ALONE =
  /^(allowed|assigned|authorized|booked|charged|committed|completed|created|deleted|delivered|deployed|dispatched|done|enqueued|executed|granted|inserted|installed|merged|paid|permitted|persisted|posted|processed|published|queued|refunded|registered|removed|reserved|scheduled|sent|submitted|subscribed|transferred|unassigned|unblocked|unlocked|unpublished|unsubscribed|updated|uploaded)$/i
const EXPLAINED = /^(message|msg|reason|details?|why|info|note|hint)$/i
/** Beside a message, in each error of GitHub. */
const HELP = /^documentation_url$/
const DETAIL = /^detail$/
const VALID = /^(is_?)?valid$/i
const PASSED = /^(all_?)?(pass|passed|passes|passing)$/i
const FAILURES = /^failures$/i
const PROBLEMS = /^(\w*errors|issues|problems|violations|messages|details)$/i
const ERROR =
  /^((?!last_|previous_)\w*errors?|err(_?(msg|message))?|errmsg|exception|error_?messages?|fault(string|code)?|failure(_?reason)?)$/i
const FAILED_FLAG = /^(has_?errors?|failed|denied|refused)$/i
/** Not 0. */
const EXIT_CODE = /^(exit_?(code|status)|return_?code|rc|errno|err(or)?_?(code|number|no))$/i
const STDERR = /^stderr$/i
const OUTCOME =
  /^((?:payment|transaction|transfer|order|delivery)?_?status|state|result|outcome|status_?text|result_?code|result_?status)$/i
/** A flag, as services in PHP answer: `{ "status": false, "message": "…" }`. */
const STATUS = /^status$/i
const BAD_OUTCOME =
  /^(?:\w{1,20}_(?:state|status)_)?(err|error|errored|fail|failed|failure|unsuccessful|denied|rejected|refused|declined|forbidden|conflict|duplicate|expired|unavailable|timed?[ _-]?out|insufficient\w*|out_of_\w+|throttled|unauthori[sz]ed|unauthenticated|aborted|invalid|ko|nok|not[ _-]?ok)\b/i

/**
 * `of`: what the record answers. A write states only whether it was made, a check what it found. `text`: how a text in the place of a
 * record is judged.
 */
export interface Reading {
  readonly of: 'read' | 'write' | 'check'
  readonly text: (text: string) => boolean
}

export function isFailedRecord(value: Json, reading: Reading): boolean {
  if (Array.isArray(value)) return isFailedList(value, reading)
  if (!isMap(value)) return false
  const fields = Object.entries(value)
  if (reading.of === 'write' && isFailedForm(value)) return true
  if (reading.of === 'write' && fields.length > 0 && fields.every(isFaultOf(reading))) return true
  return fields.some(
    field =>
      isFlag(field) ||
      (reading.of === 'write' && isRefusal(field, fields, reading)) ||
      (reading.of === 'check' && isComplaint(field, fields, reading)) ||
      (isInner(field, fields, reading) && isFailedValue(field[1], reading)),
  )
}

const isFailedForm = (record: Readonly<Record<string, Json>>): boolean =>
  isTaggedFailure(record) || isFailureForm(record, isBad) || changedNoRows(record)

/** All items failed. */
const isFailedList = (list: readonly Json[], reading: Reading): boolean =>
  (reading.of === 'write' && isRefusedList(list, reading)) ||
  (list.length > 0 && list.every(item => isFailedRecord(item, reading)))

/** Of a write: a sentence alone, a flag and its explanation (`[false, "denied"]`), or a body and its status. */
function isRefusedList(list: readonly Json[], { text }: Reading): boolean {
  const [first = null, why] = list
  if (list.length === 1) return typeof first === 'string' && first.includes(' ') && text(first)
  if (list.some(isStackLine)) return true
  const isPair = list.length === 2 && typeof why === 'string'
  return (isPair && (first === false || isBad(first))) || isRefusedResponse(list)
}

const isInner = ([name, value]: Field, fields: readonly Field[], { of }: Reading): boolean =>
  (INNER.test(name) && !isWritten(name, value, fields)) ||
  (of !== 'read' &&
    !ERROR.test(name) &&
    !isRemark(name, value) &&
    (isOnly(fields) || PAYLOAD.test(name) || isBody([name, value], fields)))

/** One field alone, or a list that has no next page. */
function isOnly(fields: readonly Field[]): boolean {
  const [only, ...others] = fields.filter(([, value]) => value !== null)
  return others.length === 0 && (fields.length === 1 || Array.isArray(only?.[1]))
}

/** A text in `body` that people wrote: `{ "id": 7, "body": "Access denied for Bo" }`. In a response, it is the answer of a server. */
const isWritten = (name: string, value: Json, fields: readonly Field[]): boolean =>
  BODY.test(name) &&
  typeof value === 'string' &&
  recordIn(value) === undefined &&
  !isResponse(fields)

/** A text may be the JSON of a record. */
function isFailedValue(value: Json, reading: Reading): boolean {
  if (typeof value !== 'string') return isFailedRecord(value, reading)
  const record = recordIn(value)
  return record === undefined ? reading.text(value) : isFailedRecord(record, reading)
}

/** Of each call. */
function isFlag([name, value]: Field): boolean {
  if (SUCCESS.test(name)) return isFalse(value) || value === 'no'
  if (IS_ERROR.test(name)) return value === true
  return HTTP_STATUS.test(name) && isErrorStatus(value)
}

/** Of a write, whose answer states only whether it was made. */
function isRefusal(field: Field, fields: readonly Field[], reading: Reading): boolean {
  const [name, value] = field
  // `{ "Ok": null }` is a Result of Rust.
  if (SUCCESS.test(name)) return value === 0 || (value === null && name !== 'Ok')
  if (TAKEN.test(name)) return isFalse(value)
  if (TAKEN_ALONE.test(name)) return isFalse(value) && isExplained(field, fields)
  if (REPLACED.test(name)) return value === 0
  if (FAILED_COUNT.test(name)) return Number(value) > 0 && fields.every(isNotBeyond(Number(value)))
  if (VALID.test(name)) return isFalse(value) && fields.some(isListOfProblems)
  if (DETAIL.test(name) && Array.isArray(value)) return value.length > 0 && value.every(isMisplaced)
  if (HELP.test(name)) return fields.length <= HELP_FIELDS_MAX && fields.some(isMessage)
  if (TYPE.test(name)) return typeof value === 'string' && ERROR_TYPE.test(value)
  if (LEVEL.test(name)) return isLogged(field, fields)
  if (CODE.test(name)) return isFailureCode(value, fields)
  if (OUTCOME.test(name) && isFailedOutcome(value, fields)) return true
  if (STATUS.test(name) && value === false) return fields.some(isRefusing(reading))
  return isFault(field, fields, reading)
}

/** Of a check. `{ "done": false }` and `{ "saved": false }` may be right after each write. */
function isComplaint(field: Field, fields: readonly Field[], reading: Reading): boolean {
  const [name, value] = field
  if (PASSED.test(name) || VALID.test(name)) return isFalse(value)
  if (CODE.test(name)) return isExit(value, fields)
  return (FAILURES.test(name) && !isUnset(value)) || isFault(field, fields, reading)
}

const isRefusing =
  ({ text }: Reading) =>
  ([name, why]: Field): boolean =>
    EXPLAINED.test(name) && typeof why === 'string' && text(why)

/** An error, the end of a program, or an explanation in words of failure. */
function isFault(field: Field, fields: readonly Field[], { text }: Reading): boolean {
  const [name, value] = field
  // Services number their explanations: `{ "message": "Missing Access", "code": 50001 }`.
  if (EXPLAINED.test(name) && isAlone(field, fields))
    return typeof value === 'string' && text(value)
  if (EXIT_CODE.test(name)) return Number(value) !== 0 && !isNoError(value)
  if (ERROR.test(name)) return !isNoError(value) && !(TEXT.test(name) && fields.some(isZeroCode))
  if (STDERR.test(name)) return typeof value === 'string' && !hasOutput(fields) && text(value)
  return (FAILED_FLAG.test(name) && value === true) || isAllFailed(field, fields)
}

/** The text of an error says how it went if its code is 0. */
const TEXT = /msg|message/i
const isZeroCode = ([name, code]: Field): boolean =>
  /^err/i.test(name) && EXIT_CODE.test(name) && isNoError(code)

/** A list of results is not longer than the number of failures: none succeeded. */
const isNotBeyond =
  (failed: number) =>
  ([, results]: Field): boolean =>
    !Array.isArray(results) || results.length <= failed

/** A field of a form and what is wrong with it: `{ "name": ["This field may not be blank."] }`. */
const isFaultOf =
  ({ text }: Reading) =>
  ([name, faults]: Field): boolean =>
    !isRemark(name, faults) &&
    Array.isArray(faults) &&
    faults.length > 0 &&
    faults.every(fault => typeof fault === 'string' && text(fault))

/** The message, its link, the status and a list of errors. */
const HELP_FIELDS_MAX = 4
const isMessage = ([name]: Field): boolean => name === 'message'
/** A fault of an argument, as FastAPI lists it. */
const isMisplaced = (item: Json): boolean => isMap(item) && 'loc' in item && 'msg' in item
const isListOfProblems = ([name, value]: Field): boolean =>
  PROBLEMS.test(name) && Array.isArray(value) && value.length > 0

/** An explanation beside its codes, the id of the request, links and what is wrong with each part. */
const isAlone = (field: Field, fields: readonly Field[]): boolean =>
  isExplained(field, fields.filter(isNotCode))

const isExplained = ([name]: Field, fields: readonly Field[]): boolean =>
  fields.every(([other]) => other === name || EXPLAINED.test(other))

const isNotCode = (field: Field): boolean =>
  !BESIDE_CODE.test(field[0]) && !isListOfProblems(field) && !isEmpty(field[1])

/** `{ "code": 40001, "message": "Permission denied", "data": null }` holds nothing but the explanation. */
const isEmpty = (value: Json): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0)
const BESIDE_CODE =
  /^(code|(error_?)?(name|type)|(debug|request|trace|correlation)_?id|links?|documentation_?url)$/i

/** A program that ended has its code beside its output. */
function isFailureCode(value: Json, fields: readonly Field[]): boolean {
  if (typeof value === 'string' && CODES.some(pattern => pattern.test(value))) return true
  return isErrorStatus(value) || isExit(value, fields) || isStatusOfGrpc(value, fields)
}

/** As the JSON gateway and the clients of gRPC write it. */
function isStatusOfGrpc(value: Json, fields: readonly Field[]): boolean {
  if (typeof value !== 'number' || value <= 0 || value > GRPC_MAX) return false
  const { details, message, metadata } = Object.fromEntries(fields)
  const isDescribed = Array.isArray(details)
    ? message !== undefined
    : // Other services answer 1 for a success.
      typeof details === 'string' && metadata !== undefined && value > 1
  return fields.length === 3 && isDescribed
}

const GRPC_MAX = 16

const isLogged = ([name, level]: Field, fields: readonly Field[]): boolean =>
  typeof level === 'string' &&
  BAD_LEVEL.test(level) &&
  fields.some(([other]) => EXPLAINED.test(other)) &&
  fields.every(([other]) => other === name || EXPLAINED.test(other) || LOGGED.test(other))

const isFailedOutcome = (value: Json, fields: readonly Field[]): boolean =>
  isBad(value) || isExit(value, fields)

const isBad = (value: Json): boolean =>
  typeof value === 'string' && (BAD_OUTCOME.test(value) || /^[45]\d\d\b/.test(value))

const isExit = (value: Json, fields: readonly Field[]): boolean =>
  typeof value === 'number' && value !== 0 && fields.some(([name]) => STDERR.test(name))

/** Whether a field explains a failure in words. */
export const isExplanation = (name: string, value: Json): boolean =>
  typeof value === 'string' && value !== '' && (EXPLAINED.test(name) || ERROR.test(name))

/** A program that ran to its end and printed something, whatever its exit code. */
export const hasOutputOfExit = (fields: readonly Field[]): boolean =>
  hasOutput(fields) &&
  fields.some(([name, code]) => EXIT_CODE.test(name) || (CODE.test(name) && Number(code) < EXITS))

/** Codes of exits are smaller. */
const EXITS = 256

const hasOutput = (fields: readonly Field[]): boolean =>
  fields.some(([name, value]) => /^(stdout|output)$/i.test(name) && !isUnset(value))

/** Failed items beside none that succeeded. A number alone may be the result of a test. */
function isAllFailed([name, value]: Field, fields: readonly Field[]): boolean {
  if (!/^(failed|rejected)$/i.test(name) || isUnset(value)) return false
  const done = fields.filter(([other]) => /^succe/i.test(other) || TAKEN.test(other))
  const isList = /^failed$/i.test(name) && Array.isArray(value)
  return (isList || done.length > 0) && done.every(([, items]) => isUnset(items))
}

const isErrorStatus = (value: Json): boolean => Number(value) >= 400 && Number(value) < 600

export const isFalse = (value: Json): boolean => value === false || value === 'false'

const isUnset = (value: Json): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length === 0
    : !value || value === 'none'
