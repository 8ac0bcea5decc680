/** Performs one effect: a node's work, or the way back to the mark, until it has settled or has been left. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { pendingEffect, type Effect } from '../../core/effects.ts'
import type { Run } from '../../core/run.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { GRACE } from '../../core/watch/policy/policy.ts'
import type { Timers } from '../time/timers.ts'
import type { CallContext } from '../call/callable.ts'
import type { DriveChild } from '../call/drive-child.ts'
import { failureOf } from '../call/failure-of.ts'
import type { Journal } from '../journal/journal.ts'
import { Cancellation } from '../time/cancellation.ts'
import { Failing, Labelled } from '../outcome.ts'
import type { Ports } from '../ports.ts'
import {
  NO_CALL_RECORDS,
  type CallRecords,
  callRecords,
  type Recording,
} from '../call/call-record.ts'
import { replay } from '../store/replay.ts'
import { taskOf } from './task.ts'
import { rollBack } from './rollback.ts'
import { wholeValue } from '../call/effect-context.ts'

type Invoke = Effect & { readonly type: 'invoke' }
type Rollback = Effect & { readonly type: 'rollback' }

/** Characters an output may have; it is handed on whole or not at all. */
const OUTPUT_MAX = 4_194_304

export interface PerformTerms {
  readonly thread: string
  /** Effects performed before, by another driver or in an earlier turn: the journal may hold answers of theirs. */
  readonly performed: Set<string>
  /** Left when the lease is lost: nothing more may be performed. */
  readonly lost: Cancellation
  readonly timers: Timers
  /** What the parent of a fork was answered. */
  readonly recording: Recording
  readonly driveChild: DriveChild
  readonly families: CallContext['families']
}

interface StartedEffect<E extends Invoke | Rollback = Invoke> {
  readonly effect: E
  /** The run once it had been started. */
  readonly run: Run
}

/** Performs an effect until it has settled or has been left; what was left gets a moment to heed that. */
export async function perform(
  ports: Ports,
  journal: Journal,
  { effect, run }: StartedEffect<Invoke | Rollback>,
  terms: PerformTerms,
): Promise<void> {
  const outstanding = new Set<Promise<unknown>>()
  const performing = { ...terms, outstanding }
  if (effect.type === 'rollback') await performRollback(ports, journal, effect, performing)
  else await performNode(ports, journal, { effect, run }, performing)
  if (pendingEffect(journal.run.pending, effect.id)) terms.performed.add(effect.id)
  if (outstanding.size > 0) await graceTime(ports, outstanding)
  // Children that were left have a patience of their own.
  const children = terms.families.get(effect.id)
  if (children) await Promise.allSettled(children)
  terms.families.delete(effect.id)
}

/** What a node still does once it was left counts for nothing. Made once: the stack of an error is expensive. */
const LEFT = new ReasonError('AbortError', { code: 'node-left' })

type Performing = PerformTerms & { readonly outstanding: Set<Promise<unknown>> }

async function performNode(
  ports: Ports,
  journal: Journal,
  begun: StartedEffect,
  terms: Performing,
): Promise<void> {
  const { id, region, node } = begun.effect
  const { lost, timers, outstanding, recording, families, driveChild } = terms
  const here = () => {
    const effect = pendingEffect(journal.run.pending, id)
    return effect?.type === 'invoke' && effect.blocked === undefined && !lost.cancelled
  }
  const started = pendingEffect(begun.run.pending, id)
  if (started?.type !== 'invoke' || !here()) return
  const cancellation = new Cancellation()
  const ends = [
    lost.onCancel(reason => cancellation.cancel(reason)),
    journal.onChange(() => here() || cancellation.cancel(LEFT)),
    // Silence is seen, too: the deadline is an event like any other.
    timers.at(started.deadline ?? Number.POSITIVE_INFINITY, () =>
      journal.take({ type: 'tick', effect: id }),
    ),
  ]
  const outcome = await settleWork(async () => {
    const worker = ports.graph.nodes[node]
    if (!worker)
      throw new ReasonError('Error', {
        code: 'no-implementation',
        params: { node, bound: Object.keys(ports.graph.nodes) },
      })
    const before = terms.performed.has(id)
      ? await loadRecords(ports, begun, terms.thread)
      : { records: NO_CALL_RECORDS, issued: begun.run }
    return untilCancelled(
      cancellation,
      worker(
        taskOf({
          ports,
          journal,
          effect: { id, region, rethinking: started.rethinking === true },
          cancellation,
          lost,
          timers,
          outstanding,
          recording,
          families,
          driveChild,
          node,
          ...before,
        }),
      ),
    )
  })
  for (const stop of ends) stop()
  // What the node has not waited for ends with it.
  cancellation.cancel(LEFT)
  if (here()) journal.take({ effect: id, region, ...settledEvent(ports, journal, outcome) })
}

