/**
 * Circuit breaker: stop asking what does not answer, and ask again carefully later.
 *
 * A value, not an object: it is stored, simulated in virtual time and shared between processes. Reading it
 * changes nothing; `admit` hands out the one probe of the half-open state, and says so in what it returns.
 * States and words follow Nygard's "Release It!" and cockatiel.
 */
export type Breaker =
  /** Calls pass. `failures` counts the latest consecutive ones. */
  | { readonly state: 'closed'; readonly failures: number }
  /** Calls are refused until `retryAt`. */
  | {
      readonly state: 'open'
      readonly failures: number
      readonly openedAt: number
      readonly retryAt: number
    }
  /** One probe is on its way; all other calls are refused until it has come back, or is given up at `retryAt`. */
  | {
      readonly state: 'half-open'
      readonly failures: number
      readonly since: number
      readonly retryAt: number
    }

/** `threshold` consecutive failures open the breaker; after `reset` ms one probe is let through. */
export interface BreakerOptions {
  readonly threshold: number
  readonly reset: number
  /** How long a probe may take, in ms: it is given up for lost after that, and never before `reset`. */
  readonly probe?: number
}

export type Admission = 'pass' | 'probe' | 'refused'

/** A breaker that lets everything through. */
export const CLOSED: Breaker = { state: 'closed', failures: 0 }

/** May a call go through now? The returned breaker remembers that a probe was let out. */
export function admit(
  breaker: Breaker,
  at: number,
  options: BreakerOptions,
): readonly [Breaker, Admission] {
  if (breaker.state === 'closed') return [breaker, 'pass']
  if (at < breaker.retryAt) return [breaker, 'refused']
  // A half-open breaker past its time lost its probe (the process died with it): another may go.
  return [
    {
      state: 'half-open',
      failures: breaker.failures,
      since: at,
      retryAt: at + Math.max(options.reset, options.probe ?? 0),
    },
    'probe',
  ]
}

/** How a call ended, as far as it tells about the resource. `neither`: not at all (it was cancelled, or nobody knows). */
export type HealthSignal = 'success' | 'failure' | 'neither'

/** What the end of a call has done to a breaker. */
export type CircuitChange =
  | { readonly change: 'none' }
  | { readonly change: 'closed' }
  | { readonly change: 'opened'; readonly retryAt: number; readonly failures: number }

/** A call that went through `admission` has ended at `at`. */
export function settleBreaker(
  breaker: Breaker,
  signal: HealthSignal,
  {
    admission,
    at,
    options,
  }: { readonly admission: Admission; readonly at: number; readonly options: BreakerOptions },
): Breaker {
  if (signal === 'neither') return releaseProbe(breaker, admission, at)
  return signal === 'success'
    ? onSuccess(breaker, admission)
    : onFailure(breaker, admission, at, options)
}

export function circuitChange(before: Breaker, after: Breaker): CircuitChange {
  if (after.state === 'open' && before.state !== 'open')
    return { change: 'opened', retryAt: after.retryAt, failures: after.failures }
  return after.state === 'closed' && before.state !== 'closed'
    ? { change: 'closed' }
    : { change: 'none' }
}

/** A call that went through `admission` has succeeded. */
export function onSuccess(breaker: Breaker, admission: Admission): Breaker {
  // An answer to a call that left before the breaker opened is no probe: it must not close it.
  return breaker.state === 'closed' || admission === 'probe' ? CLOSED : breaker
}

/** A call that went through `admission` has failed. */
export function onFailure(
  breaker: Breaker,
  admission: Admission,
  at: number,
  options: BreakerOptions,
): Breaker {
  const failures = breaker.failures + 1
  if (breaker.state === 'closed')
    return failures < options.threshold
      ? { state: 'closed', failures }
      : openBreaker(failures, at, options)
  return breaker.state === 'half-open' && admission === 'probe'
    ? openBreaker(failures, at, options)
    : breaker
}

/** A probe came back without telling anything about the resource (it was cancelled): the next call may probe. */
export function releaseProbe(breaker: Breaker, admission: Admission, at: number): Breaker {
  return admission === 'probe' && breaker.state === 'half-open'
    ? { ...breaker, retryAt: at }
    : breaker
}

/** Opened by hand, for `ms`. */
export function tripBreaker({ failures }: Breaker, at: number, ms: number): Breaker {
  return openBreaker(failures, at, { threshold: 1, reset: ms })
}

function openBreaker(failures: number, at: number, options: BreakerOptions): Breaker {
  return { state: 'open', failures, openedAt: at, retryAt: at + options.reset }
}
