/** Breakers by the resources they guard, as one value; and the cell in which those who share them keep it. */
import {
  type Admission,
  admit,
  type Breaker,
  type BreakerOptions,
  type CircuitChange,
  circuitChange,
  CLOSED,
  settleBreaker,
  type HealthSignal,
} from './breaker.ts'

/** By dependency (`tool:search`). What nobody has met yet is closed. */
export type BreakerTable = Readonly<Record<string, Breaker>>

/** Handed to every agent of one process that is to share breakers with the others. */
export interface BreakerCell {
  table: BreakerTable
}

/** Breakers to be shared: hand the same one to all agents that depend on the same tools. */
export function breakerCell(table: BreakerTable = {}): BreakerCell {
  return { table }
}

/** Lets a call through the breaker of `resource`, or not. */
export function enterBreaker(
  cell: BreakerCell,
  resource: string,
  at: number,
  options: BreakerOptions,
): readonly [Breaker, Admission] {
  const [breaker, admission] = admit(cell.table[resource] ?? CLOSED, at, options)
  storeBreaker(cell, resource, breaker)
  return [breaker, admission]
}

/** Tells the breaker of `resource` how a call ended. */
export function leaveBreaker(
  cell: BreakerCell,
  resource: string,
  signal: HealthSignal,
  of: { readonly admission: Admission; readonly at: number; readonly options: BreakerOptions },
): CircuitChange {
  const before = cell.table[resource] ?? CLOSED
  const after = settleBreaker(before, signal, of)
  storeBreaker(cell, resource, after)
  return circuitChange(before, after)
}

/** When a resource may be tried again, if it is out of order at `at`. */
export function breakerOpenUntil(
  { table }: BreakerCell,
  resource: string,
  at: number,
): number | undefined {
  const breaker = table[resource] ?? CLOSED
  return breaker.state !== 'closed' && at < breaker.retryAt ? breaker.retryAt : undefined
}

/** A clock was set back: what happened in the future has happened now, or a short outage would last as long as the clock needs to come back. */
export function rebaseBreakers(cell: BreakerCell, at: number): void {
  for (const [resource, breaker] of Object.entries(cell.table)) {
    if (breaker.state === 'open' && breaker.openedAt > at)
      storeBreaker(cell, resource, {
        ...breaker,
        openedAt: at,
        retryAt: at + (breaker.retryAt - breaker.openedAt),
      })
    if (breaker.state === 'half-open' && breaker.since > at)
      storeBreaker(cell, resource, {
        ...breaker,
        since: at,
        retryAt: at + (breaker.retryAt - breaker.since),
      })
  }
}

/** Resources that are remembered: a model may invent a new name for each call. */
const RESOURCES_MAX = 256

/** What is closed without a failure is as good as never met. Of too many, the oldest that is closed is forgotten. */
function storeBreaker(cell: BreakerCell, resource: string, breaker: Breaker): void {
  if ((cell.table[resource] ?? CLOSED) === breaker) return
  const { [resource]: before, ...others } = cell.table
  if (breaker === CLOSED) {
    cell.table = others
    return
  }
  const known = Object.keys(others)
  const oldest =
    before || known.length < RESOURCES_MAX
      ? ''
      : (known.find(name => others[name]?.state === 'closed') ?? '')
  const { [oldest]: _, ...kept } = others
  cell.table = { ...kept, [resource]: breaker }
}
