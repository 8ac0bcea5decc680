/** Failures as facts, and the classes that decide how to react. */
import { attemptsOf } from './client-attempts.ts'
import { fieldOf } from '../data/foreign-field.ts'
import { synchronous } from '../data/synchronous.ts'
import { defined } from '../data/json.ts'
import type { CLASSES } from './failure-class.ts'
import { linearPattern } from '../data/pattern.ts'
import { type Reason, explain, ReasonError, excerptOf } from '../reason/reason.ts'
import { messageOf } from './thrown-text.ts'

/**
 * What a failure means for the next attempt.
 * - `transient`: the same call may succeed later
 * - `persistent`: the same call will fail again
 * - `business`: the tool works, but its answer does not help the task
 * - `indeterminate`: the call may have taken effect; it is repeated only after reconciliation
 * - `cancelled`: the call was cancelled
 * - `unknown`: no rule matches
 */
export type FailureClass = (typeof CLASSES)[number]

/** What failed: the `resource` for all callers, which counts for its breaker, or only this `request`. */
type FailureScope = 'resource' | 'request'

/** One error as plain data. `retryAfter` is in ms. */
export interface Facts extends Fact {
  /** The errors behind this one, nearest first. */
  readonly causes?: readonly Fact[]
}

export interface Fact {
  readonly name: string
  readonly message: string
  /** The HTTP status. */
  readonly status?: number
  /** The status stands among other words of the message. It may be that of another request, or a part of somebody's text. */
  readonly guessed?: true
  /** The code of the system or the service, such as `ECONNRESET` or `insufficient_quota`. */
  readonly code?: string
  /** The system call that failed: `connect` if no connection was made. A list of errors has the one that all of them name. */
  readonly syscall?: string
  readonly retryAfter?: number
  /** The attempts that the client made by itself, if it says that there were several. This error is that of the last one. */
  readonly attempts?: number
  /** The reason of a failure of the runtime itself. Then `message` is its code. */
  readonly reason?: Reason
}

export interface Classification {
  readonly class: FailureClass
  readonly scope: FailureScope
  /** The id of the rule that decided, or `none`. */
  readonly rule: string
}

/** A failure in the journal: what was thrown, and its class. */
export interface Failure extends Facts, Classification {
  /** The class before the failure counted as recurring. */
  readonly was?: FailureClass
  /** Of a write: nothing proves that it took no effect. */
  readonly unproven?: true
  /** The error of a custom classifier. The table decided instead. */
  readonly breakage?: PartFailure
}

/** The reason of a failure of the runtime, or a reason with the message of an external system. */
export function failureReason(failure: Failure): Reason {
  const { name, reason, message, class: failureClass, status, code } = failure
  if (reason) return reason
  const text = excerptOf(message === '' ? name : message)
  const params = { message: text, class: failureClass, ...defined({ status, code }) }
  return { code: 'error', params }
}

/** The sentence of the reason, or the message of an external system. */
export const failureMessage = ({ reason, message }: Failure): string =>
  reason ? explain(reason) : message

/** The facts of a failure of the runtime itself. */
export function stated(reason: Reason): Pick<Facts, 'message'> & { readonly reason: Reason } {
  return { message: reason.code, reason }
}

/** A rule matches if all its conditions hold. `message` is a case-insensitive regular expression. */
export interface FailureRule {
  readonly id: string
  readonly status?: readonly number[]
  readonly code?: readonly string[]
  readonly name?: readonly string[]
  readonly message?: string
  readonly class: FailureClass
  readonly scope?: FailureScope
}

/**
 * The first matching rule decides. Rules on names, statuses and codes apply to the whole chain of causes before any rule on
 * messages: `fetch failed` says less than the ECONNREFUSED behind it.
 */
