/** The command palette: screens, threads, graphs, queries and saved views by name. */
import { useCallback, useId, useState } from 'react'
import { NAMED_QUERIES } from '../../../src/runtime/store/query/named-queries.ts'
import { go, hrefOf, queryLink, threadLink } from '../data/route.ts'
import { service } from '../data/service.ts'
import { removeView, type SavedView, savedViews, saveView } from '../data/views.ts'
import { Dialog } from '../design/parts.tsx'
import { PLACES } from './bar.tsx'
import { usePolled } from './use-polled.ts'

interface Entry {
  readonly name: string
  readonly kind: string
  /** Where it leads. Absent: `perform` does its work here. */
  readonly href?: string
  readonly perform?: () => void
}

const SCREENS: readonly Entry[] = PLACES.map(({ path, name }) => {
  return { name, kind: 'screen', href: `#/${path}` }
})

const QUERIES: readonly Entry[] = NAMED_QUERIES.map(({ name, sql }) => {
  return { name, kind: 'query', href: queryLink(sql) }
})

const SHOWN_MAX = 12
const EVERY_MS = 60_000

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [place, setPlace] = useState(0)
  const read = useCallback(entries, [])
  const { value = SCREENS } = usePolled(read, EVERY_MS)
  const wanted = text.toLowerCase()
  const found = [...savedViews().map(viewEntry), ...value]
    .filter(({ name, kind }) => `${kind} ${name}`.toLowerCase().includes(wanted))
    .slice(0, SHOWN_MAX)
  const shown = [...found, ...viewChanges(text.trim())]
  const open = (entry: Entry | undefined) => {
    if (!entry) return
    entry.perform?.()
    if (entry.href !== undefined) go(entry.href)
    onClose()
  }
  const press = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Enter') open(shown[place])
    else if (step !== undefined) setPlace(Math.min(shown.length - 1, Math.max(0, place + step)))
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown[place] && `${id}-${place}`}
        aria-label="Screen, thread, graph or view"
        value={text}
        onKeyDown={press}
        onChange={event => {
          setText(event.target.value)
          setPlace(0)
        }}
      />
      <div className="palette" id={id} role="listbox" aria-label="Matches">
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box above handles the keys of its list.
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the box above.
          <div
            key={`${entry.kind} ${entry.name}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === place}
            onClick={() => open(entry)}
          >
            <span>{entry.name}</span> <small>{entry.kind}</small>
          </div>
        ))}
      </div>
    </Dialog>
  )
}

const viewEntry = ({ name, href }: SavedView): Entry => {
  return { name, href, kind: 'view' }
}

/** With a name in the box, the view on the screen can be saved under it, or the view of that name removed. */
function viewChanges(name: string): readonly Entry[] {
  if (name === '') return []
  const { hash } = location
  const save = { name: `Save this view as “${name}”`, kind: 'change' }
  const remove = { name: `Remove the view “${name}”`, kind: 'change' }
  const isKnown = savedViews().some(view => view.name === name)
  return [
    { ...save, perform: () => saveView({ name, href: hash === '' ? '#/threads' : hash }) },
    ...(isKnown ? [{ ...remove, perform: () => removeView(name) }] : []),
  ]
}

async function entries(): Promise<readonly Entry[]> {
  const [{ threads }, graphs] = await Promise.all([
    service.threads({ limit: 200 }),
    service.graphs(),
  ])
  return [
    ...SCREENS,
    ...threads.map(({ thread }) => ({ name: thread, kind: 'thread', href: threadLink(thread) })),
    ...graphs.map(({ graph }) => ({
      name: graph,
      kind: 'graph',
      href: hrefOf({ path: ['graphs', graph] }),
    })),
    ...QUERIES,
  ]
}
