/** Views that a person has named: addresses of the page, kept in this browser. */
const KEY = 'escapement.views'
const VIEWS_MAX = 50

export interface SavedView {
  readonly name: string
  readonly href: string
}

/** The saved views, latest first. What another program has written is left out. */
export function savedViews(): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isView) : []
  } catch {
    return []
  }
}

/** Only addresses of the page are links. */
function isView(value: Partial<SavedView> | null): value is SavedView {
  const { name, href } = value ?? {}
  return typeof name === 'string' && typeof href === 'string' && href.startsWith('#/')
}

/** Saves the address under a name. A view of that name is replaced. */
export function saveView(view: SavedView): void {
  const others = savedViews().filter(({ name }) => name !== view.name)
  localStorage.setItem(KEY, JSON.stringify([view, ...others].slice(0, VIEWS_MAX)))
}

export function removeView(name: string): void {
  localStorage.setItem(KEY, JSON.stringify(savedViews().filter(view => view.name !== name)))
}
