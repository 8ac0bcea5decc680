/** Errors as problem+json: a status, a stable code, and the paths of the faults. Never a stack trace. */
import type { z } from 'zod'
import { pathOf, truncate } from '../../../core/watch/data/fault.ts'
import { readBounded } from '../../../core/watch/data/read-bounded.ts'
import type { Problem } from './endpoint.ts'

/** A refused request. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly code: string
  readonly errors: Problem['errors']

  constructor(status: number, code: string, detail: string, errors?: Problem['errors']) {
    super(detail)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

/** The most faults of an answer, and the characters of each. Zod's text of unknown keys names all of them. */
const SHOWN_MAX = 20
const TEXT_MAX = 1_000

/** @throws Refused with the paths of the first faults */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown, place: string): T {
  const read = readBounded(schema, value)
  if (!read.issues) return read.data
  const errors = read.issues.slice(0, SHOWN_MAX).map(({ path, message }) => {
    return { path: pathOf(path, place), message: truncate(message, TEXT_MAX) }
  })
  throw new Refused(422, 'invalid-request', `the ${place} of the request has faults`, errors)
}

const STATUS: Readonly<Record<string, number>> = {
  UnknownThread: 404,
  ThreadExists: 409,
  ThreadPruned: 410,
  Conflict: 409,
  StaleSeq: 409,
  WrongGraph: 409,
  WrongClock: 409,
  WrappedThread: 409,
  BoundElsewhere: 409,
  Nondeterministic: 409,
  UnknownGraph: 404,
  UnknownNode: 404,
  UnknownBreaker: 404,
  ReservedName: 422,
  InvalidInput: 422,
  InvalidEvent: 422,
  InvalidCondition: 422,
  InvalidFork: 422,
  InvalidQuery: 422,
  QueryStopped: 422,
  BadArchive: 422,
  HostClosed: 503,
  StoreUnavailable: 503,
}

const TITLES: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not permitted',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Invalid request',
  429: 'Too many requests',
  503: 'Unavailable',
}

/** The problem of an error. An error of unknown kind shows nothing of itself. */
export function problemOf(error: unknown): Problem {
  const known = (error ?? {}) as Partial<Omit<Refused, 'name'> & { name: string; seq: number }>
  const { name = '', message = '', code, seq, errors } = known
  const status = error instanceof Refused ? error.status : STATUS[name]
  if (status === undefined) {
    const detail = 'the service failed; its log has the error'
    return { title: 'Internal error', status: 500, code: 'internal-error', detail }
  }
  return {
    title: TITLES[status] ?? 'Refused',
    status,
    code: code ?? name,
    detail: message,
    ...(errors && { errors }),
    ...(name === 'StaleSeq' && seq !== undefined && { seq }),
  }
}
