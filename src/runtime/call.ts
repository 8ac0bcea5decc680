/** One call of a tool or a model: through the gate, journalled before and after, retried by class, never repeated blindly. */
import type { AgentEvent } from '../core/watch/event.ts'
import { type Failure, leavesDoubt } from '../core/watch/failure.ts'
import { type RetryPolicy, retryIn } from '../core/watch/policy.ts'
import { draw } from '../core/watch/random.ts'
import { type Callable, callingOf, fieldsOf, type Site, timing } from './callable.ts'
import { clearUp } from './doubt.ts'
import { failureOf } from './failure-of.ts'
import { type Permit, resourceOf } from './gate.ts'
import type { Answer } from './ports.ts'
import type { Recorded } from './recorded.ts'
import { type Late, within } from './within.ts'

type Attempt<A> = { readonly ok: true; readonly event: AgentEvent; readonly answer: A } | Failed
type Failed = { readonly ok: false; readonly failure: Failure }

/** How often a call may end its process before it is given up, whatever its retries. */
const INTERRUPTED_MAX = 3

/** Makes a call until it is answered for good. `before` is what the journal holds of it. */
export async function makeCall<A>(site: Site, of: Callable<A>, before: Recorded | undefined): Promise<Answer<A>> {
  const { clock } = site.ports
  let attempt = before === undefined ? 1 : before.attempt + 1
  if (before?.state.kind === 'open' && of.repeatable) attempt = before.attempt
  if (before?.state.kind === 'open' && !of.repeatable) {
    const cleared = await clearUp(site, of, before.attempt, interrupted(of))
    if (cleared.applied) return cleared.answer
    // What is known not to have happened is made again, also where a failure would not be; what kills its process each time, so often and no more.
    if (before.attempt >= Math.max(retryOf(site, of).attempts, INTERRUPTED_MAX)) return givenUp(site, of, before.attempt, { ...interrupted(of), class: 'persistent' })
  }
  if (before?.state.kind === 'failed') await clock.sleep(Math.max(0, before.state.until - clock.now()), site.leave.signal)
  for (; ; attempt++) {
    site.leave.stay()
    const entry = await enter(site, of)
    const answer = entry.kind !== 'refused' ? await attemptOnce(site, of, attempt, entry) : entry.why === 'open' ? refused(site, of, entry.retryAt) : await full(site, of, attempt)
    if (answer) return answer
  }
}

/** One attempt, and what follows from it. `undefined`: another is due. */
async function attemptOnce<A>(site: Site, of: Callable<A>, attempt: number, permit: Permit): Promise<Answer<A> | undefined> {
  let tell = () => {}
  const told = whenCalled(call => {
    tell = call
  })
  const outcome = await performed(site, of, { attempt, permit, told })
  // What follows is journalled before anybody hears of this: late answers come after the failure they belong to.
  tell()
  site.leave.stay()
  if (outcome.ok) {
    site.journal.take(outcome.event)
    // A write that succeeded must not be forgotten: for anything else the next flush is soon enough.
    if (!of.repeatable) await site.journal.flush()
    site.leave.stay()
    return { ok: true, value: outcome.answer }
  }
  const { failure } = outcome
  if (of.repeatable || !leavesDoubt(failure)) return failedAttempt(site, of, attempt, failure)
  const cleared = await clearUp(site, of, attempt, failure)
  if (cleared.applied) return cleared.answer
  // Now it is known that nothing happened: the call may be made again, as often as any.
  return failedAttempt(site, of, attempt, failure)
}

/** All places are taken: the call has not left, and may be tried again a little later. */
function full<A>(site: Site, of: Callable<A>, attempt: number): Promise<Answer<A> | undefined> {
  const failure = failureOf(site.ports, site.journal.run.policy.failures, new BulkheadFull(`${of.subject} has all its places taken`))
  return failedAttempt(site, of, attempt, failure)
}

class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull'
}

/** Waits for the next attempt, or gives up with the failure as the answer. */
async function failedAttempt<A>(site: Site, of: Callable<A>, attempt: number, failure: Failure): Promise<Answer<A> | undefined> {
  const { journal, ports } = site
  const wait = retryIn(retryOf(site, of), { failure, attempt, chance: draw(journal.run.seed, of.call, attempt, 'backoff') })
  if (wait === undefined) return givenUp(site, of, attempt, failure)
  journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, failure, attempt, final: false })
  site.leave.stay()
  const until = ports.clock.now() + wait
  journal.take({ ...fieldsOf(site, of), type: 'call.waiting', attempt, until })
  await journal.flush()
  await ports.clock.sleep(wait, site.leave.signal)
  return undefined
}

