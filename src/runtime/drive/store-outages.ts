/** What this process knows of outages of a store. A start that an outage interrupts does not count as a crash. */
import type { Store } from '../store/store.ts'

type Known = Readonly<{ stops: Set<string>; lastAt?: number }>

const KNOWN = new WeakMap<Store, Known>()

const of = (store: Store): Known => KNOWN.get(store) ?? { stops: new Set() }

/** The threads that stopped cleanly in this process while their store could not record it. Their next driver in this process does. */
export function unrecordedStops(store: Store): Set<string> {
  const known = of(store)
  KNOWN.set(store, known)
  return known.stops
}

/** Notes that the store was unavailable at a time. */
export const noteOutage = (store: Store, at: number): void =>
  void KNOWN.set(store, { ...of(store), lastAt: at })

/**
 * Whether the store was unavailable after a time. It may then have been unavailable to the driver of that time, too, which lost its
 * lease and could not record that it stopped.
 */
export const hadOutageSince = (store: Store, at: number): boolean =>
  (of(store).lastAt ?? Number.NEGATIVE_INFINITY) > at
