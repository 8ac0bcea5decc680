/** Our own host: takes the lease of a thread and carries it on until it ends, or waits for a person. */
import { initialRun, type Run } from '../../core/run.ts'
import type { Stamped } from '../../core/watch/event/event.ts'
import type { Json } from '../../core/watch/data/json.ts'
import { recordingOf } from '../call/recording.ts'
import type { DriveTerms, ThreadInit } from '../call/drive-child.ts'
import { ancestorOf } from '../child/lineage.ts'
import { wakeParent } from '../child/wake-parent.ts'
import { restoreCircuits } from '../gate/gate.ts'
import type { Ports } from '../ports.ts'
import { replay } from '../store/replay.ts'
import { putSource } from '../store/source.ts'
import { type Lease, ThreadExists, UnknownThread, LEASE } from '../store/store.ts'
import { Cancellation } from '../time/cancellation.ts'
import { monotonicClock } from '../time/timers.ts'
import { driveLoop } from './drive-loop.ts'
import { type Journal, journalOf } from '../journal/journal.ts'
import { withScopeKeys } from './scopes.ts'

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

/** The owners that drive in this process: one of ours that is not among them is surely gone. */
const DRIVING = new Set<string>()
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
    ports.isOwnerDead(other) || (other.startsWith(`${ports.owner}/`) && !DRIVING.has(other))
  DRIVING.add(owner)
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
    DRIVING.delete(owner)
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
    driveChild: driveWithLease,
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
