/** Maps an event to what it means to the machine: the outcomes to try, most specific first, and the effect it finishes. */
import { onDismiss, onEscape, onStop } from './commands.ts'
import { advanceEscalation, type Effect, markNotified, pendingEffect } from './run/effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { expire, hasChildren, onChildDone, timeOut } from './expiry.ts'
import { CRASH_LOOP, IGNORED, NOTHING, onFailed, ownFailure } from './interpretation.ts'
import { type Interpretation, type EffectContext, updateEffect } from './interpretation.ts'
import { blockEffect, blockOnChildren, unblock, unblockEffect } from './questions.ts'
import { callUnanswered, findPermission, onAnswer, onQuestionDue, proposalOf } from './questions.ts'
import { messageRejection, nextRound } from './rounds.ts'
import { questionOf } from './run/question-id.ts'
import type { Run } from './run/run.ts'
import { timeLeft } from './watch/budget/account.ts'
import { scopeLimits } from './watch/budget/scope.ts'
import type { Json } from './watch/data/json.ts'
import type { EventOf, Stamped } from './watch/event/event.ts'
import { failureReason } from './watch/failure/failure.ts'
import { isWaiting } from './waits.ts'
import { cancelReasonOf, type Reason } from './watch/reason/reason.ts'

/** The start of an effect that counts as a crash loop, if no earlier start made progress. */
const STARTS_MAX = 3
const CRASHED: Reason = { code: 'crash-loop', params: { starts: STARTS_MAX - 1 } }

export function interpret(at: Omit<EffectContext, 'effect'>, event: Stamped): Interpretation {
  const { machine, run } = at
  const effect = 'effect' in event ? pendingEffect(run.pending, event.effect) : undefined
  const context = effect && { ...at, effect }
  switch (event.type) {
    case 'node.done':
      return context ? onDone(context, event) : IGNORED
    case 'node.failed':
      return effect ? onFailed(effect, event.failure, event.output) : IGNORED
    case 'turn.started':
      return context ? onStarted(context, event.at) : IGNORED
    case 'turn.left':
      return effect ? onLeft(run, effect) : IGNORED
    case 'tool.failed':
      return onToolFailed(context, event)
    case 'call.proposed':
      return context && !findPermission(effect, event.call)
        ? blockEffect(context, proposalOf(event), event.at)
        : IGNORED
    case 'rollback.done':
      return effect?.type === 'rollback'
        ? { events: [], finishes: effect.id, restores: true }
        : IGNORED
    case 'rollback.failed':
      return effect ? onRollbackFailed(effect, failureReason(event.failure)) : IGNORED
    case 'call.late':
      // The late answer resolves the question about its call.
      return event.ok ? unblockEffect(run, questionOf(run.pending, event.call)?.id) : NOTHING
    case 'notified':
      return effect?.type === 'interrupt'
        ? updateEffect(run, markNotified(effect, event.notifier, event.step))
        : IGNORED
    case 'node.expired':
      return effect ? expire(run, effect) : IGNORED
    case 'child.done':
      return onChildDone(at, event)
    case 'child.waiting':
      return effect ? blockOnChildren(run, event) : IGNORED
    case 'child.ended': {
      const pending = unblock(run.pending, event.call)
      return pending ? { events: [], pending } : IGNORED
    }
    case 'deadlock.found':
      return isWaiting(run, event) ? NOTHING : IGNORED
    case 'tick':
      return context ? onDue(context, event.at) : IGNORED
    case 'resume':
      return context ? onAnswer(context, event) : IGNORED
    case 'cancel':
      return cancelled(event.reason, cancelReasonOf(event.reason))
    case 'escape':
      return onEscape(machine, run, event)
    case 'stop':
      return onStop(event)
    case 'dismiss':
      return onDismiss(machine, run, event)
    case 'message':
      return onMessage(machine, run, event.input)
    case 'round.started':
      return nextRound(run) ? NOTHING : IGNORED
    case 'thread.started':
      // A second start would discard the state of the thread.
      return run.seq < 0 ? NOTHING : IGNORED
    default:
      return NOTHING
  }
}

