/** The runtime: the threads of a program's graphs, on one store. */
import { nodePorts, readSecrets, systemClock } from '../adapters/node/ports.ts'
import type { Spec } from '../core/graph/spec/spec.ts'
import { checkOptionNames } from '../core/watch/data/fault.ts'
import { type Json, defined } from '../core/watch/data/json.ts'
import { createGate, type Gate } from '../runtime/gate/gate.ts'
import type { ChannelsOf, Clock, Graph, InputOf, Live } from '../runtime/ports.ts'
import type { Notifier } from '../runtime/notifier.ts'
import type { OutputOf } from '../runtime/ports.ts'
import type { Store } from '../runtime/store/store.ts'
import type { Observed } from './drive/changes.ts'
import type { CommandOptions, Settled } from './drive/command.ts'
import { startFamily } from './drive/drive-family.ts'
import { boundGraphs, type GivenGraphs, isGraph, noGraph } from './definition/graphs-given.ts'
import { Host } from './drive/host.ts'
import type { CloseOptions } from './drive/host-closed.ts'
import type { PortsOf } from './drive/host-parts.ts'
import { listingOf, type ThreadListing } from './thread/listing.ts'
import { notifiersIn } from './drive/notifiers.ts'
import { type PruneOptions, pruneThreads } from './prune.ts'
import { type Overview, overviewOf } from './overview.ts'
import { eventOf, type ThreadEvent, type ThreadHandle, threadHandle } from './thread/thread.ts'
import { identityOf, WrongGraph } from '../runtime/store/source.ts'
import { type FirstCommand, sendOrStart, startThread } from './thread/start-thread.ts'
import { checkMade, identifiedBy, joined } from './drive/once.ts'
import { Graphs } from './drive/thread-start.ts'
import { work, type WorkOptions } from './drive/worker.ts'
import { settleClosed } from './thread/settle-closed.ts'
import { withYields } from './drive/yielding.ts'
import { newName } from './thread/new-name.ts'

/** The options of `createRuntime`. */
export interface RuntimeOptions<Held extends Graph | Spec = Graph | Spec>
  extends GivenGraphs<Held> {
  readonly store: Store
  /** Default: one gate for all runtimes of this process on this store. */
  readonly gate?: Gate
  /** Default: the system clock. */
  readonly clock?: Clock
  /**
   * How long after the last renewal a thread counts as abandoned, in ms: another machine then continues it. Drivers renew after a third.
   * At least 1,500. Default: 6,000.
   */
  readonly leaseTime?: number
  /** Notify people of open questions, in addition to the notifiers in `notify` of the specs. */
  readonly notifiers?: readonly Notifier[]
  /** Called for each event of the threads that this process drives. */
  readonly onEvent?: (event: ThreadEvent) => void
}

/** The options of `start`. */
export interface StartOptions {
  /** The name of the thread. Default: a generated name. */
  readonly thread?: string
  /** Resumes an existing thread of that name and ignores the input. Default: rejects with `ThreadExists`. */
  readonly resume?: boolean
  /** The keys of the graph's scopes, by scope name. */
  readonly keys?: Readonly<Record<string, string>>
  /** A change of the graph's policy for this thread, in the notation of a spec: `{ limits: { steps: 40 } }`. See `changePolicy`. */
  readonly policy?: Readonly<Record<string, Json>>
  /** The id of the chat message that starts the thread. */
  readonly message?: string
  /** The random seed. Default: a random one. In this runtime, a thread with a seed does not share breakers. */
  readonly seed?: number
  /** Cancels the thread while this process drives it. */
  readonly signal?: AbortSignal
  /** `false`: only stores the thread, for a worker to drive. Default: this process drives it. */
  readonly drive?: boolean
  /** A name for the request that is its own in the whole store. It starts no second thread, also after its thread is pruned. @throws ThreadPruned */
  readonly once?: string
}

/** The options of `send` of a handle with its graph. */
export interface SendOptions extends CommandOptions {
  /** The keys of the graph's scopes, as `start` takes them, for a thread that the message starts. A thread that exists keeps its own. */
  readonly keys?: StartOptions['keys']
}

