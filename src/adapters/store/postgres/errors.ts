/** Errors of Postgres and of its network: which ones pass, and what they mean. */
import { StoreUnavailable } from '../../../runtime/store/store.ts'

interface Problem {
  readonly code?: string
  readonly message: string
}

/** The first error of several: a host name may have several addresses. */
function problemOf(error: unknown): Problem {
  const { errors, code, message } = error as {
    errors?: readonly Problem[]
    code?: string
    message?: string
  }
  const first = errors?.[0]
  return {
    ...((code ?? first?.code) && { code: code ?? first?.code }),
    message: message || (first?.message ?? String(error)),
  }
}

const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT)$/

/** Messages of the driver, which have no code. */
const LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/

/** SQLSTATE codes that a later try can avoid: connections, shutdown, deadlocks, timeouts, too many clients, and a standby. */
const PASSING = /^(08...|57P0[1235]|57014|40001|40P01|55P03|53300|25006)$/

/** Whether the server or the network could not be reached. The statement may have been executed. */
export function isLost(error: unknown): boolean {
  const { code = '', message } = problemOf(error)
  return NETWORK.test(code) || /^(08...|57P0.)$/.test(code) || LOST.test(message)
}

/** Whether a later try can succeed without a repair. */
export function isPassing(error: unknown): boolean {
  return isLost(error) || PASSING.test(problemOf(error).code ?? '')
}

/** What an error means for the user, by its SQLSTATE code. Any other code is a bug in a statement of this store. */
const MEANINGS: Readonly<Record<string, string>> = {
  '28P01': 'rejects the user: the password is wrong',
  '28000': 'rejects the user: it may not connect to this database',
  '3D000': 'does not have this database',
  '42501': 'denies a permission that the store needs',
  '53100': 'has no space left on its disk',
  '53200': 'is out of memory',
  '53300': 'has no free connections',
  '25006': 'accepts no writes: it is a standby or read-only',
  '57014': 'took longer than the statement timeout',
  '57P03': 'is starting up or shutting down',
  '54000': 'cannot index a name or key of more than 2,600 bytes',
  '22021': 'cannot store a name or key with a NUL character',
  XX001: 'holds damaged data',
  XX002: 'holds a damaged index',
}

/** Turns an error of the server or the network into `StoreUnavailable`. Any other error stays unchanged. */
export function explainError(place: string, cause: unknown): unknown {
  if (cause instanceof StoreUnavailable || !(cause instanceof Error)) return cause
  const { code = '', message } = problemOf(cause)
  const isTemporary = isPassing(cause)
  const unavailable = (meaning: string) =>
    new StoreUnavailable(`${place} ${meaning}`, { cause, isTemporary })
  const meaning = MEANINGS[code]
  if (meaning !== undefined) return unavailable(`${meaning} (${message})`)
  if (/SASL|password must be a string/.test(message))
    return unavailable('requires a password: add it to the URL, or set PGPASSWORD')
  if (/does not support SSL|SSL|certificate/i.test(message) && code === '')
    return unavailable(`cannot be reached over TLS (${message})`)
  if (isTemporary || NETWORK.test(code)) return unavailable(`is unreachable (${message || code})`)
  return cause
}
