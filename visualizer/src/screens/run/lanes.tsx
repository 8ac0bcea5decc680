/** The lanes of the timeline on one canvas, under the playhead. */
import { useEffect, useMemo, useRef, useState } from 'react'
import type { SpanCounts } from '../../data/spans.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { colorsOf, useColorScheme } from '../../design/colors.ts'
import { drawLanes } from './draw-lanes.ts'
import { laneHeight, lanesOf } from './lane-table.ts'

export function Lanes() {
  const model = useModel()
  const canvas = useRef<HTMLCanvasElement>(null)
  const version = useRun(({ journal }) => journal.version)
  const matches = useRun(({ matches }) => matches)
  const scheme = useColorScheme()
  const [width, setWidth] = useState(0)
  const { question = 0 } = model.spans.counts
  const lanes = useMemo(
    () => lanesOf({ questions: question, matches: matches.length }),
    [question, matches],
  )
  useEffect(() => {
    const element = canvas.current?.parentElement
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more to draw, and another color scheme draws it again.
  useEffect(() => {
    if (canvas.current && width > 0)
      drawLanes(canvas.current, { model, lanes, width, colorOf: colorsOf(canvas.current) })
  }, [model, lanes, width, version, scheme])
  const end = Math.max(1, model.journal.end)
  const seek = (event: React.PointerEvent) => {
    if (event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    model.seek(Math.round(((event.clientX - left) / width) * end))
  }
  return (
    <div className="lanes">
      <ul className="lane-names" aria-hidden="true">
        {lanes.map(({ name }) => (
          <li key={name} style={{ height: laneHeight }}>
            {name}
          </li>
        ))}
      </ul>
      <div className="lane-canvas" onPointerDown={seek} onPointerMove={seek}>
        <canvas
          ref={canvas}
          role="img"
          aria-label={laneSummary(model.spans.counts, matches.length)}
        />
        <Playhead end={end} />
      </div>
    </div>
  )
}

function Playhead({ end }: { readonly end: number }) {
  const at = useRun(({ at }) => at)
  return <span className="playhead" style={{ left: `${(Math.max(0, at) / end) * 100}%` }} />
}

/** The lanes in words. */
function laneSummary(counts: SpanCounts, matches: number): string {
  const { model, tool, failed, loop, escape } = counts
  const calls = `${model ?? 0} model calls, ${tool ?? 0} tool calls, ${failed ?? 0} failed or refused`
  return `${calls}, ${loop ?? 0} findings, ${escape ?? 0} escapes, ${matches} matches. The list of calls has each of them.`
}
