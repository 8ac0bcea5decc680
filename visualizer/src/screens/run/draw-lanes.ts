/** Draws the lanes of the timeline: one column of pixels per event or fewer, so that idle time takes no room. */
import type { RunModel } from '../../data/run-model.ts'
import type { Span } from '../../data/spans.ts'
import { type Lane, laneHeight } from './lane-table.ts'

interface Drawn {
  readonly model: RunModel
  readonly lanes: readonly Lane[]
  readonly width: number
  /** The color of a token. */
  readonly colorOf: (token: string) => string
}

export function drawLanes(
  canvas: HTMLCanvasElement,
  { model, lanes, width, colorOf }: Drawn,
): void {
  const height = lanes.length * laneHeight
  const ratio = devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  const context = canvas.getContext('2d')
  if (!context) return
  context.scale(ratio, ratio)
  const scale = width / (Math.max(1, model.journal.end) + 1)
  const bad = colorOf('--bad')
  context.fillStyle = colorOf('--line')
  for (const index of lanes.keys()) context.fillRect(0, (index + 1) * laneHeight - 1, width, 1)
  const rows = new Map(lanes.flatMap(({ kinds }, row) => kinds.map(kind => [kind, row] as const)))
  const colors = lanes.map(({ color }) => colorOf(color))
  context.fillStyle = colors.at(-1) ?? bad
  drawMatches(context, model.matches, { scale, y: (lanes.length - 1) * laneHeight + 4 })
  // Where each lane is painted up to: of the spans that share a pixel, one is drawn. Failures come last, so that none is covered.
  for (const isBad of [false, true]) {
    const painted = lanes.map(() => 0)
    for (const span of model.spans.all) {
      if (isFailure(span) !== isBad) continue
      const row = rows.get(span.kind) ?? 0
      const x = span.from * scale
      const wide = Math.max(2, (span.to - span.from + 1) * scale - 1)
      if (x + wide - (painted[row] ?? 0) < 1) continue
      painted[row] = x + wide
      context.fillStyle = isBad ? bad : (colors[row] ?? bad)
      drawSpan(context, span, { x, y: row * laneHeight + 4, wide, isBad })
    }
  }
}

/** In the last lane. */
function drawMatches(
  context: CanvasRenderingContext2D,
  matches: readonly number[],
  { scale, y }: { readonly scale: number; readonly y: number },
) {
  let painted = 0
  for (const seq of matches) {
    const x = seq * scale
    if (x + 2 - painted < 1) continue
    painted = x + 2
    context.fillRect(x, y, 2, laneHeight - 9)
  }
}

const isFailure = ({ outcome }: Span): boolean => outcome === 'failed' || outcome === 'refused'

interface Box {
  readonly x: number
  readonly y: number
  readonly wide: number
  readonly isBad: boolean
}

/** A failed span is a bar with a gap, so that it differs by shape too. */
function drawSpan(context: CanvasRenderingContext2D, span: Span, { x, y, wide, isBad }: Box) {
  const tall = laneHeight - 9
  if (isBad) {
    context.fillRect(x, y, wide, 4)
    context.fillRect(x, y + tall - 4, wide, 4)
    return
  }
  context.globalAlpha = span.open ? 0.5 : 1
  context.fillRect(x, y, wide, tall)
  context.globalAlpha = 1
}
