/** What an event means to the machine, and the interpretations that several events share. */
import type { Effect } from './run/effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { MachineEvent } from './graph/machine.ts'
import type { Rules, Run } from './run/run.ts'
import type { Json } from './watch/data/json.ts'
import type { Route } from './watch/escape/rungs.ts'
import type { Finding } from './watch/event/event.ts'
import { type Failure, failureReason, stated } from './watch/failure/failure.ts'
import type { WatchInput } from './watch/regions.ts'
import type { Reason } from './watch/reason/reason.ts'

type Unhandled = NonNullable<WatchInput['unhandled']>

export interface Interpretation {
  /** The machine takes the first of these that it can. */
  readonly events: readonly MachineEvent[]
  /** The effect that this event finishes, whether or not the machine moves. */
  readonly finishes?: string
  /** The pending effects after the event, where it finishes none. */
  readonly pending?: readonly Effect[]
  /** The failure for the watchdog, if no edge takes it. `as` is more specific than the class. */
  readonly failed?: Pick<Unhandled, 'class' | 'reason' | 'as'>
  /** Why the thread ends, if an edge takes the event to a failure state. Default: the reason of `failed`. */
  readonly explains?: Reason
  /** The command ends the thread even if the machine has no edge for it. */
  readonly ends?: 'cancelled' | 'stopped'
  /** The reason if the thread ends by this event, in short and in full. */
  readonly reason?: string
  readonly because?: Reason
  readonly ignored?: true
  readonly restores?: true
  readonly chosen?: { readonly route: Route; readonly because: readonly Finding[] }
}

/** An effect that an event concerns, in its run. */
export interface EffectContext<E extends Effect = Effect> {
  readonly machine: AgentMachine
  readonly run: Run
  readonly effect: E
  /** The rules that decide what the event does. */
  readonly rules?: Rules
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

export function onFailed(effect: Effect, failure: Failure, partial?: Json): Interpretation {
  const { node, region, id } = effect
  const { name, message } = failure
  const output = partial === undefined ? { name, message } : partial
  // A node that ends as cancelled in a thread that is not cancelled has failed.
  const failureClass = failure.class === 'cancelled' ? 'unknown' : failure.class
  const types = [OUTCOMES[name] ?? [], `error.${failureClass}`].flat()
  const reason: Reason = { code: 'node-failed', params: { node }, cause: failureReason(failure) }
  const failed = { class: failureClass, reason, ...(name === CRASH_LOOP && { as: 'crash-loop' }) }
  return { events: types.map(type => ({ type, region, output })), finishes: id, failed }
}

/** A failure that the runtime detects itself. */
export const ownFailure = (name: string, kind: Pick<Failure, 'class' | 'rule'>, reason: Reason) =>
  ({ name, ...stated(reason), ...kind, scope: 'request' }) as const satisfies Failure

export const replaceEffect = (run: Run, effect: Effect): readonly Effect[] =>
  run.pending.map(other => (other.id === effect.id ? effect : other))

/** The event only changes this effect. */
export function updateEffect(run: Run, effect: Effect): Interpretation {
  return { events: [], pending: replaceEffect(run, effect) }
}
