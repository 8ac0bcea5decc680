/** What the threads of a scope report to each other. */
import type { Reason } from '../reason/reason.ts'
import type { Dismissed, EarlierFinding } from './finding.ts'
import type { Spent } from './spent.ts'

/** A question that a thread of a scope asked a person. */
export interface ScopeQuestion {
  readonly effect: string
  /** The id of the finding. */
  readonly id: string
  readonly reason: Reason
  /** In ms. */
  readonly deadline?: number
  /** The scope caused the question: its threads together spent its budget, or had too many findings. */
  readonly ofScope?: true
}

/** What the other threads of a scope spent and found, as a thread records it. */
export interface PeerSummary {
  readonly scope: string
  readonly key: string
  /** By the others, within the window. */
  readonly spent: Spent
  readonly loops: readonly { readonly id: string; readonly threads: readonly EarlierFinding[] }[]
  readonly dismissed: readonly Dismissed[]
  /** For a thread that has not started and must wait: the question of another thread. */
  readonly held?: Pick<ScopeQuestion, 'effect' | 'reason'> & { readonly thread: string }
}
