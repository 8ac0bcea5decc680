import { systemClock } from '../adapters/node/clock.ts'
import type { Clock } from '../runtime/ports.ts'
import type { Store } from '../runtime/store/store.ts'
import { virtualClock } from '../testing/clock.ts'

/** A thread keeps the clock it was started with: its deadlines mean nothing to another. */
export class WrongClock extends Error {
  override readonly name = 'WrongClock'
  readonly code = 'wrong-clock'
  constructor(thread: string, own: 'system' | 'virtual') {
    super(
      `thread '${thread}' was started with the ${own} clock and keeps it; use that clock, or start another thread`,
    )
  }
}

/** Whether an error is a `WrongClock`. */
export function isWrongClock(error: unknown): error is WrongClock {
  return error instanceof WrongClock
}

export interface ClockTerms {
  /** What the caller asks for. Default: the clock of the thread. */
  readonly kind?: 'system' | 'virtual'
  /** The clock of the host. */
  readonly clock?: Clock
}

/** The clock of a thread, stored or new. @throws WrongClock */
export async function clockOf(
  store: Store,
  thread: string,
  { clock, kind = clock?.virtual ? 'virtual' : undefined }: ClockTerms,
): Promise<Clock> {
  const [[first], summary] = await Promise.all([store.rows(thread, -1, 1), store.thread(thread)])
  const begun = first?.event.type === 'thread.started' ? first.event : undefined
  const own = begun && (begun.clock ?? 'system')
  if (own && kind && own !== kind) throw new WrongClock(thread, own)
  if ((own ?? kind) !== 'virtual') return clock ?? systemClock
  return clock?.virtual ? clock : virtualClock(summary?.at)
}
