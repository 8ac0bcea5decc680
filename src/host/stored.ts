/** A host for every thread of a store: their graphs are loaded from what the store keeps, unless the caller holds them. */
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemClock } from '../adapters/node/clock.ts'
import { isDead, nodePorts } from '../adapters/node/ports.ts'
import type { AgentMachine } from '../core/graph/agent-machine.ts'
import type { Run } from '../core/run.ts'
import { childrenWaitedFor, type OpenQuestion, questionsOf } from '../core/view.ts'
import type { Json } from '../core/watch/data/json.ts'
import { isWrapped } from '../core/wrapped-run.ts'
import { createGate } from '../runtime/gate/gate.ts'
import type { Command } from '../runtime/store/person-event.ts'
import type { Graph, Live } from '../runtime/ports.ts'
import { replay } from '../runtime/store/replay.ts'
import { getSource } from '../runtime/store/source.ts'
import { memoryStore } from '../runtime/store/memory-store.ts'
import { type Store, StoreUnavailable, UnknownThread } from '../runtime/store/store.ts'
import { type ClockTerms, clockOf } from './clock.ts'
import { Graphs } from './graphs.ts'
import { Host, type Settled } from './host.ts'
import { graphOfSource, machineOfSource } from './load.ts'
import { notifiersIn } from './notifiers.ts'

export interface StoredHostOptions extends ClockTerms {
  readonly store: Store
  /** Only threads of these graphs; they are not loaded. */
  readonly graphs?: readonly Graph[]
  /** To be repeated exactly: what other threads met at the gate must not change it. */
  readonly seeded?: boolean
  /** Aborted: the threads that are driven are cancelled. */
  readonly signal?: AbortSignal
  /** Aborted: the threads that are driven are left as they are. */
  readonly leave?: AbortSignal
  /** Takes the messages of the `log` notifier. */
  readonly say?: (line: string) => void
  /** Called with what happens, as it happens; `root` is the thread that was asked for, or its parent. */
  readonly live?: (news: Live, root: string) => void
}

export function storedHost({
  store,
  graphs,
  seeded,
  say,
  kind,
  clock,
  ...options
}: StoredHostOptions): Host {
  const held = graphs && new Graphs(graphs)
  return new Host({
    store,
    ...options,
    ...(held ? { graphs: held.identities } : {}),
    graphOf: async thread =>
      held ? held.of(store, thread) : graphOfSource(await sourceOf(store, thread)),
    portsOf: async (thread, graph) =>
      nodePorts({
        graph,
        store,
        clock: await clockOf(store, thread, { ...(kind && { kind }), ...(clock && { clock }) }),
        notifiers: notifiersIn(graph, say),
        ...(seeded ? { gate: createGate() } : {}),
      }),
  })
}

/** An agent of another framework has recorded the thread: it cannot be carried on here. */
export class WrappedThread extends Error {
  override readonly name = 'WrappedThread'
  readonly code = 'wrapped-thread'
  constructor(thread: string) {
    super(
      `thread '${thread}' was recorded from an agent in another framework; only that agent can carry it on`,
    )
  }
}

/** What became of a command that another process has to apply. */
export interface SubmittedLater {
  readonly graph: string
  /** Who drives the thread now. */
  readonly driver?: string
  /** Absent: nothing yet. */
  readonly settled?: Settled
}

/** Submits a command to a thread whose graph is elsewhere. Waits for what comes of it while another process drives the thread. @throws UnknownThread, InvalidEvent */
export async function submitLater(
  host: Host,
  thread: string,
  command: Command,
  signal: AbortSignal,
): Promise<SubmittedLater> {
  const { store } = host
  const [[first], summary] = await Promise.all([store.rows(thread, -1, 1), store.thread(thread)])
  if (!summary || first?.event.type !== 'thread.started') throw new UnknownThread(thread)
  const at = first.event.clock === 'virtual' ? summary.at : systemClock.now()
  const id = await host.submit(thread, command, at)
  for (;;) {
    const settled = await host.settlement(thread, id)
    if (settled) return { graph: summary.graph, settled }
    const { lease } = (await store.thread(thread)) ?? {}
    const driven = lease && lease.until > systemClock.now() && !isDead(lease.owner)
    if (!driven || signal.aborted)
      return { graph: summary.graph, ...(driven ? { driver: lease.owner } : {}) }
    await host.changes.next(thread, signal).catch(() => {})
  }
}

/** The questions of the children that a thread waits for, and of theirs. */
export async function childQuestions(store: Store, run: Run): Promise<readonly OpenQuestion[]> {
  const asked = await Promise.all(
    childrenWaitedFor(run).map(async ({ thread }) => {
      const child = await replay(await machineOf(store, thread), store, thread)
      if (!child) return []
      return [
        ...questionsOf(child).map(question => ({ thread, ...question })),
        ...(await childQuestions(store, child)),
      ]
    }),
  )
  return asked.flat()
}

/** The machine of a stored thread, for looking at it. @throws UnknownThread, WrappedThread, SpecFaults, BoundElsewhere */
export async function machineOf(store: Store, thread: string): Promise<AgentMachine> {
  return machineOfSource(await sourceOf(store, thread))
}

async function sourceOf(store: Store, thread: string): Promise<Json> {
  const [first] = await store.rows(thread, -1, 1)
  if (first?.event.type !== 'thread.started') throw new UnknownThread(thread)
  if (isWrapped(first.event)) throw new WrappedThread(thread)
  return getSource(store, thread, first.event)
}

/** A SQLite file, created with its folder; `:memory:` keeps nothing. @throws StoreUnavailable */
export async function openStore(file: string): Promise<Store> {
  if (file === ':memory:') return memoryStore()
  await mkdir(dirname(resolve(file)), { recursive: true }).catch(cause => {
    throw new StoreUnavailable(`${file} cannot be opened (${cause.message})`, { cause })
  })
  const { sqliteStore } = await import('../adapters/store/sqlite/sqlite-store.ts')
  return sqliteStore({ file })
}
