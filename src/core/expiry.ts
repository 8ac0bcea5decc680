/** A node whose time passes while its children work. They are cancelled first: one of them may be writing, and the node must not run again before a person knows. */
import { childCall, questionsLeft } from './doubts.ts'
import { type Effect, isExpired, pendingEffect } from './run/effects.ts'
import {
  type EffectContext,
  IGNORED,
  type Interpretation,
  NOTHING,
  TIMED_OUT,
} from './interpretation.ts'
import { onFailed, ownFailure, updateEffect } from './interpretation.ts'
import { blockEffect } from './questions.ts'
import type { Run } from './run/run.ts'
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
 * The end of a child. If the outcome of a write in it is unknown, a person is asked before its node goes on, or anything starts after it.
 */
export function onChildDone(
  context: Omit<EffectContext, 'effect'>,
  event: Stamped<EventOf<'child.done'>>,
): Interpretation {
  const { run } = context
  const { effect: id, call, unresolved, at } = event
  const effect = pendingEffect(run.pending, id)
  if (unresolved !== undefined) {
    const asked = childCall(event, unresolved)
    if (effect) return blockEffect({ ...context, effect }, asked, at)
    const { pending } = run
    const questions = questionsLeft(run, { before: pending, kept: pending }, [asked])
    return { events: [], pending: [...pending, ...questions] }
  }
  if (effect?.type !== 'invoke' || !isExpired(effect) || hasChildren(run, id, call)) return NOTHING
  return timeOut(effect)
}
