/** Where the shares of scopes are kept, for all threads with the same key. */
import type { Share } from '../../core/watch/budget/scope.ts'

/** Threads that share: `key` may be a graph's id, a job's name, whatever they agree on. */
export interface ScopeKey {
  readonly scope: string
  readonly key: string
}

export interface Shares {
  /** The shares of one scope, or all there are, by the names of their threads. Shares that count no longer may be among them. */
  shares(of?: ScopeKey): Promise<readonly Share[]>
  /** Changes each share of a scope while nobody else does; `undefined` drops it. */
  changeShares(of: ScopeKey, change: (share: Share) => Share | undefined): Promise<void>
}

type Shelf = Map<string, Share>

/** Shares in memory, and what an append does to them. */
export function memoryShares(): Shares & { readonly tell: (share: Share) => void } {
  const scopes = new Map<string, Shelf>()
  const nameOf = ({ scope, key }: ScopeKey) => JSON.stringify([scope, key])
  const shelfOf = (of: ScopeKey): Shelf => scopes.get(nameOf(of)) ?? new Map()
  const sorted = (shelf: Shelf) =>
    [...shelf.values()].sort((a, b) => (a.thread < b.thread ? -1 : 1))
  return {
    shares: async of =>
      of
        ? sorted(shelfOf(of))
        : [...scopes.entries()]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .flatMap(([, shelf]) => sorted(shelf)),
    async changeShares(of, change) {
      const changed = [...shelfOf(of).values()].flatMap(share => change(share) ?? [])
      scopes.set(nameOf(of), new Map(changed.map(share => [share.thread, share])))
    },
    tell(share) {
      const others = [...shelfOf(share)].filter(
        ([, { until }]) => until === null || until > share.at,
      )
      scopes.set(nameOf(share), new Map([...others, [share.thread, share]]))
    },
  }
}
