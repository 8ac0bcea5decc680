/** Whether a drawing reads from left to right or from top to bottom. */
import type { Diagram } from './diagram.ts'
import type { Direction, Placed } from './place.ts'
import { quickLayout } from './quick.ts'

interface Panel {
  readonly width: number
  readonly height: number
}

/** In pixels: a narrower drawing reads from top to bottom. */
const NARROW = 600

/** Lines of text read from left to right, so the other direction has to be this much larger. */
const LARGER = 1.2

export function directionIn(panel: Panel, diagram: Diagram): Direction {
  if (panel.width <= Math.max(NARROW, panel.height * 1.15)) return 'down'
  const zoom = (direction: Direction) => zoomIn(panel, quickLayout(diagram, direction))
  return zoom('down') > LARGER * zoom('right') ? 'down' : 'right'
}

/** How large a drawing can be that fits. No drawing needs to be larger than it is. */
const zoomIn = (panel: Panel, { width, height }: Placed): number =>
  Math.min(1, panel.width / width, panel.height / height)
