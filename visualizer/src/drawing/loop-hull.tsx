/** A loop as one shape behind its states, with its period and its repeats. */
import { ViewportPortal } from '@xyflow/react'
import { useRun } from '../data/use-run.ts'
import { Icon } from '../design/icon.tsx'
import type { Diagram } from '../layout/diagram.ts'
import type { Placed, Rectangle } from '../layout/place.ts'
import { pathOf } from './chart-edge.tsx'
import { edgeCounts } from './edge-counts.ts'
import { shownLoop } from './loop-window.ts'

const MARGIN = 14

interface HullProps {
  readonly placed: Placed
  readonly diagram: Diagram
}

export function LoopHull({ placed, diagram }: HullProps) {
  const loop = useRun(({ loops, at }) => shownLoop(loops, at))
  const looping = useRun(model => edgeCounts(model).looping)
  if (!loop) return null
  const { states, period, repeats, kind } = loop.finding
  const shown = new Set(states.map(diagram.shownFor))
  const boxes = [...shown].flatMap(state => placed.boxes.get(state) ?? []).map(grow)
  const [first] = boxes
  if (!first) return null
  const routes = [...looping].flatMap(id => {
    const route = placed.routes.get(id)
    return route ? [route.points] : []
  })
  // Titles of frames are at their left.
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const top = Math.min(...boxes.map(({ y }) => y))
  return (
    <ViewportPortal>
      <svg
        className="hull"
        width={placed.width + MARGIN}
        height={placed.height + MARGIN}
        aria-hidden="true"
      >
        <g className="hull-shape">
          {boxes.map(box => (
            <rect key={`${box.x} ${box.y}`} {...box} rx={20} />
          ))}
          {routes.map(points => {
            const path = pathOf(points)
            return <path key={path} d={path} />
          })}
        </g>
      </svg>
      <span
        className="hull-label"
        style={{ transform: `translate(${right}px, ${top - 24}px) translateX(-100%)` }}
      >
        <Icon name="loop" /> {kind} · period {period} × {repeats}
      </span>
    </ViewportPortal>
  )
}

const grow = ({ x, y, width, height }: Rectangle): Rectangle => ({
  x: x - MARGIN,
  y: y - MARGIN,
  width: width + 2 * MARGIN,
  height: height + 2 * MARGIN,
})
