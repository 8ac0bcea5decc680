/** One call of a tool or a model: attempted until it is answered for good, retried by class, never repeated blindly. */
import { originOf, refusesWrites, WRITE_REFUSED } from '../../core/fork.ts'
import { openUntil } from '../../core/watch/failure/circuits.ts'
import { dependencyOf } from '../../core/watch/failure/dependency.ts'
import { type Failure, leavesDoubt } from '../../core/watch/failure/failure.ts'
import { DOUBTED_MAX, type RetryPolicy, retryIn } from '../../core/watch/policy.ts'
import { draw } from '../../core/watch/random.ts'
import { weighed } from '../../core/watch/failure/recurring.ts'
import { inVain } from '../../core/watch/failure/retries.ts'
import { enter, performed, whenCalled } from './attempt.ts'
import { type Callable, fieldsOf, type Site } from './callable.ts'
import { clearUp } from './doubt.ts'
import { failureOf } from './failure-of.ts'
import type { Permit } from '../gate/gate.ts'
import type { Answer } from '../ports.ts'
import type { Recorded } from './recorded.ts'
import { standsIn } from './substitutes.ts'

/** A call on its way to its answer. */
interface Course<A> {
  readonly site: Site
  readonly original: Callable<A>
  /** Who has been called for it. */
  readonly tried: Set<string>
  /** An attempt at a write may have taken effect although it failed: it may be repeated where it was made, and nowhere else. */
  doubt: boolean
}

/** The attempt that is due; `permit` where the gate has let it in already. */
interface Due<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly permit?: Permit
}

/** An attempt that was made. */
interface Made<A> {
  readonly of: Callable<A>
  readonly attempt: number
  readonly tries?: number
}

type Step<A> = Answer<A> | Due<A>

/** Makes a call until it is answered for good. `before` is what the journal holds of it. */
export async function makeCall<A>(
  site: Site,
  original: Callable<A>,
  before: Recorded | undefined,
): Promise<Answer<A>> {
  const course: Course<A> = {
    site,
    original,
    tried: new Set([original.subject, ...(before?.by ?? [])]),
    doubt: before?.doubt ?? false,
  }
  let step = before ? await takenUp(course, before) : begun(course)
  while (!('ok' in step)) step = await stepped(course, step)
  return step
}

function begun<A>({ site, original: of }: Course<A>): Step<A> {
  // A breaker's probe is the way back for what has failed too often: whether it is due, the gate knows.
  const { circuits } = site.journal.run
  if (circuits[dependencyOf(of.kind, of.subject)] || !wouldBeInVain(site, of))
    return { of, attempt: 1 }
  return failedForGood(site, { of, attempt: 1 }, retriesSpent(of, retryOf(site, of).total))
}

/** Where the journal has left the call, with whoever was to answer it then. */
async function takenUp<A>(
  course: Course<A>,
  { by, attempt, called, state }: Recorded,
): Promise<Step<A>> {
  const { site, original } = course
  const { clock } = site.ports
  const of = standInFor(original, by.at(-1))
  if (state.kind === 'failed')
    await clock.sleep(Math.max(0, state.until - clock.now()), site.leave.signal)
  const most = Math.max(retryOf(site, of).attempts, DOUBTED_MAX)
  // Somebody has said that nothing happened: made again, but not for ever.
  if (state.kind !== 'open')
    return attempt >= most
      ? failedForGood(site, { of, attempt }, neverKnown(of, attempt))
      : { of, attempt: attempt + 1 }
  // Another thread's write is no repetition under this one's key.
  const foreign = of.writes && originOf(site.journal.run, called) !== undefined
  if (of.repeatable && !foreign) {
    course.doubt ||= of.writes
    return { of, attempt }
  }
  const cleared = await clearUp(site, of, { attempt, called, failure: interrupted(of) })
  if (cleared.applied) return cleared.answer
  // What is known not to have happened is made again, also where a failure would not be; what kills its process each time, so often and no more.
  if (attempt >= most)
    return failedForGood(site, { of, attempt }, { ...interrupted(of), class: 'persistent' })
  return { of, attempt: attempt + 1 }
}

function standInFor<A>(original: Callable<A>, name: string | undefined): Callable<A> {
  if (name === undefined) return original
  const standIn = original.standIns?.made(name)
  if (!standIn)
    throw new Error(
      `${name} stood in for ${original.subject} when it was journalled, and does not take the call now`,
    )
  return standIn
}

