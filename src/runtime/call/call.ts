/** One call of a tool or a model: attempted until it has a final answer, retried by failure class, never repeated blindly. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { injectionFor } from '../../core/run/control.ts'
import { originOf, refusesWrites, WRITE_REFUSED } from '../../core/fork.ts'
import type { NotApplied } from '../../core/watch/event/call-event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { isRefusal, leavesDoubt } from '../../core/watch/failure/doubt.ts'
import { classifyRecurring } from '../../core/watch/failure/recurring.ts'
import { abandonedEvent, enter, performAttempt, throwIfLeft } from './attempt.ts'
import type { AttemptOutcome } from './attempt.ts'
import type { CallRecord } from './call-record.ts'
import type { CallState, Callable, DueAttempt, EndedAttempt } from './callable.ts'
import { callFailure, failureOf, repeatedBy } from './callable.ts'
import type { CallContext } from './context.ts'
import { hasSpentRetries, isLastAttempt, isRetried } from './retry.ts'
import { nextPollAt, probeAfter, refusalAfter, retryOf, waitAfter } from './retry.ts'
import { waitForBreaker, waitingUntil, waitUntil } from './retry.ts'
import { answerGiven } from './given-answer.ts'
import { reconcile } from './reconcile.ts'
import { changedSubstitute, nextSubstitute, subjectNamed, withSubstitute } from './substitutes.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Refusal } from '../gate/gate.ts'
import type { Answer } from '../ports.ts'

/** The answer of a call, or the attempt that is due next. */
type Next<A> = Answer<A> | DueAttempt<A>

/** Makes a call until it has a final answer. `record` is what the journal holds of it. */
export async function makeCall<A>(
  context: CallContext,
  original: Callable<A>,
  record: CallRecord | undefined,
): Promise<Answer<A>> {
  const tried = new Set([original.subject, ...(record?.by ?? [])])
  const repeated = repeatedBy(original, context.journal.run)?.tool
  const { doubt = false, waitingSince } = record ?? {}
  const state = { context, original, tried, doubt: doubt || repeated !== undefined, waitingSince }
  const poll = record ? undefined : nextPollAt(context, original)
  // A polled tool is not called before its interval has passed. No attempt has been made yet.
  if (poll !== undefined) await waitUntil(context, { target: original, attempt: 0 }, poll)
  let next = record ? await resumeCall(state, record) : firstAttempt(state, repeated)
  while (!('ok' in next)) next = await makeAttempt(state, next)
  return next
}

/** `by`: the tool that has made the write before, which may be a substitute. */
function firstAttempt<A>(state: CallState<A>, by = state.original.subject): Next<A> {
  const { context, original } = state
  const target = subjectNamed(original, by)
  if (!target) {
    const failure = callFailure('Doubtful', 'doubt', changedSubstitute(original, by))
    return failForGood(state, { target: original, attempt: 1 }, failure)
  }
  const due = { target, attempt: 1 }
  // With an open breaker, the gate decides when the next probe is due. In mode `observe`, nothing is refused.
  const { openBreakers, policy } = context.journal.run
  const isAdmitted = policy.mode === 'observe' || openBreakers[target.dependency] !== undefined
  if (isAdmitted || !hasSpentRetries(context, target))
    return target === original ? due : withSubstitute(state, due, context.ports.clock.now())
  const params = { call: target.subject, retries: retryOf(context, target).total }
  const failure = callFailure('RetriesSpent', 'retries', { code: 'retries-spent', params })
  return failForGood(state, due, failure)
}

