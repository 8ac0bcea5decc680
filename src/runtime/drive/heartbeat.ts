/** What happens to a driven thread by time alone: its lease is renewed, commands are taken, deadlines tick. */
import { dueAt, type Effect } from '../../core/effects.ts'
import { takeInbox } from '../people/inbox.ts'
import type { Ports } from '../ports.ts'
import { isConflict, LEASE } from '../store/store.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Timers } from '../time/timers.ts'
import type { Journal } from '../journal/journal.ts'
import { noteScopes } from './scopes.ts'

/** Twice a second while a thread is driven: the lease is kept, and commands are heard even during a long call. */
export async function heartbeat(ports: Ports, journal: Journal, lost: Cancellation): Promise<void> {
  const now = ports.wall()
  try {
    if (now > journal.lease.until - (LEASE * 2) / 3)
      journal.renewed(await ports.store.renew(journal.lease, now + LEASE))
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    // Virtual time has appointments of its own, and the world's pulse must not bring forward what is due in it.
    if (!ports.clock.virtual) await tickDue(ports, journal)
  } catch (error) {
    // A store that fails once is asked again by the next beat, as long as the lease is surely ours.
    if (isConflict(error) || ports.wall() >= journal.lease.until) lost.cancel(error)
    return
  }
  await journal.flush().catch(error => lost.cancel(error))
}

/** Rings when something that waits is due, while anything else goes on. */
export function scheduleTicks(ports: Ports, journal: Journal, timers: Timers): () => void {
  let next: number | undefined
  let stopTimer = () => {}
  const look = () => {
    const due = Math.min(...journal.run.pending.flatMap(effect => deadlineOf(effect) ?? []))
    if (due === next) return
    stopTimer()
    next = due
    // A store that fails now is asked again by the next beat.
    stopTimer = timers.at(due, () => void tickDue(ports, journal).catch(() => {}))
  }
  look()
  return journal.onChange(look)
}

/** When something happens to an effect that waits, although nobody does anything. */
function deadlineOf(effect: Effect): number | undefined {
  return effect.type === 'invoke' ? undefined : dueAt(effect)
}

/** Defaults whose time has come. What was said in time comes before them. */
export async function tickDue(ports: Ports, journal: Journal): Promise<void> {
  const due = () =>
    journal.run.pending.filter(
      effect => (deadlineOf(effect) ?? Number.POSITIVE_INFINITY) <= ports.clock.now(),
    )
  if (due().length === 0) return
  await takeInbox(ports, journal)
  for (const { id } of due()) journal.take({ type: 'tick', effect: id, epoch: journal.lease.epoch })
}
