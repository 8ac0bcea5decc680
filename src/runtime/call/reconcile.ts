/** Calls with an unknown outcome: the tool is asked whether the call took effect, and then, if it cannot tell, a person. */
import { graceTime } from '../time/cancellation.ts'
import { originOf } from '../../core/fork.ts'
import { type Failure, failureReason, stated } from '../../core/watch/failure/failure.ts'
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
  /** The attempt was abandoned in this process. */
  readonly running?: RunningAttempt
  /** An earlier driver began the attempt. */
  readonly record?: Pick<CallRecord, 'called' | 'owner'>
}

/** The answer of the call; `undefined` when it can be made again. When the tool cannot tell, a question blocks the effect until a person answers. */
export async function reconcile<A>(
  context: CallContext,
  target: Callable<A>,
  { running, record, ...unclear }: UnclearAttempt,
): Promise<Answer<A> | undefined> {
  const { journal, cancellation } = context
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
  target.close()
  journal.take({ ...target.fields(), type: 'tool.failed', ...unclear, failure, final: true })
  await journal.flush()
  cancellation.throwIfCancelled()
  return { ok: false, failure }
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
  // The idempotency key names the thread that made the call.
  const thread = record && originOf(journal.run, record.called)
  const options = { attempt, fencingToken, thread }
  const askWithin = async () => {
    const ended = await performWithin(context, target, options, async calling =>
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
  if (found.answer === 'applied') target.close()
  const fenced = found.fenced || hasEnded
  const answer = found.answer === 'not-applied' && !fenced ? 'unknown' : found.answer
  const { result } = found
  journal.take({ ...target.fields(), type: 'call.reconciled', answer, by: 'tool', result })
  await journal.flush()
  cancellation.throwIfCancelled()
  return { ...found, fenced }
}
