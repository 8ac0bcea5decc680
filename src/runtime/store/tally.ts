/** What a store keeps of the findings, escapes and spending of each thread, so that lists read no journals. */
import type { FindingSignature, Tally } from '../../core/run/tally.ts'
import type { Spent } from '../../core/watch/event/call-event.ts'
import type { FindingKind } from '../../core/watch/event/event.ts'
import type { ThreadStatus } from '../../core/run/view.ts'

/** What lists show of the course of a thread. */
export type ThreadTally = Tally & { readonly spent: Pick<Spent, 'steps' | 'tokens' | 'usd'> }

/** A filter for threads by their tallies. */
export interface TallyFilter {
  /** The kind of the finding; `any`: the thread has a finding. */
  readonly finding?: FindingKind | 'any'
  /** The least that the thread has spent. Threads without a tally do not match. */
  readonly minUsd?: number
}

/** Counts of threads. */
export interface Counts {
  /** How many threads have each graph, status and outcome. */
  counts(): Promise<readonly ThreadCount[]>
  /** How many threads have each graph, status, outcome and finding, the most frequent first, at most `TALLIES_MAX`. */
  tallies(query?: TallyQuery): Promise<readonly TallyCount[]>
}

/** Which threads are counted. An absent field matches all. */
export interface TallyQuery {
  readonly graph?: string
  /** The name begins with this text. */
  readonly prefix?: string
  /** The last event is at this time, in ms, or later. */
  readonly since?: number
}

/** The number of threads with the same graph, status and outcome. */
export interface ThreadCount {
  readonly graph: string
  readonly status: ThreadStatus
  readonly outcome?: string
  readonly count: number
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
