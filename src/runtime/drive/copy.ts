/** Threads created from existing rows: forks, whose journal begins with a copy of another one's, and imports from an archive. */
import { callsInDoubt } from '../../core/run/effects.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import { isOver, type Row, type Run } from '../../core/run/run.ts'
import { advanceRow } from '../journal/advance-row.ts'
import { standingOf } from '../journal/journal.ts'
import type { Ports } from '../ports.ts'
import { packer } from '../store/checkpoint.ts'
import { asOwner, type LeasePorts, takeLease } from '../store/lease.ts'
import { ThreadExists, UnknownThread, checkName } from '../store/store.ts'
import type { Batch, Lease, Store } from '../store/store.ts'
import { parentIn } from '../../core/watch/data/thread-name.ts'
import { defined, digest, type Json } from '../../core/watch/data/json.ts'
import { type Archive, BadArchive } from '../store/archive.ts'
import { isRefusal } from '../../core/watch/failure/doubt.ts'
import { type CallRecord, callRecords } from '../call/call-record.ts'
import { isStartedBy } from '../child/child-link.ts'
import { childrenWriting } from '../child/foreign-child.ts'
import { replay } from '../store/replay.ts'
import { nameOfValue } from '../store/value-name.ts'
import { firstFaults } from '../../core/watch/data/fault.ts'
import { FORK_EFFECTS, type ForkEffects } from '../../core/watch/event/event.ts'
import {
  checkChannels,
  eventsOf,
  type ForkTerms,
  InvalidFork,
  restartedWith,
} from './fork-terms.ts'
import { ArchiveFolder, type FoldPorts } from './archive-folder.ts'
import { applyPolicyChange } from '../people/inbox.ts'
import { redactChange } from '../redaction/redact.ts'

type CreatePorts = LeasePorts & Pick<Ports, 'notifiers'>

interface NewThread {
  readonly thread: string
  readonly machine: AgentMachine
  /** The rows of the thread, and the run they fold to. */
  readonly create: (lease: Lease) => { readonly rows: readonly Row[]; readonly run: Run }
}

/** What is stored with the first of several threads. */
type Beside = Pick<Batch, 'blobs' | 'once' | 'copiedFrom'>

/** Stores whole threads in one transaction, all or none, and returns their runs. @throws ThreadExists, Conflict, ThreadPruned, UnknownThread */
const createFromRows = (outer: CreatePorts, threads: readonly NewThread[], beside: Beside) =>
  asOwner(outer, ports => createLeased(ports, threads, beside))

async function createLeased(ports: CreatePorts, threads: readonly NewThread[], beside: Beside) {
  const { store } = ports
  const leases: Lease[] = []
  try {
    for (const { thread } of threads) {
      await checkNew(store, thread)
      leases.push(await takeLease(ports, thread))
      await checkNew(store, thread)
    }
    const created = threads.map(({ machine, create }, index) => {
      const lease = leases[index] as Lease
      const { rows, run } = create(lease)
      const checkpoint = { seq: run.seq, ...packer(machine.logs)(run) }
      const standing = standingOf({ ...ports, graph: { machine } }, run)
      return {
        run,
        batch: { lease, rows, ...standing, checkpoint, ...(index === 0 && beside) },
      }
    })
    await store.append(...created.map(({ batch }) => batch))
    return created.map(({ run }) => run)
  } finally {
    await Promise.allSettled(leases.map(lease => store.release(lease)))
  }
}

async function checkNew(store: Store, thread: string): Promise<void> {
  if (await store.thread(thread)) throw new ThreadExists(thread)
}

type ImportPorts = CreatePorts & FoldPorts

/**
 * Stores the threads of an archive in one transaction, and returns the main thread. `as` renames it and its child threads.
 * @throws BadArchive, ThreadExists, ReservedName; then nothing has been stored
 */
