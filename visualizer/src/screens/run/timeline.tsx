/** The run over its events: what was done, when it failed, where it went round and how it got out. One slider moves all views. */
import { useEffect, useRef, useState } from 'react'
import type { Span } from '../../data/spans.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { durationText } from '../../design/format.ts'
import { Button, Tabs } from '../../design/parts.tsx'
import { setQuery } from '../../data/route.ts'
import { drawLanes, LANES, laneHeight } from './lanes.ts'
import { SpanList } from './span-list.tsx'

/** A whole run plays in this time. */
const SWEEP_MS = 10_000

type View = 'lanes' | 'list'

export function Timeline({ view }: { readonly view: View }) {
  const model = useModel()
  const end = useRun(({ journal }) => journal.end)
  const at = useRun(({ at }) => at)
  const follows = useRun(({ follows }) => follows)
  const [playing, setPlaying] = useState(false)
  usePlayback(playing, () => setPlaying(false))
  const startedAt = model.rows[0]?.event.at ?? 0
  const elapsed = (model.rows[at]?.event.at ?? startedAt) - startedAt
  const go = (seq: number | undefined) => {
    setPlaying(false)
    model.seek(seq)
  }
  return (
    <section className="timeline" aria-label="Timeline">
      <div className="transport">
        <Square icon="first" label="First event" onClick={() => go(0)} />
        <Square icon="back" label="Back one event" onClick={() => go(Math.max(0, at - 1))} />
        <Square
          icon={playing ? 'pause' : 'play'}
          label={playing ? 'Stop playing' : 'Play the run in 10 seconds'}
          onClick={() => {
            if (!playing && at >= end) model.seek(0)
            setPlaying(!playing)
          }}
        />
        <Square icon="forward" label="Forward one event" onClick={() => go(at + 1)} />
        <Square icon="last" label="Last event, and follow" onClick={() => go(undefined)} />
        <input
          type="range"
          className="scrubber"
          min={0}
          max={Math.max(0, end)}
          value={Math.max(0, at)}
          aria-label="Event"
          aria-valuetext={`event ${at} of ${end}, ${model.rows[at]?.event.type ?? ''}`}
          onChange={event => go(Number(event.target.value))}
        />
        <output className="position">
          {at} / {end} · {durationText(elapsed)}
        </output>
        <span className={`follow ${follows ? 'is-on' : ''}`}>
          {follows ? 'following' : 'replay'}
        </span>
      </div>
      <Tabs
        label="Timeline views"
        tabs={[
          { id: 'lanes', name: 'Lanes' },
          { id: 'list', name: 'Calls' },
        ]}
        current={view}
        onChange={id => setQuery({ timeline: id === 'lanes' ? undefined : id })}
      >
        {view === 'lanes' ? <Lanes /> : <SpanList />}
      </Tabs>
    </section>
  )
}

interface SquareProps {
  readonly icon: Parameters<typeof Button>[0]['icon']
  readonly label: string
  readonly onClick: () => void
}

function Square({ icon, label, onClick }: SquareProps) {
  return (
    <span className="square">
      <Button {...(icon && { icon })} title={label} onClick={onClick}>
        <span className="visually-hidden">{label}</span>
      </Button>
    </span>
  )
}

/** Moves through the events at the speed that plays the whole run in ten seconds. */
function usePlayback(playing: boolean, stop: () => void) {
  const model = useModel()
  const stopped = useRef(stop)
  stopped.current = stop
  useEffect(() => {
    if (!playing) return
    const first = model.at
    const start = performance.now()
    let frame = requestAnimationFrame(function move(now) {
      const { end } = model.journal
      const seq = first + Math.floor(((now - start) / SWEEP_MS) * (end + 1))
      if (seq >= end) {
        model.seek(end)
        stopped.current()
        return
      }
      if (seq !== model.at) model.seek(seq)
      frame = requestAnimationFrame(move)
    })
    return () => cancelAnimationFrame(frame)
  }, [playing, model])
}

function Lanes() {
  const model = useModel()
  const canvas = useRef<HTMLCanvasElement>(null)
  const version = useRun(({ journal }) => journal.version)
  const at = useRun(({ at }) => at)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const element = canvas.current?.parentElement
    if (!element) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new version of the journal has more to draw.
  useEffect(() => {
    if (canvas.current && width > 0)
      drawLanes(canvas.current, { model, width, theme: getComputedStyle(document.documentElement) })
  }, [model, width, version])
  const end = Math.max(1, model.journal.end)
  const seek = (event: React.PointerEvent) => {
    if (event.buttons !== 1) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    model.seek(Math.round(((event.clientX - left) / width) * end))
  }
  return (
    <div className="lanes">
      <ul className="lane-names" aria-hidden="true">
        {LANES.map(({ name }) => (
          <li key={name} style={{ height: laneHeight }}>
            {name}
          </li>
        ))}
      </ul>
      <div className="lane-canvas" onPointerDown={seek} onPointerMove={seek}>
        <canvas ref={canvas} role="img" aria-label={laneSummary(model.spans)} />
        <span className="playhead" style={{ left: `${(Math.max(0, at) / end) * 100}%` }} />
      </div>
    </div>
  )
}

/** The lanes in words. */
function laneSummary(spans: readonly Span[]): string {
  const count = (kind: Span['kind']) => spans.filter(span => span.kind === kind).length
  const failed = spans.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused').length
  return `${count('model')} model calls, ${count('tool')} tool calls, ${failed} failed or refused, ${count('loop')} findings, ${count('escape')} escapes. The list of calls has each of them.`
}
