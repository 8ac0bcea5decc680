/** An arrow of the drawing along its route, with its outcome and how often it was taken. */
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react'
import { memo } from 'react'
import { useRun } from '../data/use-run.ts'
import type { DiagramEdge } from '../layout/diagram.ts'
import type { Point, Route } from '../layout/place.ts'
import { edgeCounts } from './edge-counts.ts'

export interface ArrowData extends Record<string, unknown> {
  readonly arrow: DiagramEdge
  readonly route: Route
}

export type ArrowFlowEdge = Edge<ArrowData>

const CORNER = 8

export const ChartEdge = memo(({ id, data, markerEnd }: EdgeProps<ArrowFlowEdge>) => {
  const count = useRun(model => edgeCounts(model).counts.get(id) ?? 0)
  const isLast = useRun(model => edgeCounts(model).last.has(id))
  const isLooping = useRun(model => edgeCounts(model).looping.has(id))
  if (!data) return null
  const { arrow, route } = data
  const classes = [
    'arrow',
    `is-${arrow.style}`,
    count > 0 && 'is-taken',
    isLast && 'is-last',
    isLooping && 'is-looping',
  ]
    .filter(Boolean)
    .join(' ')
  const { x, y } = route.label
  return (
    <>
      <g className={classes} style={{ '--taken': Math.log2(count + 1) } as object}>
        <BaseEdge id={id} path={pathOf(route.points)} {...(markerEnd && { markerEnd })} />
      </g>
      <EdgeLabelRenderer>
        <span
          className={`arrow-label ${classes}`}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        >
          {arrow.label}
          {count > 0 && <b> ×{count}</b>}
        </span>
      </EdgeLabelRenderer>
    </>
  )
})

/** A path of straight lines with round corners. */
export function pathOf(points: readonly Point[]): string {
  const [start, ...rest] = points
  if (!start) return ''
  const parts = [`M ${start.x} ${start.y}`]
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1]
    const before = points[index] ?? start
    if (!next) {
      parts.push(`L ${point.x} ${point.y}`)
      continue
    }
    const enter = towards(point, before)
    const leave = towards(point, next)
    parts.push(`L ${enter.x} ${enter.y} Q ${point.x} ${point.y} ${leave.x} ${leave.y}`)
  }
  return parts.join(' ')
}

/** A point near a corner, on the line to another point. */
function towards(corner: Point, other: Point): Point {
  const length = Math.hypot(other.x - corner.x, other.y - corner.y)
  const part = length === 0 ? 0 : Math.min(CORNER, length / 2) / length
  return { x: corner.x + (other.x - corner.x) * part, y: corner.y + (other.y - corner.y) * part }
}
