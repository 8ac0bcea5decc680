/** Our own host: takes the lease of a thread and carries it on until it ends, or waits for a person. */
import { ReasonError } from '../../core/watch/catalog.ts'
import { dueAt, type Effect } from '../../core/effects.ts'
import { nextRound } from '../../core/rounds.ts'
import { isOver, type Run, runnable, initialRun, wakeAt } from '../../core/run.ts'
import type { Stamped } from '../../core/watch/event.ts'
import type { Json } from '../../core/watch/json.ts'
import { type Timers, createTimers } from '../time/timers.ts'
import type { ThreadInit, DriveTerms } from '../child/drive-child.ts'
import { restoreCircuits } from '../gate/restore-circuits.ts'
import { takeInbox } from '../people/inbox.ts'
import { type Journal, journalOf } from './journal.ts'
import { Cancellation } from '../time/cancellation.ts'
import { ancestorOf } from '../child/lineage.ts'
import { noticesOf } from '../people/notices.ts'
import type { PerformTerms } from './perform.ts'
import type { Ports } from '../ports.ts'
import { replay } from '../store/replay.ts'
import { withScopeKeys, noteScopes } from './scopes.ts'
import { putSource } from '../store/source.ts'
import { monotonicClock } from '../time/monotonic.ts'
import { isConflict, type Lease, ThreadExists, UnknownThread } from '../store/store.ts'
import { cancelOrphans } from '../child/orphans.ts'
import { recordingOf } from '../call/recording.ts'
import { turn } from './turn.ts'
import { wakeBlocked, isOrphan, wakeParent } from '../child/wake-parent.ts'

/** What a thread begins with that nobody but a person, or a scheduler, has started. */
export type ThreadStart = Omit<ThreadInit, 'parent' | 'lineage'>

export interface DriveOptions {
  /** What a thread that does not exist yet begins with; one that exists goes on. */
  readonly start?: ThreadStart
  /** The thread must be new. */
  readonly fresh?: boolean
  /** `false`: a thread that only waits for its time is left until that is due; default: its time is waited for here. */
  readonly waits?: boolean
  /** Aborted: the thread is cancelled, with the signal's reason. */
  readonly signal?: AbortSignal
  /** Aborted: the thread is left as it is, for whoever drives it next; `drive` rejects with the signal's reason. */
  readonly leave?: AbortSignal
}

/** How long a lease lasts without being renewed, in ms. It is renewed at a third of that. */
export const LEASE = 15_000

/** How long a drive goes on without listening to the world, in ms. */
const INBOX_EVERY = 100

/** The owners that drive in this process: one of ours that is not among them is surely gone. */
const RENEW_EVERY = new Set<string>()
let drives = 0

/**
 * @throws Conflict while somebody else drives the thread: nothing has been performed then.
 * @throws InvalidInput, UnknownThread, ThreadExists, Nondeterministic
 * @example const run = await drive(nodePorts({ graph, store }), 'ticket-42', { start: { input: {}, seed: 1 } })
 */
export async function drive(
  ports: Ports,
  thread: string,
  { signal, leave, ...terms }: DriveOptions = {},
): Promise<Run> {
  const [stop, lost] = [new Cancellation(), new Cancellation()]
  const ends = [onAbort(signal, stop), onAbort(leave, lost)]
  try {
    return await driveWithLease(ports, thread, { ...terms, stop, lost })
  } finally {
    for (const end of ends) end()
  }
}

/** Leaves when a signal is aborted, at once if it has been; returns what ends that. */
function onAbort(signal: AbortSignal | undefined, cancellation: Cancellation): () => void {
  const heard = () => cancellation.cancel(signal?.reason)
  if (signal?.aborted) heard()
  signal?.addEventListener('abort', heard, { once: true })
  return () => signal?.removeEventListener('abort', heard)
}

async function driveWithLease(ports: Ports, thread: string, carrying: DriveTerms): Promise<Run> {
  const { store, wall } = ports
  const owner = `${ports.owner}/${++drives}`
  const isOwnerDead = (other: string) =>
    ports.isOwnerDead(other) || (other.startsWith(`${ports.owner}/`) && !RENEW_EVERY.has(other))
  RENEW_EVERY.add(owner)
  try {
    const now = wall()
    const lease = await store.lease(thread, { owner, now, until: now + LEASE, isOwnerDead })
    try {
      return await driveLeased(ports, lease, carrying)
    } finally {
      // One that cannot be given back ends by itself.
      await store.release(lease).catch(() => {})
    }
  } finally {
    RENEW_EVERY.delete(owner)
  }
}

async function driveLeased(ports: Ports, lease: Lease, carrying: DriveTerms): Promise<Run> {
  const { thread } = lease
  const found = await replay(ports.graph.machine, ports.store, thread)
  if (!found && !carrying.start) throw new UnknownThread(thread)
  if (found && carrying.fresh) throw new ThreadExists(thread)
  if (found) await restoreCircuits(ports.gate, ports.graph.machine.id, found)
  // A child that begins has the steady clock of its parent.
  const steady =
    carrying.attended && !found
      ? ports
      : { ...ports, clock: monotonicClock(ports.clock, found?.at) }
  const journal = await openThread(steady, lease, found, carrying)
  const recording = await recordingOf(ports.store, journal.run)
  return driveLoop(steady, journal, {
    ...carrying,
    thread,
    recording,
    performed: new Set(found?.pending.map(({ id }) => id)),
  })
}