/** A write that ended without an answer: a person must say whether it took effect. */
function onToolFailed(
  context: EffectContext | undefined,
  event: Stamped<EventOf<'tool.failed'>>,
): Interpretation {
  if (!event.final || event.failure.class !== 'indeterminate') return NOTHING
  return context ? blockEffect(context, callUnanswered(context.effect, event), event.at) : IGNORED
}

/** A message to a busy thread waits for its round. The policy can end the current round for it. */
function onMessage(machine: AgentMachine, run: Run, input: Json): Interpretation {
  if (messageRejection(machine, run, input) !== undefined) return IGNORED
  if (run.ended || run.policy.rounds.busy === 'queue') return NOTHING
  return cancelled('interrupted', { code: 'interrupted' })
}

function cancelled(reason: string, because: Reason): Interpretation {
  return { events: [{ type: 'cancelled', region: '' }], reason, because, ends: 'cancelled' }
}

function onDone({ machine, run, effect }: EffectContext, event: EventOf<'node.done'>) {
  const { output, label: given } = event
  const { id, node, region } = effect
  const { writes, faults, label = given } = machine.applyOutput(node, run.snapshot.context, output)
  const [fault] = faults
  if (fault) {
    const params = { node, path: fault.path, fault: fault.message }
    const reason: Reason = { code: 'invalid-output', params }
    const kind = { class: 'persistent', rule: 'output' } as const
    return onFailed(effect, ownFailure('InvalidOutput', kind, reason))
  }
  const done = { region, output, writes, type: 'done' }
  // A node without an edge for its label takes the edge of `done`.
  const labeled = label === undefined ? [] : [{ ...done, type: `done.${label}` }]
  return { events: [...labeled, done], finishes: id }
}

function onStarted(context: EffectContext, at: number): Interpretation {
  const { run, effect } = context
  if (effect.type === 'rollback')
    return effect.starts + 1 >= STARTS_MAX
      ? onRollbackFailed(effect, CRASHED)
      : updateEffect(run, { ...effect, starts: effect.starts + 1 })
  if (effect.type !== 'invoke') return IGNORED
  const { account, scopes } = run.watch
  // A child detects its own crash loop. A long-lived child may outlive many processes of its parent.
  const starts = hasChildren(run, effect.id) ? 1 : effect.starts + 1
  if (starts >= STARTS_MAX) {
    const [writing] = effect.writing ?? []
    if (writing) return blockEffect(context, writing, at)
    const kind = { class: 'persistent', rule: 'crash-loop' } as const
    return onFailed(effect, ownFailure(CRASH_LOOP, kind, CRASHED))
  }
  const { limits } = run.policy
  const ofScopes = scopeLimits(scopes, limits.scopes, at, account)
  const time = Math.min(effect.timeout, timeLeft(account, limits, ofScopes))
  return updateEffect(run, { ...effect, starts, deadline: at + time })
}

/** Takes back a start that ended in order. Its step is already counted. */
function onLeft(run: Run, effect: Effect): Interpretation {
  if (effect.type !== 'invoke' && effect.type !== 'rollback') return IGNORED
  const starts = Math.max(0, effect.starts - 1)
  const left = { ...effect, starts }
  return updateEffect(run, left.type === 'invoke' ? { ...left, resumed: true } : left)
}

/** The rollback stopped halfway, and the remaining writes stay. Only a person or the end of the thread can follow. */
function onRollbackFailed(effect: Effect, cause: Reason): Interpretation {
  const reason: Reason = { code: 'rollback-failed', cause }
  return {
    events: [{ type: 'rollback.failed', region: '' }],
    finishes: effect.id,
    failed: { class: 'indeterminate', reason, as: 'compensation' },
  }
}

function onDue(context: EffectContext, at: number): Interpretation {
  const { run, effect } = context
  if (effect.type === 'rollback') return IGNORED
  if (effect.deadline === undefined || at < effect.deadline) {
    const moved = effect.type === 'interrupt' ? advanceEscalation(effect, at) : undefined
    return moved ? updateEffect(run, moved) : IGNORED
  }
  if (effect.type === 'interrupt') return onQuestionDue(run, effect)
  if (effect.type === 'wait')
    return { events: [{ type: 'done', region: effect.region }], finishes: effect.id }
  const [writing] = effect.writing ?? []
  if (writing) return blockEffect(context, writing, at)
  return timeOut(effect)
}
