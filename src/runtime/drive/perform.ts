/** Performs all runnable effects concurrently. An effect is the work of a node, or a rollback. It ends, or the run leaves its state. */
import { type Breakpoint, breakpointIn, isReleased } from '../../core/run/control.ts'
import { isExpired, pendingEffect } from '../../core/run/effects.ts'
import { hasChildren } from '../../core/expiry.ts'
import { type Run, type Runnable, runnable } from '../../core/run/run.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { AgentEvent, RollbackEvent } from '../../core/watch/event/event.ts'
import { type CallRecords, callRecords, NO_CALL_RECORDS } from '../call/call-record.ts'
import type { CallContext, DriveContext, Hold } from '../call/context.ts'
import { failureOf } from '../call/callable.ts'
import { wholeValue } from '../call/stored-json.ts'
import { Failing, Labeled } from '../outcome.ts'
import { replay } from '../store/replay.ts'
import { Cancellation, graceTime } from '../time/cancellation.ts'
import { followParent } from '../child/hold.ts'
import { isResting } from '../child/waiting.ts'
import { rollBack } from './rollback.ts'
import { taskOf } from './task.ts'
import type { Journal } from '../journal/journal.ts'

export interface PerformContext extends DriveContext {
  /** Effects that an earlier driver or turn has started: the journal may hold answers for them. */
  readonly startedBefore: Set<string>
  /** Called after each effect while others continue: handles deadlines and commands. */
  readonly between: () => Promise<void>
  readonly running: Running
  readonly hold?: Hold
  /** The breakpoints of the store. */
  readonly breakpoints: () => readonly Breakpoint[]
}

/** The running effects by their ids. */
export type Running = Map<string, RunningEffect>

interface RunningEffect {
  readonly region: string
  ended: Promise<void>
  /** Whether it only waits for children that were drained. */
  isDrained: () => boolean
}

/** Resolves when all running effects have ended, also those that have a grace period. */
export async function allEnded(running: Running): Promise<void> {
  await Promise.allSettled([...running.values()].map(({ ended }) => ended))
}

/** Starts all runnable effects, and resolves when all have ended. Regions do not wait for one another. */
export async function performRunnable(context: PerformContext): Promise<void> {
  const { journal, halted, drain, haltIfDrained, between, running, hold } = context
  for (;;) {
    const { seq } = journal.run
    followParent(journal, hold)
    const { epoch, thread } = journal.lease
    const of = { graph: context.ports.graph.machine.id, thread }
    const before = breakpointIn(journal.run, of, context.breakpoints())
    if (before !== undefined) journal.take({ type: 'pause', before, epoch })
    // Readers see a pause while other nodes run.
    if (journal.run.seq > seq) await journal.flush()
    const next = drain?.cancelled ? [] : startable(journal.run, running)
    const started = next.flatMap(effect => {
      const { id, region } = effect
      // The start of another effect may have met the condition of a breakpoint.
      if (!isReleased(journal.run, id)) return []
      return { effect, run: journal.take({ type: 'turn.started', effect: id, region, epoch }) }
    })
    if (started.length > 0) await journal.flush()
    for (const { effect, run } of started) {
      // The node runs up to its first `await` before `perform` returns: what halts the drive must find the effect here.
      const work = { region: effect.region, ended: Promise.resolve(), isDrained: () => false }
      running.set(effect.id, work)
      work.ended = perform(context, effect, run).finally(() => running.delete(effect.id))
    }
    haltIfDrained()
    if (!halted.cancelled && running.size > 0) await nextStartOrEnd(journal, running)
    if (halted.cancelled) await allEnded(running)
    if (running.size === 0) return
    await between()
  }
}

/** The effects that can start now. A node that was left may still be working: its region waits for it, or all regions if all were left. */
function startable(run: Run, running: Running): ReturnType<typeof runnable> {
  const { concurrency = Number.POSITIVE_INFINITY } = run.policy.limits
  const lingering = [...running].flatMap(([id, { region }]) =>
    pendingEffect(run.pending, id) ? [] : [region],
  )
  const mustWait = (region: string) =>
    lingering.some(left => left === region || left === '' || region === '')
  return runnable(run)
    .filter(({ id, region }) => !running.has(id) && !mustWait(region))
    .slice(0, Math.max(0, concurrency - running.size))
}

/** What decides beside the running effects and the children which effects can start. */
const CAUSES = ['pending', 'paused', 'released', 'policy'] as const satisfies (keyof Run)[]

/** Resolves when an effect has ended or can start. @throws an error of the store, or the reason why the lease was lost. */
function nextStartOrEnd(journal: Journal, running: Running): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let seen: Run | undefined
  const stop = journal.onChange(() => {
    const { run } = journal
    const isSame =
      seen &&
      CAUSES.every(key => run[key] === seen?.[key]) &&
      run.watch.account.reserved === seen.watch.account.reserved
    seen = run
    if (!isSame && startable(run, running).length > 0) resolve()
  })
  for (const { ended } of running.values()) ended.then(resolve, reject)
  promise.then(stop, stop)
  return promise
}

/** Why a node was left. One instance: an error captures its stack when it is created. */
const LEFT = new ReasonError('AbortError', { code: 'node-left' })

