/** The timeline as a list: one row for each thing, such as a call with all its attempts. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import type { Span } from '../../data/spans.ts'
import { useModel, useRun } from '../../data/use-run.ts'
import { durationText } from '../../design/format.ts'
import { Tag, type Tone, ScrollRegion } from '../../design/parts.tsx'

const ROW_HEIGHT = 30

const TONES: Readonly<Record<Span['outcome'], Tone>> = {
  ok: 'ok',
  failed: 'bad',
  refused: 'warn',
  open: 'quiet',
}

export function SpanList() {
  const model = useModel()
  useRun(({ journal }) => journal.version)
  const at = useRun(({ at }) => at)
  const spans = model.spans.things
  const list = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: spans.length,
    getScrollElement: () => list.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
  })
  const end = Math.max(1, model.journal.end + 1)
  return (
    <ScrollRegion className="span-list" ref={list} label="Calls, findings and escapes">
      <ol style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const span = spans[index]
          if (!span) return null
          const attempts = span.attempts > 1 ? `, ${span.attempts} attempts` : ''
          return (
            <li
              key={key}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={spans.length}
            >
              <button
                type="button"
                className={`span-row is-${span.kind} is-${span.outcome}`}
                aria-current={span.from <= at && at <= span.to ? 'step' : undefined}
                onClick={() => model.seek(span.to)}
              >
                <span className="span-name">
                  {span.name}
                  <span className="muted">{attempts}</span>
                </span>
                <Tag tone={TONES[span.outcome]}>{span.outcome}</Tag>
                <span className="span-time">
                  {span.open ? '' : durationText(span.endedAt - span.startedAt)}
                </span>
                <span className="span-bar">
                  <i
                    style={{
                      left: `${(span.from / end) * 100}%`,
                      width: `${Math.max(0.6, ((span.to - span.from + 1) / end) * 100)}%`,
                    }}
                  />
                </span>
              </button>
            </li>
          )
        })}
      </ol>
    </ScrollRegion>
  )
}
