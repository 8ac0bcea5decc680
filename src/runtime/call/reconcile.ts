/** A call of which nobody knows whether it took effect: the tool is asked, and where it cannot tell, a person. */
import { originOf } from '../../core/fork.ts'
import type { Reconciled } from '../../core/watch/event/call-event.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Failure } from '../../core/watch/failure/failure.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { type Callable, callingOf, fieldsOf, type CallContext, timing } from './callable.ts'
import type { Answer } from '../ports.ts'
import { within } from '../time/within.ts'

/** What was found out: the call's answer, or that it may be made (again). */
export type Reconciliation<A> =
  | { readonly applied: true; readonly answer: Answer<A> }
  | { readonly applied: false }

/** The attempt of which nobody knows what became, and how it ended as far as one sees. */
interface UnclearAttempt {
  readonly attempt: number
  /** The seq of its row, where it was begun by another driver. */
  readonly called?: number | undefined
  readonly tries?: number
  readonly failure: Failure
}

/**
 * Never returns without knowing: where the tool cannot tell, the question to a person blocks the effect, and the node is
 * left until it has been answered.
 */
export async function reconcile<A>(
  context: CallContext,
  of: Callable<A>,
  { failure, called, ...made }: UnclearAttempt,
): Promise<Reconciliation<A>> {
  const doubtful: Failure = { ...failure, class: 'indeterminate' }
  const told = of.reconcile
    ? await askTool(context, of, { attempt: made.attempt, failure: doubtful, called })
    : undefined
  if (told?.answer === 'applied')
    return { applied: true, answer: { ok: true, value: told.result as A } }
  if (told?.answer === 'not-applied') return { applied: false }
  of.close()
  context.journal.take({
    ...fieldsOf(context, of),
    type: 'tool.failed',
    failure: doubtful,
    ...made,
    final: true,
  })
  await context.journal.flush()
  context.cancellation.throwIfCancelled()
  return { applied: true, answer: { ok: false, failure: doubtful } }
}

async function askTool<A>(
  context: CallContext,
  of: Callable<A>,
  { attempt, failure, called }: UnclearAttempt,
): Promise<{ readonly answer: Reconciled; readonly result: Json }> {
  const { journal } = context
  journal.take({ ...fieldsOf(context, of), type: 'tool.failed', failure, attempt, final: false })
  // The tool is asked about the call that was made: if another thread made it, under that one's name.
  const thread = called === undefined ? undefined : originOf(journal.run, called)
  const ended = await within(
    { ...timing(context), ms: of.guard.timeout, late: () => {} },
    async (cancellation, sleep) =>
      of.reconcile?.(
        callingOf(context, of, attempt, { cancellation, sleep, thread, tried: () => {} }),
      ),
  )
  context.cancellation.throwIfCancelled()
  const told = ended.ok && ended.value ? ended.value : { answer: 'unknown' as const, result: null }
  if (told.answer === 'applied') of.close()
  const event: AgentEvent = {
    ...fieldsOf(context, of),
    type: 'call.reconciled',
    answer: told.answer,
    by: 'tool',
    result: told.result,
  }
  journal.take(event)
  await journal.flush()
  context.cancellation.throwIfCancelled()
  return told
}
