/** What is the same above every screen, also before any script has run: the name of the page, and where it leads. */
import type { ReactNode } from 'react'
import { Icon } from '../design/icon.tsx'

interface BarProps {
  readonly name: string
  /** Where the name leads. */
  readonly home?: string
  readonly children: ReactNode
}

export function Bar({ name, home, children }: BarProps) {
  const brand = (
    <>
      <Icon name="loop" /> {name}
    </>
  )
  return (
    <header className="top-bar">
      {home === undefined ? (
        <span className="brand">{brand}</span>
      ) : (
        <a className="brand" href={home}>
          {brand}
        </a>
      )}
      {children}
    </header>
  )
}

export const PLACES = [
  { path: 'threads', name: 'Threads' },
  { path: 'graphs', name: 'Graphs' },
  { path: 'inbox', name: 'Inbox' },
  { path: 'breakers', name: 'Breakers' },
  { path: 'query', name: 'Query' },
  { path: 'file', name: 'Open a file' },
] as const

type Place = (typeof PLACES)[number]['path']

interface PlacesProps {
  /** The first part of the address. */
  readonly current?: string
  /** Figures beside the names. */
  readonly badges?: Readonly<Partial<Record<Place, ReactNode>>>
}

export const Places = ({ current, badges = {} }: PlacesProps) => (
  <nav aria-label="Screens">
    <ul>
      {PLACES.map(({ path, name }) => (
        <li key={path}>
          <a href={`#/${path}`} aria-current={path === current ? 'page' : undefined}>
            {name}
            {badges[path]}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)
