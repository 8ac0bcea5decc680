/** One attempt at a call: through the gate, journalled before it is made, and told to the gate when it has ended. */
import { dependencyOf } from '../../core/watch/failure/dependency.ts'
import type { AgentEvent } from '../../core/watch/event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { type Callable, callingOf, fieldsOf, type Site, timing } from './callable.ts'
import { failureOf } from './failure-of.ts'
import { type Entry, type Permit, resourceOf } from '../gate/gate.ts'
import { type Late, within } from '../time/within.ts'

/** How an attempt ended. `tries`: how often an SDK has really tried inside it, where it was more than once. */
export type Outcome<A> =
  | { readonly ok: true; readonly event: AgentEvent; readonly answer: A }
  | { readonly ok: false; readonly failure: Failure; readonly tries?: number }

export interface Trying {
  readonly attempt: number
  readonly permit: Permit
  /** Kept once it is being journalled how the attempt ended. */
  readonly told: Promise<void>
}

/** Journals the attempt, performs it, and tells the gate how it ended. */
export async function performed<A>(
  site: Site,
  of: Callable<A>,
  trying: Trying,
): Promise<Outcome<A>> {
  const { attempt, permit } = trying
  const { journal, ports } = site
  try {
    // The node may have been left while the gate was asked.
    site.leave.stay()
    if (permit.kind === 'probe')
      journal.take({ ...fieldsOf(site, of), type: 'circuit.halfOpened', kind: of.kind })
    journal.take(of.called(attempt))
    site.leave.stay()
    await journal.flush()
    site.leave.stay()
  } catch (error) {
    await permit.settle('neither', ports.clock.now())
    permit.leave()
    throw error
  }
  const outcome = await reached(site, of, trying)
  // Who refuses a request has answered: that says nothing against the resource.
  const told = site.leave.left
    ? 'neither'
    : outcome.ok || outcome.failure.scope === 'request'
      ? 'success'
      : 'failure'
  const circuit = await permit.settle(told, ports.clock.now())
  if (site.leave.left) return outcome
  if (circuit.change === 'opened')
    journal.take({
      ...fieldsOf(site, of),
      type: 'circuit.opened',
      kind: of.kind,
      failures: circuit.failures,
      retryAt: circuit.retryAt,
    })
  if (circuit.change === 'closed')
    journal.take({ ...fieldsOf(site, of), type: 'circuit.closed', kind: of.kind })
  return outcome
}

async function reached<A>(
  site: Site,
  of: Callable<A>,
  { attempt, permit, told }: Trying,
): Promise<Outcome<A>> {
  let gone = () => {}
  const left = () => {
    permit.leave()
    gone()
  }
  const late = async (result: Late<unknown>) => {
    await told
    left()
    const event = of.late(result)
    if (event) site.journal.take(event)
  }
  const counter = tryCounter()
  const ended = await within({ ...timing(site), ms: of.guard.timeout, late }, (leave, sleep) =>
    of.perform(callingOf(site, of, attempt, { leave, sleep, tried: counter.tried })),
  )
  if (ended.behind)
    site.outstanding.add(
      whenCalled(call => {
        gone = call
      }),
    )
  else left()
  const failed = (error: unknown) => ({
    ok: false as const,
    failure: failureOf(site.ports, site.journal.run.policy.failures, error),
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
export function enter<A>({ ports, journal }: Site, of: Callable<A>): Promise<Entry> {
  const { breaker, mode } = journal.run.policy
  return ports.gate.enter(resourceOf(ports.graph.machine.id, dependencyOf(of.kind, of.subject)), {
    at: ports.clock.now(),
    breaker: { probe: of.guard.timeout, ...breaker, ...of.guard.breaker },
    concurrency: of.guard.concurrency ?? Number.POSITIVE_INFINITY,
    observe: mode === 'observe',
  })
}
