/** Calls with an unknown outcome: the tool is asked whether the call took effect, and then, if it cannot tell, a person. */
import { graceTime } from '../time/cancellation.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { NotApplied } from '../../core/watch/event/call-event.ts'
import type { EventOf } from '../../core/watch/event/event.ts'
import { type Failure, failureMessage } from '../../core/watch/failure/failure.ts'
import { failureReason, stated } from '../../core/watch/failure/failure.ts'
import { type Broken, excerptOf, isBroken } from '../../core/watch/reason/reason.ts'
import type { Answer } from '../ports.ts'
import { performWithin, type RunningAttempt } from './attempt.ts'
import type { CallRecord } from './call-record.ts'
import { type Callable, failureOf, type ReconciledCall, UNKNOWN } from './callable.ts'
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
    const why = found.answer === 'not-applied' ? mayStillRun(target) : found.because
    if (why) failure = { ...failure, ...stated({ ...why, cause: failureReason(failure) }) }
  }
  return askPerson(context, target, { ...unclear, failure })
}

const mayStillRun = ({ subject: call }: Reconciling) =>
  ({ code: 'may-still-run', params: { call } }) as const

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
    const ended = await performWithin(
      context,
      target,
      { attempt, fencingToken },
      async calling => (await target.reconcile?.(calling)) ?? UNKNOWN,
    )
    if (ended.ok) return ended.value
    return { ...UNKNOWN, because: breakageOf(context, target, ended.error) }
  }
  const late = running && hasEnded ? await running : undefined
  const found =
    late?.type === 'call.late' && late.ok
      ? { answer: 'applied' as const, result: late.result, fenced: true }
      : await askWithin()
  cancellation.throwIfCancelled()
  const fenced = found.fenced || hasEnded
  const answer = found.answer === 'not-applied' && !fenced ? 'unknown' : found.answer
  const { result, because } = found
  await takeReconciled(context, target, 'tool', { answer, result, ...defined({ because }) })
  return { ...found, fenced }
}

/** Why `reconcile` of the tool gave no answer. */
function breakageOf(context: CallContext, { subject: call }: Reconciling, error: unknown): Broken {
  const failure = failureOf(context, error)
  if (isBroken(failure.reason)) return failure.reason
  const message = excerptOf(failureMessage(failure) || failure.name)
  return { code: 'reconcile-failed', params: { call, message } }
}

export async function takeReconciled(
  { journal, cancellation }: CallContext,
  target: Reconciling,
  by: 'tool' | 'parent',
  { answer, ...found }: Pick<EventOf<'call.reconciled'>, 'answer' | 'result' | 'because'>,
): Promise<void> {
  if (answer === 'applied') target.close()
  journal.take({ ...target.fields(), type: 'call.reconciled', answer, by, ...found })
  await journal.flush()
  cancellation.throwIfCancelled()
}