export async function importThreads(
  ports: ImportPorts,
  { threads, kept }: Archive,
  as = threads[0]?.thread ?? '',
): Promise<{ readonly thread: string; readonly run: Run }> {
  const root = threads[0]?.thread ?? ''
  checkName(as)
  const ready = []
  const folder = new ArchiveFolder(ports, kept)
  checkFamily(threads)
  for (const each of threads) {
    const thread = `${as}${each.thread.slice(root.length)}`
    ready.push({ thread, rows: each.rows, ...(await folder.fold(each)) })
  }
  for (const { thread, rows, run } of ready) {
    if (await ports.store.thread(thread)) throw new ThreadExists(thread)
    const open = as === root ? undefined : unfinishedWork(rows, run)
    if (open !== undefined)
      throw new BadArchive(
        `cannot be renamed: ${open} is unfinished and tied to the name of its thread; import it as '${root}'`,
      )
    checkParent(thread, run)
  }
  const blobs = new Map<string, Json>(folder.graphs)
  for (const { thread, rows } of ready)
    for (const row of rows)
      if (row.event.type === 'resume' && row.event.by !== undefined)
        blobs.set(importMark(thread, row), true)
  ports.signal?.throwIfAborted()
  const newThreads = ready.map(({ rows, run, ...of }) => ({ ...of, create: () => ({ rows, run }) }))
  await createFromRows(ports, newThreads.toReversed(), { blobs })
  return ready[0] as (typeof ready)[0]
}

/** A child thread whose call the thread above it makes later would answer that call. @throws BadArchive */
function checkFamily(threads: Archive['threads']): void {
  const rowsOf = new Map(threads.map(({ thread, rows }) => [thread, rows]))
  for (const { thread, rows } of threads.slice(1)) {
    const above = parentIn(thread) ?? ''
    const [first] = rows
    const isStarted =
      first?.event.type === 'thread.started' &&
      isStartedBy(rowsOf.get(above) ?? [], thread, first.event)
    if (!isStarted)
      throw new BadArchive(
        `the journal of thread '${above}' does not start the thread '${thread}' as its child; export '${threads[0]?.thread}' again with its child threads`,
      )
  }
}

/**
 * A thread that has not ended works for its parent: it wakes the parent, and is cancelled when the parent ends. Under another name, the
 * parent could be any thread of this store. A thread that has ended only names it.
 * @throws BadArchive
 */
function checkParent(thread: string, run: Run): void {
  const parent = run.parent?.thread
  if (parent === undefined || isOver(run) || parentIn(thread) === parent) return
  throw new BadArchive(
    `thread '${thread}' has not ended and belongs to thread '${parent}', which is not the thread above it in the archive; export '${parent}' with its child threads`,
  )
}

/**
 * The name of the blob that marks an answer as imported: the author of the archive chose its `by`.
 *
 * *Rejected:* a mark in the row. An export would differ from the archive.
 */
export const importMark = (thread: string, { seq, event }: Pick<Row, 'seq' | 'event'>): string =>
  nameOfValue('imported', [thread, seq, event.at])

/** The first unfinished work that is tied to the name of the thread: a child thread, or a write with an unknown outcome. */
function unfinishedWork(rows: readonly Row[], run: Run): string | undefined {
  const { pending, watch, doubtful = [] } = run
  const [child] = Object.keys(watch.account.reserved)
  if (child !== undefined) return `the child thread started by ${child}`
  const [asked] = callsInDoubt(pending)
  if (asked !== undefined) return `a call of ${asked.tool}`
  // The next identical call has its key, which begins with the name of the thread.
  const [repeated] = doubtful
  if (repeated !== undefined) return `a call of ${repeated.tool}`
  const undoing = doubtfulCompensation(rows)
  if (undoing !== undefined) return `the compensation of a call by ${undoing}`
  const calls = pending.flatMap(({ id }) => [...callRecords(rows, id).calls])
  const isUnclear = ({ state, doubt }: CallRecord) =>
    state.kind === 'open' || (state.kind === 'failed' && doubt)
  const open = new Set(calls.flatMap(([call, record]) => (isUnclear(record) ? call : [])))
  for (const { event } of rows)
    if (event.type === 'tool.called' && event.effects === 'write' && open.has(event.call))
      return `a call of ${event.subject}`
  return undefined
}

/** The tool of a compensation that may have taken effect. The next rollback repeats it with its key, which begins with the name of the thread. */
function doubtfulCompensation(rows: readonly Row[]): string | undefined {
  const open = new Map<string, string>()
  for (const { event } of rows) {
    if (!('compensates' in event) || event.compensates === undefined) continue
    const isEnd = event.type === 'tool.failed' && event.final
    if (isEnd && (event.failure.unproven || !isRefusal(event.failure)))
      open.set(event.compensates, event.subject)
    else if (event.type === 'tool.done' || (event.type === 'call.late' && event.ok))
      open.delete(event.compensates)
  }
  return [...open.values()][0]
}

