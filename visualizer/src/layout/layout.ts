/** The layout of a graph: quick at once, then refined by ELK. It is computed once per graph and never changes during a run. */
import type { Diagram } from './diagram.ts'
import type { Direction, Placed } from './place.ts'
import { quickLayout } from './quick.ts'

/** Refined layouts by graph version, direction, and the boxes that are shown. */
const KNOWN = new Map<string, Placed>()

interface Wanted {
  readonly diagram: Diagram
  readonly direction: Direction
  /** The version of the graph. */
  readonly key: string
  /** The refinement starts after this. */
  readonly after: Promise<void>
}

/** Calls back with the quick layout if nothing better is known, and again with the refined one. */
export function layOut(of: Wanted, take: (placed: Placed) => void): () => void {
  const { diagram, direction } = of
  const key = JSON.stringify([of.key, direction, diagram.nodes.map(({ id }) => id)])
  const known = KNOWN.get(key)
  if (known) {
    take(known)
    return () => {}
  }
  take(quickLayout(diagram, direction))
  let isWanted = true
  const refine = async () => {
    await of.after
    if (!isWanted) return
    const { elkLayout } = await import('./elk.ts')
    const placed = await elkLayout(diagram, direction)
    KNOWN.set(key, placed)
    if (isWanted) take(placed)
  }
  // The quick layout stays when ELK fails or takes too long.
  refine().catch(() => {})
  return () => {
    isWanted = false
  }
}
