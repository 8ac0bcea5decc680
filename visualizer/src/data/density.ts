/** Where the events of a run are dense. */
import type { Row } from '../../../src/core/run/run.ts'
import type { Axis } from './axis.ts'

/** How many events stand in each of `parts` equal parts of the timeline, and how many of them failed. */
export function densityOf(
  rows: readonly Row[],
  axis: Axis,
  parts: number,
): readonly { readonly events: number; readonly failed: number }[] {
  const buckets = Array.from({ length: parts }, () => ({ events: 0, failed: 0 }))
  for (const { seq, event } of rows) {
    const bucket = buckets[Math.min(parts - 1, Math.floor(axis.startOf(seq) * parts))]
    if (!bucket) continue
    bucket.events++
    if (event.type.endsWith('.failed') || event.type === 'circuit.refused') bucket.failed++
  }
  return buckets
}
