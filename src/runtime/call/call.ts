/** One call of a tool or a model: attempted until it is answered for good, retried by class, never repeated blindly. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { originOf, refusesWrites } from '../../core/fork.ts'
import { dependencyOf, openUntil } from '../../core/watch/circuits.ts'
import { type Failure, leavesDoubt } from '../../core/watch/failure/failure.ts'
import { TOLERATED_MAX } from '../../core/watch/policy/policy.ts'
import { classifyRecurring } from '../../core/watch/failure/recurring.ts'
import { enter, performAttempt, whenCalled } from './attempt.ts'
import {
  bulkheadFull,
  circuitOpen,
  interrupted,
  neverKnown,
  retriesSpent,
  writeRefused,
} from './call-failures.ts'
import { type Callable, fieldsOf, type CallContext } from './callable.ts'
import { reconcile } from './reconcile.ts'
import { type EndedAttempt, isFutile, retryOf, waitAfter } from './retry.ts'
import type { Permit } from '../gate/gate.ts'
import type { Answer } from '../ports.ts'
import type { CallRecord } from './call-record.ts'
import { allowsSubstitutes } from './out-of-order.ts'

/** A call on its way to its answer. */
interface CallState<A> {
  readonly context: CallContext
  readonly original: Callable<A>
  /** Who has been called for it. */
  readonly tried: Set<string>
  /** An attempt at a write may have taken effect although it failed: it may be repeated where it was made, and nowhere else. */
  doubt: boolean
}

/** The attempt that is due; `permit` where the gate has let it in already. */
interface DueAttempt<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly permit?: Permit
}

type Step<A> = Answer<A> | DueAttempt<A>

/** Makes a call until it is answered for good. `before` is what the journal holds of it. */
export async function makeCall<A>(
  context: CallContext,
  original: Callable<A>,
  before: CallRecord | undefined,
): Promise<Answer<A>> {
  const callState: CallState<A> = {
    context,
    original,
    tried: new Set([original.subject, ...(before?.by ?? [])]),
    doubt: before?.doubt ?? false,
  }
  let step = before ? await resumeCall(callState, before) : firstAttempt(callState)
  while (!('ok' in step)) step = await takeStep(callState, step)
  return step
}

function firstAttempt<A>({ context, original: of }: CallState<A>): Step<A> {
  // A breaker's probe is the way back for what has failed too often: whether it is due, the gate knows.
  const { circuits } = context.journal.run
  if (circuits[dependencyOf(of.kind, of.subject)] || !isFutile(context, of))
    return { of, attempt: 1 }
  return failedForGood(context, { of, attempt: 1 }, retriesSpent(of, retryOf(context, of).total))
}

/** Where the journal has left the call, with whoever was to answer it then. */
async function resumeCall<A>(
  callState: CallState<A>,
  { by, attempt, called, state }: CallRecord,
): Promise<Step<A>> {
  const { context, original } = callState
  const { clock } = context.ports
  const of = substituteNamed(original, by.at(-1))
  if (state.kind === 'failed')
    await clock.sleep(Math.max(0, state.until - clock.now()), context.cancellation.signal)
  const most = Math.max(retryOf(context, of).attempts, TOLERATED_MAX)
  // Somebody has said that nothing happened: made again, but not for ever.
  if (state.kind !== 'open')
    return attempt >= most
      ? failedForGood(context, { of, attempt }, neverKnown(of, attempt))
      : { of, attempt: attempt + 1 }
  // Another thread's write is no repetition under this one's key.
  const foreign = of.writes && originOf(context.journal.run, called) !== undefined
  if (of.repeatable && !foreign) {
    callState.doubt ||= of.writes
    return { of, attempt }
  }
  const cleared = await reconcile(context, of, { attempt, called, failure: interrupted(of) })
  if (cleared.applied) return cleared.answer
  // What is known not to have happened is made again, also where a failure would not be; what kills its process each time, so often and no more.
  if (attempt >= most)
    return failedForGood(context, { of, attempt }, { ...interrupted(of), class: 'persistent' })
  return { of, attempt: attempt + 1 }
}

function substituteNamed<A>(original: Callable<A>, name: string | undefined): Callable<A> {
  if (name === undefined) return original
  const standIn = original.standIns?.made(name)
  if (!standIn)
    throw new ReasonError('Nondeterministic', {
      code: 'substitute-changed',
      params: { call: original.subject, by: name },
    })
  return standIn
}

async function takeStep<A>(
  callState: CallState<A>,
  { of, attempt, permit }: DueAttempt<A>,
): Promise<Step<A>> {
  const { context } = callState
  if (of.writes && refusesWrites(context.journal.run))
    return failedForGood(context, { of, attempt }, writeRefused(of))
  if (permit) return attemptOnce(callState, { of, attempt, permit })
  context.cancellation.throwIfCancelled()
  const entry = await enter(context, of)
  if (entry.kind !== 'refused') return attemptOnce(callState, { of, attempt, permit: entry })
  return entry.why === 'open'
    ? onRefused(callState, of, entry.retryAt)
    : failedAttempt(callState, { of, attempt }, bulkheadFull(context, of))
}

