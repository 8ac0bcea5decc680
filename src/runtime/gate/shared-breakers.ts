/** The storage of shared breakers, and a cache for one process. */
import { type Breaker, CLOSED } from '../../core/watch/failure/breaker.ts'

/** Breakers by resource (`resourceOf`). A missing one is closed. */
export interface Breakers {
  /** All breakers that ever changed. */
  breakers(): Promise<ReadonlyMap<string, Breaker>>
  breaker(resource: string): Promise<Breaker>
  /**
   * Reads, changes and writes a breaker in one transaction. Writes nothing if `change` returns its argument. `change` must be
   * pure, because it may be called again.
   */
  changeBreaker(resource: string, change: (breaker: Breaker) => Breaker): Promise<BreakerChange>
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
export class CachedBreakers {
  readonly #stored: Breakers
  readonly #last = new Map<string, Breaker>()

  constructor(stored: Breakers) {
    this.#stored = stored
  }

  last(resource: string): Breaker {
    return this.#last.get(resource) ?? CLOSED
  }

  async now(resource: string): Promise<Breaker> {
    const breaker = await this.#stored.breaker(resource).catch(() => this.last(resource))
    this.#last.set(resource, breaker)
    return breaker
  }

  async change(resource: string, change: (breaker: Breaker) => Breaker): Promise<BreakerChange> {
    const changed = await this.#stored
      .changeBreaker(resource, change)
      .catch((): BreakerChange => [this.last(resource), change(this.last(resource))])
    this.#last.set(resource, changed[1])
    return changed
  }
}
