/** Cancels threads whose graph no process holds, for example after a node was renamed. */
import type { Started } from '../../core/run.ts'
import { CONTINUE } from '../../core/watch/escape/ladder.ts'
import { cancelReasonOf } from '../../core/watch/reason/reason.ts'
import { wakeParentOf } from '../child/waiting.ts'
import type { Ports } from '../ports.ts'
import { LEASE, type ThreadSummary } from '../store/store.ts'

type CancelPorts = Pick<Ports, 'store' | 'wall' | 'owner' | 'isOwnerDead'>

/** Ends a thread and its child threads. Performs nothing: no edge, no compensation. @throws Conflict while a process drives it */
export async function cancelWithoutGraph(
  ports: CancelPorts,
  thread: string,
  reason: string,
): Promise<void> {
  const { store, wall, owner, isOwnerDead } = ports
  const now = wall()
  const lease = await store.lease(thread, {
    ...{ owner: `${owner}/cancel`, now, until: now + LEASE, isOwnerDead },
  })
  try {
    const [[first], summary, inbox] = await Promise.all([
      store.rows(thread, -1, 1),
      store.thread(thread),
      store.inbox(thread),
    ])
    if (!summary || first?.event.type !== 'thread.started') return
    const settled = inbox.map(({ command, event }) =>
      event.type === 'cancel'
        ? { command }
        : { command, refused: { code: 'thread-ended', params: { reason } } as const },
    )
    if (summary.status !== 'ended') await wakeParentOf(store, first.event.parent, lease)
    await store.append({ lease, settled, ...endOf(summary, first.event, reason, lease.epoch, now) })
  } finally {
    await store.release(lease).catch(() => {})
  }
  for (const child of await store.threads())
    if (child.thread.startsWith(`${thread}/`) && child.status !== 'ended')
      await cancelWithoutGraph(ports, child.thread, 'parent-ended')
}

function endOf(
  { thread: _, wakeAt: __, lease: ___, ...summary }: ThreadSummary,
  { clock }: Started,
  reason: string,
  epoch: number,
  now: number,
) {
  if (summary.status === 'ended') return { rows: [], summary, wakeAt: undefined }
  const at = clock === 'virtual' ? summary.at : Math.max(now, summary.at)
  const event = { type: 'cancel', reason, without: 'graph', epoch, at } as const
  const ended = {
    outcome: 'cancelled',
    reason,
    because: cancelReasonOf(reason),
    result: null,
  } as const
  const seq = summary.seq + 1
  const row = { seq, event, findings: [], verdict: CONTINUE, edges: [], ended }
  const standing = { status: 'ended', detail: reason, outcome: 'cancelled', seq, at } as const
  return { rows: [row], summary: { ...summary, ...standing }, wakeAt: undefined }
}
