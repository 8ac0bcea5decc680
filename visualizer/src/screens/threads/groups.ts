/** Threads with the same outcome or in the same loop. */
import type { FindingSignature } from '../../../../src/core/run/tally.ts'
import type { ThreadListing } from '../../../../src/host/thread/listing.ts'
import type { TallyCount } from '../../../../src/runtime/store/tally.ts'
import { signatureText } from '../../../../src/core/run/tally-text.ts'
import type { Grouping, ListQuery } from './list-query.ts'

export interface Group {
  readonly key: string
  readonly title: string
  /** The threads that are shown. */
  readonly threads: readonly ThreadListing[]
  /** All threads of the group, also those that are not shown. */
  readonly total: number
  /** How many of them have each outcome or status, the most first. */
  readonly outcomes: readonly (readonly [name: string, count: number])[]
  readonly usd: number
}

/** What lines of counts and threads have in common. */
interface Grouped {
  readonly status: string
  readonly outcome?: string
  readonly signature?: FindingSignature
}

/**
 * The groups of the threads, the largest first; those without a loop last. `counts` covers all threads of the store. It is absent
 * while a filter applies that it does not know; then the threads themselves count.
 */
export function groupsOf(
  threads: readonly ThreadListing[],
  counts: readonly TallyCount[] | undefined,
  by: Exclude<Grouping, 'none'>,
): readonly Group[] {
  const shown = Map.groupBy(threads, each => keyOf(groupedOf(each), by))
  const counted = counts ?? threads.map(countOf)
  const lines = Map.groupBy(counted, each => keyOf(each, by))
  const groups = [...new Set([...lines.keys(), ...shown.keys()])].map((key): Group => {
    const own = lines.get(key) ?? []
    const of = shown.get(key) ?? []
    const outcomes = Map.groupBy(own, outcomeOf)
    return {
      key,
      title: titleOf(own[0] ?? groupedOf(of[0] as ThreadListing), by),
      threads: of,
      // A thread may be newer than the counts.
      total: Math.max(
        of.length,
        sum(own, ({ count }) => count),
      ),
      outcomes: [...outcomes]
        .map(([name, all]) => [name, sum(all, ({ count }) => count)] as const)
        .toSorted(([, a], [, b]) => b - a),
      usd: sum(own, ({ usd }) => usd),
    }
  })
  return groups.toSorted((a, b) => Number(a.key === '') - Number(b.key === '') || b.total - a.total)
}

/** The counts that a filter leaves. `undefined`: it needs more than counts. */
export function matchingCounts(
  counts: readonly TallyCount[] | undefined,
  { minUsd, status, outcome, finding }: ListQuery['filter'],
): readonly TallyCount[] | undefined {
  if (minUsd !== undefined) return undefined
  return counts?.filter(
    each =>
      (status === undefined || each.status === status) &&
      (outcome === undefined || each.outcome === outcome) &&
      (finding === undefined ||
        (finding === 'any' ? each.signature !== undefined : each.signature?.kind === finding)),
  )
}

const groupedOf = ({ status, outcome, tally }: ThreadListing): Grouped => ({
  status,
  ...(outcome !== undefined && { outcome }),
  ...(tally?.finding && { signature: tally.finding.signature }),
})

const countOf = (thread: ThreadListing): TallyCount => ({
  ...(groupedOf(thread) as Omit<TallyCount, 'graph' | 'count' | 'findings' | 'escapes' | 'usd'>),
  graph: thread.graph,
  count: 1,
  findings: thread.tally?.findings ?? 0,
  escapes: thread.tally?.escapes ?? 0,
  usd: thread.tally?.spent.usd ?? 0,
})

const outcomeOf = ({ status, outcome }: Grouped): string => outcome ?? status

function keyOf(of: Grouped, by: Exclude<Grouping, 'none'>): string {
  if (by === 'outcome') return outcomeOf(of)
  const { kind, code, members } = of.signature ?? {}
  return kind === undefined ? '' : JSON.stringify([kind, code, members])
}

function titleOf(of: Grouped, by: Exclude<Grouping, 'none'>): string {
  if (by === 'outcome') return outcomeOf(of)
  return of.signature ? signatureText(of.signature) : 'No loop'
}

const sum = <T>(all: readonly T[], amount: (of: T) => number): number =>
  all.reduce((total, each) => total + amount(each), 0)
