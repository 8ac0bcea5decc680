/** The waits of custom code. */
import { SPAN_MAX } from '../../core/watch/data/duration.ts'

export const isWait = (ms: unknown): ms is number => typeof ms === 'number' && !Number.isNaN(ms)

/**
 * What custom code passes to `sleep`, in ms. A wait of more than a hundred years has no end: it never moves a virtual clock.
 * @throws TypeError
 */
export function checkWait(ms: unknown): number {
  if (isWait(ms)) return ms > SPAN_MAX ? Number.POSITIVE_INFINITY : Math.max(0, ms)
  const text = typeof ms === 'string' ? `'${ms.slice(0, 80)}'` : typeof ms
  const received = typeof ms === 'number' ? 'NaN' : text
  throw new TypeError(`sleep: expected a number of ms, 0 or more, received ${received}`)
}
