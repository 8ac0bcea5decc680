/** The list of threads that the address asks for. */
import { FINDING_KINDS } from '../../../../src/core/watch/event/event.ts'
import type { ThreadQuery } from '../../../../src/runtime/store/store.ts'

/** Threads that one request returns, and that "Show more" adds. */
export const PAGE = 100
/** The most threads that the service returns. */
export const SHOWN_MAX = 1_000

export const STATUSES = ['active', 'waiting', 'ended'] as const
export const OUTCOMES = ['success', 'failure', 'stopped', 'cancelled', 'error'] as const
export const FINDINGS = ['any', ...FINDING_KINDS] as const
export const GROUPINGS = ['none', 'outcome', 'loop'] as const
export type Grouping = (typeof GROUPINGS)[number]

export interface ListQuery {
  readonly filter: Omit<ThreadQuery, 'after' | 'limit' | 'order'>
  readonly group: Grouping
  /** How many threads are shown. */
  readonly shown: number
}

/** Values that the page does not know are ignored: an address is text that people edit. */
export function listQueryOf(query: Readonly<Record<string, string>>): ListQuery {
  const { graph, prefix } = query
  const status = oneOf(STATUSES, query.status)
  const outcome = oneOf(OUTCOMES, query.outcome)
  const finding = oneOf(FINDINGS, query.loop)
  const minUsd = positive(query.cost)
  return {
    filter: {
      ...(status && { status }),
      ...(outcome && { outcome }),
      ...(finding && { finding }),
      ...(minUsd && { minUsd }),
      ...(graph !== undefined && { graph }),
      ...(prefix && { prefix }),
    },
    group: oneOf(GROUPINGS, query.group) ?? 'none',
    shown: Math.min(SHOWN_MAX, Math.max(PAGE, Math.ceil(positive(query.show) ?? PAGE))),
  }
}

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find(each => each === text)

function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) && value > 0 ? value : undefined
}
