/** Failures as facts, and the classes that decide what is worth doing about them. */

export const CLASSES = ['transient', 'persistent', 'business', 'indeterminate', 'cancelled', 'unknown'] as const

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
  /** The errors behind this one, nearest first. */
  readonly causes?: readonly Omit<Facts, 'causes'>[]
}

export interface Classification {
  readonly class: FailureClass
  readonly scope: FailureScope
  /** The id of the rule that decided, or `none`. */
  readonly rule: string
}

export type Failure = Facts &
  Classification & {
    /** Its class before it was found to recur. */
    readonly was?: FailureClass
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
      const rule = table.find(rule => fits(rule, error))
      if (rule) return { class: rule.class, scope: rule.scope ?? 'request', rule: rule.id }
    }
  }
  return { class: 'unknown', scope: 'resource', rule: 'none' }
}

function fits(rule: FailureRule, error: Omit<Facts, 'causes'>): boolean {
  if (rule.status && !(error.status !== undefined && rule.status.includes(error.status))) return false
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
export function leavesDoubt({ class: failureClass, was = failureClass, causes = [], ...outermost }: Failure): boolean {
  if (was === 'cancelled') return true
  if (was !== 'transient') return false
  const chain = [outermost, ...causes]
  const status = chain.find(link => link.status !== undefined)?.status
  if (status !== undefined) return DOUBTFUL_STATUS.includes(status)
  return !chain.some(({ code }) => code !== undefined && NEVER_BEGUN.includes(code))
}

/** The facts of anything that was thrown. Never throws itself. */
export function factsOf(error: unknown): Facts {
  const chain: Omit<Facts, 'causes'>[] = []
  for (let link = error; link !== undefined && link !== null && chain.length < 5; link = causeOf(link)) chain.push(factOf(link))
  const [first = { name: 'Error', message: String(error) }, ...causes] = chain
  return causes.length > 0 ? { ...first, causes } : first
}

function causeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined
}

function factOf(error: unknown): Omit<Facts, 'causes'> {
  if (typeof error !== 'object' || error === null) return { name: 'Error', message: String(error).slice(0, 2_000), ...statusIn(String(error)) }
  const fields = error as { name?: unknown; message?: unknown; status?: unknown; statusCode?: unknown; code?: unknown; response?: unknown; headers?: unknown }
  const message = typeof fields.message === 'string' ? fields.message.slice(0, 2_000) : ''
  const status = statusOf(fields)
  const retryAfter = retryAfterOf(fields)
  return {
    name: typeof fields.name === 'string' && fields.name !== '' ? fields.name : 'Error',
    message,
    ...(status === undefined ? statusIn(message) : { status }),
    ...(typeof fields.code === 'string' ? { code: fields.code } : {}),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}

function statusOf(fields: { status?: unknown; statusCode?: unknown; code?: unknown; response?: unknown }): number | undefined {
  const response = fields.response as { status?: unknown } | undefined
  return [fields.status, fields.statusCode, response?.status, fields.code].find(
    (value): value is number => Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599,
  )
}

/** A status named as one in a message: "HTTP 503", "status code: 404". "1500 rows" and "id 404" name none. */
function statusIn(message: string): { status?: number } {
  const found = /\b(?:https?(?:\/[\d.]+)?|status(?: code)?|error code)[ :=]+([1-5]\d\d)\b/i.exec(message)
  return found ? { status: Number(found[1]) } : {}
}

function retryAfterOf(fields: { retryAfter?: unknown; headers?: unknown; response?: unknown }): number | undefined {
  if (typeof fields.retryAfter === 'number' && fields.retryAfter >= 0) return fields.retryAfter
  const headers = fields.headers ?? (fields.response as { headers?: unknown } | undefined)?.headers
  const millis = headerOf(headers, 'retry-after-ms')
  const seconds = headerOf(headers, 'retry-after')
  if (millis !== undefined && Number(millis) >= 0) return Number(millis)
  return seconds !== undefined && Number(seconds) >= 0 ? Number(seconds) * 1_000 : undefined
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  if ('get' in headers && typeof headers.get === 'function') return headers.get(name) ?? undefined
  const value = (headers as Record<string, unknown>)[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
