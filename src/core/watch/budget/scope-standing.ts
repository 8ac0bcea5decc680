/** How scopes stand, for people. */
import type { ScopeLimits } from '../policy/policy.ts'
import type { PeerSummary } from '../event/peer-summary.ts'
import { peerSummary, type Share, spentWithin } from './scope.ts'
import type { Spent } from '../event/spent.ts'

export interface ScopeStanding {
  readonly scope: string
  readonly key: string
  /** By the policy of the thread that told last. */
  readonly limits: ScopeLimits
  /** By all threads, within the window. */
  readonly spent: Spent
  readonly threads: readonly string[]
  readonly loops: PeerSummary['loops']
  /** A new thread would not begin because of this. */
  readonly held?: PeerSummary['held']
  /** Findings that a person has dismissed. */
  readonly dismissed: readonly string[]
}

/** One for each scope and key; `at` is in ms. */
export function standingsOf(shares: readonly Share[], at: number): readonly ScopeStanding[] {
  return [
    ...Map.groupBy(shares, ({ scope, key }) => JSON.stringify([scope, key])).values(),
  ].flatMap(group => {
    const [latest] = group.toSorted((a, b) => b.at - a.at)
    if (!latest) return []
    const { scope, key, limits } = latest
    const { loops, held, dismissed } = peerSummary(scope, group, {
      thread: '',
      at,
      limits,
      fresh: true,
    })
    const counting = group.filter(share => share.at > at - limits.per)
    return [
      {
        scope,
        key,
        limits,
        spent: spentWithin(counting, at - limits.per),
        threads: counting.map(({ thread }) => thread),
        loops,
        ...(held ? { held } : {}),
        dismissed: dismissed.map(({ id }) => id),
      },
    ]
  })
}
