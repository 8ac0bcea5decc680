/** Turn by turn until a thread has ended, or only people and time can carry it on. */
import { nextRound } from '../../core/rounds.ts'
import { isOver, type Run, runnable, wakeAt } from '../../core/run.ts'
import { ReasonError } from '../../core/watch/reason/reason.ts'
import type { DriveTerms } from '../call/drive-child.ts'
import { cancelOrphans } from '../child/orphans.ts'
import { isOrphan, wakeBlocked } from '../child/wake-parent.ts'
import { takeInbox } from '../people/inbox.ts'
import { type Notices, noticesOf } from '../people/notices.ts'
import type { Ports } from '../ports.ts'
import { Cancellation } from '../time/cancellation.ts'
import { createTimers } from '../time/timers.ts'
import { heartbeat, scheduleTicks, tickDue } from './heartbeat.ts'
import type { Journal } from '../journal/journal.ts'
import type { PerformTerms } from './perform.ts'
import { noteScopes } from './scopes.ts'
import { turn } from './turn.ts'

type LoopTerms = DriveTerms &
  Pick<PerformTerms, 'thread' | 'performed' | 'recording' | 'driveChild'>

/** What a drive works with until it ends. */
interface Loop extends Omit<PerformTerms, 'lost'> {
  readonly ports: Ports
  readonly journal: Journal
  /** Cancelled when the thread is to be left, or is driven by another process. */
  readonly lost: Cancellation
  readonly notices: Notices
  /** Whether its time is waited for here. */
  readonly waits: boolean
  /** Looks after deadlines and commands between two pieces of work. */
  readonly between: () => Promise<void>
}

export async function driveLoop(
  ports: Ports,
  journal: Journal,
  { stop, lost: given, attended, waits = true, ...terms }: LoopTerms,
): Promise<Run> {
  const lost = new Cancellation()
  const timers = attended ? attended.timers.branch() : createTimers(ports.clock)
  const notices = noticesOf(ports, journal, timers)
  const between = betweenWork(ports, journal, lost)
  const loop = {
    ...terms,
    ports,
    journal,
    lost,
    timers,
    notices,
    waits,
    between,
    families: new Map(),
  }
  const ends = [
    ports.heartbeat(() => void heartbeat(ports, journal, lost)),
    scheduleTicks(ports, journal, timers),
    notices.stop,
    timers.stop,
  ]
  const end = () => {
    for (const stop of ends.splice(0)) stop()
  }
  lost.onCancel(end)
  ends.push(
    stop.onCancel(reason => cancelThread(journal, reason)),
    given.onCancel(reason => lost.cancel(reason)),
  )
  try {
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    if (!attended && (await isOrphan(ports, journal.run)))
      cancelThread(journal, new ReasonError('AbortError', { code: 'parent-ended' }))
    await tickDue(ports, journal)
    do {
      await work(loop)
      await cancelOrphans(ports, journal, loop)
      await journal.flush()
      // A command may have been taken while the last rows were being stored.
    } while (!lost.cancelled && hasWork(journal.run, waits))
    if (!isOver(journal.run)) lost.throwIfCancelled()
    return journal.run
  } finally {
    end()
  }
}

/** Turns, waits and children, as long as any of them moves the thread. */
async function work(loop: Loop): Promise<void> {
  const { ports, journal, lost, waits, notices, between } = loop
  while (!lost.cancelled && startNextRound(journal)) {
    // What a child holds that was left is needed by what follows.
    await cancelOrphans(ports, journal, loop)
    if (runnable(journal.run).length > 0) await turn(ports, journal, loop)
    else if (
      !(waits && (await sleepUntilDue(ports, journal, lost))) &&
      !(await wakeBlocked(ports, journal)) &&
      !(await notices.sent())
    )
      return
    if (lost.cancelled) return
    await between()
  }
}

function cancelThread(journal: Journal, reason: unknown): void {
  if (isOver(journal.run)) return
  journal.take({ type: 'cancel', reason: cancelReason(reason), epoch: journal.lease.epoch })
}

/** The code of a cancellation of the runtime itself, else the text of the caller. */
function cancelReason(error: unknown): string {
  if (error instanceof ReasonError) return error.reason.code
  return String((error as Error | undefined)?.message ?? 'cancelled')
}

/** How long a drive works without a look at its inbox, in ms. */
const INBOX_EVERY = 100

/** Deadlines after every piece of work; commands now and then. Quick nodes would otherwise keep the process from its timers and signals. */
function betweenWork(ports: Ports, journal: Journal, lost: Cancellation): () => Promise<void> {
  let looked = ports.wall()
  return async () => {
    await tickDue(ports, journal)
    if (ports.wall() - looked < INBOX_EVERY) return
    await ports.clock.sleep(0)
    await heartbeat(ports, journal, lost)
    looked = ports.wall()
  }
}

/** Begins the next round where a message waits for it. `false`: there is none, and the last has ended. */
function startNextRound(journal: Journal): boolean {
  const next = nextRound(journal.run)
  if (next) journal.take({ ...next, epoch: journal.lease.epoch })
  return !journal.run.ended
}

function hasWork(run: Run, waits: boolean): boolean {
  return (
    nextRound(run) !== undefined ||
    runnable(run).length > 0 ||
    (waits && run.pending.some(({ type }) => type === 'wait'))
  )
}

/** Waits for something to happen to a `wait` effect. `false`: only people can carry the thread on. */
async function sleepUntilDue(
  { clock }: Ports,
  journal: Journal,
  lost: Cancellation,
): Promise<boolean> {
  if (!journal.run.pending.some(({ type }) => type === 'wait')) return false
  const woken = new AbortController()
  const wake = () => woken.abort()
  const ends = [journal.onChange(wake), lost.onCancel(wake)]
  await journal.flush()
  await clock
    .sleep(Math.max(0, (wakeAt(journal.run) ?? 0) - clock.now()), woken.signal)
    .catch(() => {})
  for (const stop of ends) stop()
  return true
}
