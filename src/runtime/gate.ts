/**
 * The gate: guards the resources (tools, models) that all threads of a process share. A breaker per resource, one probe in
 * half-open, and a bulkhead. It never judges a run; a thread journals what it meets here.
 */
import { admit, type Breaker, type BreakerOptions, CLOSED, failed, released, succeeded } from '../core/watch/breaker.ts'

export interface Gate {
  enter(resource: string, terms: GateTerms): Entry
  /** The breakers as they are. Reading changes nothing. */
  readonly breakers: ReadonlyMap<string, Breaker>
  /** Closes a breaker by hand. */
  reset(resource: string): void
  /** Takes over a breaker, unless the gate has one of this resource. */
  restore(resource: string, breaker: Breaker): void
}

/** What a tool or a model of a graph is called at the gate: other graphs may mean something else by its name. */
export function resourceOf(graph: string, kind: 'tool' | 'model', subject: string): string {
  return `${graph}/${kind}:${subject}`
}

export interface GateTerms {
  readonly at: number
  readonly breaker: BreakerOptions
  /** Calls at once. */
  readonly concurrency: number
}

export type Entry = Permit | { readonly kind: 'refused'; readonly why: 'open' | 'full'; readonly retryAt: number }

export interface Permit {
  readonly kind: 'pass' | 'probe'
  /** Tells how the call ended, once; a second telling is ignored. Returns what it did to the breaker. */
  settle(result: Told, at: number): Circuit
  /** Gives the place in the bulkhead back: when the work has really ended, which may be later. */
  leave(): void
}

/** `neither`: the end says nothing about the resource (cancelled, or the request was at fault). */
export type Told = 'success' | 'failure' | 'neither'

export type Circuit = { readonly change: 'none' } | { readonly change: 'closed' } | { readonly change: 'opened'; readonly retryAt: number; readonly failures: number }

export function createGate(initial: ReadonlyMap<string, Breaker> = new Map()): Gate {
  const breakers = new Map(initial)
  const inside = new Map<string, number>()
  return {
    breakers,
    reset: resource => void breakers.set(resource, CLOSED),
    restore(resource, breaker) {
      if (!breakers.has(resource)) breakers.set(resource, breaker)
    },
    enter(resource, { at, breaker: options, concurrency }) {
      const places = inside.get(resource) ?? 0
      if (places >= concurrency) return { kind: 'refused', why: 'full', retryAt: at }
      const [breaker, admission] = admit(breakers.get(resource) ?? CLOSED, at, options)
      if (admission === 'refused') return { kind: 'refused', why: 'open', retryAt: 'retryAt' in breaker ? breaker.retryAt : at }
      breakers.set(resource, breaker)
      inside.set(resource, places + 1)
      let told = false
      let left = false
      return {
        kind: admission,
        settle(result, now) {
          if (told) return { change: 'none' }
          told = true
          const before = breakers.get(resource) ?? CLOSED
          const after = { success: () => succeeded(before, admission), failure: () => failed(before, admission, now, options), neither: () => released(before, admission, now) }[
            result
          ]()
          breakers.set(resource, after)
          return changed(before, after)
        },
        leave() {
          if (!left) inside.set(resource, (inside.get(resource) ?? 1) - 1)
          left = true
        },
      }
    },
  }
}

function changed(before: Breaker, after: Breaker): Circuit {
  if (after.state === 'open' && before.state !== 'open') return { change: 'opened', retryAt: after.retryAt, failures: after.failures }
  return after.state === 'closed' && before.state !== 'closed' ? { change: 'closed' } : { change: 'none' }
}
