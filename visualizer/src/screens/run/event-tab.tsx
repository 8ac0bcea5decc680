/** The journal around the event that is looked at, and this event in full. */
import { ScrollRegion, JsonText } from '../../design/parts.tsx'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Row } from '../../../../src/core/run/run.ts'
import { eventLine } from '../../data/event-line.ts'
import { Matching } from '../../data/matching.ts'
import { countSeqsUntil } from '../../data/sorted.ts'
import { Tail } from '../../data/tail.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { durationText, timeText } from '../../design/format.ts'

const ROW_HEIGHT = 28

export function EventTab() {
  const model = useModel()
  const at = useRun(({ at }) => at)
  useRun(({ journal }) => journal.version)
  const [filter, setFilter] = useState('')
  const matching = useMemo(
    () => (filter === '' ? undefined : new Tail(model.rows, new Matching(filter))),
    [model, filter],
  )
  const shown = matching?.current.seqs
  const count = shown ? shown.length : model.rows.length
  const list = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const place = shown ? placeIn(shown, at) : at
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place, { align: 'auto' })
  }, [place, virtual])
  const row = model.rows[at]
  const startedAt = model.rows[0]?.event.at ?? 0
  return (
    <div className="events">
      <input
        type="search"
        aria-label="Filter events"
        placeholder="Filter events, such as tool.failed or search_docs"
        value={filter}
        onChange={event => setFilter(event.target.value)}
      />
      <ScrollRegion className="event-list" ref={list} label="Events">
        <ol style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const seq = shown ? (shown[index] ?? 0) : index
            const of = model.rows[seq]
            if (!of) return null
            return (
              <li
                key={seq}
                style={{ transform: `translateY(${start}px)` }}
                aria-posinset={index + 1}
                aria-setsize={count}
              >
                <button
                  type="button"
                  className={`event-row is-${toneOf(of)}`}
                  aria-current={seq === at ? 'step' : undefined}
                  onClick={() => model.seek(seq)}
                >
                  <span className="seq">{seq}</span>
                  <span className="event-type">{of.event.type}</span>
                  <span className="event-text">{eventLine(of)}</span>
                </button>
              </li>
            )
          })}
        </ol>
      </ScrollRegion>
      {row && (
        <section className="event-detail" aria-label={`Event ${at}`}>
          <h2>
            Event {at} <code>{row.event.type}</code>
          </h2>
          <p className="muted">
            {timeText(row.event.at)}, {durationText(row.event.at - startedAt)} after the start
            {row.edges.length > 0 && ` · took ${row.edges.join(', ')}`}
          </p>
          <JsonText value={row} />
        </section>
      )}
    </div>
  )
}

/** The index of an event in a list; -1: it is not in the list. */
function placeIn(seqs: readonly number[], at: number): number {
  const last = countSeqsUntil(seqs, at) - 1
  return seqs[last] === at ? last : -1
}

function toneOf({ event, findings, verdict }: Row): string {
  if (verdict.kind === 'escape') return 'escape'
  if (findings.length > 0) return 'loop'
  if ('failure' in event) return 'bad'
  return 'plain'
}
