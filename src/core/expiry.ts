/** A node whose time passes while its children work. They are cancelled first: one of them may be writing, and the node must not run again before a person knows. */
import { type Effect, isExpired } from './effects.ts'
import {
  type EffectContext,
  IGNORED,
  type Interpretation,
  NOTHING,
  TIMED_OUT,
} from './interpretation.ts'
import { onFailed, ownFailure, updateEffect } from './interpretation.ts'
import { blockEffect } from './questions.ts'
import type { Run } from './run.ts'
import type { EventOf, Stamped } from './watch/event/event.ts'

/** Whether a node has children that have not ended, besides those of one call. */
export const hasChildren = (run: Run, effect: string, besides?: string): boolean =>
  Object.entries(run.watch.account.reserved).some(
    ([call, child]) => child.effect === effect && call !== besides,
  )

/** The node waits for the end of its children, and fails if it has none. */
export function expire(run: Run, effect: Effect): Interpretation {
  if (effect.type !== 'invoke') return IGNORED
  if (!hasChildren(run, effect.id)) return timeOut(effect)
  const { deadline: _, ...rest } = effect
  return updateEffect(run, { ...rest, expired: true })
}

/** The failure of a node whose time has passed. */
export function timeOut(effect: Extract<Effect, { type: 'invoke' }>): Interpretation {
  const reason = { code: 'node-timeout', params: { ms: effect.timeout } } as const
  const kind = { class: 'transient', rule: 'deadline' } as const
  return onFailed(effect, ownFailure(TIMED_OUT, kind, reason))
}

/**
 * The end of a child. If the outcome of a write in it is unknown, a person is asked before its node, or the one that follows, goes on.
 */
export function onChildDone(
  { machine, run }: Omit<EffectContext, 'effect'>,
  event: Stamped<EventOf<'child.done'>>,
): Interpretation {
  const { effect: id, region, call, key, unresolved, at } = event
  const invokes = run.pending.filter(effect => effect.type === 'invoke')
  const own = invokes.find(effect => effect.id === id)
  if (unresolved !== undefined) {
    const effect = own ?? invokes.find(other => other.region === region) ?? invokes[0]
    const asked = { effect: effect?.id ?? id, call, key, tool: unresolved }
    return effect ? blockEffect({ machine, run, effect }, asked, at) : NOTHING
  }
  return own && isExpired(own) && !hasChildren(run, id, call) ? timeOut(own) : NOTHING
}
