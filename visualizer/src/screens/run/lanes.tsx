/** The lanes of the timeline, under the playhead, and the overview from which a part of them is chosen. */
import { useEffect, useMemo, useRef } from 'react'
import type { Axis } from '../../data/axis.ts'
import { type Extent, extentOf, WHOLE, zoomed } from '../../data/extent.ts'
import { countUntil } from '../../data/sorted.ts'
import type { SpanCounts } from '../../data/spans.ts'
import type { Tracks } from '../../data/tracks.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { colorsOf, useColorScheme } from '../../design/colors.ts'
import { AxisMarks } from './axis-marks.tsx'
import { drawLanes } from './draw-lanes.ts'
import { type Lane, laneHeight, lanesOf } from './lane-table.ts'
import { Overview } from './overview.tsx'
import { useAxis, useExtent } from './use-axis.ts'
import { useHasBudget, useTracks } from './use-tracks.ts'
import { useWidth } from './use-width.ts'

export function Lanes() {
  const model = useModel()
  const matches = useRun(({ matches }) => matches)
  const tracks = useTracks()
  const hasBudget = useHasBudget()
  const axis = useAxis()
  const [extent, setExtent] = useExtent()
  const { question: questions = 0 } = model.spans.counts
  const lanes = useMemo(() => {
    const { budget, channels } = tracks
    return lanesOf({ questions, matches, budget: hasBudget ? budget : undefined, channels })
  }, [questions, matches, tracks, hasBudget])
  return (
    <>
      <Overview axis={axis} extent={extent} onChange={setExtent} />
      <div className="lanes">
        <ul className="lane-names" aria-hidden="true">
          {lanes.map(({ name }) => (
            <li key={name} style={{ height: laneHeight }}>
              {name}
            </li>
          ))}
        </ul>
        <LaneCanvas {...{ lanes, axis, extent }} onZoom={setExtent} />
      </div>
      <TrackValues tracks={tracks} />
    </>
  )
}

interface LaneCanvasProps {
  readonly lanes: readonly Lane[]
  readonly axis: Axis
  readonly extent: Extent
  readonly onZoom: (extent: Extent) => void
}

function LaneCanvas({ lanes, axis, extent, onZoom }: LaneCanvasProps) {
  const model = useModel()
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const version = useRun(({ journal }) => journal.version)
  const scheme = useColorScheme()
  const width = useWidth(box)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more to draw, and another color scheme draws it again.
  useEffect(() => {
    if (!canvas.current || width === 0) return
    const { spans, journal } = model
    const colorOf = colorsOf(canvas.current)
    const end = journal.end
    drawLanes(canvas.current, { spans: spans.all, lanes, axis, extent, width, end, colorOf })
  }, [model, lanes, axis, extent, width, version, scheme])
  useZoom(box, extent, onZoom)
  const seek = (event: React.PointerEvent) => {
    if (event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const part = (event.clientX - left) / width
    model.seek(axis.seqAt(extent.from + part * (extent.to - extent.from)))
  }
  const counts = laneSummary(model.spans.counts, model.matches.length)
  return (
    <div className="lane-canvas" ref={box} onPointerDown={seek} onPointerMove={seek}>
      <canvas ref={canvas} role="img" aria-label={counts} />
      <AxisMarks axis={axis} extent={extent} />
      <Playhead axis={axis} extent={extent} />
    </div>
  )
}

/** How much one step of a wheel zooms, and how far it moves. */
const ZOOM_STEP = 1.25
const PAN_STEP = 0.1

/** A wheel zooms around the pointer. With Shift, it moves the part that is shown. A double click shows the whole run. */
function useZoom(
  box: React.RefObject<HTMLDivElement | null>,
  extent: Extent,
  onZoom: (extent: Extent) => void,
) {
  useEffect(() => {
    const element = box.current
    const turn = (event: WheelEvent) => {
      event.preventDefault()
      const { from, to } = extent
      const size = to - from
      const way = Math.sign(event.deltaY + event.deltaX)
      if (event.shiftKey) {
        const by = Math.min(1 - to, Math.max(-from, way * PAN_STEP * size))
        onZoom(extentOf(from + by, to + by))
        return
      }
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect()
      const around = from + ((event.clientX - left) / width) * size
      onZoom(zoomed(extent, ZOOM_STEP ** way, around))
    }
    const reset = () => onZoom(WHOLE)
    // React listens to wheels passively, and the page would scroll.
    element?.addEventListener('wheel', turn, { passive: false })
    element?.addEventListener('dblclick', reset)
    return () => {
      element?.removeEventListener('wheel', turn)
      element?.removeEventListener('dblclick', reset)
    }
  }, [box, extent, onZoom])
}

function Playhead({ axis, extent }: { readonly axis: Axis; readonly extent: Extent }) {
  const at = useRun(({ at }) => Math.max(0, at))
  const place = (axis.startOf(at) + axis.endOf(at)) / 2
  const part = (place - extent.from) / (extent.to - extent.from)
  if (part < 0 || part > 1) return null
  return <span className="playhead" style={{ left: `${part * 100}%` }} />
}

/** The values of the lanes of the budget and of channels at the event that is looked at. */
function TrackValues({ tracks: { budget, channels } }: { readonly tracks: Tracks }) {
  const at = useRun(({ at }) => at)
  const used = latest(budget, at)
  const values = [...channels].map(([name, changes]) => {
    return `${name} = ${latest(changes, at)?.text ?? 'not written'}`
  })
  if (used) values.unshift(`${Math.round(used.part * 100)} % of limits.${used.limit}`)
  if (values.length === 0) return null
  return (
    <p className="track-values">
      Event {at}: {values.join(' · ')}
    </p>
  )
}

const latest = <T extends { readonly seq: number }>(all: readonly T[], at: number): T | undefined =>
  all[countUntil(all, at, ({ seq }) => seq) - 1]

/** The lanes in words. */
function laneSummary(counts: SpanCounts, matches: number): string {
  const { model, tool, failed, loop, escape } = counts
  const calls = `${model ?? 0} model calls, ${tool ?? 0} tool calls, ${failed ?? 0} failed or refused`
  return `${calls}, ${loop ?? 0} findings, ${escape ?? 0} escapes, ${matches} matches. The list of calls has each of them.`
}