/** The input does not fit the channels of the graph. The message names each path and what was expected. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
  readonly code = 'invalid-input'
}

/** Whether an error is an `InvalidInput`. */
export function isInvalidInput(error: unknown): error is InvalidInput {
  return error instanceof InvalidInput
}

function checkInput({ graph }: Ports, input: Json): void {
  const faults = graph.machine.checkInput(input)
  if (faults.length > 0)
    throw new InvalidInput(faults.map(({ path, message }) => `${path} ${message}`).join('; '))
}

async function openThread(
  ports: Ports,
  lease: Lease,
  found: Run | undefined,
  { start, attended }: DriveTerms,
): Promise<Journal> {
  const ending = attended ? undefined : (run: Run) => wakeParent(ports, run, lease)
  if (found || !start) return journalOf(ports, lease, found as Run, ending)
  // Its parent has looked at it before.
  if (!start.parent) checkInput(ports, start.input)
  const { machine, source } = ports.graph
  const kept = await putSource(ports.store, source)
  const self = ancestorOf(ports.graph, start.input)
  const first = {
    type: 'thread.started' as const,
    input: ports.redact(start.input),
    seed: start.seed,
    specHash: machine.hash,
    source: kept,
    ...(ports.clock.virtual ? { clock: 'virtual' as const } : {}),
    epoch: lease.epoch,
    policy: withScopeKeys(machine.policy, start.keys),
    versions: { ...machine.parts.versions, ...ports.graph.versions },
    ...(start.parent ? { parent: start.parent } : {}),
    ...(self ? { lineage: [...(start.lineage ?? []), self] } : {}),
  }
  const journal = journalOf(
    ports,
    lease,
    initialRun({ ...first, at: ports.clock.now() } as Stamped<typeof first>),
    ending,
  )
  journal.take(first)
  return journal
}

type LoopTerms = DriveTerms & Pick<PerformTerms, 'thread' | 'performed' | 'recording'>

async function driveLoop(
  ports: Ports,
  journal: Journal,
  { stop, lost: given, attended, waits = true, ...terms }: LoopTerms,
): Promise<Run> {
  const lost = new Cancellation()
  const timers = attended ? attended.timers.branch() : createTimers(ports.clock)
  const cancel = (reason: unknown) => {
    if (!isOver(journal.run))
      journal.take({
        type: 'cancel',
        reason: cancelReason(reason),
        epoch: journal.lease.epoch,
      })
  }
  const families: PerformTerms['families'] = new Map()
  const notices = noticesOf(ports, journal, timers)
  const rest = [
    ports.heartbeat(() => void heartbeat(ports, journal, lost)),
    scheduleTicks(ports, journal, timers),
    notices.stop,
    timers.stop,
  ]
  let heard = ports.wall()
  /** Now and then between turns: quick nodes would otherwise keep the process from its timers and signals. */
  const listen = async () => {
    if (ports.wall() - heard < INBOX_EVERY) return
    await ports.clock.sleep(0)
    await heartbeat(ports, journal, lost)
    heard = ports.wall()
  }
  const end = () => {
    for (const stop of rest.splice(0)) stop()
  }
  const between = async () => {
    await tickDue(ports, journal)
    await listen()
  }
  const carriedOn = async () => {
    while (!lost.cancelled && startNextRound(journal)) {
      // What a child holds that was left is needed by what follows.
      await cancelOrphans(ports, journal, { driveChild: driveWithLease, lost, timers })
      if (runnable(journal.run).length > 0)
        await turn(ports, journal, {
          ...terms,
          lost,
          timers,
          driveChild: driveWithLease,
          families,
          between,
        })
      else if (
        !(waits && (await sleepUntilDue(ports, journal, lost))) &&
        !(await wakeBlocked(ports, journal)) &&
        !(await notices.sent())
      )
        return
      if (lost.cancelled) return
      await tickDue(ports, journal)
      await listen()
    }
  }
  lost.onCancel(end)
  rest.push(
    stop.onCancel(cancel),
    given.onCancel(reason => lost.cancel(reason)),
  )
  try {
    await noteScopes(ports, journal)
    await takeInbox(ports, journal)
    if (!attended && (await isOrphan(ports, journal.run)))
      cancel(new ReasonError('AbortError', { code: 'parent-ended' }))
    await tickDue(ports, journal)
    do {
      await carriedOn()
      await cancelOrphans(ports, journal, { driveChild: driveWithLease, lost, timers })
      await journal.flush()
      // Somebody may have spoken while the last rows were being stored.
    } while (!lost.cancelled && hasWork(journal.run, waits))
    if (!isOver(journal.run)) lost.throwIfCancelled()
    return journal.run
  } finally {
    end()
  }
}

/** Twice a second while a thread is driven: the lease is kept, and commands are heard even during a long call. */
async function heartbeat(ports: Ports, journal: Journal, lost: Cancellation): Promise<void> {
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
function scheduleTicks(ports: Ports, journal: Journal, timers: Timers): () => void {
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
async function tickDue(ports: Ports, journal: Journal): Promise<void> {
  const due = () =>
    journal.run.pending.filter(
      effect => (deadlineOf(effect) ?? Number.POSITIVE_INFINITY) <= ports.clock.now(),
    )
  if (due().length === 0) return
  await takeInbox(ports, journal)
  for (const { id } of due()) journal.take({ type: 'tick', effect: id, epoch: journal.lease.epoch })
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

/** The code of a cancellation of the runtime itself, else the text of the caller. */
function cancelReason(error: unknown): string {
  if (error instanceof ReasonError) return error.reason.code
  return String((error as Error | undefined)?.message ?? 'cancelled')
}