/** The failure is the call's answer. */
function givenUp<A>(site: Site, of: Callable<A>, attempt: number, failure: Failure): Answer<A> {
  of.close()
  site.journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, failure, attempt, final: true })
  site.leave.stay()
  return { ok: false, failure }
}

interface Trying {
  readonly attempt: number
  readonly permit: Permit
  /** Kept once it is being journalled how the attempt ended. */
  readonly told: Promise<void>
}

/** Journals the attempt, performs it, and tells the gate how it ended. */
async function performed<A>(site: Site, of: Callable<A>, trying: Trying): Promise<Attempt<A>> {
  const { attempt, permit } = trying
  const { journal, ports } = site
  try {
    // The node may have been left while the gate was asked.
    site.leave.stay()
    if (permit.kind === 'probe') journal.take({ ...fieldsOf(site, of), type: 'circuit.halfOpened' })
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
  const told = site.leave.left ? 'neither' : outcome.ok || outcome.failure.scope === 'request' ? 'success' : 'failure'
  const circuit = await permit.settle(told, ports.clock.now())
  if (site.leave.left) return outcome
  if (circuit.change === 'opened') journal.take({ ...fieldsOf(site, of), type: 'circuit.opened', failures: circuit.failures, retryAt: circuit.retryAt })
  if (circuit.change === 'closed') journal.take({ ...fieldsOf(site, of), type: 'circuit.closed' })
  return outcome
}

async function reached<A>(site: Site, of: Callable<A>, { attempt, permit, told }: Trying): Promise<Attempt<A>> {
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
  const ended = await within({ ...timing(site), ms: of.guard.timeout, late }, (leave, sleep) => of.perform(callingOf(site, of, attempt, { leave, sleep })))
  if (ended.behind)
    site.outstanding.add(
      whenCalled(call => {
        gone = call
      }),
    )
  else left()
  if (!ended.ok) return failedWith(site, ended.error)
  try {
    return { ok: true, ...of.done(ended.value) }
  } catch (error) {
    return failedWith(site, error)
  }
}

/** What was left behind goes on, and keeps its place until it ends: a promise of that. */
function whenCalled(hand: (call: () => void) => void): Promise<void> {
  return new Promise(hand)
}

function failedWith({ ports, journal }: Site, error: unknown): Failed {
  return { ok: false, failure: failureOf(ports, journal.run.policy.failures, error) }
}

function refused<A>(site: Site, of: Callable<A>, retryAt: number): Answer<A> {
  const wait = Math.max(0, retryAt - site.ports.clock.now())
  const failure: Failure = {
    name: 'CircuitOpen',
    message: `the circuit breaker of ${of.subject} is open; it may be tried again in ${Math.ceil(wait / 1_000)} s`,
    class: 'transient',
    scope: 'resource',
    rule: 'circuit',
    retryAfter: wait,
  }
  of.close()
  site.journal.take({ ...fieldsOf(site, of), type: 'circuit.refused', failure, retryAt })
  site.leave.stay()
  return { ok: false, failure }
}

function enter<A>({ ports, journal }: Site, of: Callable<A>) {
  const breaker = { probe: of.guard.timeout, ...journal.run.policy.breaker, ...of.guard.breaker }
  const concurrency = of.guard.concurrency ?? Number.POSITIVE_INFINITY
  return ports.gate.enter(resourceOf(ports.graph.machine.id, of.kind, of.subject), { at: ports.clock.now(), breaker, concurrency })
}

function retryOf<A>({ journal }: Site, of: Callable<A>): RetryPolicy {
  const { retry, escape } = journal.run.policy
  return escape.ladder.includes('retry') ? { ...retry, ...of.guard.retry } : { ...retry, attempts: 1 }
}

function interrupted<A>(of: Callable<A>): Failure {
  return { name: 'Interrupted', message: `the process ended while ${of.subject} was being called`, class: 'indeterminate', scope: 'request', rule: 'crash' }
}
