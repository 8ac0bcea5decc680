/** One attempt at a call: admitted by the gate, journaled before it is made, and reported to the gate afterwards. */
import { type Cancellation, type Ended, type WorkResult, within } from '../time/cancellation.ts'
import { injectedFailure, injectionFor } from '../../core/run/control.ts'
import type { Run } from '../../core/run/run.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import { computed } from '../../core/watch/data/computed.ts'
import { defined, draw } from '../../core/watch/data/json.ts'
import type { Usage } from '../../core/watch/event/call-event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { type Callable, failureOf, repeatedBy } from './callable.ts'
import type { CallContext } from './context.ts'
import { type Entry, type Permit, type Refusal, resourceOf } from '../gate/gate.ts'
import type { Calling } from '../ports.ts'
import { checkWait, isWait } from '../time/check-wait.ts'

/** An abandoned attempt that may still take effect. Resolves when it ends, with the event of its late answer. */
export type RunningAttempt = Promise<AgentEvent | undefined>

/** How an attempt ended. `tries`: attempts of an SDK inside it, if more than one. */
export type AttemptOutcome<A> =
  | { readonly ok: true; readonly event: AgentEvent; readonly answer: A; readonly unused: Unused }
  | {
      readonly ok: false
      readonly failure: Failure
      readonly tries?: number
      readonly usage?: Usage
      readonly running?: RunningAttempt
      readonly refusal?: Refusal
    }

/** The event of an answer whose node was left before the answer was journaled. */
type Unused = () => AgentEvent | undefined

interface AttemptOptions {
  readonly attempt: number
  readonly permit: Permit
  /** Resolves when the end of the attempt is journaled. Late results follow it. */
  readonly endJournaled: Promise<void>
}

/** Journals the attempt, performs it, and reports its result to the gate. */
export async function performAttempt<A>(
  context: CallContext,
  target: Callable<A>,
  attemptOptions: AttemptOptions,
): Promise<AttemptOutcome<A>> {
  const { attempt, permit, endJournaled } = attemptOptions
  const { journal, outstanding, abandoned } = context
  const fencingToken = await journalAttempt(context, target, attemptOptions)
  const lateAnswer = Promise.withResolvers<AgentEvent | undefined>()
  let booked: Usage | undefined
  const late = async (result: WorkResult<unknown>) => {
    await endJournaled
    permit.leave()
    const event = target.late(result, { attempt, booked })
    lateAnswer.resolve(event)
    if (event) journal.take(event)
  }
  let tries = 1
  const tried = (times: number) => {
    if (Number.isInteger(times)) tries = Math.min(Math.max(tries, times), TRIES_MAX)
  }
  const options = { attempt, fencingToken, tried, late }
  const injected = injectedFailure(injectionFor(journal.run, target.kind, target.subject))
  if (injected) return rejectInjected(target, { attempt, permit }, injected)
  const ended = await performWithin(context, target, options, target.perform)
  if (!ended.abandoned) permit.leave()
  else if (target.writes) {
    // The next work of the thread must not run beside a write. A read that ignores its signal delays nothing.
    outstanding.add(lateAnswer.promise)
    abandoned.add(lateAnswer.promise)
  }
  const outcome = outcomeOf(context, target, { ended, attempt, ...(tries > 1 && { tries }) })
  booked = outcome.ok ? undefined : outcome.usage
  // The node may be left while the gate notes the outcome.
  if (target.writes) outstanding.add(endJournaled)
  const refusal = await reportHealth(context, target, { permit, outcome })
  if (outcome.ok) return outcome
  const running = ended.abandoned ? lateAnswer.promise : undefined
  return { ...outcome, ...defined({ running, refusal }) }
}

/** Ends an attempt with the fault that a person has injected. Breakers do not count it. */
async function rejectInjected<A>(
  { spentBy }: Callable<A>,
  { attempt, permit }: Pick<AttemptOptions, 'attempt' | 'permit'>,
  failure: Failure,
): Promise<AttemptOutcome<A>> {
  await permit.report('neither', 0)
  permit.leave()
  return { ok: false, failure, ...defined({ usage: spentBy?.(failure, attempt) }) }
}

/** Stores the attempt before it is made. Returns its fencing token. */
async function journalAttempt<A>(
  { journal, ports, cancellation }: CallContext,
  target: Callable<A>,
  { attempt, permit }: AttemptOptions,
): Promise<number> {
  const { kind } = target
  try {
    // The node may have been left while the gate admitted the call.
    cancellation.throwIfCancelled()
    if (permit.kind === 'probe')
      journal.take({ ...target.fields(), type: 'circuit.halfOpened', kind })
    const { seq } = journal.take(target.called(attempt))
    cancellation.throwIfCancelled()
    await journal.flush()
    cancellation.throwIfCancelled()
    return seq
  } catch (error) {
    await permit.report('neither', ports.clock.now())
    permit.leave()
    throw error
  }
}

type EndedWork = Readonly<{ ended: Ended<unknown>; attempt: number; tries?: number }>

