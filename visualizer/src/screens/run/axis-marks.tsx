/** What the timeline says about time: idle times that are folded, and the time or event at its ends. */
import type { Axis } from '../../data/axis.ts'
import type { Extent } from '../../data/extent.ts'
import { useModel } from '../../data/use-run.ts'
import { durationText } from '../../design/format.ts'
import { setFolded, useIsByTime } from './use-axis.ts'

export function AxisMarks({ axis, extent }: { readonly axis: Axis; readonly extent: Extent }) {
  const model = useModel()
  const isByTime = useIsByTime()
  const size = extent.to - extent.from
  const percent = (place: number) => `${((place - extent.from) / size) * 100}%`
  const startedAt = model.rows[0]?.event.at ?? 0
  const nameOf = (place: number) => {
    const seq = axis.seqAt(place)
    if (!isByTime) return `event ${seq}`
    return durationText((model.rows[seq]?.event.at ?? startedAt) - startedAt)
  }
  const folded = axis.folded.filter(({ from, to }) => to > extent.from && from < extent.to)
  return (
    <>
      {folded.map(({ after, ms, from, to }) => (
        <button
          key={after}
          type="button"
          className="idle-time"
          style={{ left: percent(from), width: `${((to - from) / size) * 100}%` }}
          title={`${durationText(ms)} in which nothing ran, after event ${after}. Show it in full length`}
          onPointerDown={event => event.stopPropagation()}
          onClick={() => setFolded(false)}
        >
          <span>{durationText(ms)}</span>
        </button>
      ))}
      <p className="axis-ends">
        <span>{nameOf(extent.from)}</span>
        <span>{nameOf(extent.to)}</span>
      </p>
    </>
  )
}
