/** The runtime: threads of the graphs that a program holds, on one store. */
import { systemClock } from '../adapters/node/clock.ts'
import { nodePorts } from '../adapters/node/ports.ts'
import type { Spec } from '../core/graph/spec/spec.ts'
import type { Json } from '../core/watch/data/json.ts'
import { bindGraph } from '../kit/bind/bind.ts'
import type { CustomTool } from '../kit/bind/bind-tool.ts'
import type { Gate } from '../runtime/gate/gate.ts'
import type { Clock, Graph, InputOf, Live, Notifier, OutputOf } from '../runtime/ports.ts'
import type { Store } from '../runtime/store/store.ts'
import { clockOf } from './clock.ts'
import { Graphs, identityOf, WrongGraph } from './graphs.ts'
import { Host } from './host.ts'
import { type AnyModel, modelFrom } from './model-from.ts'
import { notifiersIn } from './notifiers.ts'
import { eventOf, type ThreadEvent, type ThreadHandle, threadHandle } from './thread.ts'
import { work, type WorkOptions } from './worker.ts'

/** What `createRuntime` takes. */
export interface RuntimeOptions<Held extends Graph | Spec = Graph | Spec> {
  readonly store: Store
  /** The graphs whose threads it carries on; two versions of one graph may stand side by side. A spec is bound to `models` and `tools`. */
  readonly graphs: readonly Held[]
  /** Models by the names that the specs among `graphs` give them. */
  readonly models?: Readonly<Record<string, AnyModel>>
  /** Tools by the names that the specs among `graphs` give them. */
  readonly tools?: Readonly<Record<string, CustomTool>>
  /** The folder that workspace tools of specs are confined to. Default: the current one. */
  readonly workspace?: string
  /** Default: one for all runtimes of this process on this store. */
  readonly gate?: Gate
  /** Default: the system clock. */
  readonly clock?: Clock
  /** Tell people of open questions, beside those that the specs name in `notify`. */
  readonly notifiers?: readonly Notifier[]
  /** Called with what happens in the threads that this process drives. */
  readonly onEvent?: (event: ThreadEvent) => void
}

/** What `start` takes beside the graph and its input. */
export interface StartOptions {
  /** The name of the thread. Default: made up. */
  readonly thread?: string
  /** Goes on with the thread of that name if there is one; the input is ignored then. Default: `ThreadExists`. */
  readonly resume?: boolean
  /** The keys of the scopes of the graph, by the names of the scopes. */
  readonly keys?: Readonly<Record<string, string>>
  /** The seed of every random draw. Default: a random one. */
  readonly seed?: number
  /** Aborted: the thread is cancelled, as long as this process drives it. */
  readonly signal?: AbortSignal
}

/** Starts threads, gives their handles, and carries them on. */
export interface Runtime {
  /**
   * Starts a thread. Resolves once its first event is stored; this process drives it on.
   * @throws InvalidInput, ThreadExists, Conflict, WrongGraph; nothing is stored then
   */
  start<G extends Graph>(
    graph: G,
    input: InputOf<G>,
    options?: StartOptions,
  ): Promise<ThreadHandle<OutputOf<G>>>
  /** The handle of a thread that is stored, or will be. `graph` gives the type of its output. */
  thread<G extends Graph>(id: string, graph?: G): ThreadHandle<OutputOf<G>>
  /** Carries on what is due: deadlines, waits, threads whose process has died, what other processes submit. Ends when the signal is aborted. */
  work(options?: WorkOptions): Promise<void>
  /** Leaves the threads that it drives, so that they can be resumed, and waits until they are left. The store stays open. */
  close(): Promise<void>
}

/**
 * @throws CannotBind for a spec whose models or tools are missing
 * @example
 * const runtime = createRuntime({ store: sqliteStore({ file: 'threads.db' }), graphs: [shop] })
 * const thread = await runtime.start(shop, { goal: 'How many clocks are left?' }, { thread: 'ticket-44' })
 * const { outcome, output } = await thread.result()
 */
export function createRuntime(options: RuntimeOptions): Runtime {
  const { store, clock = systemClock, onEvent } = options
  const graphs = new Graphs(options.graphs.map(graph => boundWith(graph, options)))
  const host: Host = new Host({
    store,
    graphs: graphs.identities,
    graphOf: thread => graphs.of(store, thread),
    portsOf: async (thread, graph) =>
      nodePorts({
        graph,
        store,
        clock: await clockOf(store, thread, { clock }),
        ...(options.gate ? { gate: options.gate } : {}),
        notifiers: [...notifiersIn(graph), ...(options.notifiers ?? [])],
      }),
    ...(onEvent ? { live: news => tellEvents(news, onEvent) } : {}),
  })
  return {
    async start(graph, input, { thread, resume = false, keys, seed, signal } = {}) {
      const id = thread ?? `${graph.machine.id}-${host.newName()}`
      if (!graphs.holds(graph)) throw new WrongGraph(id, identityOf(graph), graphs.identities)
      if (resume && (await store.thread(id))) {
        await host.graphOf(id)
        void host.driveOn(id, signal ? { signal } : {}).catch(() => {})
        return threadHandle(host, id)
      }
      await host.begin(id, {
        graph,
        start: {
          input: input as Json,
          seed: seed ?? Math.floor(Math.random() * 2 ** 31),
          ...(keys ? { keys } : {}),
        },
        ...(signal ? { signal } : {}),
      })
      return threadHandle(host, id)
    },
    thread: id => threadHandle(host, id),
    work: (options = {}) => work(host, { graphs: graphs.identities, clock }, options),
    close: () => host.close(),
  }
}

function boundWith(graph: Graph | Spec, options: RuntimeOptions): Graph {
  if ('machine' in graph && typeof graph.machine === 'object') return graph as Graph
  const { models = {}, tools = {}, workspace = '.' } = options
  const spec = graph as Spec
  const inSpec = Object.entries(tools).filter(([name]) => Object.hasOwn(spec.tools, name))
  return bindGraph(spec, {
    workspace,
    tools: Object.fromEntries(inSpec),
    model: name => {
      if (!Object.hasOwn(models, name)) throw new Error(`is missing; pass it in \`models\``)
      return modelFrom(models[name] as AnyModel)
    },
  })
}

function tellEvents(news: Live, tell: (event: ThreadEvent) => void): void {
  const { thread } = news
  if (news.kind === 'delta') {
    tell(eventOf(thread, { kind: 'token', token: news }))
    return
  }
  for (const [index, row] of news.rows.entries()) {
    const run = news.runs[index]
    if (run) tell(eventOf(thread, { kind: 'row', row, run }))
  }
}
