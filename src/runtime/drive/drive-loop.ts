/** Drives a thread until it has ended or only people and time can continue it. Its heartbeat renews the lease, takes commands and ticks deadlines. */
import { nextRound } from '../../core/rounds.ts'
import { hasOrphans, isOver, type Run, runnable } from '../../core/run/run.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { DriveInput } from '../call/context.ts'
import { followParent, wakeReleased } from '../child/hold.ts'
import { isOrphan, wakeBlocked } from '../child/waiting.ts'
import { type Journal, scopeKeyOf } from '../journal/journal.ts'
import { takeInbox } from '../people/inbox.ts'
import { type Notices, noticesOf } from '../people/notices.ts'
import type { Ports } from '../ports.ts'
import { Cancellation } from '../time/cancellation.ts'
import { oneAtATime } from '../time/one-at-a-time.ts'
import { createTimers, type Timers } from '../time/timers.ts'
import { watchWaits } from '../wait/deadlock.ts'
import { allEnded, type PerformContext, performRunnable } from './perform.ts'
import { dueAt, type Effect, isExpired } from '../../core/run/effects.ts'
import { peerSummary } from '../../core/watch/budget/scope.ts'
import type { PeerSummary } from '../../core/watch/event/event.ts'
import { renewLease } from '../store/lease.ts'
import { isConflict, isStoreUnavailable } from '../store/store.ts'
import { loadBreakpoints } from './breakpoints.ts'
import { LOOK_EVERY, watchLeftChildren } from './left-children.ts'
import { unrecordedStops } from './store-outages.ts'

type LoopOptions = DriveInput &
  Omit<
    PerformContext,
    | 'timers'
    | 'runningChildren'
    | 'running'
    | 'halted'
    | 'haltIfDrained'
    | 'between'
    | 'breakpoints'
  >

/** The state of a drive. */
interface DriveState extends PerformContext {
  readonly notices: Notices
  /** Wakes the effects whose children may move again. */
  readonly release: () => Promise<void>
  /** Whether the drive sleeps until the next deadline. */
  readonly waits: boolean
  /** The turns that are left. */
  turns: number
}

export async function driveLoop(options: LoopOptions): Promise<Run> {
  const { cancel, drivenByParent, waits = true, ports, journal } = options
  const { turns = Number.POSITIVE_INFINITY } = options
  const halted = new Cancellation()
  const timers = createTimers(ports.clock)
  const notices = noticesOf(ports, journal, timers)
  const release = wakeReleased(ports, journal)
  const points = await loadBreakpoints(ports, journal)
  const look = oneAtATime(async () => {
    await heartbeat(ports, journal, halted)
    if (!halted.cancelled) followParent(journal, options.hold)
    if (!halted.cancelled) await release().catch(() => {})
    await points.reload().catch(() => {})
  })
  // Virtual time waits for the store.
  const beat = () => ports.clock.during(look)
  const between = betweenWork(ports, journal, { beat, look: () => left.look() })
  const shared = { halted, timers, notices, waits, between, release, breakpoints: points.all }
  const work = { runningChildren: new Map(), running: new Map() }
  const haltIfDrained = () => haltDrained(state)
  const state: DriveState = { ...options, ...shared, ...work, haltIfDrained, turns }
  const left = watchLeftChildren(state)
  const ends = [
    ports.heartbeat(() => void beat()),
    scheduleTicks(ports, journal, timers),
    watchWaits(ports, journal),
    notices.stop,
    left.stop,
    timers.stop,
  ]
  const endAll = () => {
    for (const end of ends.splice(0)) end()
  }
  halted.onCancel(endAll)
  ends.push(
    cancel.onCancel(reason => cancelThread(ports, journal, reason)),
    options.leave.onCancel(reason => halted.cancel(reason)),
    options.drain?.onCancel(haltIfDrained) ?? (() => {}),
  )
  try {
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    followParent(journal, options.hold)
    if (!drivenByParent && (await isOrphan(ports, journal.run)))
      cancelThread(ports, journal, new ReasonError('AbortError', { code: 'parent-ended' }))
    await tickDue(ports, journal)
    do {
      await advanceThread(state, left.end)
      await left.end()
      await journal.flush()
      // A command may arrive while the last rows are stored.
    } while (!halted.cancelled && (left.isEnding() || hasWork(journal.run, state)))
    if (options.leave.cancelled || options.drain?.cancelled) await recordCleanStop(ports, journal)
    if (!isOver(journal.run)) halted.throwIfCancelled()
    return journal.run
  } catch (error) {
    // No call goes on without a driver: the next one would take it for a call of a process that has ended.
    halted.cancel(error)
    await Promise.allSettled([allEnded(state.running), left.end()])
    throw error
  } finally {
    endAll()
  }
}

/** Performs effects, waits and wakes children, as long as any of them advances the thread. */
async function advanceThread(
  state: DriveState,
  endLeftChildren: () => Promise<void>,
): Promise<void> {
  const { ports, journal, halted, waits, notices, between, release } = state
  while (!halted.cancelled) {
    const next = nextRound(journal.run)
    if (next) journal.take({ ...next, epoch: journal.lease.epoch })
    if (journal.run.ended) return
    // The next effects need the share of an orphaned child.
    await endLeftChildren()
    await release()
    if (takesTurn(journal.run, waits) && state.turns-- < 1) return
    if (runnable(journal.run).length > 0) {
      await performRunnable(state)
    } else {
      const isAdvanced =
        (waits && (await sleepUntilDue(state))) ||
        (await wakeBlocked(ports, journal)) ||
        (await notices.sent())
      if (!isAdvanced) return
    }
    if (halted.cancelled) return
    await between()
  }
}

