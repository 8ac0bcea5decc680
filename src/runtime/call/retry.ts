/** What follows a failed call: a retry after its backoff, the rung `wait`, a substitute. Also the time between polls. All waits are journaled and can be cancelled. */
import { pollDue, isFutileRetry, openUntil, dependencyOf } from '../../core/watch/retries.ts'
import { enter } from './attempt.ts'
import type { CallRecord } from './call-record.ts'
import type { CallState, Callable, DueAttempt, EndedAttempt } from './callable.ts'
import type { CallContext } from './context.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import {
  type RetryPolicy,
  retryDelay,
  type Policy,
  TOLERATED_MAX,
  waitLimit,
} from '../../core/watch/policy/policy.ts'
import { draw, defined, mapFields } from '../../core/watch/data/json.ts'
import { substitutesOf } from '../../core/graph/spec/spec.ts'
import type { Run } from '../../core/run/run.ts'
import { type Refusal, resourceOf } from '../gate/gate.ts'
import type { Unavailable, Tool } from '../ports.ts'

/** Waits for the next attempt, which follows `attempt`. */
export async function waitUntil<A>(
  { journal, ports, cancellation }: CallContext,
  { target, attempt }: EndedAttempt<A>,
  until: number,
): Promise<DueAttempt<A>> {
  cancellation.throwIfCancelled()
  journal.take({ ...target.fields(), type: 'call.waiting', attempt, until })
  await journal.flush()
  await ports.clock.sleep(Math.max(0, until - ports.clock.now()), cancellation.signal)
  return { target, attempt: attempt + 1 }
}

/** The longest time until a waiting call asks its breaker again, which another thread or a person may close earlier. */
const BREAKER_EVERY = 1_000

/** Until when a refused call waits by the rung `wait`; `undefined` if it may not wait. A running probe may end at any time: no call gives up before. */
export function waitingUntil<A>(
  state: CallState<A>,
  kind: 'tool' | 'model',
  { retryAt, probing }: Refusal,
) {
  const { clock } = state.context.ports
  const { waitingSince = clock.now() } = state
  const limit = waitLimit(state.context.journal.run.policy, kind, waitingSince)
  if (retryAt <= limit) return retryAt
  return probing && clock.now() < limit ? limit : undefined
}

/** The rung `wait`: the attempt after `attempt` follows when the breaker allows it. `until`: from `waitingUntil`. */
export async function waitForBreaker<A>(
  state: CallState<A>,
  { target, attempt }: EndedAttempt<A>,
  { until, retryAt }: { readonly until: number; readonly retryAt: number },
): Promise<DueAttempt<A>> {
  const { context } = state
  const { journal, cancellation } = context
  const { clock } = context.ports
  cancellation.throwIfCancelled()
  state.waitingSince ??= clock.now()
  const since = state.waitingSince
  journal.take({ ...target.fields(), type: 'call.waiting', attempt, until, since })
  await journal.flush()
  const due = { target, attempt: attempt + 1 }
  for (;;) {
    const wait = Math.max(1, Math.min(BREAKER_EVERY, until - clock.now()))
    await sleepUntilChange(context, target, wait)
    const entry = await enter(context, target)
    if (entry.kind !== 'refused') return { ...due, permit: entry }
    if (entry.why !== 'open' || entry.retryAt !== retryAt || clock.now() >= until) return due
  }
}

/** Sleeps, unless a process changes the breaker. @throws the reason of a cancellation */
async function sleepUntilChange<A>(context: CallContext, { dependency }: Callable<A>, ms: number) {
  const { ports, cancellation } = context
  const change = new AbortController()
  const resource = resourceOf(ports.graph.machine.id, dependency)
  const end = ports.gate.onChange?.(resource, () => change.abort())
  try {
    await ports.clock.sleep(ms, AbortSignal.any([cancellation.signal, change.signal]))
  } catch (error) {
    if (!change.signal.aborted || cancellation.cancelled) throw error
  } finally {
    end?.()
  }
}

/** When a tool with `poll.every` may be called again, if it may not be called now. */
export function nextPollAt<A>({ journal, ports }: CallContext, target: Callable<A>) {
  const { polls, policy } = journal.run
  const until = target.kind === 'tool' ? pollDue(polls, policy, target) : 0
  return until > ports.clock.now() ? until : undefined
}

