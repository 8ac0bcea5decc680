/** Failures as facts, and the classes that decide what is worth doing about them. */
import type { PartFailure } from './detector-errors.ts'
import { explain, ReasonError, excerptOf, type Reason } from '../reason/reason.ts'

export const CLASSES = [
  'transient',
  'persistent',
  'business',
  'indeterminate',
  'cancelled',
  'unknown',
] as const

/**
 * What a failure means for the next attempt.
 * - `transient`: the same call may succeed a little later
 * - `persistent`: the same call will fail again
 * - `business`: the tool worked, its answer is not what the task needs
 * - `indeterminate`: nobody knows whether the call took effect; never repeated blindly
 * - `cancelled`: somebody asked for it to stop
 * - `unknown`: no rule knows it
 */
export type FailureClass = (typeof CLASSES)[number]

/** What failed: the `resource` for everybody (it counts for the breaker), or only this `request`. */
export type FailureScope = 'resource' | 'request'

/** One error as plain data. `retryAfter` is in ms. */
export interface Facts {
  readonly name: string
  readonly message: string
  /** The HTTP status, if there was one. */
  readonly status?: number
  /** The system's or the service's own code, as `ECONNRESET` or `insufficient_quota`. */
  readonly code?: string
  readonly retryAfter?: number
  /** Of a failure of the runtime itself: its message is only the code. */
  readonly reason?: Reason
  /** The errors behind this one, nearest first. */
  readonly causes?: readonly Omit<Facts, 'causes'>[]
}

export interface Classification {
  readonly class: FailureClass
  readonly scope: FailureScope
  /** The id of the rule that decided, or `none`. */
  readonly rule: string
}

/** A failure as it is journalled: what was thrown, and which class that has. */
export type Failure = Facts &
  Classification & {
    /** Its class before it was found to recur. */
    readonly was?: FailureClass
    /** One's own classifier broke on it, so that the table has decided. */
    readonly breakage?: PartFailure
  }

/** The reason of a failure: what the runtime says of its own, or what an external system said. */
export function failureReason(failure: Failure): Reason {
  const { reason, message, class: failureClass, status, code } = failure
  return (
    reason ?? {
      code: 'error',
      params: {
        message: excerptOf(message === '' ? failure.name : message),
        class: failureClass,
        ...(status === undefined ? {} : { status }),
        ...(code === undefined ? {} : { code }),
      },
    }
  )
}

/** What a failure says: the message of an external system as it came, else the sentence of the reason. */
export function failureMessage({ reason, message }: Failure): string {
  return reason ? explain(reason) : message
}

/** The facts of a failure of the runtime itself. */
export function stated(reason: Reason): Pick<Facts, 'message'> & { readonly reason: Reason } {
  return { message: reason.code, reason }
}

/** One line of the table. All conditions given must hold; `message` is a regular expression, its case ignored. */
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
 * The first rule that fits decides. Names, statuses and codes come before any wording, and both of what caused the error
 * too, outermost first: `fetch failed` says less than the ECONNREFUSED behind it.
 */
export function classify(facts: Facts, rules: readonly FailureRule[]): Classification {
  const chain = [facts, ...(facts.causes ?? [])]
  for (const table of [rules.filter(({ message }) => message === undefined), rules]) {
    for (const error of chain) {
      const rule = table.find(rule => ruleMatches(rule, error))
      if (rule) return { class: rule.class, scope: rule.scope ?? 'request', rule: rule.id }
    }
  }
  return { class: 'unknown', scope: 'resource', rule: 'none' }
}

function ruleMatches(rule: FailureRule, error: Omit<Facts, 'causes'>): boolean {
  if (rule.status && !(error.status !== undefined && rule.status.includes(error.status)))
    return false
  if (rule.code && !(error.code !== undefined && rule.code.includes(error.code))) return false
  if (rule.name && !rule.name.includes(error.name)) return false
  if (rule.message && !pattern(rule.message).test(error.message)) return false
  return true
}

// Compiled once per text: rules are data, and are consulted on every failure.
const patterns = new Map<string, RegExp>()

function pattern(source: string): RegExp {
  const known = patterns.get(source)
  if (known) return known
  const compiled = new RegExp(source, 'i')
  patterns.set(source, compiled)
  return compiled
}

const DOUBTFUL_STATUS: readonly number[] = [408, 504, 520, 522, 524]
/** Codes that tell that the call was never begun. */
const NEVER_BEGUN: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EBUSY',
  'EMFILE',
  'ENFILE',
  'SQLITE_BUSY',
  '40001',
  '40P01',
  '55P03',
]

/**
 * Whether the call may have taken effect although it failed. A status tells that the other side has answered, a
 * refused connection that it never heard; a timeout, a reset or an abort tells nothing.
 */
