/** The port through which people are notified of questions. */
import type { Review } from '../core/review/review.ts'

/** A channel that notifies people. */
export interface Notifier {
  /** Its name in the journal, unique in a graph. */
  readonly name: string
  /** The names of `escape.review` it serves; absent: all. */
  readonly to?: readonly string[]
  /** Timeout of one attempt in ms, and the number of attempts. Errors are classified like any failure. */
  readonly timeout: number
  readonly attempts: number
  /** Makes one attempt. Returns a short form of the response. */
  send(notice: Notice, sending: Delivery): Promise<string>
}

/** A notification: a question was opened or escalated. */
export interface Notice {
  readonly type: 'question.opened' | 'question.escalated'
  readonly thread: string
  readonly graph: string
  /** The number of escalations so far. */
  readonly step: number
  readonly review: Review
}

interface Delivery {
  /** The same for every attempt and after a crash: receivers can detect duplicates by it. */
  readonly id: string
  readonly attempt: number
  readonly signal: AbortSignal
}
