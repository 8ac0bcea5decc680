/** The run over its events: what was done, when it failed, where it went round and how it got out. One slider moves all views. */
import type { CSSProperties } from 'react'
import { setQuery } from '../../data/route.ts'
import { Tabs } from '../../design/parts.tsx'
import { Find } from './find.tsx'
import { Lanes } from './lanes.tsx'
import { SpanList } from './span-list.tsx'
import { Transport } from './transport.tsx'
import type { Breakpoints } from './use-breakpoints.ts'
import { useTrackCount } from './use-tracks.ts'

interface TimelineProps {
  readonly view: 'lanes' | 'list'
  /** The condition whose matches it shows; `''` before a person has typed one. */
  readonly when: string | undefined
  readonly breakpoints: Breakpoints
}

export function Timeline({ view, when, breakpoints }: TimelineProps) {
  const more = useTrackCount()
  return (
    <section
      className={`timeline ${when === undefined ? '' : 'has-find'}`}
      aria-label="Timeline"
      style={{ '--more-lanes': more } as CSSProperties}
    >
      <Transport finds={when !== undefined} />
      {when !== undefined && <Find key={when} expression={when} breakpoints={breakpoints} />}
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