/** The parent of a fork, the event it begins after, and its permitted effects. */
export interface ForkRequest extends ForkTerms {
  /** The parent. */
  readonly thread: string
  /** The event after which the fork begins; default: the parent's last. */
  readonly at?: number
  /** The name of the fork. */
  readonly as: string
  readonly effects: ForkEffects
  /** Policy changes in the notation of a spec, in force from the fork's first step. */
  readonly change?: Json
  /** The name of the request that creates the fork. @throws ThreadPruned if the store knows it */
  readonly once?: string
}

/**
 * Creates the fork without performing anything; drive it like any thread. The parent is only read and may be running.
 * @throws UnknownThread, ThreadExists, ReservedName, InvalidFork, InvalidInput, InvalidEvent
 * @example await fork(ports, { thread: 'ticket-42', at: 12, as: 'ticket-42-tried', effects: 'recorded', change: { retry: { attempts: 1 } } })
 */
export async function fork(ports: Ports, options: ForkRequest): Promise<Run> {
  const { thread, at, as, effects, once } = options
  const { store, graph, redact } = ports
  const change = options.change === undefined ? undefined : redactChange(redact, options.change)
  const names = FORK_EFFECTS.join(', ')
  if (!FORK_EFFECTS.includes(effects))
    throw new InvalidFork(`effects: expected one of ${names}, not '${String(effects)}'`)
  if (as.trim() === '') throw new InvalidFork('the fork needs a name')
  if (at !== undefined && !(Number.isInteger(at) && at >= 0))
    throw new InvalidFork(`at: expected the number of an event, not ${at}`)
  checkName(as)
  const parent = await replay(graph.machine, store, thread, at)
  if (!parent) throw new UnknownThread(thread)
  if (await store.thread(as)) throw new ThreadExists(as)
  if (at !== undefined && parent.seq !== at)
    throw new InvalidFork(
      `event ${at} does not exist in thread '${thread}'; its last event is ${parent.seq}`,
    )
  checkChannels(ports, parent, options)
  const changed = change === undefined ? [] : [policyChange(ports, parent, change)]
  const next = [...changed, ...eventsOf(ports, parent, options)]
  const copied = await copiedRows(ports, parent, options)
  const isLive = effects === 'live'
  const unresolved = isLive ? await childrenWriting(ports, thread, parent) : undefined
  const create: NewThread['create'] = ({ epoch }) => {
    let { run } = copied
    const channels = redact(options.channels)
    const of = {
      parent: { thread, seq: parent.seq },
      effects,
      ...defined({ channels, unresolved, replaced: copied.replaced }),
    }
    const rows = [{ type: 'forked', ...of } as const, ...next].map(event => {
      const [after, row] = advanceRow(ports, run, { ...redact(event), epoch })
      run = after
      return row
    })
    return { rows: [...copied.rows, ...rows], run }
  }
  const made = { thread: as, machine: graph.machine, create }
  const [run] = await createFromRows(ports, [made], { copiedFrom: thread, ...defined({ once }) })
  return run as Run
}

/** The rows that a fork begins with, and the run after them. @throws UnknownThread, InvalidFork, InvalidInput */
async function copiedRows(ports: Ports, parent: Run, { thread, input }: ForkRequest) {
  const rows = await ports.store.rows(thread, -1, parent.seq + 1)
  // It was removed since its run was read.
  if (rows.at(-1)?.seq !== parent.seq) throw new UnknownThread(thread)
  if (input === undefined) return { rows, run: parent, replaced: undefined }
  const last = rows.at(-1)
  return { ...restartedWith(ports, last, input), replaced: digest(last) }
}

function policyChange({ graph }: Ports, parent: Run, change: Json) {
  const { policy, faults } = applyPolicyChange(graph, parent.policy, change)
  if (policy) return { type: 'policy.changed' as const, policy, change }
  throw new InvalidFork(firstFaults(faults).join('; '))
}
