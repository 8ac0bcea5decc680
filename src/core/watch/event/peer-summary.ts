/** What the threads of a scope report to each other. */
import type { Reason } from '../reason/reason.ts'
import type { Dismissed, EarlierFinding } from './finding.ts'
import type { Spent } from './spent.ts'

/** The question a thread of a scope has asked a person. */
export interface ScopeQuestion {
  readonly effect: string
  /** The finding. */
  readonly id: string
  readonly reason: Reason
  /** When the time to answer is over, in ms. */
  readonly deadline?: number
  /** Asked because of what the threads of the scope have spent or met together. */
  readonly ofScope?: true
}

/** What the other threads of its scope have spent and met, as a thread records it. */
export interface PeerSummary {
  readonly scope: string
  readonly key: string
  /** By the others, within the window. */
  readonly spent: Spent
  readonly loops: readonly { readonly id: string; readonly threads: readonly EarlierFinding[] }[]
  readonly dismissed: readonly Dismissed[]
  /** Sent to a thread that has not started: another thread asks a person, and this one must wait. */
  readonly held?: Pick<ScopeQuestion, 'effect' | 'reason'> & { readonly thread: string }
}
