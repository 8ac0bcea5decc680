/** Work that a driven thread does by time alone: it renews its lease, takes commands, ticks deadlines, and notes its scopes. */
import { dueAt, type Effect } from '../../core/effects.ts'
import { peerSummary } from '../../core/watch/budget/scope.ts'
import type { PeerSummary } from '../../core/watch/event/finding.ts'
import { type Journal, scopeKeyOf } from '../journal/journal.ts'
import { takeInbox } from '../people/inbox.ts'
import type { Ports } from '../ports.ts'
import { isConflict, LEASE } from '../store/store.ts'
import type { Cancellation } from '../time/cancellation.ts'
import type { Timers } from '../time/timers.ts'

/** Runs twice a second, also during a long call. */
export async function heartbeat(ports: Ports, journal: Journal, lost: Cancellation): Promise<void> {
  const now = ports.wall()
  try {
    if (now > journal.lease.until - (LEASE * 2) / 3)
      journal.lease = await ports.store.renew(journal.lease, now + LEASE)
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    // A virtual clock has its own schedule, which real time must not move forward.
    if (!ports.clock.virtual) await tickDue(ports, journal)
  } catch (error) {
    // The next heartbeat tries a failing store again, as long as the lease is valid.
    if (isConflict(error) || ports.wall() >= journal.lease.until) lost.cancel(error)
    return
  }
  await journal.flush().catch(error => lost.cancel(error))
}

/** Ticks waiting effects when they are due, while other work continues. Returns a function that ends it. */
export function scheduleTicks(ports: Ports, journal: Journal, timers: Timers): () => void {
  let next: number | undefined
  let stopTimer = () => {}
  const schedule = () => {
    const due = Math.min(...journal.run.pending.flatMap(effect => deadlineOf(effect) ?? []))
    if (due === next) return
    stopTimer()
    next = due
    // After a failure of the store, the next heartbeat ticks.
    stopTimer = timers.at(due, () => void tickDue(ports, journal).catch(() => {}))
  }
  schedule()
  return journal.onChange(schedule)
}

/** When a waiting effect ends by time. */
function deadlineOf(effect: Effect): number | undefined {
  return effect.type === 'invoke' ? undefined : dueAt(effect)
}

/** Ticks the effects that are due. Commands that arrived in time come first. */
export async function tickDue(ports: Ports, journal: Journal): Promise<void> {
  const isDue = (effect: Effect) =>
    (deadlineOf(effect) ?? Number.POSITIVE_INFINITY) <= ports.clock.now()
  if (!journal.run.pending.some(isDue)) return
  await takeInbox(ports, journal)
  for (const { id } of journal.run.pending.filter(isDue))
    journal.take({ type: 'tick', effect: id, epoch: journal.lease.epoch })
}

/** Journals what the other threads of each scope have spent and found, when it has changed. */
export async function noteScopes({ store, clock }: Ports, journal: Journal): Promise<void> {
  for (const [scope, limits] of Object.entries(journal.run.policy.limits.scopes ?? {})) {
    const shares = await store.shares({ scope, key: scopeKeyOf(clock, limits.key) })
    const { run, lease } = journal
    if (run.ended) return
    const { thread } = lease
    const at = Math.max(clock.now(), run.at)
    const fresh = run.watch.account.spent.steps === 0
    const note = peerSummary(scope, shares, { thread, at, limits, fresh })
    if (isNews(run.watch.scopes[scope]?.note, note)) journal.take({ type: 'scope.noted', ...note })
  }
}

function isNews(known: PeerSummary | null | undefined, note: PeerSummary): boolean {
  if (known) return JSON.stringify(note) !== JSON.stringify(known)
  const hasLoops = note.held !== undefined || note.loops.length > 0 || note.dismissed.length > 0
  return hasLoops || Object.values(note.spent).some(amount => amount > 0)
}
