/**
 * Rules that journals of earlier versions were recorded without. The row of an event that they decide says that they applied. Any other
 * row is folded without them, so a recorded thread stays as it was.
 */
import type { Rules, Run } from './run.ts'
import type { Stamped } from '../watch/event/event.ts'

/** The rules of this version. */
export const RULES: Rules = 1

/** Whether the rules decide what the event does: it opens a round after writes in doubt, or is a message behind others. */
export function isRuled({ ended, queue, policy, unresolved }: Run, event: Stamped, opens: boolean) {
  if (opens) return unresolved !== undefined && unresolved.length > 0
  const isFirst = policy.rounds.busy === 'interrupt' || policy.rounds.busy === 'rollback'
  return event.type === 'message' && ended !== undefined && queue.length > 0 && isFirst
}
