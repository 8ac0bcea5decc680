/** The graphs whose threads a host drives, with the identities that earlier releases gave to the same sources. */
import type { Graph } from '../runtime/ports.ts'
import {
  type GraphIdentity,
  isOfGraphs,
  type Store,
  type ThreadSummary,
} from '../runtime/store/store.ts'

/** The time in ms between two searches for threads of earlier releases. */
const SEARCH_EVERY = 60_000

interface OwnedGraphsTerms {
  readonly store: Store
  readonly graphs?: readonly GraphIdentity[]
  /** @throws for a thread of another graph */
  readonly graphOf: (thread: string) => Promise<Graph>
}

export class OwnedGraphs {
  /** Absent: all graphs. */
  graphs: readonly GraphIdentity[] | undefined
  readonly #terms: OwnedGraphsTerms
  readonly #names: ReadonlySet<string>
  /** The hashes of other versions. */
  readonly #others = new Set<string>()
  #next = 0

  constructor(terms: OwnedGraphsTerms) {
    this.#terms = terms
    this.graphs = terms.graphs
    this.#names = new Set(terms.graphs?.map(({ graph }) => graph))
  }

  /** Searches the store, at most once a minute. */
  async refresh(now: number): Promise<void> {
    if (this.#names.size === 0 || now < this.#next) return
    this.#next = now + SEARCH_EVERY
    await this.find(await this.#terms.store.threads())
  }

  /** An open thread of another version of these graphs. */
  isOther(of: ThreadSummary): boolean {
    return of.status !== 'ended' && this.#names.has(of.graph) && !isOfGraphs(of, this.graphs)
  }

  async find(threads: readonly ThreadSummary[]): Promise<void> {
    for (const each of threads) {
      const { thread, graph, specHash } = each
      if (!this.isOther(each) || this.#others.has(specHash)) continue
      const held = await this.#terms.graphOf(thread).catch(() => undefined)
      if (held) this.graphs = [...(this.graphs ?? []), { graph, specHash }]
      else this.#others.add(specHash)
    }
  }
}
