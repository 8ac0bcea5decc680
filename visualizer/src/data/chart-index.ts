/** The tables of a chart that the fold of its rows needs. */
import type { Chart, ChartEdge, ChartState } from '../../../src/core/graph/chart.ts'

export interface ChartIndex {
  readonly chart: Chart
  readonly states: ReadonlyMap<string, ChartState>
  readonly children: ReadonlyMap<string | undefined, readonly ChartState[]>
  /** The states around each state, innermost first. */
  readonly around: ReadonlyMap<string, readonly string[]>
  /** What each edge does to the active states. */
  readonly moves: ReadonlyMap<string, Move>
}

export interface Move {
  readonly source: string
  /** The innermost state that the edge does not leave; `undefined`: the machine itself. */
  readonly domain: string | undefined
  /** Several rungs may share one edge, and lead to the same state. */
  readonly targets: ReadonlySet<string>
}

type Tables = Omit<ChartIndex, 'moves'>

export function indexOf(chart: Chart): ChartIndex {
  const states = new Map(chart.states.map(state => [state.id, state]))
  const tables: Tables = {
    ...{ chart, states },
    children: Map.groupBy(chart.states, ({ parent }) => parent),
    around: new Map(chart.states.map(({ id }) => [id, outerOf(states, id)])),
  }
  const edges = Map.groupBy(chart.edges, ({ id }) => id)
  return { ...tables, moves: new Map([...edges].map(([id, of]) => [id, moveOf(tables, of)])) }
}

const NO_STATES: readonly string[] = []

/** The states around a state, innermost first. */
export const around = ({ around }: Pick<ChartIndex, 'around'>, id: string): readonly string[] =>
  around.get(id) ?? NO_STATES

function outerOf(states: ReadonlyMap<string, ChartState>, id: string): readonly string[] {
  const parent = states.get(id)?.parent
  return parent === undefined ? NO_STATES : [parent, ...outerOf(states, parent)]
}

function moveOf(tables: Tables, edges: readonly ChartEdge[]): Move {
  const source = edges[0]?.source ?? ''
  const targets = new Set(edges.map(({ target }) => target))
  return { source, targets, domain: domainOf(tables, source, [...targets]) }
}

function domainOf(tables: Tables, source: string, targets: readonly string[]): string | undefined {
  const isIn = (outer: string) => (state: string) => around(tables, state).includes(outer)
  if (tables.children.has(source) && targets.every(isIn(source))) return source
  return around(tables, source).find(
    state => tables.states.get(state)?.kind !== 'parallel' && targets.every(isIn(state)),
  )
}
