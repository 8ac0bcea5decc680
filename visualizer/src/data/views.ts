/** Views that a person has named: addresses of the page, kept in this browser. */
import { z } from 'zod/mini'

const KEY = 'escapement.views'
const VIEWS_MAX = 50

const SCHEMA = z.array(z.object({ name: z.string(), href: z.string().check(z.startsWith('#/')) }))

export type SavedView = Readonly<z.infer<typeof SCHEMA>[number]>

/** The saved views, latest first. */
export function savedViews(): readonly SavedView[] {
  try {
    return SCHEMA.parse(JSON.parse(localStorage.getItem(KEY) ?? '[]'))
  } catch {
    // Another program has written the entry: it is replaced by the next save.
    return []
  }
}

/** Saves the address under a name. A view of that name is replaced. */
export function saveView(view: SavedView): void {
  const others = savedViews().filter(({ name }) => name !== view.name)
  localStorage.setItem(KEY, JSON.stringify([view, ...others].slice(0, VIEWS_MAX)))
}

export function removeView(name: string): void {
  localStorage.setItem(KEY, JSON.stringify(savedViews().filter(view => view.name !== name)))
}