async function stepped<A>(course: Course<A>, { of, attempt, permit }: Due<A>): Promise<Step<A>> {
  const { site } = course
  if (of.writes && refusesWrites(site.journal.run))
    return failedForGood(site, { of, attempt }, writeRefused(of))
  if (permit) return attemptOnce(course, { of, attempt, permit })
  site.leave.stay()
  const entry = await enter(site, of)
  if (entry.kind !== 'refused') return attemptOnce(course, { of, attempt, permit: entry })
  return entry.why === 'open'
    ? refused(course, of, entry.retryAt)
    : failedAttempt(course, { of, attempt }, full(site, of))
}

/** One attempt, and what follows from it. */
async function attemptOnce<A>(
  course: Course<A>,
  { of, attempt, permit }: Required<Due<A>>,
): Promise<Step<A>> {
  const { site } = course
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
  const { ok: _, failure, ...tries } = outcome
  const made = { of, attempt, ...tries }
  const doubtful = of.writes && leavesDoubt(failure)
  if (doubtful && of.repeatable) course.doubt = true
  if (doubtful && !of.repeatable) {
    const cleared = await clearUp(site, of, { attempt, failure, ...tries })
    // Otherwise it is known that nothing happened: the call may be made again, as often as any.
    if (cleared.applied) return cleared.answer
  }
  const { run } = site.journal
  const known = {
    dependency: dependencyOf(of.kind, of.subject),
    at: site.ports.clock.now(),
    options: run.policy.recurring,
  }
  return failedAttempt(course, made, weighed(failure, run.retries.transients, known))
}

/** Has somebody stand in, waits for the next attempt, or gives up with the failure as the answer. */
async function failedAttempt<A>(
  course: Course<A>,
  made: Made<A>,
  failure: Failure,
): Promise<Step<A>> {
  const { site } = course
  const wait = waitAfter(site, made, failure)
  const retryAt = outOfOrderUntil(site, made.of)
  // A retry that the breaker would refuse is none.
  if (retryAt !== undefined && (wait === undefined || site.ports.clock.now() + wait < retryAt)) {
    const standIn = await standInOf(course)
    if (standIn) {
      takeFailure(site, made, { failure, final: false })
      return substituted(course, standIn, retryAt)
    }
  }
  if (wait === undefined) return failedForGood(site, made, failure)
  takeFailure(site, made, { failure, final: false })
  return waited(site, made, wait)
}

/** How long to wait before the next attempt, in ms; `undefined` where there is none. */
function waitAfter<A>(
  site: Site,
  { of, attempt, tries = 1 }: Made<A>,
  failure: Failure,
): number | undefined {
  const { seed, retries } = site.journal.run
  const spent = (retries.spent[dependencyOf(of.kind, of.subject)] ?? 0) + tries - 1
  return retryIn(retryOf(site, of), {
    failure,
    attempt,
    spent,
    chance: draw(seed, of.call, attempt, 'backoff'),
  })
}

async function waited<A>(site: Site, { of, attempt }: Made<A>, wait: number): Promise<Due<A>> {
  const { journal, ports, leave } = site
  leave.stay()
  journal.take({
    ...fieldsOf(site, of),
    type: 'call.waiting',
    attempt,
    until: ports.clock.now() + wait,
  })
  await journal.flush()
  await ports.clock.sleep(wait, leave.signal)
  return { of, attempt: attempt + 1 }
}

async function refused<A>(course: Course<A>, of: Callable<A>, retryAt: number): Promise<Step<A>> {
  const standIn = await standInOf(course)
  if (standIn) return substituted(course, standIn, retryAt)
  const { site } = course
  const failure = circuitOpen(of, Math.max(0, retryAt - site.ports.clock.now()))
  of.close()
  site.journal.take({
    ...fieldsOf(site, of),
    type: 'circuit.refused',
    kind: of.kind,
    failure,
    retryAt,
  })
  site.leave.stay()
  return { ok: false, failure }
}

