/** The run over its events: what was done, when it failed, where it went round and how it got out. One slider moves all views. */
import { setQuery } from '../../data/route.ts'
import { Tabs } from '../../design/parts.tsx'
import { Lanes } from './lanes.tsx'
import { SpanList } from './span-list.tsx'
import { Transport } from './transport.tsx'

export function Timeline({ view }: { readonly view: 'lanes' | 'list' }) {
  return (
    <section className="timeline" aria-label="Timeline">
      <Transport />
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