/** Continues a call where the journal ends, with the subject that was to answer it. */
async function resumeCall<A>(state: CallState<A>, record: CallRecord): Promise<Next<A>> {
  const { context, original } = state
  const { clock } = context.ports
  const { attempt, called } = record
  const by = record.by.at(-1) ?? original.subject
  const target = subjectNamed(original, by)
  if (!target) throw new ReasonError('Nondeterministic', changedSubstitute(original, by))
  if (record.state.kind === 'failed') {
    const wait = Math.max(0, record.state.until - clock.now())
    await clock.sleep(wait, context.cancellation.signal)
  }
  const { again = true, failure: apparent } = record.notApplied ?? {}
  if (record.state.kind === 'failed' && apparent)
    return afterNotApplied(state, { target, attempt }, { again, failure: apparent })
  const isLast = isLastAttempt(context, target, record)
  if (record.state.kind !== 'open') {
    if (!isLast || record.waitingSince !== undefined) return { target, attempt: attempt + 1 }
    // "Not applied" was answered too often: a person may give this answer any number of times.
    const params = { call: target.subject, attempts: attempt }
    const reason = { code: 'never-applied', params } as const
    return failForGood(state, { target, attempt }, callFailure('Doubtful', 'doubt', reason))
  }
  const params = { call: target.subject }
  const interrupted = callFailure('Interrupted', 'crash', { code: 'process-ended', params })
  // A tool may have been declared as idempotent since: the attempt had no key.
  const isRepeatable = target.repeatable && (record.writing || !target.writes)
  if (isRepeatable) {
    state.doubt ||= target.writes
    // The thread that made an attempt books it.
    const isBooked = record.booked === true || originOf(context.journal.run, called) !== undefined
    const spent = isBooked
      ? undefined
      : target.spentBy?.({ ...interrupted, class: 'cancelled' }, attempt)
    if (spent) context.journal.take(abandonedEvent(target, spent))
    return { target, attempt }
  }
  const unclear = { attempt, record, failure: interrupted, notApplied: { again: !isLast } }
  const answer = await reconcile(context, target, unclear)
  if (answer) return answer
  // A call that did not happen is made again, unless it may be what ends the process each time.
  return isLast
    ? failForGood(state, { target, attempt }, interrupted)
    : { target, attempt: attempt + 1 }
}

/** Continues as after any failure: a person has said that the attempt had no effect. */
function afterNotApplied<A>(
  state: CallState<A>,
  ended: DueAttempt<A>,
  { again, failure }: Required<NotApplied>,
): Next<A> {
  if (!again) return failForGood(state, ended, failure)
  takeFailure(state.context, ended, { failure, final: false })
  return { target: ended.target, attempt: ended.attempt + 1 }
}

/** Makes the attempt that is due, if the gate admits it, and decides what follows. */
async function makeAttempt<A>(
  state: CallState<A>,
  { target, attempt, permit }: DueAttempt<A>,
): Promise<Next<A>> {
  const { context } = state
  const { journal, cancellation } = context
  const injection = injectionFor(journal.run, target.kind, target.subject)
  const due = { target, attempt, ...defined({ permit }) }
  // The answer of a person does not undo a write.
  if (injection?.result !== undefined && target.compensates === undefined)
    return answerGiven(context, due, { result: injection.result, by: 'injected' })
  const kept = injection ? undefined : target.kept?.()
  if (kept) return answerGiven(context, due, { result: kept.result, by: 'cached' })
  const params = { call: target.subject }
  if (target.writes && refusesWrites(journal.run)) {
    const reason = { code: 'write-in-fork', params } as const
    const refused = callFailure('WriteRefused', WRITE_REFUSED, reason)
    return failForGood(state, { target, attempt }, refused)
  }
  // With a permit, `performAttempt` checks, and returns the permit.
  if (!permit) cancellation.throwIfCancelled()
  const entry = permit ?? (await enter(context, target))
  if (entry.kind === 'refused') {
    if (entry.why === 'open') return onOpenBreaker(state, { target, attempt: attempt - 1 }, entry)
    const full = new ReasonError('BulkheadFull', { code: 'concurrency-limit', params })
    return onFailure(state, { target, attempt }, failureOf(context, full))
  }
  const { promise: endJournaled, resolve } = Promise.withResolvers<void>()
  const options = { attempt, permit: entry, endJournaled }
  let outcome: AttemptOutcome<A>
  try {
    outcome = await performAttempt(context, target, options)
    throwIfLeft(context, target, outcome)
  } finally {
    context.outstanding.delete(endJournaled)
    resolve()
  }
  if (outcome.ok) {
    journal.take(outcome.event)
    // The success of a write that cannot be repeated is stored at once.
    if (!target.repeatable) await journal.flush()
    cancellation.throwIfCancelled()
    return { ok: true, value: outcome.answer }
  }
  return onFailedAttempt(state, { target, attempt }, outcome)
}