/** One attempt, and what follows from it. */
async function attemptOnce<A>(
  callState: CallState<A>,
  { of, attempt, permit }: Required<DueAttempt<A>>,
): Promise<Step<A>> {
  const { context } = callState
  let tell = () => {}
  const told = whenCalled(call => {
    tell = call
  })
  const outcome = await performAttempt(context, of, { attempt, permit, told })
  // What follows is journalled before anybody hears of this: late answers come after the failure they belong to.
  tell()
  context.cancellation.throwIfCancelled()
  if (outcome.ok) {
    context.journal.take(outcome.event)
    // A write that succeeded must not be forgotten: for anything else the next flush is soon enough.
    if (!of.repeatable) await context.journal.flush()
    context.cancellation.throwIfCancelled()
    return { ok: true, value: outcome.answer }
  }
  const { ok: _, failure, ...tries } = outcome
  const made = { of, attempt, ...tries }
  const doubtful = of.writes && leavesDoubt(failure)
  if (doubtful && of.repeatable) callState.doubt = true
  if (doubtful && !of.repeatable) {
    const cleared = await reconcile(context, of, { attempt, failure, ...tries })
    // Otherwise it is known that nothing happened: the call may be made again, as often as any.
    if (cleared.applied) return cleared.answer
  }
  const { run } = context.journal
  const known = {
    dependency: dependencyOf(of.kind, of.subject),
    at: context.ports.clock.now(),
    options: run.policy.recurring,
  }
  return failedAttempt(callState, made, classifyRecurring(failure, run.retries.transients, known))
}

/** Has somebody stand in, waits for the next attempt, or gives up with the failure as the answer. */
async function failedAttempt<A>(
  callState: CallState<A>,
  made: EndedAttempt<A>,
  failure: Failure,
): Promise<Step<A>> {
  const { context } = callState
  const wait = waitAfter(context, made, failure)
  const retryAt = outOfOrderUntil(context, made.of)
  // A retry that the breaker would refuse is none.
  if (retryAt !== undefined && (wait === undefined || context.ports.clock.now() + wait < retryAt)) {
    const standIn = await nextSubstitute(callState)
    if (standIn) {
      takeFailure(context, made, { failure, final: false })
      return withSubstitute(callState, standIn, retryAt)
    }
  }
  if (wait === undefined) return failedForGood(context, made, failure)
  takeFailure(context, made, { failure, final: false })
  return waitForRetry(context, made, wait)
}

async function waitForRetry<A>(
  context: CallContext,
  { of, attempt }: EndedAttempt<A>,
  wait: number,
): Promise<DueAttempt<A>> {
  const { journal, ports, cancellation } = context
  cancellation.throwIfCancelled()
  journal.take({
    ...fieldsOf(context, of),
    type: 'call.waiting',
    attempt,
    until: ports.clock.now() + wait,
  })
  await journal.flush()
  await ports.clock.sleep(wait, cancellation.signal)
  return { of, attempt: attempt + 1 }
}

async function onRefused<A>(
  callState: CallState<A>,
  of: Callable<A>,
  retryAt: number,
): Promise<Step<A>> {
  const standIn = await nextSubstitute(callState)
  if (standIn) return withSubstitute(callState, standIn, retryAt)
  const { context } = callState
  const failure = circuitOpen(of, Math.max(0, retryAt - context.ports.clock.now()))
  of.close()
  context.journal.take({
    ...fieldsOf(context, of),
    type: 'circuit.refused',
    kind: of.kind,
    failure,
    retryAt,
  })
  context.cancellation.throwIfCancelled()
  return { ok: false, failure }
}

/** The next who may answer in place of the original: takes the arguments, was not called yet, and is let in by the gate. */
async function nextSubstitute<A>({
  context,
  original,
  tried,
  doubt,
}: CallState<A>): Promise<Required<DueAttempt<A>> | undefined> {
  if (doubt || !allowsSubstitutes(context.journal.run.policy)) return undefined
  for (const name of original.standIns?.names ?? []) {
    const of = tried.has(name) ? undefined : original.standIns?.made(name)
    if (!of || isFutile(context, of) || (of.writes && refusesWrites(context.journal.run))) continue
    const entry = await enter(context, of)
    if (entry.kind === 'refused') continue
    if (!context.cancellation.cancelled) return { of, attempt: 1, permit: entry }
    await entry.settle('neither', context.ports.clock.now())
    entry.leave()
    context.cancellation.throwIfCancelled()
  }
  return undefined
}

function withSubstitute<A>(
  { context, original, tried }: CallState<A>,
  due: Required<DueAttempt<A>>,
  retryAt: number,
): DueAttempt<A> {
  const by = due.of.subject
  tried.add(by)
  // Of a chain, the journal says each time who was asked, and who answers now.
  context.journal.take({
    ...fieldsOf(context, original),
    type: 'call.substituted',
    kind: original.kind,
    by,
    retryAt: outOfOrderUntil(context, original) ?? retryAt,
  })
  return due
}

/** The failure is the call's answer. */
function failedForGood<A>(
  context: CallContext,
  made: EndedAttempt<A>,
  failure: Failure,
): Answer<A> {
  made.of.close()
  takeFailure(context, made, { failure, final: true })
  context.cancellation.throwIfCancelled()
  return { ok: false, failure }
}

function takeFailure<A>(
  context: CallContext,
  { of, ...made }: EndedAttempt<A>,
  how: { readonly failure: Failure; readonly final: boolean },
): void {
  context.journal.take({ ...fieldsOf(context, of), type: `${of.kind}.failed`, ...how, ...made })
}

/** As far as the thread knows. */
function outOfOrderUntil<A>(
  { journal, ports }: CallContext,
  { kind, subject }: Callable<A>,
): number | undefined {
  return openUntil(journal.run.circuits, dependencyOf(kind, subject), ports.clock.now())
}
