/** The states that work, wait or ask, and which of them can follow one another. */
import type { Chart, ChartEdge, ChartState } from './chart.ts'

/** The states that are active next: those with effects, and whether the machine can end instead. */
export interface Next {
  readonly states: readonly string[]
  readonly ends: boolean
}

/** A chart without the states that have no effect: for each state with effects, all its arrows lead to the next ones. */
export interface Succession {
  readonly start: Next
  readonly after: ReadonlyMap<string, Next>
}

/**
 * Follows all edges: outcomes, failures, escapes, and those that stand on a state around the source. An escape that the policy
 * disables is left out.
 */
export function successionOf(chart: Chart): Succession {
  const reader = new Reader(chart)
  const working = chart.states.filter(({ effects }) => effects.length > 0)
  return {
    start: reader.next(land => land(chart.initial)),
    after: new Map(
      working.map(state => [
        state.id,
        reader.next(land => {
          for (const { target } of reader.edgesFrom(state)) land(target)
        }),
      ]),
    ),
  }
}

type Land = (target: string) => void

class Reader {
  readonly #root: string
  readonly #states: ReadonlyMap<string, ChartState>
  readonly #edges: Partial<Record<string, readonly ChartEdge[]>>
  readonly #children: Partial<Record<string, readonly ChartState[]>>

  constructor({ id, states, edges }: Chart) {
    this.#root = id
    this.#states = new Map(states.map(state => [state.id, state]))
    this.#edges = Object.groupBy(edges, ({ source }) => source)
    this.#children = Object.groupBy(states, ({ parent = '' }) => parent)
  }

  /** The edges that can leave a state: its own, and those of the states around it. */
  edgesFrom({ id }: ChartState): readonly ChartEdge[] {
    return [id, ...this.#around(id), this.#root].flatMap(source =>
      (this.#edges[source] ?? []).filter(
        ({ whenDone, from }) =>
          whenDone === undefined && (from?.some(({ state }) => state === id) ?? true),
      ),
    )
  }

  next(walk: (land: Land) => void): Next {
    const seen = new Set<string>()
    const states = new Set<string>()
    let ends = false
    const land: Land = target => {
      const state = this.#states.get(target)
      if (!state || seen.has(target)) return
      seen.add(target)
      if (state.kind === 'final') ends = this.#leave(state, land) || ends
      else if (state.effects.length > 0) states.add(target)
      else for (const inner of this.#entered(state)) land(inner)
    }
    walk(land)
    return { states: [...states], ends }
  }

  /** Follows the edges of the states that a final state completes. Returns whether the machine itself ends. */
  #leave({ id, parent }: ChartState, land: Land): boolean {
    for (const around of this.#around(id))
      for (const { target, whenDone } of this.#edges[around] ?? []) if (whenDone) land(target)
    return parent === undefined
  }

  /** The states that are entered with a state without effects, and those it moves on to at once. */
  #entered({ id, kind, initial }: ChartState): readonly string[] {
    const moves = (this.#edges[id] ?? []).flatMap(({ event, target }) =>
      event === 'always' ? [target] : [],
    )
    if (kind === 'parallel') return [...(this.#children[id] ?? []).map(child => child.id), ...moves]
    return initial === undefined ? moves : [initial, ...moves]
  }

  #around(id: string): readonly string[] {
    const parent = this.#states.get(id)?.parent
    return parent === undefined ? [] : [parent, ...this.#around(parent)]
  }
}
