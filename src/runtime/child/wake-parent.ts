/** Between a child that waits for people and the parent that rests on it: who drives the one to its end wakes the other. */
import { isOver, type Run } from '../../core/run.ts'
import type { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import type { Lease } from '../store/store.ts'

/** Tells the parent that its child has ended. Before the end is stored: a parent woken too early looks, one never woken would rest for ever. */
export async function wakeParent(
  { store }: Ports,
  run: Run,
  { thread, epoch }: Lease,
): Promise<void> {
  const { parent } = run
  if (!parent || !isOver(run)) return
  const effect = parent.call.slice(0, parent.call.lastIndexOf('/'))
  // A parent that is gone is waited for by nobody.
  await store
    .submit(parent.thread, `ended ${thread} ${epoch}`, {
      type: 'child.ended',
      effect,
      call: parent.call,
      thread,
    })
    .catch(() => {})
}

/** Wakes the effects whose children have ended, whoever was told. `false`: they all still wait. */
export async function wakeBlocked({ store }: Ports, journal: Journal): Promise<boolean> {
  let woken = false
  for (const { id, ...effect } of journal.run.pending) {
    for (const { call, thread } of effect.type === 'invoke' ? (effect.children ?? []) : []) {
      if ((await store.thread(thread))?.status !== 'ended') continue
      journal.take({ type: 'child.ended', effect: id, call, thread, epoch: journal.lease.epoch })
      woken = true
    }
  }
  return woken
}

/** A child that is driven by itself although its parent has ended: nobody waits for it any more. */
export async function isOrphan({ store }: Ports, run: Run): Promise<boolean> {
  const { parent } = run
  return (
    parent !== undefined && !isOver(run) && (await store.thread(parent.thread))?.status === 'ended'
  )
}