export function classify(facts: Facts, rules: readonly FailureRule[]): Classification {
  const chain = [facts, ...(facts.causes ?? [])]
  for (const table of [rules.filter(({ message }) => message === undefined), rules]) {
    for (const fact of chain) {
      const rule = table.find(rule => ruleMatches(rule, fact))
      if (rule) return { class: rule.class, scope: rule.scope ?? 'request', rule: rule.id }
    }
  }
  return { class: 'unknown', scope: 'resource', rule: 'none' }
}

function ruleMatches(rule: FailureRule, { name, message, status, code }: Fact): boolean {
  if (rule.status && (status === undefined || !rule.status.includes(status))) return false
  if (rule.code && (code === undefined || !rule.code.includes(code))) return false
  if (rule.name && !rule.name.includes(name)) return false
  return !rule.message || linearPattern(rule.message, 'i').test(message)
}

/** Characters of a message, of a name, and of a text before secrets are removed. */
const MESSAGE_MAX = 2_000
const NAME_MAX = 200
const LOOKED_AT_MAX = 16_384
/** Characters at the end of the part that is searched for secrets. */
const MARGIN = 1_024
const CAUSES_MAX = 5

/** Removes secrets from a text. */
export type Redact = <T>(value: T) => T

/**
 * The facts of anything thrown. Never throws, even for errors that cannot be read. Secrets are removed before a text is cut,
 * because half a secret would not be recognized.
 */
export function factsOf(error: unknown, redact: Redact = value => value): Facts {
  const chain: Fact[] = []
  let link = error
  while (link !== undefined && link !== null && chain.length < CAUSES_MAX) {
    chain.push(factOf(link, redact))
    link = fieldOf(link, 'cause')
  }
  const [first = { name: 'Error', message: String(error) }, ...causes] = chain
  return causes.length > 0 ? { ...first, causes } : first
}

/** Calls custom code. The text of an error that it throws contains no secrets. */
export function maskedCall<T>(redact: Redact, call: () => T): T {
  try {
    return synchronous(call())
  } catch (error) {
    throw new Error(factsOf(error, redact).message)
  }
}

function factOf(error: unknown, redact: Redact): Fact {
  const reason = reasonOf(error)
  if (reason) return { name: (error as Error).name, ...stated(reason) }
  const cleaned = (text: string, max: number) => {
    const seen = redact(text.slice(0, LOOKED_AT_MAX))
    // The cut may have split a secret, whose first half is not recognized.
    return (text.length > LOOKED_AT_MAX ? seen.slice(0, -MARGIN) : seen).slice(0, max)
  }
  const name = fieldOf(error, 'name')
  const message = cleaned(messageOf(error), MESSAGE_MAX)
  const code = grpcCode(message) ?? fieldOf(error, 'code')
  const syscall = syscallOf(error)
  return {
    name: typeof name === 'string' && name !== '' ? cleaned(name, NAME_MAX) : 'Error',
    message,
    ...defined({
      ...statusFacts(statusOf(error), message),
      code: typeof code === 'string' ? cleaned(code, NAME_MAX) : undefined,
      syscall: typeof syscall === 'string' ? cleaned(syscall, NAME_MAX) : undefined,
      retryAfter: retryAfterOf(error),
      attempts: attemptsOf(error),
    }),
  }
}

/** A client that tries several addresses throws a list of errors (`AggregateError`). node-fetch has a name of its own for the field. */
function syscallOf(error: unknown): unknown {
  const own = fieldOf(error, 'syscall') ?? fieldOf(error, 'erroredSysCall')
  const errors = own === undefined ? fieldOf(error, 'errors') : undefined
  try {
    const [first, ...others] = Array.isArray(errors) ? errors.map(of => fieldOf(of, 'syscall')) : []
    return own ?? (others.every(other => other === first) ? first : 'several')
  } catch {
    return undefined
  }
}

/** The reason of an error of the runtime itself. A foreign error may be a proxy that throws. */
function reasonOf(error: unknown): Reason | undefined {
  try {
    return error instanceof ReasonError ? error.reason : undefined
  } catch {
    return undefined
  }
}

