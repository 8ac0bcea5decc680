/** How often each arrow of the drawing was taken: the counts of the overlay, summed over the edges that an arrow stands for. */
import type { Overlay } from '../data/overlay.ts'
import type { RunModel } from '../data/run-model.ts'
import type { Diagram } from '../layout/diagram.ts'
import { arrowCounts, arrowFor } from './arrow-counts.ts'
import { shownLoop } from './loop-window.ts'

export interface ArrowCounts {
  readonly counts: ReadonlyMap<string, number>
  /** The arrows of the last step. */
  readonly last: ReadonlySet<string>
  /** The arrows between the states of a loop that was just found. */
  readonly looping: ReadonlySet<string>
}

const DIAGRAMS = new WeakMap<RunModel, Diagram>()
const COUNTED = new WeakMap<Overlay, ArrowCounts>()

/** The diagram by which arrows are found. */
export const setDiagram = (model: RunModel, diagram: Diagram): void => {
  DIAGRAMS.set(model, diagram)
}

/** Computed once per overlay, for all arrows. */
export function edgeCounts(model: RunModel): ArrowCounts {
  const { overlay } = model
  const known = COUNTED.get(overlay)
  if (known) return known
  const counted = countArrows(model, DIAGRAMS.get(model))
  COUNTED.set(overlay, counted)
  return counted
}

const NOTHING: ArrowCounts = { counts: new Map(), last: new Set(), looping: new Set() }

function countArrows({ overlay, loops, at }: RunModel, diagram: Diagram | undefined): ArrowCounts {
  if (!diagram) return NOTHING
  const members = new Set(shownLoop(loops, at)?.finding.states.map(diagram.shownFor))
  const counts = arrowCounts(overlay, diagram)
  const looping = diagram.edges.filter(
    ({ id, source, target, style }) =>
      style !== 'escape' && members.has(source) && members.has(target) && counts.has(id),
  )
  return {
    counts,
    last: new Set(overlay.last.flatMap(key => arrowFor(diagram, key) ?? [])),
    looping: new Set(looping.map(({ id }) => id)),
  }
}
