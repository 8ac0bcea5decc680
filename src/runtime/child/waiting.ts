/** Children that wait for people: the parent's node is left, and woken by the driver that ends the child. */
import { isOver, type Run } from '../../core/run/run.ts'
import type { ChildLink, Parent } from '../../core/watch/event/event.ts'
import type { CallContext } from '../call/context.ts'
import { type Journal, nextChange } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import type { Lease, Store } from '../store/store.ts'
import type { Cancellation } from '../time/cancellation.ts'

/** Whether no open call of the effect goes on in this process before a person or another process acts. */
export const isResting = ({
  openCalls,
  waitingChildren,
  withoutShare,
  drainedCalls,
}: Pick<CallContext, 'openCalls' | 'waitingChildren' | 'withoutShare' | 'drainedCalls'>): boolean =>
  waitingChildren.length + withoutShare.size + drainedCalls.size === openCalls.size

/** Returns when `stopped` is cancelled, when the child moves with its parent, or when it has ended. When all open calls of the effect wait for people, the effect is blocked. @throws the reason once the node is left */
export async function waitForChild(
  context: CallContext,
  child: ChildLink,
  { stopped, isMoving }: { readonly stopped: Cancellation; readonly isMoving: () => boolean },
) {
  const { journal, cancellation, ports, effect, region, waitingChildren } = context
  const { endedChildren } = journal
  const isIdle = () => isResting(context) && context.drainedCalls.size === 0
  waitingChildren.push(child)
  try {
    while (!stopped.cancelled && !isMoving() && !endedChildren.has(child.call)) {
      if (!isIdle()) await nextChange(journal, cancellation, stopped)
      // The node may be about to make another call.
      else await ports.clock.sleep(0, cancellation.signal).catch(() => {})
      // With a cancelled signal, neither wait waits.
      cancellation.throwIfCancelled()
      if (isIdle() && !isMoving())
        journal.take({ type: 'child.waiting', effect, region, children: [...waitingChildren] })
    }
    cancellation.throwIfCancelled()
  } finally {
    waitingChildren.splice(waitingChildren.indexOf(child), 1)
    endedChildren.delete(child.call)
  }
}

/** Sends the end of a child to its parent. This precedes the store of the end: a parent woken too early looks again, one never woken waits forever. */
export async function wakeParent(
  store: Store,
  parent: Parent | undefined,
  { thread, epoch }: Lease,
): Promise<void> {
  if (!parent) return
  const { call } = parent
  const effect = call.slice(0, call.lastIndexOf('/'))
  const event = { type: 'child.ended', effect, call, thread } as const
  // The parent may no longer exist.
  await store.submit(parent.thread, `ended ${thread} ${epoch}`, event).catch(() => {})
}

/** Wakes the effects whose children have ended. `false`: all of them still wait. */
export async function wakeBlocked({ store }: Ports, journal: Journal): Promise<boolean> {
  let isWoken = false
  for (const { id, ...effect } of journal.run.pending) {
    for (const { call, thread } of effect.type === 'invoke' ? (effect.children ?? []) : []) {
      if ((await store.thread(thread))?.status !== 'ended') continue
      journal.take({ type: 'child.ended', effect: id, call, thread, epoch: journal.lease.epoch })
      isWoken = true
    }
  }
  return isWoken
}

/** Whether the thread runs although its parent has ended. */
export async function isOrphan({ store }: Ports, run: Run): Promise<boolean> {
  if (!run.parent || isOver(run)) return false
  return (await store.thread(run.parent.thread))?.status === 'ended'
}
