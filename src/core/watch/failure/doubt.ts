/** What a failed call may have done or cost. */
import type { Fact, Failure } from './failure.ts'

/** Statuses from 400 to 499 of a request that was given up while it may have been at work. */
const GIVEN_UP: readonly number[] = [408, 499]
/** Statuses from 500 with which a server or its gateway rejects a request before any work. */
const REJECTED: readonly number[] = [501, 505, 521, 523, 525, 526, 529]
/** Codes of calls that never began. */
const NEVER_BEGUN =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|EBUSY|EMFILE|ENFILE|SQLITE_BUSY|40001|40P01|55P03)$/

/**
 * Whether the call may have taken effect although it failed: the service accepted it or may have worked on it.
 *
 * The status decides, whatever the class. Below 400 the request was accepted, and its response broke off or could not be read.
 * From 400 to 499 it was refused. A server that fails (500), or a gateway that lost its server (502, 503, 504), may have done the
 * work before. A 503 is a refusal only with `retry-after`, because proxies also send 503 when a connection breaks under a request.
 * Without a status, a refused connection never began, and a timeout, a reset or an abort leaves doubt.
 *
 * Rejected: "any status is an answer, so nothing happened". That rule repeats payments.
 */
export function leavesDoubt(failure: Failure): boolean {
  const failureClass = classOf(failure)
  if (failureClass === 'cancelled' || failureClass === 'indeterminate') return true
  // The tool itself, or a rule of the graph, has found a refusal.
  if (failureClass === 'business') return false
  const answered = answeredLink(failure)
  if (answered) return isDoubtful(answered)
  return failureClass === 'transient' && !hasNeverBegun(failure)
}

function isDoubtful({ status = 0, retryAfter }: Fact): boolean {
  if (status < 400) return true
  if (status < 500) return GIVEN_UP.includes(status)
  return status === 503 ? retryAfter === undefined : !REJECTED.includes(status)
}

/** Statuses of a gateway that stopped waiting for the model. */
const NOT_AWAITED: readonly number[] = [408, 499, 504, 520, 522, 524]

/** Whether a failed call of a model may cost something. Providers do not charge for refusals and for errors of their own. */
export function mayCost(failure: Failure): boolean {
  const failureClass = classOf(failure)
  if (failureClass === 'cancelled') return true
  const { status } = answeredLink(failure) ?? {}
  if (status !== undefined) return status < 400 || NOT_AWAITED.includes(status)
  return failureClass === 'transient' && !hasNeverBegun(failure)
}

/** The class before the failure counted as recurring. */
const classOf = ({ class: failureClass, was = failureClass }: Failure) => was

const chainOf = (failure: Failure): readonly Fact[] => [failure, ...(failure.causes ?? [])]

const answeredLink = (failure: Failure): Fact | undefined =>
  chainOf(failure).find(({ status }) => status !== undefined)

/** A full bulkhead admits no call. */
const hasNeverBegun = (failure: Failure): boolean =>
  chainOf(failure).some(
    ({ name, code }) => name === 'BulkheadFull' || (code !== undefined && NEVER_BEGUN.test(code)),
  )
