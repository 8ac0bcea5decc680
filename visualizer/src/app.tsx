/** The frame of the page: its navigation, its theme, and the screen of the address. */
import { Component, type ReactNode, StrictMode, useCallback, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { useAddress } from './data/route.ts'
import { nowMs } from './data/route.ts'
import { service } from './data/service.ts'
import { snoozedUntil, useSnoozes } from './data/snoozes.ts'
import { Icon } from './design/icon.tsx'
import { ErrorNotice, Notice } from './design/parts.tsx'
import { Places, PLACES } from './screens/bar.tsx'
import { onDemand } from './screens/on-demand.tsx'
import { Palette } from './screens/palette.tsx'
import { ThreadsScreen } from './screens/threads/threads.tsx'
import { TopBar } from './screens/top-bar.tsx'
import { usePolled } from './screens/use-polled.ts'

const RunScreen = onDemand(async () => (await import('./screens/run/run-screen.tsx')).RunScreen)
const GraphScreen = onDemand(async () => (await import('./screens/graph/graph.tsx')).GraphScreen)
const GraphsScreen = onDemand(async () => (await import('./screens/graph/graphs.tsx')).GraphsScreen)
const InboxScreen = onDemand(async () => (await import('./screens/inbox.tsx')).InboxScreen)
const BreakersScreen = onDemand(async () => (await import('./screens/breakers.tsx')).BreakersScreen)
const CompareScreen = onDemand(async () => (await import('./screens/compare.tsx')).CompareScreen)
const QueryScreen = onDemand(async () => (await import('./screens/query.tsx')).QueryScreen)
const FileScreen = onDemand(async () => (await import('./screens/file.tsx')).FileScreen)

const INBOX_EVERY_MS = 5_000

export function render(): void {
  const root = document.getElementById('root')
  if (root)
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    )
}

function App() {
  const { path } = useAddress()
  const [place = 'threads'] = path
  const [palette, setPalette] = useState(false)
  usePaletteKey(() => setPalette(true))
  useEffect(() => {
    document.title = [path[1], PLACES.find(each => each.path === place)?.name, 'escapement']
      .filter(Boolean)
      .join(' · ')
  }, [path, place])
  return (
    <>
      <button type="button" className="skip-link" onClick={focusMain}>
        Skip to the content
      </button>
      <TopBar
        name="escapement"
        home="#/threads"
        actions={
          <button type="button" className="button is-plain" onClick={() => setPalette(true)}>
            <Icon name="search" /> <span>Commands</span> <kbd>Ctrl K</kbd>
          </button>
        }
      >
        <Places current={place} badges={{ inbox: <InboxCount /> }} />
      </TopBar>
      <main id="main" tabIndex={-1}>
        <Guard key={path.join('/')}>
          <Screen path={path} />
        </Guard>
      </main>
      {palette && <Palette onClose={() => setPalette(false)} />}
    </>
  )
}

function Screen({ path }: { readonly path: readonly string[] }) {
  const [place = 'threads', first, second] = path
  if (place === 'threads' && first !== undefined) return <RunScreen key={first} thread={first} />
  if (place === 'threads') return <ThreadsScreen />
  if (place === 'graphs' && first !== undefined) return <GraphScreen graph={first} />
  if (place === 'graphs') return <GraphsScreen />
  if (place === 'inbox') return <InboxScreen />
  if (place === 'breakers') return <BreakersScreen />
  if (place === 'query') return <QueryScreen />
  if (place === 'file') return <FileScreen />
  if (place === 'compare' && first !== undefined && second !== undefined)
    return <CompareScreen a={first} b={second} />
  return (
    <div className="screen">
      <Notice title="No such page">
        <p>
          <a href="#/threads">Threads</a>
        </p>
      </Notice>
    </div>
  )
}

const focusMain = () => document.getElementById('main')?.focus()

function InboxCount() {
  const read = useCallback(() => service.questions(), [])
  const { value } = usePolled(read, INBOX_EVERY_MS)
  const snoozes = useSnoozes()
  const waiting = value?.filter(each => snoozedUntil(snoozes, each, nowMs()) === undefined) ?? []
  if (waiting.length === 0) return null
  return (
    <span className="badge">
      {waiting.length}
      <span className="visually-hidden"> open questions</span>
    </span>
  )
}

function usePaletteKey(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      open()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}

interface Guarded {
  readonly problem?: Error
}

/** A fault of one screen leaves the rest of the page usable. */
class Guard extends Component<{ readonly children: ReactNode }, Guarded> {
  override state: Guarded = {}
  static getDerivedStateFromError = (problem: Error): Guarded => ({ problem })

  override render() {
    const { problem } = this.state
    if (!problem) return this.props.children
    return (
      <ErrorNotice
        message={`This screen failed: ${problem.message}`}
        retry={() => this.setState({})}
      />
    )
  }
}