/** The next who may answer in place of the original: takes the arguments, was not called yet, and is let in by the gate. */
async function standInOf<A>({
  site,
  original,
  tried,
  doubt,
}: Course<A>): Promise<Required<Due<A>> | undefined> {
  if (doubt || !standsIn(site.journal.run.policy)) return undefined
  for (const name of original.standIns?.names ?? []) {
    const of = tried.has(name) ? undefined : original.standIns?.made(name)
    if (!of || wouldBeInVain(site, of) || (of.writes && refusesWrites(site.journal.run))) continue
    const entry = await enter(site, of)
    if (entry.kind === 'refused') continue
    if (!site.leave.left) return { of, attempt: 1, permit: entry }
    await entry.settle('neither', site.ports.clock.now())
    entry.leave()
    site.leave.stay()
  }
  return undefined
}

function substituted<A>(
  { site, original, tried }: Course<A>,
  due: Required<Due<A>>,
  retryAt: number,
): Due<A> {
  const by = due.of.subject
  tried.add(by)
  // Of a chain, the journal says each time who was asked, and who answers now.
  site.journal.take({
    ...fieldsOf(site, original),
    type: 'call.substituted',
    kind: original.kind,
    by,
    retryAt: outOfOrderUntil(site, original) ?? retryAt,
  })
  return due
}

/** The failure is the call's answer. */
function failedForGood<A>(site: Site, made: Made<A>, failure: Failure): Answer<A> {
  made.of.close()
  takeFailure(site, made, { failure, final: true })
  site.leave.stay()
  return { ok: false, failure }
}

function takeFailure<A>(
  site: Site,
  { of, ...made }: Made<A>,
  how: { readonly failure: Failure; readonly final: boolean },
): void {
  site.journal.take({ ...fieldsOf(site, of), type: `${of.kind}.failed`, ...how, ...made })
}

/** As far as the thread knows. */
function outOfOrderUntil<A>(
  { journal, ports }: Site,
  { kind, subject }: Callable<A>,
): number | undefined {
  return openUntil(journal.run.circuits, dependencyOf(kind, subject), ports.clock.now())
}

function wouldBeInVain<A>(site: Site, of: Callable<A>): boolean {
  return inVain(site.journal.run.retries, {
    dependency: dependencyOf(of.kind, of.subject),
    key: of.key,
    total: retryOf(site, of).total,
  })
}

function retryOf<A>({ journal }: Site, of: Callable<A>): RetryPolicy {
  const { retry, escape } = journal.run.policy
  return escape.ladder.includes('retry')
    ? { ...retry, ...of.guard.retry }
    : { ...retry, ...of.guard.retry, attempts: 1 }
}

/** All places are taken: the call has not left, and may be tried again a little later. */
function full<A>({ ports, journal }: Site, { subject }: Callable<A>): Failure {
  return failureOf(
    ports,
    journal.run.policy.failures,
    new BulkheadFull(`${subject} has all its places taken`),
  )
}

class BulkheadFull extends Error {
  override readonly name = 'BulkheadFull'
}

function circuitOpen<A>({ subject }: Callable<A>, wait: number): Failure {
  const message = `the circuit breaker of ${subject} is open; it may be tried again in ${Math.ceil(wait / 1_000)} s`
  return {
    name: 'CircuitOpen',
    message,
    class: 'transient',
    scope: 'resource',
    rule: 'circuit',
    retryAfter: wait,
  }
}

function retriesSpent<A>({ subject }: Callable<A>, total: number): Failure {
  const message = `this call of ${subject} has failed before, and ${subject} has been tried again ${total} times since it last succeeded: it is not tried once more`
  return { name: 'RetriesSpent', message, class: 'persistent', scope: 'request', rule: 'retries' }
}

function neverKnown<A>({ subject }: Callable<A>, attempts: number): Failure {
  const message = `${subject} was called ${attempts} times, and each time it could only be found out afterwards that it had had no effect`
  return { name: 'Doubtful', message, class: 'persistent', scope: 'request', rule: 'doubt' }
}

function writeRefused<A>({ subject }: Callable<A>): Failure {
  const message = `${subject} writes, and this thread is a fork that changes nothing in the world`
  return {
    name: 'WriteRefused',
    message,
    class: 'persistent',
    scope: 'request',
    rule: WRITE_REFUSED,
  }
}

function interrupted<A>({ subject }: Callable<A>): Failure {
  return {
    name: 'Interrupted',
    message: `the process ended while ${subject} was being called`,
    class: 'indeterminate',
    scope: 'request',
    rule: 'crash',
  }
}