type HandleOf<G extends Graph> = ThreadHandle<OutputOf<G>, ChannelsOf<G>>

/** A handle with its graph: `send` starts a missing thread. */
type StartingHandle<G extends Graph> = HandleOf<G> & {
  send(input: Json, options?: SendOptions): Promise<Settled>
}

/** Starts threads, returns their handles, and drives them. */
export interface Runtime extends Overview {
  /**
   * Starts a thread. Resolves once its first event is stored. This process then drives it, unless `drive` is `false`.
   * @throws InvalidInput, ThreadExists, ReservedName, WrongGraph, WrongClock; nothing is stored then
   */
  start<G extends Graph>(graph: G, input: InputOf<G>, options?: StartOptions): Promise<HandleOf<G>>
  /** The handle of a thread, stored or not. `graph` sets the types of its output and channels, and `send` starts a missing thread with it. */
  thread<G extends Graph>(id: string, graph: G): StartingHandle<G>
  thread<G extends Graph>(id: string, graph?: G): HandleOf<G>
  /** Drives due threads: deadlines, waits, threads of dead processes, commands of other processes. Ends with the signal. */
  work(options?: WorkOptions): Promise<void>
  /**
   * Calls the observer with the rows and tokens of all threads that this process drives and of their children, and with the threads
   * that `work` finds stuck. Returns a function that ends it.
   */
  observe(observer: (update: Observed) => void): () => void
  /** Open threads of other versions of these graphs, for example of the version before a deploy. `work` does not drive them; `cancel` ends them. */
  unreachable(): Promise<readonly ThreadListing[]>
  /**
   * Deletes the threads that ended and had no event for `keep` ms, with their child threads. A thread stays as long as a fork of it
   * does. Returns their names. `preview` only returns them.
   */
  prune(options: PruneOptions): Promise<readonly string[]>
  /** Leaves the driven threads, which can be resumed, and waits until they are left. The store stays open. */
  close(options?: CloseOptions): Promise<void>
}

/**
 * Creates a runtime.
 * @throws CannotBind for a spec whose models or tools are missing, TypeError without a store
 * @example
 * const runtime = createRuntime({ store: sqliteStore({ file: 'threads.db' }), graphs: [shop] })
 * const thread = await runtime.start(shop, { goal: 'How many clocks are left?' }, { thread: 'ticket-44' })
 * const { outcome, output } = await thread.result()
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  return runtimeOn(options, nodePorts)
}

/** As `createRuntime`, with custom ports. */
export function runtimeOn(options: RuntimeOptions, makePorts: PortsOf): Runtime {
  const { host, runtime } = open(options, makePorts)
  HOSTS.set(runtime, host)
  return runtime
}

/** A new option is missing here until it is added: the type says so. */
const OPTIONS: Readonly<Record<keyof RuntimeOptions, true>> = {
  ...{ graphs: true, models: true, tools: true, workspace: true },
  ...{ store: true, gate: true, clock: true, leaseTime: true, notifiers: true, onEvent: true },
}
const START_OPTIONS: Readonly<Record<keyof (StartOptions & FirstCommand), true>> = {
  ...{ thread: true, resume: true, keys: true, policy: true, message: true, seed: true },
  ...{ signal: true, drive: true, once: true, command: true },
}

/** Heartbeats renew leases twice a second. */
const LEASE_MIN = 1_500

const HOSTS = new WeakMap<Runtime, Host>()

/** The host of a runtime, for what this package builds on a runtime beside its public methods. */
export function hostOf(runtime: Runtime): Host {
  const host = HOSTS.get(runtime)
  if (!host) throw new TypeError('runtime: expected a runtime, as createRuntime returns it')
  return host
}

