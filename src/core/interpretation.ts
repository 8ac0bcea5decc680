/** What an event means to the machine, and the interpretations that several events share. */
import type { Effect } from './effects.ts'
import type { MachineEvent } from './graph/machine.ts'
import type { Run } from './run.ts'
import type { Json } from './watch/data/json.ts'
import type { Route } from './watch/escape/rungs.ts'
import type { Finding } from './watch/event/finding.ts'
import { type Failure, type FailureClass, failureReason, stated } from './watch/failure/failure.ts'
import type { Reason } from './watch/reason/reason.ts'

export interface Interpretation {
  /** The machine takes the first of these that it can. */
  readonly events: readonly MachineEvent[]
  /** The effect that this event finishes, whether or not the machine moves. */
  readonly settles?: string
  /** The pending effects after the event, where it settles none. */
  readonly pending?: readonly Effect[]
  /** The failure for the watchdog, if no edge takes it. `as` is more specific than the class. */
  readonly failed?: {
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** The command ends the thread even if the machine has no edge for it. */
  readonly ends?: 'cancelled' | 'stopped'
  /** The reason if the thread ends by this event, in short and in full. */
  readonly reason?: string
  readonly because?: Reason
  readonly ignored?: true
  /** The run returns to its savepoint. */
  readonly restores?: true
  /** The escape route that a person chose. */
  readonly chosen?: { readonly route: Route; readonly because: readonly Finding[] }
}

export const NOTHING: Interpretation = { events: [] }
export const IGNORED: Interpretation = { events: [], ignored: true }
export const TIMED_OUT = 'NodeTimeout'
export const CRASH_LOOP = 'CrashLoop'

/** Outcomes of failures that are more specific than their class. */
const OUTCOMES: Readonly<Record<string, string>> = {
  CircuitOpen: 'breaker.open',
  [TIMED_OUT]: 'timeout',
}

export function onFailed(
  effect: Effect,
  failure: Failure,
  output: Json = { name: failure.name, message: failure.message },
): Interpretation {
  // A node that ends as cancelled in a thread that is not cancelled has failed.
  const failureClass = failure.class === 'cancelled' ? 'unknown' : failure.class
  const specific = OUTCOMES[failure.name]
  const outcome = `error.${failureClass}`
  const types = specific === undefined ? [outcome] : [specific, outcome]
  const params = { node: effect.node }
  return {
    events: types.map(type => ({ type, region: effect.region, output })),
    settles: effect.id,
    failed: {
      class: failureClass,
      reason: { code: 'node-failed', params, cause: failureReason(failure) },
      ...(failure.name === CRASH_LOOP && { as: 'crash-loop' }),
    },
  }
}

/** A failure that the runtime detects itself. */
export function ownFailure(
  name: string,
  failureClass: FailureClass,
  rule: string,
  reason: Reason,
): Failure {
  return { name, ...stated(reason), class: failureClass, scope: 'request', rule }
}

export function replaceEffect(run: Run, effect: Effect): readonly Effect[] {
  return run.pending.map(other => (other.id === effect.id ? effect : other))
}

/** The event only changes this effect. */
export function updateEffect(run: Run, effect: Effect): Interpretation {
  return { events: [], pending: replaceEffect(run, effect) }
}