function statusOf(error: unknown): number | undefined {
  const response = fieldOf(error, 'response')
  const code = fieldOf(error, 'code')
  const fields = [
    fieldOf(error, 'status'),
    fieldOf(error, 'statusCode'),
    fieldOf(response, 'status'),
    fieldOf(fieldOf(error, '$metadata'), 'httpStatusCode'),
    // The code of a program that ended is smaller.
    ...(Number(code) >= 400 ? [code] : []),
  ]
  return fields.find(
    (value): value is number =>
      Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599,
  )
}

function statusFacts(
  status: number | undefined,
  message: string,
): Pick<Fact, 'status' | 'guessed'> {
  if (status !== undefined) return { status }
  const stated = statusIn(message)
  if (stated === undefined) return {}
  return { status: stated, ...(!ALONE.test(message) && { guessed: true }) }
}

/** The name of a status of gRPC, whose clients state it before the message: "14 UNAVAILABLE: no connection". */
const grpcCode = (message: string): string | undefined =>
  /^(?:[1-9]|1[0-6]) ([A-Z]+(?:_[A-Z]+)*):/.exec(message)?.[1]

const STATUS = /\b(?:https?(?:\/[\d.]+)?|status(?: code)?|error code)[ :=]+([1-5]\d\d)\b/i

/** A message that says nothing but a status: "HTTP 429 Too Many Requests", "Request failed with status code 404". */
const ALONE =
  /^(?:[Ee]rror: )?(?:[Rr]equest failed with |[Ss]erver (?:responded|returned) (?:with )?)?(?:HTTPS?(?:\/[\d.]+)?(?: [Ee]rror!?)?[ :,]*)?(?:(?:[Ss]tatus|[Ee]rror|[Rr]esponse)(?: [Cc]ode)?[ :=]+)?[1-5]\d\d(?:[ :,-]{1,3}\(?[A-Z][A-Za-z'-]*(?: [A-Z][A-Za-z'-]*){0,4}\)?)?[.!]?$/

/** The status in a message such as "HTTP 503" or "status code: 404", but not in "1500 rows" or "id 404". */
function statusIn(message: string): number | undefined {
  const [, status] = STATUS.exec(message) ?? []
  return status === undefined ? undefined : Number(status)
}

/** The first valid wait, in ms. */
function retryAfterOf(error: unknown): number | undefined {
  const headers =
    fieldOf(error, 'headers') ??
    fieldOf(fieldOf(error, 'response'), 'headers') ??
    fieldOf(error, 'responseHeaders')
  const retryAfter = fieldOf(error, 'retryAfter')
  return [
    typeof retryAfter === 'number' ? retryAfter : Number.NaN,
    headerOf(headers, 'retry-after-ms'),
    headerOf(headers, 'retry-after') * 1_000,
  ].find(ms => Number.isFinite(ms) && ms >= 0)
}

/** A numeric header of a `Headers` object or of a plain one, otherwise `NaN`. */
function headerOf(headers: unknown, name: string): number {
  try {
    const isHeaders = fieldOf(headers, 'get') instanceof Function
    const value = isHeaders ? (headers as Headers).get(name) : fieldOf(headers, name)
    return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
  } catch {
    return Number.NaN
  }
}

/** `part` is its kind and name: `detector slow`. */
export type PartFailure = Readonly<{ part: string; why: string }>

/** Characters of `why`. */
export const WHY_MAX = 200

/** The errors of each part: the seq and text of the first, and the number of all. */
export type DetectorErrors = Readonly<
  Record<string, { readonly since: number; readonly times: number; readonly why: string }>
>

export function addErrors(
  before: DetectorErrors | undefined,
  breakages: readonly PartFailure[],
  seq: number,
): DetectorErrors | undefined {
  if (breakages.length === 0) return before
  const after = new Map(Object.entries(before ?? {}))
  for (const { part, why } of breakages) {
    const { since, times, why: first } = after.get(part) ?? { since: seq, times: 0, why }
    after.set(part, { since, times: times + 1, why: first })
  }
  return Object.fromEntries(after)
}
