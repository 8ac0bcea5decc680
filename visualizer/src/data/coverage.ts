/** What the threads of a graph have reached of its chart. */
import type { Chart } from '../../../src/core/graph/chart.ts'
import { type Arrow, type Outline, outlineOf } from '../../../src/core/graph/draw/outline.ts'

export interface Coverage {
  readonly states: readonly CoveredItem[]
  readonly edges: readonly CoveredItem[]
  readonly escapes: readonly CoveredItem[]
}

export interface CoveredItem {
  readonly name: string
  /** The state to select in the drawing. */
  readonly state: string
  readonly isReached: boolean
}

/** `taken`: the ids of the edges that any thread has taken. A graph without a thread has reached nothing. */
export function coverageOf(chart: Chart, taken: ReadonlySet<string>, threads: number): Coverage {
  const outline = outlineOf(chart)
  const reached = statesReached(outline, chart, taken, threads)
  const isTaken = ({ edges }: Arrow) => edges.some(edge => taken.has(edge))
  const nameOf = (arrow: Arrow) =>
    `${outline.nameOf(arrow.source)} ${arrow.label} → ${outline.nameOf(arrow.target)}`
  const isEscape = ({ style }: Arrow) => style === 'escape'
  return {
    states: outline.leavesIn(outline.root).map(state => {
      return { name: outline.nameOf(state), state, isReached: reached.has(state) }
    }),
    edges: outline.arrows
      .filter(arrow => !isEscape(arrow))
      .map(arrow => ({ name: nameOf(arrow), state: arrow.source, isReached: isTaken(arrow) })),
    escapes: escapesIn(outline, isTaken),
  }
}

/** An escape that starts in several states is one edge of the machine, and one item. */
function escapesIn({ arrows, nameOf }: Outline, isTaken: (arrow: Arrow) => boolean) {
  const escapes = arrows.filter(({ style }) => style === 'escape')
  const items = Map.groupBy(escapes, ({ label, target }) => `${label} → ${nameOf(target)}`)
  return [...items].map(([name, of]) => {
    const state = of[0]?.target ?? ''
    return { name: name.replace(/^escape /, ''), state, isReached: of.some(isTaken) }
  })
}

/** The states of the start and of the taken edges. A rollback returns to one of them. */
function statesReached(
  { entered, root }: Outline,
  chart: Chart,
  taken: ReadonlySet<string>,
  threads: number,
): ReadonlySet<string> {
  const targets = chart.edges.filter(({ id }) => taken.has(id)).map(({ target }) => target)
  const start = threads > 0 ? entered(root) : []
  return new Set([...start, ...targets.flatMap(entered)])
}
