/** Lists and counts of the threads in memory. */
import { defined } from '../../core/watch/data/json.ts'
import type { ThreadQuery, ThreadSummary } from './store.ts'
import { TALLIES_MAX, type TallyCount, type TallyQuery, type ThreadCount } from './tally.ts'

const byName = (a: ThreadSummary, b: ThreadSummary) => (a.thread < b.thread ? -1 : 1)

export function pageOf(
  threads: readonly ThreadSummary[],
  { limit = Number.POSITIVE_INFINITY, order, ...query }: ThreadQuery,
): readonly ThreadSummary[] {
  const inOrder = order === 'latest' ? (a: ThreadSummary, b: ThreadSummary) => b.at - a.at : byName
  return threads
    .filter(each => isListed(each, query))
    .toSorted((a, b) => inOrder(a, b) || byName(a, b))
    .slice(0, limit)
}

function isListed(each: ThreadSummary, query: Omit<ThreadQuery, 'limit' | 'order'>): boolean {
  const { graph, status, outcome, prefix = '', after, finding, minUsd } = query
  const { tally } = each
  const kind = tally?.finding?.signature.kind
  const isEqual = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || wanted === value
  return (
    isEqual(graph, each.graph) &&
    isEqual(status, each.status) &&
    isEqual(outcome, each.outcome) &&
    isEqual(finding === 'any' ? kind : finding, kind) &&
    (finding !== 'any' || kind !== undefined) &&
    (minUsd === undefined || (tally !== undefined && tally.spent.usd >= minUsd)) &&
    each.thread.startsWith(prefix) &&
    (after === undefined || each.thread > after)
  )
}

export function countsOf(threads: readonly ThreadSummary[]): readonly ThreadCount[] {
  const kindOf = ({ graph, status, outcome }: ThreadSummary) =>
    JSON.stringify([graph, status, outcome])
  return [...Map.groupBy(threads, kindOf).values()].flatMap(group => {
    const [first] = group
    if (!first) return []
    const { graph, status, outcome } = first
    return [{ graph, status, ...defined({ outcome }), count: group.length }]
  })
}

export function talliesOf(
  threads: readonly ThreadSummary[],
  { graph, prefix = '', since = 0 }: TallyQuery = {},
): readonly TallyCount[] {
  const counted = threads.filter(
    of =>
      (graph === undefined || of.graph === graph) && of.thread.startsWith(prefix) && of.at >= since,
  )
  const kindOf = ({ graph, status, outcome, tally }: ThreadSummary) =>
    JSON.stringify([graph, status, outcome, tally?.finding?.signature])
  const groups = [...Map.groupBy(counted, kindOf).values()]
  const counts = groups.flatMap(group => {
    const [first] = group
    if (!first) return []
    const { graph, status, outcome, tally } = first
    const sum = (amount: (of: NonNullable<ThreadSummary['tally']>) => number) =>
      group.reduce((total, of) => total + (of.tally ? amount(of.tally) : 0), 0)
    return {
      ...{ graph, status, ...defined({ outcome, signature: tally?.finding?.signature }) },
      count: group.length,
      findings: sum(of => of.findings),
      escapes: sum(of => of.escapes),
      usd: sum(of => of.spent.usd),
    }
  })
  return counts.toSorted((a, b) => b.count - a.count).slice(0, TALLIES_MAX)
}
