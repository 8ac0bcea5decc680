/** What a thread keeps from its start: its graph and its clock. A host that offers others is refused. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'
import { systemClock } from '../../adapters/node/ports.ts'
import type { Clock, Graph } from '../../runtime/ports.ts'
import { type GraphIdentity, isUnknownThread } from '../../runtime/store/store.ts'
import type { Store, ThreadSummary } from '../../runtime/store/store.ts'
import { childGraph } from '../../runtime/child/child-graph.ts'
import { findStart, identityOf, isGraphOf, nameOf, startOf } from '../../runtime/store/source.ts'
import { isWrongGraph, type StoredStart, withLeft, WrongGraph } from '../../runtime/store/source.ts'
import { virtualClock } from '../../testing/clock.ts'

/** A thread keeps the clock it was started with: its deadlines are invalid on another. */
export class WrongClock extends codedError('WrongClock', 'wrong-clock') {
  constructor(thread: string, own: 'system' | 'virtual') {
    super(
      `thread '${thread}' was started with the ${own} clock and keeps it; use that clock, or start another thread`,
    )
  }
}

/** Whether an error is a `WrongClock`. */
export const isWrongClock = guardOf(WrongClock)

export interface ClockOptions {
  /** The clock that the caller requests. Default: the clock of the thread. */
  readonly kind?: 'system' | 'virtual'
  /** The clock of the host. */
  readonly clock?: Clock
}

/** The clock of a thread, stored or new. @throws WrongClock */
export async function clockOf(store: Store, thread: string, options: ClockOptions): Promise<Clock> {
  const { clock, kind = clock?.virtual ? 'virtual' : undefined } = options
  const start = await findStart(store, thread)
  const own = start && (start.started.clock ?? 'system')
  if (own && kind && own !== kind) throw new WrongClock(thread, own)
  if ((own ?? kind) !== 'virtual') return clock ?? systemClock
  return clock?.virtual ? clock : virtualClock(start?.summary.at)
}

/** The time in ms between two searches for threads of earlier releases. */
const SEARCH_EVERY = 60_000

/** A parent that was removed, or whose graph is elsewhere, does not tell the graph of its child. */
function unlessMissing(error: unknown): undefined {
  if (!isUnknownThread(error) && !isWrongGraph(error)) throw error
}

/** The graphs of a host, with the graphs they run: a child is a thread of its own. */
export class Graphs {
  readonly #store: Store
  /** By identity. Earlier releases may have given the same sources other identities. */
  readonly #held = new Map<string, { readonly as: GraphIdentity; readonly graph: Graph }>()
  /** Other versions of these graphs. */
  readonly #others = new Set<string>()
  #searchAt = 0

  constructor(store: Store, graphs: readonly Graph[]) {
    this.#store = store
    // The last of two graphs with the same identity continues the threads of both.
    for (const graph of graphs.toReversed()) this.#hold(graph)
  }

  get identities(): readonly GraphIdentity[] {
    return [...this.#held.values()].map(({ as }) => as)
  }

  holds(of: GraphIdentity): boolean {
    return this.#held.has(nameOf(of))
  }

  /** The graph of a stored thread, as its first event records it. @throws WrongGraph, UnknownThread */
  async graphOf(thread: string): Promise<Graph> {
    const start = await startOf(this.#store, thread)
    const { summary, started, left } = start
    const recorded = { graph: summary.graph, specHash: started.specHash }
    const graph = (await this.#boundByParent(start)) ?? this.#held.get(nameOf(recorded))?.graph
    if (graph && left.length > 0)
      return { ...graph, machine: await withLeft(this.#store, graph.machine, left) }
    if (graph) return graph
    for (const { graph } of this.#held.values())
      if (await isGraphOf(this.#store, started, graph)) return graph
    throw new WrongGraph(thread, recorded, this.identities)
  }

  /** The graph of a child, as the graph of its parent binds it. */
  async #boundByParent({ started }: StoredStart): Promise<Graph | undefined> {
    const { parent } = started
    if (!parent) return undefined
    const above = await this.graphOf(parent.thread).catch(unlessMissing)
    const graph = above && (await childGraph(this.#store, above, parent))
    return graph && (await isGraphOf(this.#store, started, graph)) ? graph : undefined
  }

  /** The graph that starts new threads under an id: the last one of its versions. */
  newest(id: string): Graph | undefined {
    return [...this.#held.values()].find(({ graph }) => graph.machine.id === id)?.graph
  }

  /** The open threads of other versions of the graphs: a process with their version continues them. */
  async unreachable(): Promise<readonly ThreadSummary[]> {
    const threads = await this.#store.threads()
    const isOther = (each: ThreadSummary) =>
      each.status !== 'ended' &&
      !this.holds(each) &&
      this.identities.some(({ graph }) => graph === each.graph)
    for (const each of threads.filter(isOther)) {
      if (this.#others.has(nameOf(each))) continue
      const held = await this.graphOf(each.thread).catch(() => undefined)
      if (held) this.#hold(held, { graph: each.graph, specHash: each.specHash })
      else this.#others.add(nameOf(each))
    }
    return threads.filter(isOther)
  }

  /** Searches the store for the identities of earlier releases, at most once a minute. */
  async refresh(now: number): Promise<void> {
    if (now < this.#searchAt) return
    this.#searchAt = now + SEARCH_EVERY
    await this.unreachable()
  }

  #hold(graph: Graph, as = identityOf(graph)): void {
    if (this.holds(as)) return
    this.#held.set(nameOf(as), { as, graph })
    for (const child of Object.values(graph.graphs ?? {})) this.#hold(child)
  }
}
