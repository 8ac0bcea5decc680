/**
 * The gate: guards the resources (tools, models) that many threads share. A breaker per resource, one probe in half-open, and
 * a bulkhead. It never judges a run; a thread journals what it meets here.
 *
 * Breakers are shared by all who share where they are kept: with a store's, all processes on it. Places in the bulkhead are
 * those of this process.
 */
import {
  type Admission,
  admit,
  type Breaker,
  type BreakerOptions,
  type CircuitChange,
  circuitChange,
  settleBreaker,
  type HealthSignal,
} from '../../core/watch/failure/breaker.ts'
import { type Breakers, CachedBreakers, memoryBreakers } from './shared-breakers.ts'
import type { Run } from '../../core/run.ts'

/** Lets calls through to tools and models, or refuses them: breakers and bulkheads. */
export interface Gate {
  enter(resource: string, terms: GateTerms): Promise<Entry>
  /** Takes over a breaker, unless the gate has one of this resource. Absent where breakers outlive the process by themselves. */
  readonly restore?: (resource: string, breaker: Breaker) => Promise<void>
}

/** What a tool or a model of a graph is called at the gate: other graphs may mean something else by its name. */
export function resourceOf(graph: string, dependency: string): string {
  return `${graph}/${dependency}`
}

export interface GateTerms {
  readonly at: number
  readonly breaker: BreakerOptions
  /** Calls at once. */
  readonly concurrency: number
  /** The breaker counts, and refuses nothing. */
  readonly observe?: boolean
}

export type Entry =
  | Permit
  | { readonly kind: 'refused'; readonly why: 'open' | 'full'; readonly retryAt: number }

export interface Permit {
  readonly kind: 'pass' | 'probe'
  /** Tells how the call ended, once; a second telling is ignored. Returns what it did to the breaker. Never throws. */
  settle(result: HealthSignal, at: number): Promise<CircuitChange>
  /** Gives the place in the bulkhead back: when the work has really ended, which may be later. */
  leave(): void
}

/**
 * Without breakers to share, a private gate: what other threads meet does not change a run that passes through it.
 *
 * @example const gate = createGate() // for one test or simulation
 */
export function createGate(shared?: Breakers): Gate {
  const kept = shared ?? memoryBreakers()
  const breakers = new CachedBreakers(kept)
  const inside = new Map<string, number>()
  const restore = async (resource: string, breaker: Breaker) => {
    if (!(await kept.breakers()).has(resource)) await kept.changeBreaker(resource, () => breaker)
  }
  return {
    ...(shared ? {} : { restore }),
    async enter(resource, terms) {
      const places = inside.get(resource) ?? 0
      if (places >= terms.concurrency) return { kind: 'refused', why: 'full', retryAt: terms.at }
      // Taken before anything is waited for: those who come meanwhile must find it taken.
      inside.set(resource, places + 1)
      let left = false
      const leave = () => {
        if (!left) inside.set(resource, (inside.get(resource) ?? 1) - 1)
        left = true
      }
      const [breaker, admission] = await admitCall(breakers, resource, terms)
      if (admission !== 'refused')
        return {
          kind: admission,
          leave,
          settle: permitOf(breakers, resource, { admission, options: terms.breaker }),
        }
      leave()
      return {
        kind: 'refused',
        why: 'open',
        retryAt: 'retryAt' in breaker ? breaker.retryAt : terms.at,
      }
    },
  }
}

/** Most calls meet a closed breaker, and read it only: a probe alone is written down, and given to one. */
async function admitCall(
  breakers: CachedBreakers,
  resource: string,
  { at, breaker: options, observe }: GateTerms,
): Promise<readonly [Breaker, Admission]> {
  let admission = admit(await breakers.now(resource), at, options)
  if (admission[1] === 'probe')
    await breakers.change(resource, before => {
      admission = admit(before, at, options)
      return admission[0]
    })
  return observe && admission[1] === 'refused' ? [admission[0], 'pass'] : admission
}

interface Admitted {
  readonly admission: 'pass' | 'probe'
  readonly options: BreakerOptions
}

function permitOf(
  breakers: CachedBreakers,
  resource: string,
  { admission, options }: Admitted,
): Permit['settle'] {
  let told = false
  return async (result, at) => {
    const { state, failures } = breakers.last(resource)
    const nothingNew =
      admission === 'pass' &&
      (result === 'neither' || (result === 'success' && state === 'closed' && failures === 0))
    if (told || nothingNew) return { change: 'none' }
    told = true
    return circuitChange(
      ...(await breakers.change(resource, before =>
        settleBreaker(before, result, { admission, at, options }),
      )),
    )
  }
}

/** Gives a private gate the breakers it knows nothing of. A store keeps those of all others. */
export async function restoreCircuits(gate: Gate, graph: string, { circuits }: Run): Promise<void> {
  if (!gate.restore) return
  for (const [dependency, circuit] of Object.entries(circuits))
    await gate.restore(resourceOf(graph, dependency), { state: 'open', ...circuit })
}
