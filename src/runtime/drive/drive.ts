/** Drives threads: takes the lease of a thread and runs it until it ends or waits for a person. */
import { initialRun, isOver, type Run } from '../../core/run/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { DriveInput, ThreadInit } from '../call/context.ts'
import { toJson } from '../call/stored-json.ts'
import { recordingOf } from '../call/recording.ts'
import { checkLink, ForeignChild } from '../child/child-link.ts'
import { ancestorOf } from '../child/reject-child.ts'
import { wakeParent } from '../child/waiting.ts'
import { restoreCircuits } from '../gate/gate.ts'
import { Journal } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { redactKey } from '../redaction/redact.ts'
import { replay } from '../store/replay.ts'
import { checkGraph, findStart, putSource } from '../store/source.ts'
import { checkName, isStoreUnavailable, type Lease, ThreadExists } from '../store/store.ts'
import { withLease } from '../store/lease.ts'
import { UnknownThread } from '../store/store.ts'
import { Cancellation, cancelOnAbort } from '../time/cancellation.ts'
import { monotonicClock } from '../time/timers.ts'
import { driveLoop, recordCleanStop } from './drive-loop.ts'
import { learnsOrders, withLearnedOrders } from './learned-orders.ts'
import { checkInput, InvalidInput, policyAtStart } from './start-terms.ts'
import { hadOutageSince, noteOutage, unrecordedStops } from './store-outages.ts'

export interface DriveOptions extends Pick<DriveInput, 'fresh' | 'waits' | 'turns' | 'known'> {
  /** The start of a thread that does not exist yet; an existing thread continues. */
  readonly start?: Omit<ThreadInit, 'parent' | 'lineage'>
  /** Aborting it cancels the thread, with the signal's reason. */
  readonly signal?: AbortSignal
  /** Aborting it leaves the thread as it is for the next driver; `drive` rejects with the signal's reason. */
  readonly leave?: AbortSignal
  /** Aborting it leaves the thread after the turn in progress; `drive` rejects with the signal's reason. */
  readonly drain?: AbortSignal
}

/**
 * @throws Conflict while another process drives the thread: then nothing has been performed.
 * @throws InvalidInput, UnknownThread, ThreadExists, ReservedName, WrongGraph, Nondeterministic
 * @example const run = await drive(nodePorts({ graph, store }), 'ticket-42', { start: { input: {}, seed: 1 } })
 */
export async function drive(
  ports: Ports,
  thread: string,
  { signal, leave: leaveSignal, drain: drainSignal, ...request }: DriveOptions = {},
): Promise<Run> {
  const [cancel, leave, drain] = [new Cancellation(), new Cancellation(), new Cancellation()]
  const ends = [
    cancelOnAbort(cancel, signal),
    cancelOnAbort(leave, leaveSignal),
    cancelOnAbort(drain, drainSignal),
  ]
  try {
    return await driveThread(ports, thread, { ...request, cancel, leave, drain })
  } finally {
    for (const end of ends) end()
  }
}

/** Leases a thread or a child thread, and drives it. */
async function driveThread(given: Ports, thread: string, request: DriveInput): Promise<Run> {
  try {
    return await withLease(given, thread, async (lease, ports, abandoned) => {
      const opened = await openThread(ports, lease, request)
      return driveLoop({ ...request, ...opened, abandoned, driveChild: driveThread })
    })
  } catch (error) {
    if (isStoreUnavailable(error)) {
      unrecordedStops(given.store).add(thread)
      noteOutage(given.store, given.wall())
    }
    throw error
  }
}

/** Reads what is stored of the thread, and opens its journal. */
async function openThread(given: Ports, lease: Lease, request: DriveInput) {
  const { graph, store, gate, clock } = given
  const { thread } = lease
  const { parent, fresh } = request
  const stored = await findStart(store, thread)
  if (stored && parent) checkLink(stored, parent)
  if (stored) await checkGraph(store, stored, graph)
  const found = await openRun(given, thread, request.known)
  if (!found && !request.start) throw new UnknownThread(thread)
  if (found && fresh) throw parent ? new ForeignChild(thread) : new ThreadExists(thread)
  if (found) await restoreCircuits(gate, graph.machine.id, found)
  // A new child uses the monotonic clock of its parent.
  const ports =
    request.drivenByParent && !found ? given : { ...given, clock: monotonicClock(clock, found?.at) }
  const journal = await openJournal(ports, lease, found, request)
  const recording = await recordingOf(store, thread, journal.run)
  const startedBefore = new Set(found?.pending.map(({ id }) => id))
  const isUnrecorded = unrecordedStops(store).delete(thread)
  if (isUnrecorded || (found && hadOutageSince(store, found.at)))
    await recordCleanStop(ports, journal)
  return { ports, journal, recording, startedBefore }
}

/** The run of a stored thread. A run that the caller knows is used if it is the latest. */
async function openRun({ graph, store }: Ports, thread: string, known: Run | undefined) {
  if (known && (await store.thread(thread))?.seq === known.seq) return known
  return replay(graph.machine, store, thread)
}

/** Opens the journal of a thread; a new thread begins with `thread.started`. All that can be refused is checked before anything is stored. */
async function openJournal(
  ports: Ports,
  lease: Lease,
  found: Run | undefined,
  { start, drivenByParent }: DriveInput,
): Promise<Journal> {
  const onEnd = async (run: Run) => {
    if (!drivenByParent && isOver(run)) await wakeParent(ports.store, run.parent, lease)
  }
  if (found || !start) return new Journal(ports, lease, found as Run, onEnd)
  if (!start.parent) checkName(lease.thread)
  const { seed, message, parent, lineage = [], command, once } = start
  const { value: input = null, fault: unreadable } = toJson(start.input)
  if (unreadable) throw new InvalidInput(`input: ${unreadable}`)
  const { graph, clock } = ports
  const { machine } = graph
  // A parent has checked the input of its child.
  if (!parent) checkInput(machine, input)
  const given = policyAtStart(start, ports)
  const policy = learnsOrders(given, start) ? await withLearnedOrders(given, ports, start) : given
  const source = await putSource(ports.store, graph.source)
  const ancestor = ancestorOf(graph, input)
  const first = {
    type: 'thread.started' as const,
    input: ports.redact(input),
    seed,
    specHash: machine.hash,
    source,
    ...(clock.virtual ? { clock: 'virtual' as const } : {}),
    epoch: lease.epoch,
    policy,
    versions: { ...machine.parts.versions, ...graph.versions },
    ...defined({
      message: message === undefined ? undefined : redactKey(ports.redact, message),
      parent,
      lineage: ancestor && [...lineage, ancestor],
    }),
  }
  const run = initialRun({ ...first, at: clock.now() } as Stamped<typeof first>)
  const journal = new Journal(ports, lease, run, onEnd)
  journal.take(first)
  if (command !== undefined) journal.settle({ command })
  if (once !== undefined) journal.carryOut(once)
  return journal
}
