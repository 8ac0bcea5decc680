/** Children pause with their parent, and step and continue with it. */
import type { Pause } from '../../core/run/control.ts'
import { pendingEffect } from '../../core/run/effects.ts'
import { isOver } from '../../core/run/run.ts'
import type { Hold } from '../call/context.ts'
import type { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { replay } from '../store/replay.ts'

/** Whether a child that paused with its parent may move: the parent is not paused, or has stepped. */
export const isReleased = (child: Pause | undefined, since: number | undefined): boolean =>
  child?.inherited !== undefined && (since === undefined || since > child.inherited)

const CONTINUE = { type: 'continue' } as const

/** Pauses a child with its parent, or moves it with it. */
export function followParent(journal: Journal, hold: Hold | undefined): void {
  const { run, lease } = journal
  if (!hold || isOver(run)) return
  const { epoch } = lease
  const since = hold()
  if (!run.paused) {
    if (since !== undefined) journal.take({ type: 'pause', inherited: since, epoch })
  } else if (isReleased(run.paused, since)) {
    const move = since === undefined ? CONTINUE : ({ type: 'step', inherited: since } as const)
    journal.take({ ...move, epoch })
  }
}

/** Returns a function that wakes the effects whose children may move again. It reads the children when the pause of the thread has changed. */
export function wakeReleased({ store, graph }: Ports, journal: Journal): () => Promise<void> {
  let checked: number | null | undefined
  return async () => {
    const since = journal.run.paused?.since
    if (checked === (since ?? null)) return
    for (const { id, ...effect } of journal.run.pending) {
      for (const { call, thread } of effect.type === 'invoke' ? (effect.children ?? []) : []) {
        const { subject = '' } = journal.run.watch.account.reserved[call] ?? {}
        const { machine } = graph.graphs?.[subject] ?? {}
        const child = machine && (await replay(machine, store, thread))
        if (!isReleased(child?.paused, since)) continue
        const { run, lease } = journal
        const now = pendingEffect(run.pending, id)
        if (now?.type !== 'invoke' || !now.children) break
        journal.take({ type: 'child.ended', effect: id, call, thread, epoch: lease.epoch })
        break
      }
    }
    checked = since ?? null
  }
}
