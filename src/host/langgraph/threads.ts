/** Finds the thread of a superstep: in the store, or in the journal of the LangGraph state. */
import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import type { Row, Run } from '../../core/run/run.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import { fork } from '../../runtime/drive/copy.ts'
import { InvalidFork } from '../../runtime/drive/fork-terms.ts'
import { standingOf } from '../../runtime/journal/journal.ts'
import { asOwner, takeLease } from '../../runtime/store/lease.ts'
import type { Ports } from '../../runtime/ports.ts'
import { memoryStore } from '../../runtime/store/memory-store.ts'
import { foldRows, replay } from '../../runtime/store/replay.ts'
import { type Store, UnknownThread } from '../../runtime/store/store.ts'
import { checkDurability, type SuperstepParts } from './options.ts'
import type { Position, StateValues } from './state.ts'

/** A thread and the ports to its store, for all supersteps of an invocation. `run`: the run that this process knows. */
export interface Place {
  readonly thread: string
  readonly ports: Ports
  readonly run?: Run
}

export type Found = Required<Place>

export class Threads {
  readonly #parts: Omit<SuperstepParts, 'nodeOf'>
  /** LangGraph passes the same object from superstep to superstep. After a resume it is another, and the thread is read again. */
  readonly #known = new WeakMap<Position, Found>()

  constructor(parts: Omit<SuperstepParts, 'nodeOf'>) {
    this.#parts = parts
  }

  /** Keeps what the next superstep of this process would read again. */
  keep(position: Position, found: Found): void {
    this.#known.set(position, found)
  }

  /** Where an input goes: to the thread of the state, or to one named after the LangGraph thread. */
  async open(state: StateValues, config: LangGraphRunnableConfig): Promise<Place> {
    if (state.escapement) return this.find(state, config)
    const { store } = this.#parts.options
    if (!store) checkDurability(config)
    const thread = threadOf(config)
    // The checkpoint of the start, chosen by the caller.
    if (store && isChosen(config) && (await store.thread(thread)))
      return this.#load(store, { thread, seq: 0, input: state.input }, config)
    return { thread, ports: this.#portsTo(store ?? memoryStore()) }
  }

  /** @throws UnknownThread, InvalidFork */
  async find(state: StateValues, config: LangGraphRunnableConfig): Promise<Found> {
    const { escapement: position } = state
    const known = this.#known.get(position)
    if (known) return known
    const { store } = this.#parts.options
    if (store) return this.#load(store, position, config)
    checkDurability(config)
    return this.#restore(state)
  }

  /** Without a store: the rows that the state lacks. */
  async newRows({ journal = [] }: StateValues, { thread, ports }: Place): Promise<NewRows> {
    if (this.#parts.options.store) return {}
    return { journal: await ports.store.rows(thread, journal.length - 1) }
  }

  /** The store is the truth: what it holds beyond the LangGraph state was committed before a crash. */
  async #load(
    store: Store,
    { thread, seq, input }: Pick<Position, 'thread' | 'seq'> & { readonly input?: unknown },
    config: LangGraphRunnableConfig,
  ) {
    const { graph, options } = this.#parts
    const ports = this.#portsTo(store)
    const as = forkName(thread, config)
    const copy = await replay(graph.machine, store, as)
    if (copy) return { thread: as, ports, run: copy }
    const run = await replay(graph.machine, store, thread)
    if (!run) throw new UnknownThread(thread)
    if (!isChosen(config) || run.seq === seq) return { thread, ports, run }
    const { forks: effects } = options
    if (!effects)
      throw new InvalidFork(
        `the checkpoint is of event ${seq}, and thread '${thread}' has continued to event ${run.seq}; to fork it, pass \`forks: 'refuse'\`, \`'recorded'\` or \`'live'\` to toLangGraph`,
      )
    const given = defined({ input: (input ?? undefined) as Json | undefined })
    const forked = await fork(ports, { thread, at: seq, as, effects, ...given })
    return { thread: as, ports, run: forked }
  }

  /** A store in memory with the journal of the LangGraph state. */
  async #restore({ escapement: { thread }, journal: rows = [] }: StateValues): Promise<Found> {
    const run = foldRows(this.#parts.graph.machine, undefined, rows)
    if (!run) throw new UnknownThread(thread)
    const ports = this.#portsTo(memoryStore())
    await asOwner(ports, async own => {
      const lease = await takeLease(own, thread)
      await own.store.append({ lease, rows, ...standingOf(own, run) })
      await own.store.release(lease)
    })
    return { thread, ports, run }
  }

  #portsTo(store: Store): Ports {
    const { graph, portsOf } = this.#parts
    return portsOf({ store, graph })
  }
}

type NewRows = { readonly journal?: readonly Row[] }

/** Inside a bigger graph, each call of the subgraph has a thread of its own. */
function threadOf({ configurable, executionInfo }: LangGraphRunnableConfig): string {
  const { checkpointNs = '', threadId, taskId } = executionInfo ?? {}
  const outer = checkpointNs.split('|').slice(0, -1).join('|')
  const name = threadId ?? (configurable?.thread_id as string | undefined) ?? taskId ?? ''
  return outer === '' ? name : `${name} ${outer}`
}

/** LangGraph names a checkpoint only if the caller has chosen one. */
export const isChosen = ({ metadata }: LangGraphRunnableConfig): boolean =>
  metadata?.checkpoint_id !== undefined

/** The same name when LangGraph repeats the superstep. */
const forkName = (thread: string, { executionInfo }: LangGraphRunnableConfig): string =>
  `${thread}~${executionInfo?.taskId ?? ''}`
