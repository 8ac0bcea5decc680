/** What a failed call may have done or cost. */
import { defined } from '../data/json.ts'
import { classify, type Fact, type Failure } from './failure.ts'
import { FAILURE_RULES, MCP_TOOL } from './failure-rules.ts'

/** Statuses from 400 to 499 of a request that was given up while it may have been at work. */
const GIVEN_UP: readonly number[] = [408, 499]
/** Statuses from 500 with which a server or its gateway rejects a request before any work. */
const REJECTED: readonly number[] = [501, 505, 521, 523, 525, 526, 529]
/** Codes of calls that never began, whatever system call has failed. */
const NEVER_BEGUN =
  /^(ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|SQLITE_BUSY|40001|40P01|55P03|08001|08004|57P03)$/
/** Codes with which a gRPC service refuses a request. */
const REFUSED =
  /^(INVALID_ARGUMENT|NOT_FOUND|ALREADY_EXISTS|PERMISSION_DENIED|UNAUTHENTICATED|FAILED_PRECONDITION|OUT_OF_RANGE|UNIMPLEMENTED)$/
/** The runtime itself made no call. */
const NOT_MADE =
  /^(InvalidArguments|BulkheadFull|CircuitOpen|RetriesSpent|WriteRefused|Restricted|NotAllowed|OutsideWorkspace)$/
/** What a server of MCP or a tool of LangChain reports of any error alike, also of one after the effect. Its text may be that of a later request. */
const REPORTS = /^(McpToolError|ToolMessageError)$/
/** Errors that only pass on their cause, by their message: `fetch`, the SDKs of OpenAI and Anthropic, the AI SDK. */
const PASSED_ON = /^(fetch failed|Connection error\.|Cannot connect to API\b.*)$/

/**
 * Whether the failure proves that the call took no effect. Only such a write is made again, or by a substitute.
 *
 * The thrown error itself must be the refusal, or an error that only passes it on. A tool may call several times: when it wraps a
 * refused poll in an error of its own, the payment before it may have arrived. Whatever else a tool throws proves nothing, because
 * an error says what went wrong last and not what had been sent by then. The same holds for a client that made several attempts by
 * itself.
 *
 * Rejected: "only lost connections leave doubt". Clients have many errors for them, and tools add more, such as a `SyntaxError` for
 * an answer that was cut.
 */
export function isRefusal(failure: Failure): boolean {
  const failureClass = classOf(failure)
  // The tool itself, or a rule of the graph, has found a refusal.
  if (failureClass === 'business' && failure.rule !== MCP_TOOL) return true
  if (failureClass === 'cancelled' || failureClass === 'indeterminate') return false
  if (hasTriedAgain(failure)) return false
  const [thrown, ...behind] = thrownIn(failure)
  const { name, code = '' } = thrown
  if (REPORTS.test(name)) return false
  if (hasStatus(thrown)) return !isDoubtful(thrown)
  return NOT_MADE.test(name) || neverBegan(thrown, behind) || REFUSED.test(code)
}

/**
 * Whether the call was probably at work when it failed, so that a tool or a person must find out whether it took effect.
 *
 * The status decides, whatever the class. Below 400 the request was accepted, and its response broke off or could not be read.
 * From 400 to 499 it was refused. A server that fails (500), or a gateway that lost its server (502, 503, 504), may have done the
 * work before. A 503 is a refusal only with `retry-after`, because proxies also send 503 when a connection breaks under a request.
 * Without a status, a connection that was not made never began, and a timeout, a reset or an abort leaves doubt. A status among other words of
 * a message proves no refusal, because a tool may cite that of a later request, or the text of a customer. It can raise doubt.
 *
 * Rejected: "any status is an answer, so nothing happened". That rule repeats payments. Also rejected: "whatever is not refused
 * leaves doubt". Then a person is asked about each bug of a tool and each "Insufficient funds". Such a write is only not repeated.
 */