/** The delay before the next attempt, in ms; `undefined` when no attempt follows. */
export function waitAfter<A>(
  context: CallContext,
  { target, attempt, tries = 1 }: EndedAttempt<A>,
  failure: Failure,
): number | undefined {
  const { seed, retries } = context.journal.run
  const spent = (retries.spent[target.dependency] ?? 0) + tries - 1
  const chance = draw(seed, target.call, attempt, 'backoff')
  return retryDelay(retryOf(context, target), { failure, attempt, spent, chance })
}

/** When the breaker of a subject admits a probe, as far as the thread knows. */
export const breakerOpenUntil = <A>({ journal, ports }: CallContext, { dependency }: Callable<A>) =>
  openUntil(journal.run.openBreakers, dependency, ports.clock.now())

/** What refuses the attempt after a failed one. The thread knows of the breakers that its own calls opened, the gate of all. */
export function refusalAfter<A>(context: CallContext, { target, refusal }: EndedAttempt<A>) {
  const retryAt = breakerOpenUntil(context, target)
  return refusal ?? (retryAt === undefined ? undefined : { retryAt })
}

/** When a call whose retries are spent is made again by the rung `wait`: once its breaker admits a probe. */
export function probeAfter<A>(state: CallState<A>, ended: EndedAttempt<A>, failure: Failure) {
  const { on } = retryOf(state.context, ended.target)
  const isProbed = on.includes(failure.class) && failure.scope === 'resource'
  const refusal = isProbed ? refusalAfter(state.context, ended) : undefined
  const until = refusal && waitingUntil(state, ended.target.kind, refusal)
  return refusal && until !== undefined ? { until, retryAt: refusal.retryAt } : undefined
}

/** Whether an attempt follows a failed one that certainly had no effect. */
export const isRetried = <A>(state: CallState<A>, ended: EndedAttempt<A>, failure: Failure) =>
  waitAfter(state.context, ended, failure) !== undefined ||
  probeAfter(state, ended, failure) !== undefined

/** Whether the same call has failed before and the retries of its dependency are spent. */
export function hasSpentRetries<A>(context: CallContext, target: Callable<A>): boolean {
  const dependency = target.dependency
  const { total } = retryOf(context, target)
  return isFutileRetry(context.journal.run.retries, { dependency, key: target.key, total })
}

type Retried = Pick<Callable<unknown>, 'guard'>

/** Whether a call is not made again although its last attempt had no effect: it may be what ends the process each time. */
export const isLastAttempt = (context: CallContext, target: Retried, record: CallRecord): boolean =>
  record.attempt - record.cleanStops >= Math.max(retryOf(context, target).attempts, TOLERATED_MAX)

/** The retry policy of a call: its own settings over the thread's, and one attempt when the ladder has no retry. */
export function retryOf({ journal }: CallContext, { guard }: Retried): RetryPolicy {
  const { retry, escape } = journal.run.policy
  const once = escape.ladder.includes('retry') ? {} : { attempts: 1 }
  return { ...retry, ...guard.retry, ...once }
}

/** Whether substitutes may answer in place of a subject that is unavailable. */
export const allowsSubstitutes = ({ mode, escape }: Policy): boolean =>
  mode === 'act' && escape.ladder.includes('substitute')

/** The tools that the thread knows to be unavailable at this point of its run: their breakers are open. A tool whose calls wait is available. */
export function unavailableTools(
  tools: Readonly<Record<string, Tool>>,
  { openBreakers, policy, at }: Run,
): Readonly<Record<string, Unavailable>> {
  if (policy.mode === 'observe') return {}
  const untilOf = (name: string) => openUntil(openBreakers, dependencyOf('tool', name), at)
  const isWorking = (name: string) => Object.hasOwn(tools, name) && untilOf(name) === undefined
  return mapFields(tools, (_, name) => {
    const until = untilOf(name)
    if (until === undefined) return undefined
    const substitutes = allowsSubstitutes(policy) ? substitutesOf(tools, name) : []
    const instead = substitutes.find(isWorking)
    if (instead === undefined && until <= waitLimit(policy, 'tool', at)) return undefined
    return { until, ...defined({ instead }) }
  })
}
