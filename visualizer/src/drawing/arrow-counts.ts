/** The counts of an overlay, for the arrows of a drawing. */
import type { Overlay } from '../data/overlay.ts'
import type { Diagram } from '../layout/diagram.ts'

/** Every taken edge counts for exactly one arrow. */
export function arrowCounts(overlay: Overlay, diagram: Diagram): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [key, count] of overlay.taken) {
    const arrow = arrowFor(diagram, key)
    if (arrow !== undefined) counts.set(arrow, (counts.get(arrow) ?? 0) + count)
  }
  return counts
}

/** The arrow of a key of `taken`. */
export function arrowFor(diagram: Diagram, key: string): string | undefined {
  const cut = key.lastIndexOf(' ')
  return diagram.arrowOf(key.slice(0, cut), key.slice(cut + 1))
}
