/** The graphs that a host holds, and which of them a thread runs. */
import type { Started } from '../core/run.ts'
import { putSource } from '../runtime/store/source.ts'
import type { Graph } from '../runtime/ports.ts'
import { type GraphIdentity, type Store, UnknownThread } from '../runtime/store/store.ts'

/** A thread runs another graph, or another version of it, than the host holds. Nothing was performed. */
export class WrongGraph extends Error {
  override readonly name = 'WrongGraph'
  readonly code = 'wrong-graph'
  /** The graph of the thread. */
  readonly recorded: GraphIdentity
  readonly held: readonly GraphIdentity[]

  constructor(thread: string, recorded: GraphIdentity, held: readonly GraphIdentity[]) {
    super(
      `thread '${thread}' runs the graph ${nameOf(recorded)}; held here: ${held.map(nameOf).join(', ') || 'no graph'}. Pass that version of the graph, or start another thread.`,
    )
    this.recorded = recorded
    this.held = held
  }
}

/** Whether an error is a `WrongGraph`. */
export function isWrongGraph(error: unknown): error is WrongGraph {
  return error instanceof Error && error.name === 'WrongGraph'
}

function nameOf({ graph, specHash }: GraphIdentity): string {
  return `'${graph}' (${specHash})`
}

export function identityOf({ machine }: Graph): GraphIdentity {
  return { graph: machine.id, specHash: machine.hash }
}

/** Graphs by their identity, those that they run included: a child is a thread of its own. */
export class Graphs {
  readonly #byHash = new Map<string, Graph>()

  constructor(graphs: readonly Graph[]) {
    for (const graph of graphs) this.#hold(graph)
  }

  get identities(): readonly GraphIdentity[] {
    return [...this.#byHash.values()].map(identityOf)
  }

  holds(graph: Graph): boolean {
    return this.#byHash.has(nameOf(identityOf(graph)))
  }

  /** The graph of a stored thread, by what its first event records. @throws WrongGraph, UnknownThread */
  async of(store: Store, thread: string): Promise<Graph> {
    const { recorded, begun } = await this.#recorded(store, thread)
    const held = this.#byHash.get(nameOf(recorded))
    if (held) return held
    // A newer release can write the same source under another hash.
    for (const graph of this.#byHash.values())
      if (begun.source !== undefined && begun.source === (await putSource(store, graph.source)))
        return graph
    throw new WrongGraph(thread, recorded, this.identities)
  }

  async #recorded(store: Store, thread: string) {
    const [summary, [first]] = await Promise.all([store.thread(thread), store.rows(thread, -1, 1)])
    if (!summary || first?.event.type !== 'thread.started') throw new UnknownThread(thread)
    const begun: Started = first.event
    return { begun, recorded: { graph: summary.graph, specHash: begun.specHash } }
  }

  #hold(graph: Graph): void {
    if (this.holds(graph)) return
    this.#byHash.set(nameOf(identityOf(graph)), graph)
    for (const child of Object.values(graph.graphs ?? {})) this.#hold(child)
  }
}
