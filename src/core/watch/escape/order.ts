/** The order of rungs against one problem: it may differ from that of the ladder within the safety order. */
import type { Finding } from '../event/event.ts'
import { IN_PLACE, type Rung } from '../policy/policy.ts'

/** What an escape answers. */
export interface Problem {
  /** The tool that failed, or what repeats. */
  readonly subject: string
  /** The class of the failure, or the kind of the finding. */
  readonly problem: string
}

/** The problem that a finding shows. */
export const problemOf = ({ members, class: failed, kind }: Finding): Problem => ({
  subject: [...new Set(members)].join(' → '),
  problem: failed ?? kind,
})

/** The order in which rungs are tried against one problem. */
export interface RungOrder extends Problem {
  readonly rungs: readonly string[]
}

/**
 * Rungs of equal safety: the run goes on by itself, and nothing is undone. All others keep their places. So the rungs that act on a
 * call come before a rollback, a rollback before a person, and everything before the stop, as the ladder has them.
 */
const EQUALLY_SAFE: ReadonlySet<string> = new Set<Rung>(['rethink', 'alternative'])

export const isExchangeable = (rung: string): boolean => EQUALLY_SAFE.has(rung)

/** The rungs of a ladder that may be exchanged: at least two, with no other rung between them that answers findings. */
export function exchangeableIn(ladder: readonly string[]): readonly string[] {
  const rungs = ladder.filter(rung => !IN_PLACE.has(rung))
  const first = rungs.findIndex(isExchangeable)
  const end = rungs.findIndex((rung, index) => index > first && !isExchangeable(rung))
  const group = first < 0 ? [] : rungs.slice(first, end < 0 ? undefined : end)
  return group.length > 1 ? group : []
}

/** The ladder against a finding. An order moves only exchangeable rungs, whatever it lists. */
export function ladderFor(
  ladder: readonly string[],
  orders: readonly RungOrder[] | undefined,
  finding: Finding | undefined,
): readonly string[] {
  if (!orders || !finding) return ladder
  const { subject, problem } = problemOf(finding)
  const order = orders.find(each => each.subject === subject && each.problem === problem)
  if (!order) return ladder
  const group = exchangeableIn(ladder)
  const place = (rung: string) =>
    order.rungs.includes(rung) ? order.rungs.indexOf(rung) : order.rungs.length
  const sorted = group.toSorted((a, b) => place(a) - place(b))
  return ladder.map(rung => sorted[group.indexOf(rung)] ?? rung)
}