function outcomeOf<A>(
  context: CallContext,
  target: Callable<A>,
  { ended, attempt, ...tries }: EndedWork,
): AttemptOutcome<A> {
  const failed = (error: unknown) => {
    const facts = failureOf(context, error)
    const attempts = Math.max(tries.tries ?? 1, facts.attempts ?? 1)
    const failure = attempts > 1 ? { ...facts, attempts } : facts
    return {
      ok: false as const,
      failure,
      ...tries,
      ...defined({ usage: target.spentBy?.(failure, attempt) }),
    }
  }
  if (!ended.ok) return failed(ended.error)
  try {
    const unused = () => target.late(ended, { attempt, booked: undefined })
    return { ok: true, ...target.done(ended.value, { attempt, ...tries }), unused }
  } catch (error) {
    return failed(error)
  }
}

/** Reports the outcome to the gate, and journals a change of the breaker. Returns until when the breaker refuses calls, if it does. */
async function reportHealth<A>(
  { journal, ports, cancellation }: CallContext,
  target: Callable<A>,
  { permit, outcome }: { readonly permit: Permit; readonly outcome: AttemptOutcome<A> },
): Promise<Refusal | undefined> {
  const { kind } = target
  // A rejected request is an answer: the resource itself works.
  const isHealthy = outcome.ok || outcome.failure.scope === 'request'
  const health = isHealthy ? 'success' : 'failure'
  const circuit = await permit.report(
    cancellation.cancelled ? 'neither' : health,
    ports.clock.now(),
  )
  if (cancellation.cancelled) return undefined
  if (circuit.change === 'closed')
    journal.take({ ...target.fields(), type: 'circuit.closed', kind })
  if (circuit.change === 'opened') {
    const { failures, retryAt } = circuit
    journal.take({ ...target.fields(), type: 'circuit.opened', kind, failures, retryAt })
  }
  return circuit.refusal
}

/** Journals what an attempt has done or cost if its node was left. @throws the reason of the cancellation */
export function throwIfLeft<A>(
  { journal, cancellation }: CallContext,
  target: Callable<A>,
  { usage, unused }: { readonly usage?: Usage; readonly unused?: Unused },
): void {
  if (!cancellation.cancelled) return
  const event = usage ? abandonedEvent(target, usage) : unused?.()
  if (event) journal.take(event)
  cancellation.throwIfCancelled()
}

/** Books what an attempt has cost whose node was left or whose process ended. */
export function abandonedEvent<A>(target: Callable<A>, usage: Usage): AgentEvent {
  return { ...target.fields(), type: 'call.late', ok: false, effects: 'read', result: null, usage }
}

/** Upper bound for the attempts that an SDK reports: a higher number is a miscount. */
const TRIES_MAX = 100

/** Asks the gate to admit an attempt. */
export function enter<A>({ ports, journal }: CallContext, target: Callable<A>): Promise<Entry> {
  const { breaker, mode } = journal.run.policy
  return ports.gate.enter(resourceOf(ports.graph.machine.id, target.dependency), {
    at: ports.clock.now(),
    breaker: { probeTime: target.guard.timeout, ...breaker, ...target.guard.breaker },
    concurrency: target.guard.concurrency ?? Number.POSITIVE_INFINITY,
    observe: mode === 'observe',
  })
}

interface WithinOptions
  extends Pick<Calling, 'attempt' | 'fencingToken'>,
    Partial<Pick<Calling, 'tried'>> {
  readonly late?: (result: WorkResult<unknown>) => void
}

/** Performs work for a call, until it ends, is cancelled or times out. */
export function performWithin<A, T>(
  { ports: { clock, redact }, journal, timers, cancellation }: CallContext,
  target: Callable<A>,
  options: WithinOptions,
  work: (calling: Calling) => Promise<T>,
): Promise<Ended<T>> {
  const { late = () => {}, ...attempt } = options
  const { call, guard } = target
  const limits = { clock, timers, cancellation, ms: guard.timeout, late }
  return within(limits, (own, sleep) => {
    const calling: Omit<Calling, 'signal'> = {
      tried: () => {},
      ...attempt,
      redact,
      idempotencyKey: `${journal.lease.thread}/${keyOf(target, journal.run)}`,
      async sleep(given) {
        // Work that catches its end, or the error, and tries again must let timers run.
        if (own.cancelled || !isWait(given)) await sleep(0)
        return sleep(checkWait(given), own.signal)
      },
      draw: purpose => draw(journal.run.seed, call, options.attempt, purpose),
    }
    return work(withSignal(calling, own))
  })
}

/** A write is undone once, whatever number of rollbacks try. An idempotent one is made once if it is called again while it may have taken effect. */
const keyOf = <A>(target: Callable<A>, run: Run): string =>
  target.compensates === undefined
    ? (repeatedBy(target, run)?.call ?? target.call)
    : `rollback/${target.compensates}`

const withSignal = computed<Cancellation, Pick<Calling, 'signal'>>({ signal: own => own.signal })