/** Halts a drive that is to be drained once its work has ended, except children that were drained. */
function haltDrained({ drain, halted, running }: DriveState): void {
  if (!drain?.cancelled || ![...running.values()].every(({ isDrained }) => isDrained())) return
  halted.cancel(drain.signal.reason)
}

/** Records that this driver shuts down cleanly, so that the starts of its effects do not count as crashes. */
export async function recordCleanStop({ store }: Ports, journal: Journal): Promise<void> {
  const { thread, epoch } = journal.lease
  for (const effect of runnable(journal.run)) {
    const { id, region, starts } = effect
    if (starts > 0) journal.take({ type: 'turn.left', effect: id, region, epoch })
  }
  // Another driver may hold the lease by now, and counts the start.
  await journal.flush().catch(error => {
    if (isStoreUnavailable(error)) unrecordedStops(store).add(thread)
  })
}

function cancelThread({ redact }: Ports, journal: Journal, error: unknown): void {
  if (isOver(journal.run)) return
  const reason =
    error instanceof ReasonError
      ? error.reason.code
      : String((error as Error | undefined)?.message ?? 'cancelled')
  journal.take({ type: 'cancel', reason: redact(reason), epoch: journal.lease.epoch })
}

/** How long a drive works before it checks its inbox again, in ms. */
const INBOX_EVERY = 100

/** Handles deadlines after every piece of work, and commands now and then. The sleep lets timers and signals run between quick nodes. */
function betweenWork(
  ports: Ports,
  journal: Journal,
  { beat, look }: { readonly beat: () => Promise<void>; readonly look: () => void },
) {
  let checkedAt = ports.wall()
  return async () => {
    look()
    await tickDue(ports, journal)
    if (ports.wall() - checkedAt < INBOX_EVERY) return
    await ports.clock.sleep(0)
    await beat()
    checkedAt = ports.wall()
  }
}

const hasWork = (run: Run, { waits, turns }: DriveState): boolean =>
  nextRound(run) !== undefined || (turns > 0 && takesTurn(run, waits))

/** Whether the run continues only in a turn: by work or by a sleep. */
const takesTurn = (run: Run, waits: boolean): boolean =>
  runnable(run).length > 0 || (waits && (hasWait(run) || hasOrphans(run)))

const hasWait = ({ pending }: Run): boolean => pending.some(({ type }) => type === 'wait')

const WOKEN = 'the thread has changed'

/** Sleeps until the next event or deadline. `false`: only people can continue the thread. */
async function sleepUntilDue({ ports, journal, halted }: DriveState): Promise<boolean> {
  if (!hasWait(journal.run) && !hasOrphans(journal.run)) return false
  const { clock } = ports
  const wake = new AbortController()
  const ends = [journal.onChange(() => wake.abort(WOKEN)), halted.onCancel(() => wake.abort(WOKEN))]
  await journal.flush()
  const { pending } = journal.run
  const due = Math.min(...pending.flatMap(effect => deadlineOf(effect) ?? [])) - clock.now()
  // Another process drives such a child, and ends it.
  const isLeft = hasOrphans(journal.run) || pending.some(isExpired)
  const ms = Math.max(0, isLeft ? Math.min(due, LOOK_EVERY) : due)
  await clock.sleep(ms, wake.signal).catch(() => {})
  for (const end of ends) end()
  return true
}

/** Runs twice a second, also during a long call. */
async function heartbeat(ports: Ports, journal: Journal, halted: Cancellation): Promise<void> {
  try {
    journal.lease = await renewLease(ports, journal.lease)
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    // A virtual clock has its own schedule, which real time must not move forward.
    if (!ports.clock.virtual) await tickDue(ports, journal)
  } catch (error) {
    // The next heartbeat tries a failing store again, as long as the lease is valid.
    if (isConflict(error) || ports.wall() >= journal.lease.until) halted.cancel(error)
    return
  }
  await journal.flush().catch(error => halted.cancel(error))
}

/** Ticks waiting effects when they are due, while other work continues. Returns a function that ends it. */
function scheduleTicks(ports: Ports, journal: Journal, timers: Timers): () => void {
  let next: number | undefined
  let seen: Run['pending'] | undefined
  let stopTimer = () => {}
  const schedule = () => {
    if (journal.run.pending === seen) return
    seen = journal.run.pending
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
const deadlineOf = (effect: Effect): number | undefined =>
  effect.type === 'invoke' ? undefined : dueAt(effect)

/** Ticks the effects that are due. Commands that arrived in time come first. */
async function tickDue(ports: Ports, journal: Journal): Promise<void> {
  const isDue = (effect: Effect) =>
    (deadlineOf(effect) ?? Number.POSITIVE_INFINITY) <= ports.clock.now()
  if (!journal.run.pending.some(isDue)) return
  await takeInbox(ports, journal)
  for (const { id } of journal.run.pending.filter(isDue))
    journal.take({ type: 'tick', effect: id, epoch: journal.lease.epoch })
}

/** Journals what the other threads of each scope have spent and found, when it has changed. */
async function noteScopes({ store, clock }: Ports, journal: Journal): Promise<void> {
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
