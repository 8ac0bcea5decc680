/** What a store keeps of the findings, escapes and spending of each thread, so that lists read no journals. */
import type { FindingSignature, Tally } from '../../core/tally.ts'
import type { Spent } from '../../core/watch/event/call-event.ts'
import { isMap } from '../../core/watch/data/json.ts'
import type { ThreadCount, ThreadQuery } from './store.ts'

/** What lists show of the course of a thread. */
export type ThreadTally = Tally & { readonly spent: Pick<Spent, 'steps' | 'tokens' | 'usd'> }

/** Counts of threads by what they have found. */
export interface Tallies {
  /** How many threads have each graph, status, outcome and finding, the most frequent first, at most `TALLIES_MAX`. */
  tallies(query?: TallyQuery): Promise<readonly TallyCount[]>
}

/** Which threads are counted. An absent field matches all. */
export interface TallyQuery extends Pick<ThreadQuery, 'graph' | 'prefix'> {
  /** The last event is at this time, in ms, or later. */
  readonly since?: number
}

/** The number of threads with the same graph, status, outcome and finding. */
export type TallyCount = ThreadCount & {
  /** Absent: the threads have no finding, or no tally. */
  readonly signature?: FindingSignature
  /** What these threads have found, taken and spent together. */
  readonly findings: number
  readonly escapes: number
  readonly usd: number
}

/** The most lines of tallies. */
export const TALLIES_MAX = 1_000

/** A line of counts as a database returns it: `signature` is JSON. */
export type TallyLine = Omit<TallyCount, 'signature' | 'outcome'> &
  Readonly<Record<'signature' | 'outcome', string | null>>

export function tallyCountOf({ outcome, signature, ...line }: TallyLine): TallyCount {
  return {
    ...line,
    ...(outcome !== null && { outcome }),
    ...(signature !== null && { signature: JSON.parse(signature) as FindingSignature }),
  }
}

/** The tally of a line. A damaged text has none: the next append of the thread writes it again. */
export function tallyIn(text: string): ThreadTally | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMap(value) ? (value as unknown as ThreadTally) : undefined
  } catch {
    return undefined
  }
}
