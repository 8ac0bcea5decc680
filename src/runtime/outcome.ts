/** How a node ends its work: with a labeled output, or with a failure. */
import { codedError, guardOf } from '../core/watch/data/fault.ts'
import { type Failure, failureMessage } from '../core/watch/failure/failure.ts'
import type { Json } from '../core/watch/data/json.ts'

/** An output with the label of its outcome: `done.<label>`. */
export class Labeled<L extends string = string, O = unknown> {
  readonly label: L
  readonly output: O
  constructor(label: L, output: O) {
    this.label = label
    this.output = output
  }
}

/**
 * The output of a node with the label of its outcome.
 * @example return done('ready', { left }) // leaves by the edge done.ready
 */
export const done = <const L extends string, O>(label: L, output: O): Labeled<L, O> =>
  new Labeled(label, output)

/** The final failure of a call. A node that does not catch it fails with it. */
export class CallFailed extends codedError('CallFailed', 'call-failed') {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failureMessage(failure))
    this.failure = failure
  }
}

/** Whether an error is a `CallFailed`. */
export const isCallFailed = guardOf(CallFailed)

/** A node's work that ended with a known failure. */
export class Failing {
  readonly failure: Failure
  readonly output: Json | undefined
  constructor(failure: Failure, output?: Json) {
    this.failure = failure
    this.output = output
  }
}

/** Ends a node with a failure. `output`: its partial result. */
export const failing = (failure: Failure, output?: Json): Failing => new Failing(failure, output)
