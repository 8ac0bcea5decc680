/** The error of a thread that an agent of another framework recorded. */
import { codedError, guardOf } from '../../core/watch/data/fault.ts'

const EFFECTS = {
  drive: '; only that agent can carry it on',
  archive:
    ': it has no graph, and so no archive and no report. `escapement show`, `escapement export` without --out, `escapement sql` and the inspector read it',
}

/** An agent of another framework recorded the thread. This package cannot drive it, and cannot archive it, because it has no graph. */
export class WrappedThread extends codedError('WrappedThread', 'wrapped-thread') {
  constructor(thread: string, refused: keyof typeof EFFECTS = 'drive') {
    super(`thread '${thread}' was recorded from an agent in another framework${EFFECTS[refused]}`)
  }
}

/** Whether an error is a `WrappedThread`. */
export const isWrappedThread = guardOf(WrappedThread)
