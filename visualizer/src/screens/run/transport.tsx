/** Moves through the events: buttons, one slider, and a play that sweeps the whole run. */
import { useEffect, useRef, useState } from 'react'
import { canFold } from '../../data/core-fold.ts'
import { setQuery, useQuery } from '../../data/route.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { durationText } from '../../design/format.ts'
import { Button } from '../../design/parts.tsx'
import { setFolded, toggleAxis, useIsByTime } from './use-axis.ts'
import { toggleBudget, useHasBudget } from './use-tracks.ts'

/** A whole run plays in this time. */
const SWEEP_MS = 10_000

/** `finds`: the search is open. */
export function Transport({ finds }: { readonly finds: boolean }) {
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
      <span className={`follow ${follows ? 'is-on' : ''}`}>{follows ? 'following' : 'replay'}</span>
      <LaneSwitches />
      <Button
        icon="search"
        pressed={finds}
        title="Find the events for which a condition is true"
        onClick={() => setQuery({ when: finds ? undefined : '' })}
      >
        Find
      </Button>
    </div>
  )
}

/** What the lanes show. */
function LaneSwitches() {
  const model = useModel()
  const isByTime = useIsByTime()
  const folds = useQuery('idle') !== 'shown'
  const hasBudget = useHasBudget()
  return (
    <>
      <Button
        icon="wait"
        pressed={isByTime}
        title="Place the events by the clock, or one after the other (T)"
        onClick={toggleAxis}
      >
        By time
      </Button>
      {isByTime && (
        <Button
          pressed={folds}
          title="Long times in which nothing ran take little room"
          onClick={() => setFolded(!folds)}
        >
          Fold idle time
        </Button>
      )}
      {canFold(model) && (
        <Button
          pressed={hasBudget}
          title="Show the limit of which the most is used"
          onClick={toggleBudget}
        >
          Budget
        </Button>
      )}
    </>
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
