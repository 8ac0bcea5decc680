/** Cancels children whose node was left or whose parent has ended, and journals what they have spent. */
import { pendingEffect } from '../../core/effects.ts'
import type { Run } from '../../core/run.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { AgentEvent } from '../../core/watch/event/event.ts'
import type { Reserve } from '../../core/watch/budget/account.ts'
import { defined, digest } from '../../core/watch/data/json.ts'
import { NOTHING_SPENT } from '../../core/watch/event/spent.ts'
import type { CallContext } from '../call/context.ts'
import { isConflict, isUnknownThread, type Store } from '../store/store.ts'
import { Cancellation } from '../time/cancellation.ts'
import { childDoneEvent } from './child.ts'
import { ForeignChild } from './reject-child.ts'

const REASON = 'parent-continued'

export async function cancelOrphans(
  context: Pick<CallContext, 'ports' | 'journal' | 'driveChild' | 'lost' | 'timers'>,
): Promise<void> {
  const { ports, journal, driveChild, lost, timers } = context
  const orphans = Object.entries(journal.run.watch.account.reserved).filter(
    ([, { effect }]) => !pendingEffect(journal.run.pending, effect),
  )
  if (orphans.length === 0) return
  const stop = new Cancellation()
  stop.cancel(new ReasonError('AbortError', { code: REASON }))
  for (const [call, child] of orphans) {
    if (lost.cancelled) return
    const graph = ports.graph.graphs?.[child.subject] ?? ports.graph
    const driveToEnd = () =>
      driveChild({ ...ports, graph }, child.thread, {
        parent: { thread: journal.lease.thread, call, key: child.key },
        ...{ stop, lost, attended: { timers } },
      })
    const event = await cancelOrphan(ports.store, call, child, driveToEnd)
    if (event && !lost.cancelled) journal.take(event)
  }
}

/** How the child has ended; `undefined` while another process drives it, which then receives a cancel command. */
async function cancelOrphan(
  store: Store,
  call: string,
  child: Reserve,
  driveToEnd: () => Promise<Run>,
): Promise<AgentEvent | undefined> {
  const { effect, region, subject, key, thread, limits, item } = child
  const fields = { effect, region, call, subject, key, thread, ...defined({ item }) }
  const unknown = {
    ...fields,
    type: 'child.done',
    result: null,
    digest: digest(null),
    effects: 'read',
  } as const
  try {
    return childDoneEvent(await driveToEnd(), fields).event
  } catch (error) {
    // The process ended after `child.started` was stored and before the child began, or the name is taken.
    if (isUnknownThread(error) || error instanceof ForeignChild)
      return { ...unknown, outcome: 'cancelled', reason: 'not-started', spent: NOTHING_SPENT }
    if (!isConflict(error)) {
      const spent = { ...NOTHING_SPENT, ...limits }
      return { ...unknown, outcome: 'error', reason: (error as Error).message, spent }
    }
    await store.submit(thread, `left ${call}`, { type: 'cancel', reason: REASON }).catch(() => {})
    return undefined
  }
}
