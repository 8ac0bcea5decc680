/** The gate guards tools and models that many threads share: a breaker for all who share its storage, and a bulkhead in this process. Threads journal its answers. */
import {
  admit,
  circuitChange,
  isRefusing,
  settleBreaker,
  CLOSED,
} from '../../core/watch/failure/breaker.ts'
import type { Admission, Breaker, BreakerOptions } from '../../core/watch/failure/breaker.ts'
import type { CircuitChange, HealthSignal } from '../../core/watch/failure/breaker.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Run } from '../../core/run/run.ts'

/** Admits calls to tools and models, or refuses them. */
export interface Gate {
  enter(resource: string, request: EntryRequest): Promise<Entry>
  /** Calls back when any process changes the state of a breaker, until the returned function is called. Absent: no reports. */
  readonly onChange?: (resource: string, listener: () => void) => () => void
  /** Adds a breaker unless the gate has one of this resource. Absent if the storage of breakers outlives the process. */
  readonly restore?: (resource: string, breaker: Breaker) => Promise<void>
}

/** The name of a tool or model at the gate. Other graphs may use its name for something else. */
export const resourceOf = (graph: string, dependency: string): string => `${graph}/${dependency}`

interface EntryRequest {
  readonly at: number
  readonly breaker: BreakerOptions
  /** The limit of parallel calls. */
  readonly concurrency: number
  /** The breaker counts failures and refuses no calls. */
  readonly observe?: boolean
}

export type Entry = Permit | (Refusal & { readonly kind: 'refused'; readonly why: 'open' | 'full' })

/** When the next call may pass. `probing`: a probe runs, whose result may admit calls long before that. */
export interface Refusal {
  readonly retryAt: number
  readonly probing?: boolean
}

/** `refusal`: the breaker refuses the next call, whichever call opened it. */
type Reported = CircuitChange & { readonly refusal?: Refusal }

export interface Permit {
  readonly kind: 'pass' | 'probe'
  /** Reports the end of the call and returns the change of the breaker. Only the first report counts. Never throws. */
  report(result: HealthSignal, at: number): Promise<Reported>
  /** Frees the place in the bulkhead. Call it when the work has ended, which may be later. */
  leave(): void
}

/**
 * Without shared breakers, the gate is private: other threads do not affect a run that uses it.
 * @example const gate = createGate() // for one test or simulation
 */
export function createGate(shared?: Breakers): Gate {
  const stored = shared ?? memoryBreakers()
  const breakers = cachedBreakers(stored)
  const inside = new Map<string, number>()
  const restore = async (resource: string, breaker: Breaker) => {
    if (!(await stored.breakers()).has(resource))
      await stored.changeBreaker(resource, () => breaker)
  }
  return {
    ...(shared ? {} : { restore }),
    ...(shared?.onBreakerChange && {
      onChange: (resource: string, listener: () => void) =>
        shared.onBreakerChange?.(changed => changed === resource && listener()) ?? (() => {}),
    }),
    async enter(resource, request) {
      const { at, concurrency } = request
      const calls = inside.get(resource) ?? 0
      if (calls >= concurrency) return { kind: 'refused', why: 'full', retryAt: at }
      // Counted before the first await: parallel calls must see it.
      inside.set(resource, calls + 1)
      let left = false
      const leave = () => {
        if (!left) inside.set(resource, (inside.get(resource) ?? 1) - 1)
        left = true
      }
      const [breaker, kind] = await admitCall(breakers, resource, request)
      if (kind !== 'refused')
        return { kind, leave, report: reporterOf(breakers, resource, kind, request) }
      leave()
      return { kind, why: 'open', ...(refusalOf(breaker) ?? { retryAt: at }) }
    },
  }
}

/** Most calls only read a closed breaker. A probe is written, because only so many calls may be one. */
async function admitCall(
  breakers: CachedBreakers,
  resource: string,
  { at, breaker: options, observe }: EntryRequest,
): Promise<readonly [Breaker, Admission]> {
  let admission = admit(await breakers.now(resource), at, options)
  if (admission[1] === 'probe')
    await breakers.change(resource, before => {
      admission = admit(before, at, options)
      return admission[0]
    })
  return observe && admission[1] === 'refused' ? [admission[0], 'pass'] : admission
}

const refusalOf = (breaker: Breaker): Refusal | undefined =>
  breaker.state === 'closed'
    ? undefined
    : { retryAt: breaker.retryAt, ...(breaker.state === 'half-open' && { probing: true }) }

function reporterOf(
  breakers: CachedBreakers,
  resource: string,
  admission: 'pass' | 'probe',
  { breaker: options, observe = false }: EntryRequest,
): Permit['report'] {
  let reported = false
  return async (result, at) => {
    const { state, failures } = breakers.last(resource)
    const healthy = result === 'success' && state === 'closed' && failures === 0
    const unchanged = admission === 'pass' && (result === 'neither' || healthy)
    if (reported || unchanged) return { change: 'none' }
    reported = true
    const changed = await breakers.change(resource, before =>
      settleBreaker(before, result, { admission, at, options }),
    )
    const refusal = !observe && isRefusing(changed[1], at) ? refusalOf(changed[1]) : undefined
    return { ...circuitChange(...changed), ...defined({ refusal }) }
  }
}

/** Adds the open breakers of a run to a private gate. */
export async function restoreCircuits(
  gate: Gate,
  graph: string,
  { openBreakers }: Run,
): Promise<void> {
  if (!gate.restore) return
  for (const [dependency, circuit] of Object.entries(openBreakers))
    await gate.restore(resourceOf(graph, dependency), { state: 'open', ...circuit })
}

/** Breakers by resource (`resourceOf`). A missing one is closed. */
export interface Breakers {
  /** All breakers that ever changed. */
  breakers(): Promise<ReadonlyMap<string, Breaker>>
  breaker(resource: string): Promise<Breaker>
  /** Changes a breaker in one transaction. Writes nothing if `change` returns its argument. `change` must be pure: it may be called again. */
  changeBreaker(resource: string, change: (breaker: Breaker) => Breaker): Promise<BreakerChange>
  /**
   * Calls back with each resource whose breaker was opened, closed or prolonged, by this store or another one, until the returned
   * function is called. A change may go unreported. Absent: no reports.
   */
  readonly onBreakerChange?: (listener: (resource: string) => void) => () => void
}

type BreakerChange = readonly [before: Breaker, after: Breaker]

export function memoryBreakers(): Breakers {
  const table = new Map<string, Breaker>()
  return {
    breakers: async () => new Map(table),
    breaker: async resource => table.get(resource) ?? CLOSED,
    async changeBreaker(resource, change) {
      const before = table.get(resource) ?? CLOSED
      const after = change(before)
      if (after !== before) table.set(resource, after)
      return [before, after]
    },
  }
}

/** Breakers with their last known states. Without its storage, for example with a locked file, calls continue with these. */
function cachedBreakers(stored: Breakers) {
  const known = new Map<string, Breaker>()
  const last = (resource: string) => known.get(resource) ?? CLOSED
  return {
    last,
    async now(resource: string): Promise<Breaker> {
      const breaker = await stored.breaker(resource).catch(() => last(resource))
      known.set(resource, breaker)
      return breaker
    },
    async change(resource: string, change: (of: Breaker) => Breaker): Promise<BreakerChange> {
      const offline = (): BreakerChange => [last(resource), change(last(resource))]
      const changed = await stored.changeBreaker(resource, change).catch(offline)
      known.set(resource, changed[1])
      return changed
    },
  }
}

type CachedBreakers = ReturnType<typeof cachedBreakers>
