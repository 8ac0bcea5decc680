/** What a thread keeps from its start: its graph and its clock. A host that offers others is refused. */
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { systemClock } from '../adapters/node/ports.ts'
import type { Clock, Graph } from '../runtime/ports.ts'
import type { GraphIdentity, Store } from '../runtime/store/store.ts'
import { findStart, identityOf, isGraphOf, nameOf, startOf } from '../runtime/store/source.ts'
import { WrongGraph } from '../runtime/store/source.ts'
import { virtualClock } from '../testing/clock.ts'

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

export interface ClockTerms {
  /** The clock that the caller requests. Default: the clock of the thread. */
  readonly kind?: 'system' | 'virtual'
  /** The clock of the host. */
  readonly clock?: Clock
}

/** The clock of a thread, stored or new. @throws WrongClock */
export async function clockOf(store: Store, thread: string, terms: ClockTerms): Promise<Clock> {
  const { clock, kind = clock?.virtual ? 'virtual' : undefined } = terms
  const start = await findStart(store, thread)
  const own = start && (start.started.clock ?? 'system')
  if (own && kind && own !== kind) throw new WrongClock(thread, own)
  if ((own ?? kind) !== 'virtual') return clock ?? systemClock
  return clock?.virtual ? clock : virtualClock(start?.summary.at)
}

/** The graphs of a host by their identity, with the graphs they run: a child is a thread of its own. */
export class Graphs {
  readonly #byName = new Map<string, Graph>()

  constructor(graphs: readonly Graph[]) {
    for (const graph of graphs) this.#hold(graph)
  }

  get identities(): readonly GraphIdentity[] {
    return [...this.#byName.values()].map(identityOf)
  }

  holds(graph: Graph): boolean {
    return this.#byName.has(nameOf(identityOf(graph)))
  }

  /** The graph of a stored thread, as its first event records it. @throws WrongGraph */
  async of(store: Store, thread: string): Promise<Graph> {
    const { summary, started } = await startOf(store, thread)
    const recorded = { graph: summary.graph, specHash: started.specHash }
    const held = this.#byName.get(nameOf(recorded))
    if (held) return held
    for (const graph of this.#byName.values())
      if (await isGraphOf(store, started, graph)) return graph
    throw new WrongGraph(thread, recorded, this.identities)
  }

  #hold(graph: Graph): void {
    if (this.holds(graph)) return
    this.#byName.set(nameOf(identityOf(graph)), graph)
    for (const child of Object.values(graph.graphs ?? {})) this.#hold(child)
  }
}
