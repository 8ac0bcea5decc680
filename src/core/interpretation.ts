/** What an event means to the machine. */
import type { Effect } from './effects.ts'
import type { MachineEvent } from './graph/machine.ts'
import type { Run } from './run.ts'
import { type Failure, type FailureClass, failureReason } from './watch/failure/failure.ts'
import type { Finding } from './watch/event/finding.ts'
import type { Json } from './watch/data/json.ts'
import type { Reason } from './watch/reason/reason.ts'
import type { Route } from './watch/escape/rungs.ts'

export interface Interpretation {
  /** The machine takes the first of these that it can. */
  readonly events: readonly MachineEvent[]
  /** The effect that is done with this event, whatever the machine makes of it. */
  readonly settles?: string
  /** The effects as the event changes them, where it does not settle one. */
  readonly pending?: readonly Effect[]
  /** What failed, for the watchdog, if no edge takes it; `as` names it more exactly than its class. */
  readonly failed?: {
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** Somebody's word ends the thread, also where the machine knows no edge for it. */
  readonly ends?: 'cancelled' | 'stopped'
  /** The reason to give if the thread ends by this, in short and in full. */
  readonly reason?: string
  readonly because?: Reason
  readonly ignored?: true
  /** The run goes back to its mark. */
  readonly restores?: true
  /** The way out that a person chooses. */
  readonly chosen?: { readonly route: Route; readonly because: readonly Finding[] }
}

export const NOTHING: Interpretation = { events: [] }
export const IGNORED: Interpretation = { events: [], ignored: true }
export const TIMED_OUT = 'NodeTimeout'
export const CRASH_LOOP = 'CrashLoop'

/** Failures with an outcome that is more exact than their class. */
const OUTCOMES: Readonly<Record<string, string>> = {
  CircuitOpen: 'breaker.open',
  [TIMED_OUT]: 'timeout',
}

export function onFailed(
  effect: Effect,
  failure: Failure,
  output: Json = { name: failure.name, message: failure.message },
): Interpretation {
  const own = failure.class === 'cancelled' ? 'error.unknown' : `error.${failure.class}`
  const exact = OUTCOMES[failure.name]
  const outcomes = exact === undefined ? [own] : [exact, own]
  return {
    events: outcomes.map(type => ({ type, region: effect.region, output })),
    settles: effect.id,
    // Work that ended as if cancelled, although nobody cancelled the thread, is a failure like any other.
    failed: {
      class: failure.class === 'cancelled' ? 'unknown' : failure.class,
      reason: {
        code: 'node-failed',
        params: { node: effect.node },
        cause: failureReason(failure),
      },
      ...(failure.name === CRASH_LOOP ? { as: 'crash-loop' } : {}),
    },
  }
}

export function replaceEffect(run: Run, effect: Effect): readonly Effect[] {
  return run.pending.map(other => (other.id === effect.id ? effect : other))
}
