/** The error of a command that expects an earlier event. */
import { codedError, guardOf } from '../core/watch/data/fault.ts'

/** The thread has moved on since the caller read it. */
export class StaleSeq extends codedError('StaleSeq', 'stale-seq') {
  /** The last event of the thread. */
  readonly seq: number
  constructor(thread: string, expected: number, seq: number) {
    super(
      `thread '${thread}' is at event ${seq}, not ${expected}; read the new events and decide again`,
    )
    this.seq = seq
  }
}

/** Whether an error is a `StaleSeq`. */
export const isStaleSeq = guardOf(StaleSeq)