/** The way back to the mark. Whoever takes the thread over meanwhile goes on with it where it was. */
async function performRollback(
  ports: Ports,
  journal: Journal,
  effect: Rollback,
  terms: Performing,
): Promise<void> {
  const { thread, performed, lost } = terms
  const here = () => pendingEffect(journal.run.pending, effect.id) !== undefined && !lost.cancelled
  if (!here()) return
  const cancellation = new Cancellation()
  const ends = [
    lost.onCancel(reason => cancellation.cancel(reason)),
    journal.onChange(() => here() || cancellation.cancel(LEFT)),
  ]
  const ended = await settleWork(async () => {
    const records = performed.has(effect.id)
      ? callRecords(await ports.store.rows(thread, effect.since - 1), effect.id)
      : NO_CALL_RECORDS
    return untilCancelled(
      cancellation,
      rollBack({
        ...terms,
        ports,
        journal,
        effect,
        cancellation,
        records,
        out: new Set(),
        resting: [],
      }),
    )
  })
  for (const stop of ends) stop()
  cancellation.cancel(LEFT)
  if (here())
    journal.take(
      ended.ok
        ? ended.output
        : {
            type: 'rollback.failed',
            effect: effect.id,
            region: effect.region,
            failure: failureOf(ports, journal.run.policy.failures, ended.error),
          },
    )
}

/** What the journal holds of an effect that was performed before, and the run as it was then. */
async function loadRecords(
  { graph, store }: Ports,
  { effect, run }: StartedEffect,
  thread: string,
): Promise<{ readonly records: CallRecords; readonly issued: Run }> {
  const rows = await store.rows(thread, effect.since - 1)
  const first = rows.find(
    ({ event }) => event.type === 'turn.started' && event.effect === effect.id,
  )
  const issued =
    first && first.seq < run.seq ? await replay(graph.machine, store, thread, first.seq) : undefined
  return { records: callRecords(rows, effect.id), issued: issued ?? run }
}

type WorkResult<T = unknown> =
  | { readonly ok: true; readonly output: T }
  | { readonly ok: false; readonly error: unknown }

async function settleWork<T>(work: () => Promise<T>): Promise<WorkResult<T>> {
  try {
    return { ok: true, output: await work() }
  } catch (error) {
    return { ok: false, error }
  }
}

function untilCancelled<T>(cancellation: Cancellation, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = cancellation.onCancel(reject)
    work.then(resolve, reject)
    work.then(forget, forget)
  })
}

type SettledEvent =
  | { readonly type: 'node.done'; readonly output: Json; readonly label?: string }
  | { readonly type: 'node.failed'; readonly failure: Failure; readonly output?: Json }

/** How the work has ended, as its event says it. */
function settledEvent(ports: Ports, journal: Journal, outcome: WorkResult): SettledEvent {
  const failed = (error: unknown) => ({
    type: 'node.failed' as const,
    failure: failureOf(ports, journal.run.policy.failures, error),
  })
  if (!outcome.ok) return failed(outcome.error)
  const { output } = outcome
  try {
    if (output instanceof Failing) {
      const failure = ports.redact(output.failure as unknown as Json) as unknown as Failure
      return {
        type: 'node.failed',
        failure,
        ...(output.output === undefined
          ? {}
          : { output: wholeValue('output', output.output, ports.redact, OUTPUT_MAX) }),
      }
    }
    const kept = wholeValue(
      'output',
      output instanceof Labelled ? output.output : output,
      ports.redact,
      OUTPUT_MAX,
    )
    return {
      type: 'node.done',
      output: kept,
      ...(output instanceof Labelled ? { label: output.label } : {}),
    }
  } catch (error) {
    return failed(error)
  }
}

async function graceTime(
  { clock }: Ports,
  outstanding: ReadonlySet<Promise<unknown>>,
): Promise<void> {
  const over = new AbortController()
  await Promise.race([
    Promise.allSettled(outstanding),
    clock.sleep(GRACE, over.signal).catch(() => {}),
  ])
  over.abort()
}
