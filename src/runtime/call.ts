/** One call of a tool or a model: through the gate, journalled before and after, retried by class, never repeated blindly. */
import type { AgentEvent, Reconciled } from '../core/watch/event.ts'
import { classify, type Facts, type Failure, factsOf, leavesDoubt } from '../core/watch/failure.ts'
import type { Json } from '../core/watch/json.ts'
import { type RetryPolicy, retryIn } from '../core/watch/policy.ts'
import { draw } from '../core/watch/random.ts'
import type { Alarms } from './alarms.ts'
import type { Permit } from './gate.ts'
import type { Journal } from './journal.ts'
import type { Leave } from './leave.ts'
import type { Answer, Calling, Guarded, Ports, Sleep } from './ports.ts'
import type { Recorded } from './recorded.ts'
import { type Late, within } from './within.ts'

/** Where a call is made: the effect it belongs to, and the way to leave it. */
export interface Site {
  readonly ports: Ports
  readonly journal: Journal
  readonly effect: { readonly id: string; readonly region: string }
  /** Left by the watchdog, a deadline or a person: the node has nothing more to do here. */
  readonly leave: Leave
  readonly alarms: Alarms
  /** Work that was left behind and may still come to something. */
  readonly outstanding: Set<Promise<unknown>>
}

/** What is called, and how its events are written. */
export interface Callable<A> {
  /** `<effect>/<n>`. */
  readonly call: string
  readonly subject: string
  readonly key: string
  readonly kind: 'tool' | 'model'
  readonly guard: Guarded
  /** Read-only or idempotent: may be made again although nobody knows what became of it. */
  readonly repeatable: boolean
  /** Other calls of its batch are still out. */
  more(): boolean
  called(attempt: number): AgentEvent
  perform(calling: Calling): Promise<unknown>
  /** @throws NotJson: a value that cannot be kept is a failure of the tool, named by its path. */
  done(raw: unknown): { readonly event: AgentEvent; readonly answer: A }
  late(result: Late<unknown>): AgentEvent | undefined
  reconcile?(calling: Calling): Promise<{ readonly answer: Reconciled; readonly result?: Json }>
}

type Attempt<A> = { readonly ok: true; readonly event: AgentEvent; readonly answer: A } | Failed
type Failed = { readonly ok: false; readonly failure: Failure }

/** Makes a call until it is answered for good. `before` is what the journal holds of it. */
export async function makeCall<A>(site: Site, of: Callable<A>, before: Recorded | undefined): Promise<Answer<A>> {
  const doubt = before?.state.kind === 'open' && !of.repeatable
  if (doubt) {
    const found = await settleDoubt(site, of, before.attempt, interrupted(of))
    if (found) return found
  }
  if (before?.state.kind === 'failed') await site.ports.clock.sleep(Math.max(0, before.state.until - site.ports.clock.now()), site.leave.signal)
  const first = before === undefined ? 1 : before.state.kind === 'open' && !doubt ? before.attempt : before.attempt + 1
  for (let attempt = first; ; attempt++) {
    site.leave.stay()
    const entry = enter(site, of)
    const answer =
      entry.kind === 'refused' && entry.why === 'open' ? refused(site, of, entry.retryAt) : await attemptOnce(site, of, attempt, entry.kind === 'refused' ? undefined : entry)
    if (answer) return answer
  }
}

/** One attempt, and what follows from it. `undefined`: another is due. */
async function attemptOnce<A>(site: Site, of: Callable<A>, attempt: number, permit: Permit | undefined): Promise<Answer<A> | undefined> {
  const outcome = permit ? await performed(site, of, attempt, permit) : failedBy(site, { name: 'BulkheadFull', message: `${of.subject} has all its places taken` })
  site.leave.stay()
  if (outcome.ok) {
    site.journal.take(outcome.event)
    // A write that succeeded must not be forgotten: for anything else the next flush is soon enough.
    if (!of.repeatable) await site.journal.flush()
    site.leave.stay()
    return { ok: true, value: outcome.answer }
  }
  const { failure } = outcome
  if (!of.repeatable && leavesDoubt(failure)) return settleDoubt(site, of, attempt, { ...failure, class: 'indeterminate' })
  return failedAttempt(site, of, attempt, failure)
}

/** Waits for the next attempt, or gives up with the failure as the answer. */
async function failedAttempt<A>(site: Site, of: Callable<A>, attempt: number, failure: Failure): Promise<Answer<A> | undefined> {
  const { journal, ports } = site
  const wait = retryIn(retryOf(site, of), { failure, attempt, chance: draw(journal.run.seed, of.call, attempt, 'backoff') })
  journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, failure, attempt, final: wait === undefined } as AgentEvent)
  site.leave.stay()
  if (wait === undefined) return { ok: false, failure }
  const until = ports.clock.now() + wait
  journal.take({ ...fieldsOf(site, of), type: 'call.waiting', attempt, until })
  await journal.flush()
  await ports.clock.sleep(wait, site.leave.signal)
  return undefined
}

