/** The threads that stopped cleanly in this process while their store could not record it. Their interrupted starts do not count as crashes. */
import type { Store } from '../store/store.ts'

const STOPS = new WeakMap<Store, Set<string>>()

/** The threads whose next driver in this process records the stop. */
export function unrecordedStops(store: Store): Set<string> {
  const stops = STOPS.get(store) ?? new Set()
  STOPS.set(store, stops)
  return stops
}
