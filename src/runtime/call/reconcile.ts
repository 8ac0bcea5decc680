/** Calls with an unknown outcome: the tool is asked whether the call took effect, and then, if it cannot tell, a person. */
import { originOf } from '../../core/fork.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import { type Callable, performWithin, type ReconciledCall } from './callable.ts'
import type { CallContext } from './context.ts'
import type { Answer } from '../ports.ts'

/** An attempt with an unknown outcome, and its apparent failure. */
interface UnclearAttempt {
  readonly attempt: number
  /** The seq of its row, when an earlier driver began it. */
  readonly called?: number | undefined
  readonly tries?: number
  readonly failure: Failure
}

/**
 * The answer of the call, or `undefined` when it did not take effect and can be made again. When the tool cannot tell, the
 * question to a person blocks the effect, and the node is left until a person answers.
 */
export async function reconcile<A>(
  context: CallContext,
  of: Callable<A>,
  { failure: apparent, called, ...ended }: UnclearAttempt,
): Promise<Answer<A> | undefined> {
  const { journal, cancellation } = context
  const failure: Failure = { ...apparent, class: 'indeterminate' }
  if (of.reconcile) {
    const { answer, result } = await askTool(context, of, { ...ended, failure, called })
    if (answer === 'applied') return { ok: true, value: result as A }
    if (answer === 'not-applied') return undefined
  }
  of.close()
  journal.take({ ...of.fields(), type: 'tool.failed', failure, ...ended, final: true })
  await journal.flush()
  cancellation.throwIfCancelled()
  return { ok: false, failure }
}

async function askTool<A>(
  context: CallContext,
  of: Callable<A>,
  { attempt, failure, called }: UnclearAttempt,
): Promise<ReconciledCall> {
  const { journal, cancellation } = context
  journal.take({ ...of.fields(), type: 'tool.failed', failure, attempt, final: false })
  // The idempotency key names the thread that made the call.
  const thread = called === undefined ? undefined : originOf(journal.run, called)
  const ended = await performWithin(context, of, { attempt, thread }, async calling =>
    of.reconcile?.(calling),
  )
  cancellation.throwIfCancelled()
  const found: ReconciledCall = (ended.ok && ended.value) || { answer: 'unknown', result: null }
  if (found.answer === 'applied') of.close()
  const { answer, result } = found
  journal.take({ ...of.fields(), type: 'call.reconciled', answer, by: 'tool', result })
  await journal.flush()
  cancellation.throwIfCancelled()
  return found
}
