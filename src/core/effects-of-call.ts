/** What an event of a call does to its effect: counts its starts again, and tracks its writes in flight and its waits. */
import { callMade } from './questions.ts'
import type { Effect, Invoke } from './run/effects.ts'
import type { Rules } from './run/run.ts'
import { withWait } from './waits.ts'
import { isRefusal } from './watch/failure/doubt.ts'
import type { AgentEvent } from './watch/event/event.ts'

/** Events that show that a started effect gets further. Without one, its third start is a crash loop. */
const RESETS_STARTS: ReadonlySet<string> = new Set([
  ...['tool.done', 'tool.failed', 'model.done', 'model.failed', 'call.reconciled'],
  ...['circuit.refused', 'reported', 'child.done', 'child.refused'],
])

type OfCall = Extract<AgentEvent, { readonly call: string }>

type OfRow = { readonly seq: number; readonly rules: Rules | undefined }

/** The same list if the event changes none of the effects, which is the usual case. */
export function updateEffectsOfCall(pending: readonly Effect[], event: OfCall, row: OfRow) {
  const next = pending.map(effect => updateEffectOfCall(effect, event, row))
  return next.every((effect, index) => effect === pending[index]) ? pending : next
}

/** Applies an event of a call to its effect: counts its starts again, and tracks its writes in flight and its waits. */
function updateEffectOfCall(effect: Effect, event: OfCall, { seq, rules }: OfRow): Effect {
  if (effect.id !== event.effect || (effect.type !== 'invoke' && effect.type !== 'rollback'))
    return effect
  const isAnswer = RESETS_STARTS.has(event.type)
  const counted = isAnswer && effect.starts > 1 ? { ...effect, starts: 1 } : effect
  if (counted.type === 'rollback') return counted
  // A late failure does not say what its write has done.
  const isLate = event.type === 'call.late' && (event.ok || !rules)
  return withWrite(withWait(counted, event, seq), event, isAnswer || isLate)
}

/**
 * Whether the write still counts as in flight: while the tool is asked whether it took effect, after the tool cannot tell, and while an
 * idempotent write waits for its next attempt, unless the last one was refused.
 */
const isInDoubt = (event: OfCall): boolean =>
  event.type === 'call.reconciled'
    ? event.answer === 'unknown'
    : event.type === 'tool.failed' && !event.final && !isRefusal(event.failure)

function withWrite(effect: Invoke, event: OfCall, isAnswer: boolean): Invoke {
  // The writes of a child count for its parent.
  if (event.type === 'child.started') return { ...effect, wrote: true }
  if (event.type === 'tool.called') {
    if (event.effects !== 'write') return effect
    const list = event.repeatable ? 'repeating' : 'writing'
    return { ...effect, wrote: true, [list]: [...(effect[list] ?? []), callMade(event)] }
  }
  if (!isAnswer || isInDoubt(event)) return effect
  return withoutCall(withoutCall(effect, 'writing', event.call), 'repeating', event.call)
}

/** The same effect if the list does not have the call. */
function withoutCall(effect: Invoke, list: 'writing' | 'repeating', answered: string): Invoke {
  const calls = effect[list]
  if (!calls?.some(({ call }) => call === answered)) return effect
  const { [list]: _, ...rest } = effect
  const remaining = calls.filter(({ call }) => call !== answered)
  return remaining.length > 0 ? { ...rest, [list]: remaining } : rest
}
