/** One attempt at a call: through the gate, journalled before it is made, and told to the gate when it has ended. */
import { dependencyOf } from '../../core/watch/circuits.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { type Callable, callingOf, fieldsOf, type CallContext, timing } from './callable.ts'
import { failureOf } from './failure-of.ts'
import { type Entry, type Permit, resourceOf } from '../gate/gate.ts'
import { type Late, within } from '../time/within.ts'

/** How an attempt ended. `tries`: how often an SDK has really tried inside it, where it was more than once. */
export type AttemptOutcome<A> =
  | { readonly ok: true; readonly event: AgentEvent; readonly answer: A }
  | { readonly ok: false; readonly failure: Failure; readonly tries?: number }

export interface AttemptTerms {
  readonly attempt: number
  readonly permit: Permit
  /** Kept once it is being journalled how the attempt ended. */
  readonly told: Promise<void>
}

/** Journals the attempt, performs it, and tells the gate how it ended. */
export async function performAttempt<A>(
  context: CallContext,
  of: Callable<A>,
  trying: AttemptTerms,
): Promise<AttemptOutcome<A>> {
  const { attempt, permit } = trying
  const { journal, ports } = context
  try {
    // The node may have been left while the gate was asked.
    context.cancellation.throwIfCancelled()
    if (permit.kind === 'probe')
      journal.take({ ...fieldsOf(context, of), type: 'circuit.halfOpened', kind: of.kind })
    journal.take(of.called(attempt))
    context.cancellation.throwIfCancelled()
    await journal.flush()
    context.cancellation.throwIfCancelled()
  } catch (error) {
    await permit.settle('neither', ports.clock.now())
    permit.leave()
    throw error
  }
  const outcome = await callThrough(context, of, trying)
  // Who refuses a request has answered: that says nothing against the resource.
  const told = context.cancellation.cancelled
    ? 'neither'
    : outcome.ok || outcome.failure.scope === 'request'
      ? 'success'
      : 'failure'
  const circuit = await permit.settle(told, ports.clock.now())
  if (context.cancellation.cancelled) return outcome
  if (circuit.change === 'opened')
    journal.take({
      ...fieldsOf(context, of),
      type: 'circuit.opened',
      kind: of.kind,
      failures: circuit.failures,
      retryAt: circuit.retryAt,
    })
  if (circuit.change === 'closed')
    journal.take({ ...fieldsOf(context, of), type: 'circuit.closed', kind: of.kind })
  return outcome
}

async function callThrough<A>(
  context: CallContext,
  of: Callable<A>,
  { attempt, permit, told }: AttemptTerms,
): Promise<AttemptOutcome<A>> {
  let gone = () => {}
  const left = () => {
    permit.leave()
    gone()
  }
  const late = async (result: Late<unknown>) => {
    await told
    left()
    const event = of.late(result)
    if (event) context.journal.take(event)
  }
  const counter = tryCounter()
  const ended = await within(
    { ...timing(context), ms: of.guard.timeout, late },
    (cancellation, sleep) =>
      of.perform(callingOf(context, of, attempt, { cancellation, sleep, tried: counter.tried })),
  )
  if (ended.behind)
    context.outstanding.add(
      whenCalled(call => {
        gone = call
      }),
    )
  else left()
  const failed = (error: unknown) => ({
    ok: false as const,
    failure: failureOf(context.ports, context.journal.run.policy.failures, error),
    ...counter.tries(),
  })
  if (!ended.ok) return failed(ended.error)
  try {
    return { ok: true, ...of.done(ended.value, counter.tries()) }
  } catch (error) {
    return failed(error)
  }
}

/** What was left behind goes on, and keeps its place until it ends: a promise of that. */
export function whenCalled(hand: (call: () => void) => void): Promise<void> {
  return new Promise(hand)
}

/** More than that no SDK tries: a tool that says so has miscounted. */
const TRIES_MAX = 100

function tryCounter(): {
  readonly tried: (times: number) => void
  readonly tries: () => { readonly tries?: number }
} {
  let most = 1
  return {
    tried: times => {
      if (Number.isInteger(times)) most = Math.min(Math.max(most, times), TRIES_MAX)
    },
    tries: () => (most > 1 ? { tries: most } : {}),
  }
}

/** Asks the gate whether an attempt may be made now. */
export function enter<A>({ ports, journal }: CallContext, of: Callable<A>): Promise<Entry> {
  const { breaker, mode } = journal.run.policy
  return ports.gate.enter(resourceOf(ports.graph.machine.id, dependencyOf(of.kind, of.subject)), {
    at: ports.clock.now(),
    breaker: { probe: of.guard.timeout, ...breaker, ...of.guard.breaker },
    concurrency: of.guard.concurrency ?? Number.POSITIVE_INFINITY,
    observe: mode === 'observe',
  })
}