/** Performs an effect until it ends or the run leaves it. `run`: the run after `turn.started`. Abandoned writes get a grace period. */
export async function perform(shared: PerformContext, effect: Runnable, run: Run): Promise<void> {
  const { ports, journal, halted, timers, startedBefore, runningChildren } = shared
  const { id, region } = effect
  const isCurrent = () => {
    const pending = pendingEffect(journal.run.pending, id)
    const isBlocked = pending?.type === 'invoke' && pending.blocked !== undefined
    return pending !== undefined && !isBlocked && !isExpired(pending) && !halted.cancelled
  }
  const outstanding = new Set<Promise<unknown>>()
  if (isCurrent()) {
    const cancellation = new Cancellation()
    const waitingChildren: CallContext['waitingChildren'] = []
    const calls = { openCalls: setOf(), withoutShare: setOf(), drainedCalls: setOf() }
    const own = { cancellation, outstanding, waitingChildren, ...calls }
    const context = { ...shared, ...own, effect: id, region }
    const work = shared.running.get(id)
    if (work) work.isDrained = () => calls.drainedCalls.size > 0 && isResting(context)
    const started = pendingEffect(run.pending, id)
    const { deadline = Number.POSITIVE_INFINITY } = started?.type === 'invoke' ? started : {}
    const ends = [
      halted.onCancel(reason => cancellation.cancel(reason)),
      journal.onChange(() => isCurrent() || cancellation.cancel(LEFT)),
      timers.at(deadline, () => takeDeadline(shared, { effect: id, region })),
    ]
    const [result] = await Promise.allSettled([doWork(context, effect, run)])
    for (const end of ends) end()
    // Calls that the node did not wait for end with it.
    cancellation.cancel(LEFT)
    if (isCurrent()) journal.take(endEvent(context, effect.type, result))
  }
  if (pendingEffect(journal.run.pending, id)) startedBefore.add(id)
  if (outstanding.size > 0) await graceTime(ports.clock, outstanding)
  // Children have grace periods of their own.
  const children = runningChildren.get(id)
  if (children) await Promise.allSettled(children)
  runningChildren.delete(id)
}

const setOf = () => new Set<string>()

/** The time of a node has passed. Its children end before it fails, and readers see that they are awaited. */
function takeDeadline(
  { journal, halted }: PerformContext,
  of: { readonly effect: string; readonly region: string },
): void {
  const { effect } = of
  if (!hasChildren(journal.run, effect)) return void journal.take({ type: 'tick', effect })
  journal.take({ type: 'node.expired', ...of })
  journal.flush().catch(error => halted.cancel(error))
}

type WorkContext = Omit<CallContext, 'records'> & Pick<PerformContext, 'startedBefore'>

async function doWork(context: WorkContext, effect: Runnable, run: Run): Promise<unknown> {
  const { ports, cancellation, startedBefore } = context
  const { id, node } = effect
  const implementation = ports.graph.nodes[node]
  if (effect.type === 'invoke' && !implementation) {
    const params = { node, bound: Object.keys(ports.graph.nodes) }
    throw new ReasonError('Error', { code: 'no-implementation', params })
  }
  const { records, runAtStart } = startedBefore.has(id)
    ? await loadRecords(context, effect, run)
    : { records: NO_CALL_RECORDS, runAtStart: run }
  const inner = { ...context, records }
  if (effect.type === 'rollback' || !implementation)
    return untilCancelled(cancellation, rollBack(inner))
  const pending = pendingEffect(run.pending, id)
  const isRethinking = pending?.type === 'invoke' && pending.rethinking === true
  return untilCancelled(
    cancellation,
    implementation(taskOf(inner, { node, runAtStart, isRethinking })),
  )
}

/** The journal's records of an effect that was performed before, and the run at its first start. */
async function loadRecords(
  { ports: { graph, store }, journal }: WorkContext,
  { id, since, type }: Runnable,
  run: Run,
): Promise<{ readonly records: CallRecords; readonly runAtStart: Run }> {
  const { thread } = journal.lease
  const rows = await store.rows(thread, since - 1)
  const records = callRecords(rows, id)
  const first = rows.find(({ event }) => event.type === 'turn.started' && event.effect === id)
  if (type === 'rollback' || !first || first.seq >= run.seq) return { records, runAtStart: run }
  return { records, runAtStart: (await replay(graph.machine, store, thread, first.seq)) ?? run }
}

function untilCancelled<T>(cancellation: Cancellation, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancellation.onCancel(reject)
    work.then(resolve, reject)
    work.then(forget, forget)
  })
}

/** Characters of an output, which is stored whole or rejected. */
const OUTPUT_MAX = 4_194_304

/** The event that ends an effect. */
function endEvent(
  context: WorkContext,
  type: Runnable['type'],
  result: PromiseSettledResult<unknown>,
): AgentEvent {
  const { effect, region } = context
  const id = { effect, region }
  const { redact } = context.ports
  const failed = (error: unknown): AgentEvent => {
    const failure = failureOf(context, error)
    return { type: type === 'rollback' ? 'rollback.failed' : 'node.failed', ...id, failure }
  }
  if (result.status === 'rejected') return failed(result.reason)
  const output = result.value
  if (type === 'rollback') return output as RollbackEvent
  const stored = (raw: unknown) => wholeValue('output', raw, redact, OUTPUT_MAX)
  try {
    if (output instanceof Failing) {
      const failure = redact(output.failure)
      const partial = output.output === undefined ? {} : { output: stored(output.output) }
      return { ...id, type: 'node.failed', failure, ...partial }
    }
    return output instanceof Labeled
      ? { ...id, type: 'node.done', output: stored(output.output), label: redact(output.label) }
      : { ...id, type: 'node.done', output: stored(output) }
  } catch (error) {
    return failed(error)
  }
}
