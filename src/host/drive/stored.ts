/** A host for all threads of a store. It loads their graphs from the store, unless the caller passes them. */
import { WrappedThread } from '../../runtime/store/wrapped-thread.ts'
import { makeFolder } from '../../adapters/node/make-folder.ts'
import { dirname, resolve } from 'node:path'
import { isDead, systemClock } from '../../adapters/node/ports.ts'
import type { AgentMachine } from '../../core/graph/agent-machine.ts'
import type { Run } from '../../core/run/run.ts'
import { defined } from '../../core/watch/data/json.ts'
import { explain } from '../../core/watch/reason/reason.ts'
import { VERSION } from '../../core/watch/parts.ts'
import { isWrapped } from '../../core/run/wrapped-run.ts'
import { createGate } from '../../runtime/gate/gate.ts'
import type { Graph } from '../../runtime/ports.ts'
import { memoryStore } from '../../runtime/store/memory-store.ts'
import type { Command } from '../../runtime/store/person-event.ts'
import { replay } from '../../runtime/store/replay.ts'
import { getSource, startOf, withLeft } from '../../runtime/store/source.ts'
import { isPostgresUrl, isUrl, withoutPassword } from '../../runtime/store/store-url.ts'
import { StoreUnavailable, UnknownThread } from '../../runtime/store/store.ts'
import type { Store, ThreadSummary } from '../../runtime/store/store.ts'
import { childrenOf } from './children.ts'
import { Host } from './host.ts'
import type { HostParts } from './host-parts.ts'
import type { Settled } from './command.ts'
import { graphOfSource, isSpecAlone, machineOfSource } from './load.ts'
import { notifiersIn } from './notifiers.ts'
import { type ClockOptions, Graphs } from './thread-start.ts'

interface StoredHostOptions
  extends ClockOptions,
    Pick<HostParts, 'store' | 'signal' | 'leave' | 'live' | 'isAttended'> {
  /** Drives only the threads of these graphs. They are not loaded. */
  readonly graphs?: readonly Graph[]
  /** Makes runs repeatable: each thread gets a gate that other threads do not affect. */
  readonly seeded?: boolean
  /** Receives the messages of the `log` notifier. */
  readonly say?: (line: string) => void
  /** The command that prints a thread. */
  readonly show?: (thread: string) => string
}

export function storedHost(options: StoredHostOptions): Host {
  const { graphs: held, seeded, say, show, kind, clock, ...parts } = options
  const { store } = parts
  const graphs = held && new Graphs(store, held)
  return new Host({
    ...parts,
    ...defined({ graphs }),
    graphOf: async thread => graphs?.graphOf(thread) ?? graphOfThread(store, thread),
    clock: defined({ kind, clock }),
    gateOf: () => (seeded ? createGate() : undefined),
    notifiersOf: graph => notifiersIn(graph, say, show),
  })
}

/** Submits a command to a thread whose graph is elsewhere. While another process drives the thread (`driver`), waits for the result. @throws UnknownThread, InvalidEvent */
export async function submitLater(
  host: Host,
  thread: string,
  command: Command,
  signal: AbortSignal,
): Promise<{ readonly graph: string; readonly driver?: string; readonly settled?: Settled }> {
  const { summary, started } = await startOf(host.store, thread)
  const code = 'thread-ended'
  if (await isLate(host.store, summary, command)) {
    const because = explain({ code, params: { reason: summary.detail } })
    return { graph: summary.graph, settled: { applied: false, code, because } }
  }
  const at = started.clock === 'virtual' ? summary.at : systemClock.now()
  const id = await host.submit(thread, command, at)
  const { lease } = (await host.store.thread(thread)) ?? {}
  const isDriven = lease && lease.until > systemClock.now() && !isDead(lease.owner)
  if (!isDriven) return { graph: summary.graph }
  const settled = await host.settled(thread, id, signal).catch(error => {
    if (!signal.aborted) throw error
  })
  return { graph: summary.graph, driver: lease.owner, ...(settled && { settled }) }
}

/** Whether the thread has ended, and nothing is queued that begins its next round: only a message and a policy are for that round. */
async function isLate(store: Store, { thread, status }: ThreadSummary, { type }: Command) {
  if (status !== 'ended' || type === 'message' || type === 'policy.change') return false
  return (await store.inbox(thread)).every(({ event }) => event.type !== 'message')
}

/** The children that a thread waits for, and their children. */
export const childRuns = (store: Store, run: Run) =>
  childrenOf(run, async thread => {
    const child = await replay(await machineOf(store, thread), store, thread)
    if (!child) throw new UnknownThread(thread)
    return { run: child }
  })

/** The machine of a stored thread, to inspect it. @throws UnknownThread, WrappedThread, SpecFaults, BoundElsewhere */
export async function machineOf(store: Store, thread: string): Promise<AgentMachine> {
  const { source, left } = await sourceOf(store, thread)
  return withLeft(store, await machineOfSource(source), left)
}

/** Binds the graph of a stored thread. @throws UnknownThread, WrappedThread, SpecFaults, BoundElsewhere */
export async function graphOfThread(store: Store, thread: string): Promise<Graph> {
  const { source, left } = await sourceOf(store, thread)
  const graph = await graphOfSource(source)
  return { ...graph, machine: await withLeft(store, graph.machine, left) }
}

/** The names of those open threads that no process with the current graphs continues: their graph has changed or is missing. */
export async function unreachableThreads(store: Store, some: readonly ThreadSummary[]) {
  const open = some.filter(({ status }) => status !== 'ended')
  const all = open.length > 0 ? await store.threads() : []
  const newest = new Map(
    all.toSorted((a, b) => a.startedAt - b.startedAt).map(each => [each.graph, each.specHash]),
  )
  const isUnreachable = async ({ thread, graph, specHash }: ThreadSummary) => {
    try {
      const { started } = await startOf(store, thread)
      if (isWrapped(started)) return false
      const source = await getSource(store, thread, started)
      // The store does not hold the code of a graph that a program bound.
      if (isSpecAlone(source)) return newest.get(graph) !== specHash
      const { hash } = await machineOfSource(source)
      return hash !== specHash && started.versions.escapement === VERSION
    } catch {
      return true
    }
  }
  const marks = await Promise.all(open.map(isUnreachable))
  return new Set(open.flatMap(({ thread }, index) => (marks[index] ? thread : [])))
}

async function sourceOf(store: Store, thread: string) {
  const { started, left } = await startOf(store, thread)
  if (isWrapped(started)) throw new WrappedThread(thread)
  return { source: await getSource(store, thread, started), left }
}

/**
 * Opens a Postgres database by its URL, or a SQLite file, which is created with its folder if needed. `:memory:` opens a store in
 * memory. @throws StoreUnavailable, MissingPackage
 */
export async function openStore(file: string): Promise<Store> {
  if (file === ':memory:') return memoryStore()
  if (isPostgresUrl(file)) {
    const { postgresStore } = await import('../../adapters/store/postgres/postgres-store.ts')
    return postgresStore(file)
  }
  if (isUrl(file))
    throw new StoreUnavailable(
      `${withoutPassword(file)}: expected a file, or a URL that begins with postgres://`,
    )
  await makeFolder(dirname(resolve(file))).catch(cause => {
    throw new StoreUnavailable(`${file} cannot be opened (${cause.message})`, { cause })
  })
  const { sqliteStore } = await import('../../adapters/store/sqlite/sqlite-store.ts')
  return sqliteStore({ file })
}