export function leavesDoubt({
  class: failureClass,
  was = failureClass,
  causes = [],
  ...outermost
}: Failure): boolean {
  if (was === 'cancelled') return true
  if (was !== 'transient') return false
  const chain = [outermost, ...causes]
  const status = chain.find(link => link.status !== undefined)?.status
  if (status !== undefined) return DOUBTFUL_STATUS.includes(status)
  return !chain.some(({ code }) => code !== undefined && NEVER_BEGUN.includes(code))
}

/** Characters of what an error says, and of what it is called; and of what it says as far as it is looked at. */
const MESSAGE_MAX = 2_000
const NAME_MAX = 200
const LOOKED_AT_MAX = 16_384

/** Takes secrets out of a text. */
type Redact = (text: string) => string

const unchanged: Redact = text => text

/**
 * The facts of anything that was thrown. Never throws itself: of an error that cannot be read, nothing is known. Texts are cleaned
 * before they are cut: half a secret would be known for none.
 */
export function factsOf(error: unknown, clean: Redact = unchanged): Facts {
  const chain: Omit<Facts, 'causes'>[] = []
  for (
    let link = error;
    link !== undefined && link !== null && chain.length < 5;
    link = fieldOf(link, 'cause')
  )
    chain.push(factOf(link, clean))
  const [first = { name: 'Error', message: String(error) }, ...causes] = chain
  return causes.length > 0 ? { ...first, causes } : first
}

/** A field of anything at all. Errors of others may be proxies, or have getters that throw. */
function fieldOf(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null) return undefined
  try {
    return (of as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}

/** The reason of an error of the runtime itself. */
function reasonOf(error: unknown): Reason | undefined {
  try {
    return error instanceof ReasonError ? error.reason : undefined
  } catch {
    return undefined
  }
}

function factOf(error: unknown, clean: Redact): Omit<Facts, 'causes'> {
  const reason = reasonOf(error)
  if (reason) return { name: (error as Error).name, ...stated(reason) }
  const [name, said, code] = ['name', 'message', 'code'].map(field => fieldOf(error, field))
  const cleaned = (text: string, max: number) => clean(text.slice(0, LOOKED_AT_MAX)).slice(0, max)
  const message = cleaned(
    typeof error !== 'object' ? thrownText(error) : typeof said === 'string' ? said : '',
    MESSAGE_MAX,
  )
  const status = statusOf(error)
  const retryAfter = retryAfterOf(error)
  return {
    name: typeof name === 'string' && name !== '' ? cleaned(name, NAME_MAX) : 'Error',
    message,
    ...(status === undefined ? statusIn(message) : { status }),
    ...(typeof code === 'string' ? { code: cleaned(code, NAME_MAX) } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

/** A function may say of itself what it likes, or throw. */
function thrownText(thrown: unknown): string {
  return typeof thrown === 'function' ? 'a function was thrown' : String(thrown)
}

function statusOf(error: unknown): number | undefined {
  return [
    fieldOf(error, 'status'),
    fieldOf(error, 'statusCode'),
    fieldOf(fieldOf(error, 'response'), 'status'),
    fieldOf(error, 'code'),
  ].find(
    (value): value is number =>
      Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599,
  )
}

/** A status named as one in a message: "HTTP 503", "status code: 404". "1500 rows" and "id 404" name none. */
function statusIn(message: string): { status?: number } {
  const found = /\b(?:https?(?:\/[\d.]+)?|status(?: code)?|error code)[ :=]+([1-5]\d\d)\b/i.exec(
    message,
  )
  return found ? { status: Number(found[1]) } : {}
}

/** Of what is told of the wait, the first that is a time. */
function retryAfterOf(error: unknown): number | undefined {
  const headers =
    fieldOf(error, 'headers') ??
    fieldOf(fieldOf(error, 'response'), 'headers') ??
    fieldOf(error, 'responseHeaders')
  const told = fieldOf(error, 'retryAfter')
  return [
    typeof told === 'number' ? told : Number.NaN,
    headerOf(headers, 'retry-after-ms'),
    headerOf(headers, 'retry-after') * 1_000,
  ].find(ms => Number.isFinite(ms) && ms >= 0)
}

/** `NaN` where it is not there, or no number. */
function headerOf(headers: unknown, name: string): number {
  const value =
    fieldOf(headers, 'get') instanceof Function
      ? headerFrom(headers as Headers, name)
      : fieldOf(headers, name)
  return typeof value === 'string' && value !== '' ? Number(value) : Number.NaN
}

function headerFrom(headers: { get(name: string): unknown }, name: string): unknown {
  try {
    return headers.get(name)
  } catch {
    return undefined
  }
}
