/** The diagram of a graph with the boxes that are closed. People open and close them; a run never does. */
import { useCallback, useMemo, useRef, useState } from 'react'
import type { ThreadGraph } from '../../../src/host/thread/thread-graph.ts'
import { type Diagram, diagramOf, rolesIn } from '../layout/diagram.ts'
import { closedAtFirst, folded } from '../layout/folded.ts'
import { canvasMeasure } from './measure.ts'

export interface ShownDiagram {
  readonly diagram: Diagram | undefined
  /** Closes a box, or opens it. */
  readonly toggle: (box: string) => void
}

/** `selected` is visible at first. */
export function useDiagram({ chart, spec }: ThreadGraph, selected?: string): ShownDiagram {
  const first = useRef(selected)
  const whole = useMemo(
    () => chart && diagramOf(chart, canvasMeasure(), rolesIn(spec)),
    [chart, spec],
  )
  const [closed, setClosed] = useState(() => whole && closedAtFirst(whole, first.current))
  const diagram = useMemo(() => whole && folded(whole, closed ?? new Set()), [whole, closed])
  const toggle = useCallback(
    (box: string) =>
      setClosed((boxes = new Set()) => {
        const others = [...boxes].filter(each => each !== box)
        return new Set(boxes.has(box) ? others : [...others, box])
      }),
    [],
  )
  return { diagram, toggle }
}
