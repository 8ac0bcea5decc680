/** Cancels threads whose graph no process holds, for example after a node was renamed. */
import { CONTINUE } from '../../core/watch/escape/ladder.ts'
import { cancelReasonOf } from '../../core/watch/reason/reason.ts'
import type { Ports } from '../ports.ts'
import { wakeParent } from './waiting.ts'
import { familyOf, findStart, type StoredStart } from '../store/source.ts'
import { type LeasePorts, withLease } from '../store/lease.ts'

type CancelPorts = LeasePorts & Pick<Ports, 'redact'>

/** Ends a thread and its descendants. Performs nothing: no edge, no compensation. A cancel that waits for an ended thread is refused. @throws Conflict while a process drives it */
export async function cancelWithoutGraph(ports: CancelPorts, thread: string, why: string) {
  await endThread(ports, thread, ports.redact(why))
  for (const { summary } of await familyOf(ports.store, thread))
    if (summary.status !== 'ended') await endThread(ports, summary.thread, 'parent-ended')
}

async function endThread(ports: CancelPorts, thread: string, reason: string): Promise<void> {
  const { store } = ports
  await withLease(ports, thread, async lease => {
    const start = await findStart(store, thread)
    if (!start) return
    const settled = settledBy(start, await store.inbox(thread), reason)
    if (start.summary.status !== 'ended') await wakeParent(store, start.started.parent, lease)
    await store.append({ lease, settled, ...endOf(start, reason, lease.epoch, ports.wall()) })
  })
}

type Inbox = Awaited<ReturnType<LeasePorts['store']['inbox']>>

/** A cancel also takes back the messages that would begin a round of an ended thread. Without one, it has nothing to cancel. */
function settledBy({ summary }: StoredStart, inbox: Inbox, reason: string) {
  const isEnded = summary.status === 'ended'
  const params = { reason: isEnded ? summary.detail : reason }
  const refused = { code: 'thread-ended', params } as const
  const isCancelled = !isEnded || inbox.some(({ event }) => event.type === 'message')
  return inbox.flatMap(({ command, event }) => {
    if (event.type !== 'cancel') return isCancelled ? { command, refused } : []
    return isCancelled ? { command } : { command, refused }
  })
}

function endOf(start: StoredStart, reason: string, epoch: number, now: number) {
  const { started, summary: stored } = start
  const { thread: _, wakeAt: __, lease: ___, ...summary } = stored
  if (summary.status === 'ended') return { rows: [], summary, wakeAt: undefined }
  const at = started.clock === 'virtual' ? summary.at : Math.max(now, summary.at)
  const event = { type: 'cancel', reason, without: 'graph', epoch, at } as const
  const because = cancelReasonOf(reason)
  const ended = { outcome: 'cancelled', reason, because, result: null } as const
  const seq = summary.seq + 1
  const row = { seq, event, findings: [], verdict: CONTINUE, edges: [], ended }
  const standing = { status: 'ended', detail: reason, outcome: 'cancelled', seq, at } as const
  return { rows: [row], summary: { ...summary, ...standing }, wakeAt: undefined }
}
