/** The address of the page: `#/threads/ID?at=31&tab=loop`. Everything that a person has chosen is in it. */
import { useSyncExternalStore } from 'react'

export interface Address {
  readonly path: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

function read(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const parts = path.split('/').filter(part => part !== '')
  return { path: parts.map(decoded), query: Object.fromEntries(new URLSearchParams(query)) }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

let current = read(location.hash)
const listeners = new Set<() => void>()

/** Reads the address again after a change that fires no event. */
export function update(): void {
  current = read(location.hash)
  for (const listener of listeners) listener()
}
addEventListener('hashchange', update)

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The address, also before the event of its last change has arrived. */
export const addressNow = (): Address => read(location.hash)

export const useAddress = (): Address => useSyncExternalStore(subscribe, () => current)

/** One key of the query. A component that reads it renders again only when this key changes. */
export const useQuery = (key: string): string | undefined =>
  useSyncExternalStore(subscribe, () => current.query[key])

export const threadLink = (thread: string, query: Readonly<Record<string, string>> = {}): string =>
  hrefOf({ path: ['threads', thread], query })

/** The screen that runs a query. */
export const queryLink = (sql: string): string => hrefOf({ path: ['query'], query: { sql } })

export function hrefOf({ path, query = {} }: Partial<Address> & Pick<Address, 'path'>): string {
  const search = new URLSearchParams(query).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

/** Changes keys of the query without a new entry in the history. `undefined` removes a key. */
export function setQuery(change: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = addressNow()
  const entries = Object.entries({ ...query, ...change }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
  const href = hrefOf({ path, query: Object.fromEntries(entries) })
  if (href === location.hash) return
  history.replaceState(history.state, '', href)
  update()
}

export function go(href: string): void {
  location.hash = href
}

/** The time for "ago": `?now=` fixes it. */
export const nowMs = (): number => {
  const fixed = Number(new URLSearchParams(location.search).get('now'))
  return fixed > 0 ? fixed : Date.now()
}