/** After a failed attempt: clears up whether a write took effect, and decides what follows. */
async function onFailedAttempt<A>(
  state: CallState<A>,
  { target, attempt }: DueAttempt<A>,
  { ok: _, failure, running, refusal, ...facts }: Extract<AttemptOutcome<A>, { ok: false }>,
): Promise<Next<A>> {
  const { context } = state
  const { journal, ports } = context
  const { retries, policy } = journal.run
  const known = { dependency: target.dependency, at: ports.clock.now(), options: policy.recurring }
  const classified = classifyRecurring(failure, retries.transients, known)
  const ended = { target, attempt, ...facts, ...defined({ refusal }) }
  if (target.writes && !isRefusal(failure)) {
    if (target.repeatable) state.doubt = true
    else if (target.reconcile || leavesDoubt(failure)) {
      const notApplied = { again: isRetried(state, ended, classified), failure: classified }
      const unclear = { attempt, failure, notApplied, ...facts, ...defined({ running }) }
      const answer = await reconcile(context, target, unclear)
      if (answer) return answer
      // The call did not take effect: continue as after any failure.
    } else return failForGood(state, ended, { ...classified, unproven: true })
  }
  return onFailure(state, ended, classified)
}

/** After a failed attempt: calls a substitute, waits for the next attempt, or fails for good. */
async function onFailure<A>(state: CallState<A>, ended: EndedAttempt<A>, failure: Failure) {
  const { context } = state
  const wait = waitAfter(context, ended, failure)
  const retryAt = refusalAfter(context, ended)?.retryAt
  // The breaker would reject a retry before `retryAt`.
  if (retryAt !== undefined && (wait === undefined || context.ports.clock.now() + wait < retryAt)) {
    const substitute = await nextSubstitute(state)
    if (substitute) {
      takeFailure(context, ended, { failure, final: false })
      return withSubstitute(state, substitute, retryAt)
    }
    throwIfLeft(context, ended.target, ended)
  }
  if (wait === undefined) {
    const probe = probeAfter(state, ended, failure)
    if (probe === undefined) return failForGood(state, ended, failure)
    takeFailure(context, ended, { failure, final: false })
    return waitForBreaker(state, ended, probe)
  }
  takeFailure(context, ended, { failure, final: false })
  return waitUntil(context, ended, context.ports.clock.now() + wait)
}

async function onOpenBreaker<A>(state: CallState<A>, ended: EndedAttempt<A>, refusal: Refusal) {
  const { target } = ended
  const { retryAt } = refusal
  const substitute = await nextSubstitute(state)
  if (substitute) return withSubstitute(state, substitute, retryAt)
  state.context.cancellation.throwIfCancelled()
  const until = waitingUntil(state, target.kind, refusal)
  if (until !== undefined) return waitForBreaker(state, ended, { until, retryAt })
  const { journal, ports, cancellation } = state.context
  const wait = Math.max(0, retryAt - ports.clock.now())
  const params = { call: target.subject, seconds: Math.ceil(wait / 1_000) }
  const failure = finalFailure(state, {
    ...callFailure('CircuitOpen', 'circuit', { code: 'circuit-open', params }),
    class: 'transient',
    scope: 'resource',
    retryAfter: wait,
  })
  target.close()
  const called = target.called(1)
  const args = called.type === 'tool.called' ? { args: called.args } : {}
  const { kind } = target
  journal.take({ ...target.fields(), type: 'circuit.refused', kind, ...args, failure, retryAt })
  cancellation.throwIfCancelled()
  return { ok: false as const, failure }
}

/** Makes the failure the final answer of the call. */
function failForGood<A>(state: CallState<A>, ended: EndedAttempt<A>, failed: Failure): Answer<A> {
  const { context } = state
  const failure = finalFailure(state, failed)
  ended.target.close()
  takeFailure(context, ended, { failure, final: true })
  context.cancellation.throwIfCancelled()
  return { ok: false, failure }
}

/** An earlier attempt of a write may have taken effect, whatever the last one says. */
const finalFailure = <A>({ doubt }: CallState<A>, failure: Failure): Failure =>
  doubt ? { ...failure, unproven: true } : failure

function takeFailure<A>(
  { journal }: CallContext,
  { target, refusal: _, ...ended }: EndedAttempt<A>,
  how: { readonly failure: Failure; readonly final: boolean },
): void {
  journal.take({ ...target.fields(), type: `${target.kind}.failed`, ...how, ...ended })
}
