/** Calls with an unknown outcome: the tool is asked whether the call took effect, and then, if it cannot tell, a person. */
import { graceTime } from '../time/cancellation.ts'
import type { NotApplied, Reconciled } from '../../core/watch/event/call-event.ts'
import { type Failure, failureReason, stated } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import type { Answer } from '../ports.ts'
import { performWithin, type RunningAttempt } from './attempt.ts'
import type { CallRecord } from './call-record.ts'
import { type Callable, type ReconciledCall, UNKNOWN } from './callable.ts'
import type { CallContext } from './context.ts'

/** An attempt with an unknown outcome, and its apparent failure. */
interface UnclearAttempt {
  readonly attempt: number
  readonly tries?: number
  readonly failure: Failure
  readonly notApplied: NotApplied
  /** The attempt was abandoned in this process. */
  readonly running?: RunningAttempt
  /** An earlier driver began the attempt. */
  readonly record?: Pick<CallRecord, 'owner'>
}

/** The call as its events name it. */
export type Reconciling = Pick<Callable<unknown>, 'subject' | 'fields' | 'close'>

/** The answer of the call; `undefined` when it can be made again. When the tool cannot tell, a question blocks the effect until a person answers. */
export async function reconcile<A>(
  context: CallContext,
  target: Callable<A>,
  { running, record, ...unclear }: UnclearAttempt,
): Promise<Answer<A> | undefined> {
  let failure: Failure = { ...unclear.failure, class: 'indeterminate' }
  if (target.reconcile) {
    const found = await askTool(context, target, { ...unclear, failure, running, record })
    if (found.answer === 'applied') return { ok: true, value: found.result as A }
    if (found.answer === 'not-applied' && found.fenced) return undefined
    if (found.answer === 'not-applied') {
      const params = { call: target.subject }
      const reason = { code: 'may-still-run', params, cause: failureReason(failure) } as const
      failure = { ...failure, ...stated(reason) }
    }
  }
  return askPerson(context, target, { ...unclear, failure })
}

/** Blocks the effect by a question to a person. */
export async function askPerson(
  { journal, cancellation }: CallContext,
  target: Reconciling,
  unclear: Omit<UnclearAttempt, 'running' | 'record'>,
): Promise<{ readonly ok: false; readonly failure: Failure }> {
  target.close()
  journal.take({ ...target.fields(), type: 'tool.failed', ...unclear, final: true })
  await journal.flush()
  cancellation.throwIfCancelled()
  return { ok: false, failure: unclear.failure }
}

/** Asks the tool. `not-applied` is certain only if it is `fenced`: an attempt that still runs may take effect after the answer. */
async function askTool<A>(
  context: CallContext,
  target: Callable<A>,
  { attempt, failure, running, record }: UnclearAttempt,
): Promise<ReconciledCall> {
  const { journal, cancellation, ports } = context
  const open = { ...target.fields(), type: 'tool.failed', failure, attempt, final: false } as const
  const { seq: fencingToken } = journal.take(open)
  const hasEnded = running
    ? await graceTime(ports.clock, [running])
    : record === undefined || (record.owner !== undefined && ports.isOwnerDead(record.owner))
  if (running) context.outstanding.delete(running)
  cancellation.throwIfCancelled()
  const askWithin = async () => {
    const ended = await performWithin(context, target, { attempt, fencingToken }, async calling =>
      target.reconcile?.(calling),
    )
    return (ended.ok && ended.value) || UNKNOWN
  }
  const late = running && hasEnded ? await running : undefined
  const found =
    late?.type === 'call.late' && late.ok
      ? { answer: 'applied' as const, result: late.result, fenced: true }
      : await askWithin()
  cancellation.throwIfCancelled()
  const fenced = found.fenced || hasEnded
  const answer = found.answer === 'not-applied' && !fenced ? 'unknown' : found.answer
  await takeReconciled(context, target, 'tool', { answer, result: found.result })
  return { ...found, fenced }
}

export async function takeReconciled(
  { journal, cancellation }: CallContext,
  target: Reconciling,
  by: 'tool' | 'parent',
  { answer, result }: Readonly<{ answer: Reconciled; result: Json }>,
): Promise<void> {
  if (answer === 'applied') target.close()
  journal.take({ ...target.fields(), type: 'call.reconciled', answer, by, result })
  await journal.flush()
  cancellation.throwIfCancelled()
}
