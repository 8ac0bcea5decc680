/** Where breakers are kept for all who share them, and the one process that remembers what it saw of them. */
import { type Breaker, CLOSED } from '../../core/watch/failure/breaker.ts'

/** Breakers by the resources they guard (`resourceOf`). What nobody has changed yet is closed. */
export interface Breakers {
  /** All that were ever changed. Reading changes nothing. */
  breakers(): Promise<ReadonlyMap<string, Breaker>>
  breaker(resource: string): Promise<Breaker>
  /**
   * Reads a breaker, changes it and writes it while nobody else does; returns what it was and what it is. Nothing is written
   * if `change` returns what it was given. It may be called again: it must do nothing but answer.
   */
  changeBreaker(resource: string, change: (breaker: Breaker) => Breaker): Promise<BreakerChange>
}

export type BreakerChange = readonly [before: Breaker, after: Breaker]

export function memoryBreakers(): Breakers {
  const kept = new Map<string, Breaker>()
  return {
    breakers: async () => new Map(kept),
    breaker: async resource => kept.get(resource) ?? CLOSED,
    async changeBreaker(resource, change) {
      const before = kept.get(resource) ?? CLOSED
      const after = change(before)
      if (after !== before) kept.set(resource, after)
      return [before, after]
    },
  }
}

/**
 * Breakers as one process knows them. Where they cannot be reached (the file is locked for too long, the disk is full) it goes
 * by what it knew last: neither a call nor the answer of a call that was made may be lost for want of a breaker.
 */
export class CachedBreakers {
  readonly #kept: Breakers
  readonly #last = new Map<string, Breaker>()

  constructor(kept: Breakers) {
    this.#kept = kept
  }

  last(resource: string): Breaker {
    return this.#last.get(resource) ?? CLOSED
  }

  async now(resource: string): Promise<Breaker> {
    try {
      this.#last.set(resource, await this.#kept.breaker(resource))
    } catch {
      // Gone on with what was known.
    }
    return this.last(resource)
  }

  async change(resource: string, change: (breaker: Breaker) => Breaker): Promise<BreakerChange> {
    const changed = await this.#kept
      .changeBreaker(resource, change)
      .catch((): BreakerChange => [this.last(resource), change(this.last(resource))])
    this.#last.set(resource, changed[1])
    return changed
  }
}