/** Journals the attempt, performs it, and tells the gate how it ended. */
async function performed<A>(site: Site, of: Callable<A>, attempt: number, permit: Permit): Promise<Attempt<A>> {
  const { journal, ports } = site
  try {
    if (permit.kind === 'probe') journal.take({ ...fieldsOf(site, of), type: 'circuit.halfOpened' })
    journal.take(of.called(attempt))
    site.leave.stay()
    await journal.flush()
    site.leave.stay()
  } catch (error) {
    permit.settle('neither', ports.clock.now())
    permit.leave()
    throw error
  }
  const outcome = await reached(site, of, attempt, permit)
  // Who refuses a request has answered: that says nothing against the resource.
  const told = site.leave.left ? 'neither' : outcome.ok || outcome.failure.scope === 'request' ? 'success' : 'failure'
  const circuit = permit.settle(told, ports.clock.now())
  if (site.leave.left) return outcome
  if (circuit.change === 'opened') journal.take({ ...fieldsOf(site, of), type: 'circuit.opened', failures: circuit.failures, retryAt: circuit.retryAt })
  if (circuit.change === 'closed') journal.take({ ...fieldsOf(site, of), type: 'circuit.closed' })
  return outcome
}

async function reached<A>(site: Site, of: Callable<A>, attempt: number, permit: Permit): Promise<Attempt<A>> {
  let gone = () => {}
  const left = () => {
    permit.leave()
    gone()
  }
  const late = (result: Late<unknown>) => {
    left()
    const event = of.late(result)
    if (event && !site.journal.run.ended) site.journal.take(event)
  }
  const ended = await within({ ...timing(site), ms: of.guard.timeout, late }, (leave, sleep) => of.perform(callingOf(site, of, attempt, { leave, sleep })))
  // What was left behind goes on, and keeps its place until it ends.
  if (ended.behind)
    site.outstanding.add(
      new Promise<void>(resolve => {
        gone = resolve
      }),
    )
  else left()
  if (!ended.ok) return failedBy(site, factsOf(ended.error))
  try {
    return { ok: true, ...of.done(ended.value) }
  } catch (error) {
    return failedBy(site, factsOf(error))
  }
}

/** Asks the tool whether a call took effect; if nobody can tell, the node rests until a person has. */
async function settleDoubt<A>(site: Site, of: Callable<A>, attempt: number, failure: Failure): Promise<Answer<A> | undefined> {
  const { journal } = site
  if (of.reconcile) {
    journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, failure: { ...failure, class: 'indeterminate' }, attempt, final: false } as AgentEvent)
    const asked = await asking(site, of, attempt)
    site.leave.stay()
    journal.take({ ...fieldsOf(site, of), type: 'call.reconciled', answer: asked.answer, by: 'tool', result: asked.result ?? null })
    await journal.flush()
    site.leave.stay()
    if (asked.answer === 'applied') return { ok: true, value: (asked.result ?? null) as A }
    if (asked.answer === 'not-applied') return attempt < retryOf(site, of).attempts ? undefined : failedAttempt(site, of, attempt, { ...failure, class: 'persistent' })
  }
  journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, failure: { ...failure, class: 'indeterminate' }, attempt, final: true } as AgentEvent)
  await journal.flush()
  site.leave.stay()
  return { ok: false, failure }
}

async function asking<A>(site: Site, of: Callable<A>, attempt: number): Promise<{ readonly answer: Reconciled; readonly result?: Json }> {
  const unknown = { answer: 'unknown' as const }
  const ended = await within(
    { ...timing(site), ms: of.guard.timeout, late: () => {} },
    async (leave, sleep) => of.reconcile?.(callingOf(site, of, attempt, { leave, sleep })) ?? unknown,
  )
  return ended.ok ? ended.value : unknown
}

function timing({ ports, alarms, leave }: Site) {
  return { clock: ports.clock, alarms, leave }
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
  site.journal.take({ ...fieldsOf(site, of), type: 'circuit.refused', failure, retryAt })
  site.leave.stay()
  return { ok: false, failure }
}

function enter<A>({ ports, journal }: Site, of: Callable<A>) {
  const breaker = { ...journal.run.policy.breaker, ...of.guard.breaker }
  return ports.gate.enter(`${of.kind}:${of.subject}`, { at: ports.clock.now(), breaker, concurrency: of.guard.concurrency ?? Number.POSITIVE_INFINITY })
}

function failedBy({ ports, journal }: Site, facts: Facts): Failed {
  const judged = ports.graph.classifier?.(facts) ?? classify(facts, journal.run.policy.failures)
  const message = ports.redact(facts.message)
  return { ok: false, failure: { ...facts, message: String(message), ...judged } }
}

function retryOf<A>({ journal }: Site, of: Callable<A>): RetryPolicy {
  const { retry, escape } = journal.run.policy
  return escape.ladder.includes('retry') ? { ...retry, ...of.guard.retry } : { ...retry, attempts: 1 }
}

function interrupted<A>(of: Callable<A>): Failure {
  return { name: 'Interrupted', message: `the process ended while ${of.subject} was being called`, class: 'indeterminate', scope: 'request', rule: 'crash' }
}

function callingOf<A>({ journal }: Site, of: Callable<A>, attempt: number, { leave, sleep }: { leave: Leave; sleep: Sleep }): Calling {
  return {
    key: `${journal.lease.thread}/${of.call}`,
    attempt,
    get signal() {
      return leave.signal
    },
    sleep: ms => sleep(ms, leave.signal),
    draw: purpose => draw(journal.run.seed, of.call, attempt, purpose),
  }
}

/** The fields every event of the call carries. */
function fieldsOf<A>({ effect }: Site, of: Callable<A>) {
  return { effect: effect.id, region: effect.region, call: of.call, subject: of.subject, key: of.key, ...(of.more() ? { more: true as const } : {}) }
}