export function leavesDoubt(failure: Failure): boolean {
  if (isRefusal(failure)) return false
  const failureClass = classOf(failure)
  if (failureClass === 'cancelled' || failureClass === 'indeterminate') return true
  const answered = answeredLink(failure)
  if (answered) return isDoubtful(answered)
  return failureClass === 'transient' || chainOf(failure).some(mayDoubt)
}

function isDoubtful({ status = 0, retryAfter }: Fact): boolean {
  if (status < 400) return true
  if (status < 500) return GIVEN_UP.includes(status)
  return status === 503 ? retryAfter === undefined : !REJECTED.includes(status)
}

/** Statuses of a gateway that stopped waiting for the model. */
const NOT_AWAITED: readonly number[] = [408, 499, 504, 520, 522, 524]

/**
 * Whether a failed call of a model may cost something. Providers do not charge for refusals and for errors of their own. Any other
 * error may be that of a library that cannot read an answer. Its message may cite the answer, so its words decide nothing.
 */
export function mayCost(failure: Failure): boolean {
  if (classOf(failure) === 'cancelled') return true
  const { status } = answeredLink(failure) ?? {}
  if (status !== undefined) return status < 400 || NOT_AWAITED.includes(status)
  const chain = chainOf(failure).map(({ name, code }) => ({
    name,
    message: '',
    ...defined({ code }),
  }))
  const [first = failure, ...causes] = chain
  const { class: known } = classify({ ...first, causes }, FAILURE_RULES)
  return (known === 'transient' || known === 'unknown') && !hasNeverBegun(failure)
}

/** The class before the failure counted as recurring. */
const classOf = ({ class: failureClass, was = failureClass }: Failure) => was

const chainOf = (failure: Failure): readonly Fact[] => [failure, ...(failure.causes ?? [])]

/** A guess proves nothing, and gives reason to ask. */
const mayDoubt = (fact: Fact): boolean => fact.guessed === true && isDoubtful(fact)

const hasStatus = ({ status, guessed }: Fact): boolean => status !== undefined && !guessed

const answeredLink = (failure: Failure): Fact | undefined => chainOf(failure).find(hasStatus)

/** The error that the tool has thrown, without the errors that only pass it on, and the errors behind it. */
function thrownIn(failure: Failure): readonly [Fact, ...Fact[]] {
  const chain = chainOf(failure)
  const at = chain.findIndex(fact => hasStatus(fact) || !PASSED_ON.test(fact.message))
  const [thrown = failure, ...behind] = chain.slice(Math.max(at, 0))
  return [thrown, ...behind]
}

/** A client counts its attempts on the error that it throws, also if that only passes on its cause. */
const hasTriedAgain = (failure: Failure): boolean =>
  chainOf(failure).some(({ attempts = 1 }) => attempts > 1)

/** A full bulkhead admits no call. */
const hasNeverBegun = (failure: Failure): boolean =>
  !hasTriedAgain(failure) &&
  chainOf(failure).some(
    (fact, at, chain) => fact.name === 'BulkheadFull' || neverBegan(fact, chain.slice(at + 1)),
  )

/**
 * A connection that was not made, or a code of a call that never began.
 *
 * An established connection fails with the same codes. When the host of a server leaves the network, or its firewall rejects packets, `read`
 * fails with EHOSTUNREACH or ECONNREFUSED after the request was sent. Errors without a system call come from other clients and from tools.
 * Theirs is ECONNREFUSED for a connection that was not made, and EHOSTUNREACH for both. Some clients only copy the code and the message of
 * the error behind theirs, such as axios, got and gaxios.
 */
function neverBegan({ code = '', syscall, message }: Fact, behind: readonly Fact[]): boolean {
  if (NEVER_BEGUN.test(code) || syscall === 'connect') return true
  if (code !== 'ECONNREFUSED' || syscall !== undefined || OTHER_CALL.test(message)) return false
  return behind.every(fact => fact.syscall === undefined || fact.syscall === 'connect')
}

const OTHER_CALL = /\b(?:read|write|recv|send|shutdown)[a-z]* ECONNREFUSED\b/
