/** The whole timeline as a strip: how dense its events are, where calls failed, and the part of it that the lanes show. */
import { useEffect, useRef } from 'react'
import type { Axis } from '../../data/axis.ts'
import { densityOf } from '../../data/density.ts'
import { type Extent, extentOf, WHOLE } from '../../data/extent.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { colorsOf, useColorScheme } from '../../design/colors.ts'
import { sized } from './lane-pen.ts'
import { useWidth } from './use-width.ts'

interface OverviewProps {
  readonly axis: Axis
  readonly extent: Extent
  readonly onChange: (extent: Extent) => void
}

const HEIGHT = 22
const BAR_MIN = 3
/** The height of the mark of failed events. */
const FAILED = 4
/** Events in one place that fill the height, unless another place has more. */
const FULL = 3

export function Overview({ axis, extent, onChange }: OverviewProps) {
  const model = useModel()
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(box)
  const version = useRun(({ journal }) => journal.version)
  const scheme = useColorScheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more to draw, and another color scheme draws it again.
  useEffect(() => {
    if (!canvas.current || width === 0) return
    const colorOf = colorsOf(canvas.current)
    const context = sized(canvas.current, width, HEIGHT)
    if (!context) return
    const parts = Math.min(Math.floor(width / BAR_MIN), model.rows.length)
    const density = densityOf(model.rows, axis, parts)
    const bar = width / Math.max(1, parts)
    const most = Math.max(FULL, ...density.map(({ events }) => events))
    const room = HEIGHT - FAILED - 3
    context.fillStyle = colorOf('--line-strong')
    for (const [index, { events }] of density.entries()) {
      const tall = events === 0 ? 0 : 2 + (events / most) * room
      context.fillRect(index * bar, HEIGHT - tall, bar - 1, tall)
    }
    // At the top, so that failures differ by their place, too.
    context.fillStyle = colorOf('--bad')
    for (const [index, { failed }] of density.entries())
      if (failed > 0) context.fillRect(index * bar, 0, bar - 1, FAILED)
  }, [model, axis, width, version, scheme])
  const drag = useDrag(extent, onChange)
  const isPart = extent.to - extent.from < 1
  return (
    <div className="lanes is-overview">
      <span className="lane-names">
        {isPart ? (
          <button type="button" className="link" onClick={() => onChange(WHOLE)}>
            Whole run
          </button>
        ) : (
          'overview'
        )}
      </span>
      <div className="overview" ref={box} {...drag}>
        <canvas ref={canvas} role="img" aria-label="The density of the events" />
        {isPart && (
          <span
            className="overview-part"
            style={{ left: `${extent.from * 100}%`, width: `${(extent.to - extent.from) * 100}%` }}
          />
        )}
        <Edge side="from" extent={extent} onChange={onChange} />
        <Edge side="to" extent={extent} onChange={onChange} />
      </div>
    </div>
  )
}

interface EdgeProps {
  readonly side: keyof Extent
  readonly extent: Extent
  readonly onChange: (extent: Extent) => void
}

const KEY_STEP = 0.02

/** An end of the shown part, for the keyboard. A pointer chooses another part, or moves it. */
function Edge({ side, extent, onChange }: EdgeProps) {
  const press = (event: React.KeyboardEvent) => {
    const by = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const place = Math.min(1, Math.max(0, extent[side] + by))
    const { from, to } = side === 'from' ? { ...extent, from: place } : { ...extent, to: place }
    if (from < to) onChange(extentOf(from, to))
  }
  return (
    <span
      className="overview-edge"
      role="slider"
      tabIndex={0}
      aria-label={side === 'from' ? 'Start of the shown part' : 'End of the shown part'}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(extent[side] * 100)}
      aria-valuetext={`${Math.round(extent[side] * 100)} % of the run`}
      style={{ left: `${extent[side] * 100}%` }}
      onKeyDown={press}
    />
  )
}

/** A drag inside of a shown part moves it, and any other drag chooses another part. */
function useDrag(extent: Extent, onChange: (extent: Extent) => void) {
  const start = useRef<{ readonly place: number; readonly moves: Extent | undefined }>(undefined)
  const placeOf = (event: React.PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (event.clientX - left) / width))
  }
  return {
    onPointerDown: (event: React.PointerEvent) => {
      const place = placeOf(event)
      const { from, to } = extent
      const isInside = to - from < 1 && place > from && place < to
      start.current = { place, moves: isInside ? extent : undefined }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: React.PointerEvent) => {
      if (!start.current || event.buttons !== 1) return
      const { place, moves } = start.current
      const now = placeOf(event)
      if (moves) onChange(extentOf(moves.from + now - place, moves.to + now - place))
      else onChange(extentOf(Math.min(place, now), Math.max(place, now)))
    },
    onPointerUp: () => {
      start.current = undefined
    },
    onDoubleClick: () => onChange(WHOLE),
  }
}
