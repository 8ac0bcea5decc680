/** Draws the lanes of the timeline. */
import type { Axis } from '../../data/axis.ts'
import type { Extent } from '../../data/extent.ts'
import type { Span } from '../../data/spans.ts'
import { drawBudget, drawChannel } from './draw-tracks.ts'
import { type LanePen, sized } from './lane-pen.ts'
import { type Lane, laneHeight } from './lane-table.ts'

interface Drawn {
  readonly spans: readonly Span[]
  readonly lanes: readonly Lane[]
  readonly axis: Axis
  /** The part of the timeline that fills the canvas. */
  readonly extent: Extent
  readonly width: number
  /** The event at which open things end. */
  readonly end: number
  /** The color of a token. */
  readonly colorOf: (token: string) => string
}

export function drawLanes(canvas: HTMLCanvasElement, drawn: Drawn): void {
  const { lanes, axis, extent, width, colorOf } = drawn
  const context = sized(canvas, width, lanes.length * laneHeight)
  if (!context) return
  context.fillStyle = colorOf('--line')
  for (const index of lanes.keys()) context.fillRect(0, (index + 1) * laneHeight - 1, width, 1)
  const xOf = (place: number) => ((place - extent.from) / (extent.to - extent.from)) * width
  const left = (seq: number) => xOf(axis.startOf(seq))
  const right = (seq: number) => xOf(axis.endOf(seq))
  const ink = colorOf('--text')
  const pens = lanes.map(({ color }, index): LanePen => {
    return { context, y: index * laneHeight + 4, width, color: colorOf(color), ink, left, right }
  })
  for (const [index, { shows }] of lanes.entries()) {
    const pen = pens[index]
    if (!pen) continue
    if (shows.what === 'matches') drawMatches(pen, shows.seqs)
    if (shows.what === 'budget') drawBudget(pen, shows.uses, drawn.end)
    if (shows.what === 'channel') drawChannel(pen, shows.changes, drawn.end)
  }
  drawSpans(drawn, pens, colorOf('--bad'))
}

/** Of the spans that share a pixel, one is drawn. Failures come last, so that none is covered. */
function drawSpans({ spans, lanes }: Drawn, pens: readonly LanePen[], bad: string) {
  const places = new Map(
    lanes.flatMap(({ shows }, index) =>
      shows.what === 'spans' ? shows.kinds.map(kind => [kind, index] as const) : [],
    ),
  )
  for (const isBad of [false, true]) {
    const painted = lanes.map(() => 0)
    for (const span of spans) {
      if (isFailure(span) !== isBad) continue
      const index = places.get(span.kind) ?? 0
      const pen = pens[index]
      if (!pen) continue
      const x = pen.left(span.from)
      const wide = Math.max(2, pen.right(span.to) - x - 1)
      if (x > pen.width || x + wide - (painted[index] ?? 0) < 1) continue
      painted[index] = x + wide
      pen.context.fillStyle = isBad ? bad : pen.color
      drawSpan(pen, span, { x, wide, isBad })
    }
  }
}

function drawMatches({ context, y, width, color, left }: LanePen, seqs: readonly number[]) {
  context.fillStyle = color
  let painted = 0
  for (const seq of seqs) {
    const x = left(seq)
    if (x > width) return
    if (x + 2 - painted < 1) continue
    painted = x + 2
    context.fillRect(x, y, 2, laneHeight - 9)
  }
}

const isFailure = ({ outcome }: Span): boolean => outcome === 'failed' || outcome === 'refused'

interface Box {
  readonly x: number
  readonly wide: number
  readonly isBad: boolean
}

/** A failed span is a bar with a gap, so that it differs by shape too. */
function drawSpan({ context, y }: LanePen, { open }: Span, { x, wide, isBad }: Box) {
  const tall = laneHeight - 9
  if (isBad) {
    context.fillRect(x, y, wide, 4)
    context.fillRect(x, y + tall - 4, wide, 4)
    return
  }
  context.globalAlpha = open ? 0.5 : 1
  context.fillRect(x, y, wide, tall)
  context.globalAlpha = 1
}
