/** The error of a thread that an agent of another framework recorded. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'

/** An agent of another framework recorded the thread. This package cannot drive it. */
export class WrappedThread extends codedError('WrappedThread', 'wrapped-thread') {
  constructor(thread: string) {
    super(
      `thread '${thread}' was recorded from an agent in another framework; only that agent can carry it on`,
    )
  }
}

/** Whether an error is a `WrappedThread`. */
export const isWrappedThread = guardOf(WrappedThread)
