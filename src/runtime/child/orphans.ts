/** Children whose node has been left, or whose parent has ended: they are cancelled, and what they have spent is booked. */
import { ReasonError } from '../../core/watch/reason/reason.ts'
import { pendingEffect } from '../../core/effects.ts'
import type { Run } from '../../core/run.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Reserve } from '../../core/watch/budget/limits.ts'
import { digest } from '../../core/watch/data/signature.ts'
import { NOTHING_SPENT } from '../../core/watch/event/spent.ts'
import type { CallContext } from '../call/callable.ts'
import { childDoneEvent } from './child-done.ts'
import type { Journal } from '../journal/journal.ts'
import { Cancellation } from '../time/cancellation.ts'
import type { Ports } from '../ports.ts'
import { isConflict } from '../store/store.ts'

const WITHOUT = 'parent-continued'

export async function cancelOrphans(
  ports: Ports,
  journal: Journal,
  { driveChild, lost, timers }: Pick<CallContext, 'driveChild' | 'lost' | 'timers'>,
): Promise<void> {
  const strays = Object.entries(journal.run.watch.account.reserved).filter(
    ([, { effect }]) => !pendingEffect(journal.run.pending, effect),
  )
  if (strays.length === 0) return
  const left = new Cancellation()
  left.cancel(new ReasonError('AbortError', { code: WITHOUT }))
  for (const [call, child] of strays) {
    if (lost.cancelled) return
    const event = await cancelOrphan(ports, { call, child }, thread =>
      driveChild({ ...ports, graph: ports.graph.graphs?.[child.subject] ?? ports.graph }, thread, {
        stop: left,
        lost,
        attended: { timers },
      }),
    )
    if (event && !lost.cancelled) journal.take(event)
  }
}

/** How it has ended; `undefined` while another process drives it, which is told to cancel it. */
async function cancelOrphan(
  { store }: Ports,
  { call, child }: { readonly call: string; readonly child: Reserve },
  carried: (thread: string) => Promise<Run>,
): Promise<AgentEvent | undefined> {
  const { effect, region, subject, key, thread, limits, item } = child
  const fields = { effect, region, call, subject, key, thread, ...(item ? { item } : {}) }
  const unknown = {
    ...fields,
    type: 'child.done',
    result: null,
    digest: digest(null),
    effects: 'read',
  } as const
  try {
    return childDoneEvent(await carried(thread), fields).event
  } catch (error) {
    const { name, message } = error as Error
    // The process ended between the promise and the deed.
    if (name === 'UnknownThread')
      return { ...unknown, outcome: 'cancelled', reason: 'not-started', spent: NOTHING_SPENT }
    if (!isConflict(error))
      return {
        ...unknown,
        outcome: 'error',
        reason: message,
        spent: { ...NOTHING_SPENT, ...limits },
      }
    await store.submit(thread, `left ${call}`, { type: 'cancel', reason: WITHOUT }).catch(() => {})
    return undefined
  }
}
