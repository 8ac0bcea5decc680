/** What a caller gives with a command, and what it gets back. */
import type { Code } from '../../core/watch/reason/reason.ts'

/** The result of a command. */
export type Settled =
  | { readonly applied: true }
  /** `because` is one sentence: what was refused, and what is expected. */
  | { readonly applied: false; readonly code: Code; readonly because: string }

/** The options of a command to a thread. */
export interface CommandOptions {
  /** Rejects the call with the reason of the signal. The thread continues. */
  readonly signal?: AbortSignal
  /** The last event that the caller has seen. @throws StaleSeq if the thread has moved on when the command is submitted */
  readonly expectSeq?: number
  /** The id of the command. The thread takes an id at most once; a repeated call returns the first result. */
  readonly id?: string
  /** A name for the request that is its own in the whole store, and its default `id`. It has no effect again, also after the thread is pruned and its name is taken by another one. @throws ThreadPruned */
  readonly once?: string
}
