/**
 * Rules that journals of earlier versions were recorded without. The row of an event that they decide says that they applied. Any other
 * row is folded without them, so a recorded thread stays as it was.
 */
import { callsInDoubt, pendingEffect } from './effects.ts'
import type { Rules, Run } from './run.ts'
import type { Stamped } from '../watch/event/event.ts'

/** The rules of this version. */
export const RULES: Rules = 1

/** Whether the rules decide what the event does. */
export const isRuled = (run: Run, event: Stamped, opens: boolean): boolean =>
  opens
    ? run.unresolved !== undefined && run.unresolved.length > 0
    : isBehindMessages(run, event) ||
      isBesideWrites(run, event) ||
      isAboutWrite(run, event) ||
      isNewWrite(run, event)

/** A message between rounds comes after those that were accepted earlier. */
function isBehindMessages({ ended, queue, policy }: Run, event: Stamped): boolean {
  const isFirst = policy.rounds.busy === 'interrupt' || policy.rounds.busy === 'rollback'
  return event.type === 'message' && ended !== undefined && queue.length > 0 && isFirst
}

/** A node that is asked about one of its writes keeps the others in flight. A late failure says nothing about its write. */
function isBesideWrites({ pending }: Run, event: Stamped): boolean {
  const effect = 'effect' in event ? pendingEffect(pending, event.effect) : undefined
  const { writing = [], repeating = [] } = effect?.type === 'invoke' ? effect : {}
  if (event.type === 'call.late')
    return !event.ok && [...writing, ...repeating].some(({ call }) => call === event.call)
  if (!mayBlock(event)) return false
  const asked = 'call' in event ? event.call : writing[0]?.call
  return writing.some(({ call }) => call !== asked)
}

const mayBlock = (event: Stamped): boolean =>
  event.type === 'tick' ||
  event.type === 'turn.started' ||
  (event.type === 'tool.failed' && event.final && event.failure.class === 'indeterminate') ||
  (event.type === 'child.done' && event.unresolved !== undefined)

/** A child that has read may be in doubt about a write of its own child. One that has written may be the first that did, between rounds. */
const isNewWrite = ({ wrote, ended }: Run, event: Stamped): boolean =>
  event.type === 'child.done' &&
  (event.effects === 'write' ? !wrote && ended !== undefined : event.unresolved !== undefined)

/** A write counts as made if a person says so, or says nothing. */
function isAboutWrite({ pending }: Run, event: Stamped): boolean {
  if (event.type !== 'tick' && (event.type !== 'resume' || event.decision !== 'applied'))
    return false
  const asked = pendingEffect(pending, event.effect)
  return asked?.type === 'interrupt' && callsInDoubt([asked]).length > 0
}
