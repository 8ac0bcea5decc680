/**
 * Circuit breaker: refuse calls to a resource that keeps failing, and probe it later.
 *
 * A breaker is a value: it is stored, simulated in virtual time and shared between processes. Reading it changes nothing. `admit`
 * returns the breaker that remembers its probes. States and terms follow Nygard's "Release It!" and cockatiel.
 */
export type Breaker =
  /** Calls pass. `failures` counts the latest consecutive ones. */
  | { readonly state: 'closed'; readonly failures: number }
  /** Calls are refused until `retryAt`. */
  | ({ readonly state: 'open'; readonly openedAt: number } & Refusing)
  /** Probes are running. Other calls are refused until they end, or until they count as lost at `retryAt`. */
  | ({ readonly state: 'half-open'; readonly since: number } & Refusing & Probing)

type Refusing = { readonly failures: number; readonly retryAt: number }

/** How many more probes may start, and how many more must succeed. Absent: none, and one. */
type Probing = { readonly places?: number; readonly missing?: number }

/** `threshold` failures without a success in between open the breaker. After `reset` ms, `probes` calls pass (default: one). */
export interface BreakerOptions {
  readonly threshold: number
  readonly reset: number
  /** A success removes only so many failures that a resource with a higher share of failures opens in the end. Default: all. */
  readonly rate?: number
  /** How long a probe may take, in ms. It counts as lost after that, and never before `reset`. */
  readonly probeTime?: number
  readonly probes?: number
}

export type Admission = 'pass' | 'probe' | 'refused'
type Admitted = readonly [Breaker, Admission]

/** A breaker that lets all calls pass. */
export const CLOSED: Breaker = { state: 'closed', failures: 0 }

/** Whether a call may pass now. The returned breaker remembers a probe. */
export function admit(breaker: Breaker, at: number, options: BreakerOptions): Admitted {
  const { reset, probeTime = 0, probes = 1 } = options
  if (breaker.state === 'closed') return [breaker, 'pass']
  if (isRefusing(breaker, at)) return [breaker, 'refused']
  if (breaker.state === 'half-open' && at < breaker.retryAt)
    return [{ ...breaker, places: (breaker.places ?? 0) - 1 }, 'probe']
  // A half-open breaker lost its probes, for example in a crash. Others may pass.
  const retryAt = at + Math.max(reset, probeTime)
  const several = probes > 1 && { places: probes - 1, missing: probes }
  return [
    { state: 'half-open', failures: breaker.failures, since: at, retryAt, ...several },
    'probe',
  ]
}

/** What the end of a call shows about its resource. `neither`: nothing, for example after a cancellation. */
export type HealthSignal = 'success' | 'failure' | 'neither'

/** What the end of a call changed in a breaker. */
export type CircuitChange =
  | { readonly change: 'none' | 'closed' }
  | { readonly change: 'opened'; readonly retryAt: number; readonly failures: number }

/** How a call passed, and when it ended. */
export type Passage = Readonly<{ admission: Admission; at: number; options: BreakerOptions }>

/** The breaker after a call. */
export function settleBreaker(breaker: Breaker, signal: HealthSignal, passage: Passage): Breaker {
  const { admission, at, options } = passage
  const closed = breaker.state === 'closed'
  const probed = breaker.state === 'half-open' && admission === 'probe'
  // A probe without a result makes room for the next one.
  if (signal === 'neither')
    return probed ? { ...breaker, places: (breaker.places ?? 0) + 1 } : breaker
  if (signal === 'success' && probed && breaker.missing !== undefined && breaker.missing > 1)
    return { ...breaker, missing: breaker.missing - 1 }
  // A call that passed before the breaker opened must not close it.
  if (signal === 'success') {
    const left = closed ? breaker.failures - removedBySuccess(options) : 0
    if (left > 0) return { state: 'closed', failures: left }
    return closed || probed ? CLOSED : breaker
  }
  const failures = breaker.failures + 1
  if (closed && failures < options.threshold) return { state: 'closed', failures }
  return closed || probed ? openBreaker(failures, at, options.reset) : breaker
}

/** At a rate of 0.8, four failures and one success balance. */
const removedBySuccess = ({ rate }: BreakerOptions): number =>
  rate === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(rate / (1 - rate)))

export function circuitChange(before: Breaker, after: Breaker): CircuitChange {
  if (after.state === 'open' && before.state !== 'open')
    return { change: 'opened', retryAt: after.retryAt, failures: after.failures }
  return { change: after.state === 'closed' && before.state !== 'closed' ? 'closed' : 'none' }
}

/** Opens a breaker manually for `ms`. */
export const tripBreaker = ({ failures }: Breaker, at: number, ms: number): Breaker =>
  openBreaker(failures, at, ms)

function openBreaker(failures: number, at: number, reset: number): Breaker {
  return { state: 'open', failures, openedAt: at, retryAt: at + reset }
}

/** The breakers of dependencies (`tool:search`). A missing one is closed. */
export type BreakerTable = Readonly<Record<string, Breaker>>

/** A shared, mutable table of breakers. */
export interface BreakerCell {
  table: BreakerTable
}

/** Breakers to share: pass one cell to all agents of a process that depend on the same tools. */
export const breakerCell = (table: BreakerTable = {}): BreakerCell => ({ table })

/** Whether a breaker refuses calls at `at`. */
export const isRefusing = (breaker: Breaker, at: number): boolean =>
  breaker.state !== 'closed' && at < breaker.retryAt && !('places' in breaker && breaker.places)

/** Moves events in the future to now. After a clock was set back, a short outage would otherwise last until it catches up. */
export function rebaseBreakers(cell: BreakerCell, at: number): void {
  for (const [resource, breaker] of Object.entries(cell.table)) {
    if (breaker.state === 'closed') continue
    const open = breaker.state === 'open'
    const late = (open ? breaker.openedAt : breaker.since) - at
    const shifted = {
      retryAt: breaker.retryAt - late,
      ...(open ? { openedAt: at } : { since: at }),
    }
    if (late > 0) storeBreaker(cell, resource, { ...breaker, ...shifted } as Breaker)
  }
}

export const breakerIn = ({ table }: BreakerCell, resource: string): Breaker =>
  table[resource] ?? CLOSED

/** The size of a table. A model may invent a new tool name for each call. */
const RESOURCES_MAX = 256

/** Stores a breaker unless it is closed without failures. Beyond the limit, the oldest closed one is dropped. */
export function storeBreaker(cell: BreakerCell, resource: string, breaker: Breaker): void {
  if (breakerIn(cell, resource) === breaker) return
  const { [resource]: before, ...others } = cell.table
  if (breaker === CLOSED) {
    cell.table = others
    return
  }
  const names = Object.keys(others)
  const full = before === undefined && names.length >= RESOURCES_MAX
  const oldest = full ? names.find(name => others[name]?.state === 'closed') : undefined
  const { [oldest ?? '']: _, ...kept } = others
  cell.table = { ...kept, [resource]: breaker }
}