function open(options: RuntimeOptions, makePorts: PortsOf) {
  checkOptionNames(options, Object.keys(OPTIONS))
  const { store, clock = systemClock, onEvent, gate, notifiers = [], leaseTime } = options
  if (typeof store?.rows !== 'function')
    throw new TypeError(
      "store: expected a store, such as sqliteStore('threads.db') or memoryStore()",
    )
  if (leaseTime !== undefined && !(leaseTime >= LEASE_MIN))
    throw new TypeError(`leaseTime: expected at least ${LEASE_MIN} ms, received ${leaseTime}`)
  readSecrets()
  const bound = boundGraphs(options)
  const graphs = new Graphs(store, bound)
  /** The breakers of seeded threads, which other threads do not affect. */
  const gates = new Map<string, Gate>()
  const host: Host = new Host({
    store,
    graphs,
    graphOf: thread => graphs.graphOf(thread),
    clock: { clock },
    gateOf: thread => gates.get(thread) ?? gate,
    notifiersOf: graph => [...notifiersIn(graph), ...notifiers],
    ...defined({ leaseTime }),
    makePorts,
    ...(onEvent && { live: update => reportEvents(update, onEvent) }),
  })
  const start = starter(host, graphs, gates)
  const runtime: Runtime = {
    ...overviewOf(host, bound, clock),
    async start(graph, input, options) {
      return threadHandle(host, await start(graph, input as Json, options))
    },
    thread<G extends Graph>(id: string, graph?: G): StartingHandle<G> {
      const handle: HandleOf<G> = threadHandle<OutputOf<G>>(host, id) as never
      if (!graph) return handle
      async function send(input: Json, { keys, ...options }: SendOptions = {}): Promise<Settled> {
        const { id: command, once, signal, expectSeq } = identifiedBy(options)
        // Who has seen an event does not start the thread.
        const isStored = expectSeq !== undefined || (await store.thread(id)) !== undefined
        return sendOrStart(isStored, {
          send: () => handle.send(input, options),
          async start() {
            signal?.throwIfAborted()
            await start(graph as G, input, { thread: id, ...defined({ command, once, keys }) })
            return { applied: true }
          },
        })
      }
      return { ...handle, send }
    },
    work: (options = {}) => work(host, clock, options),
    observe: observer => host.changes.observe(observer),
    unreachable: async () => (await graphs.unreachable()).map(listingOf),
    prune: options => pruneThreads(store, clock.now(), options),
    close: options => host.close(options),
  }
  withYields(runtime, ['thread', 'observe', 'follow'])
  return { host, runtime: settleClosed(host, runtime) }
}

/** Starts a thread, or resumes it, and returns its name. `gates` has the gates of seeded threads. */
function starter(host: Host, graphs: Graphs, gates: Map<string, Gate>) {
  const { store } = host
  return async (graph: Graph, input: Json, options: StartOptions & FirstCommand = {}) => {
    if (!isGraph(graph)) throw new TypeError(`start: ${noGraph(graph)}`)
    checkOptionNames(options, Object.keys(START_OPTIONS))
    const { thread, resume = false, seed: given, signal, drive, ...more } = options
    const turns = drive === false ? 0 : undefined
    const id = thread ?? `${graph.machine.id}-${newName()}`
    await checkMade(store, id, more.once)
    const [of, isStored] = [identityOf(graph), (await store.thread(id)) !== undefined]
    if (!graphs.holds(of)) throw new WrongGraph(id, of, graphs.identities, { isNew: !isStored })
    if (resume && isStored) {
      await host.graphOf(id)
      if (await joined(store, id, more.once)) {
        await startFamily(host, id, defined({ signal, turns }))
        return id
      }
    }
    if (given !== undefined && !host.drives(id)) gates.set(id, createGate())
    const seed = given ?? Math.floor(Math.random() * 2 ** 31)
    const { keys, policy, message, command, once } = more
    const start = { input, seed, ...defined({ keys, policy, message, command, once }) }
    await startThread(host, id, { graph, start, ...defined({ signal, turns }) })
    return id
  }
}

function reportEvents(update: Live, report: (event: ThreadEvent) => void): void {
  const { thread } = update
  if (update.kind === 'delta') report(eventOf(thread, { kind: 'token', token: update }))
  else for (const item of update.items) report(eventOf(thread, { kind: 'row', ...item }))
}
