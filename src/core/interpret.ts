/** From an event to what it means to the machine: the outcomes it may be told, most exact first, and what it settles. */
import { blockOnChildren, unblock } from './block-on-children.ts'
import { type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { blockEffect, onAnswer, onQuestionDue, unblockEffect } from './interpret-question.ts'
import {
  CRASH_LOOP,
  IGNORED,
  type Interpretation,
  NOTHING,
  onFailed,
  replaceEffect,
  TIMED_OUT,
} from './interpretation.ts'
import { advanceEscalation, markNotified } from './escalation.ts'
import { findPermission, proposalOf } from './permission.ts'
import { messageRejection, nextRound } from './rounds.ts'
import type { Run } from './run.ts'
import { timeLeft } from './watch/budget/limits.ts'
import { scopeLimits } from './watch/budget/scope.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import { failureReason, stated } from './watch/failure/failure.ts'
import type { Json } from './watch/data/json.ts'
import { cancelReasonOf, type Reason } from './watch/reason/reason.ts'

/** An effect that was started this often without an answer in between kills its process. */
const STARTS_MAX = 3
const CRASHED: Reason = { code: 'crash-loop', params: { starts: STARTS_MAX } }

export function interpret(machine: AgentMachine, run: Run, event: Stamped): Interpretation {
  switch (event.type) {
    case 'node.done':
      return withEffect(run, event.effect, effect => onDone(machine, run, effect, event))
    case 'node.failed':
      return withEffect(run, event.effect, effect => onFailed(effect, event.failure, event.output))
    case 'turn.started':
      return withEffect(run, event.effect, effect => onStarted(run, effect, event.at))
    case 'tool.failed':
      return onToolFailed(run, event)
    case 'call.proposed':
      return withEffect(run, event.effect, effect =>
        findPermission(effect, event.call)
          ? IGNORED
          : blockEffect(run, effect, proposalOf(event), event.at),
      )
    case 'rollback.done':
      return withEffect(run, event.effect, ({ id, type }) =>
        type === 'rollback' ? { events: [], settles: id, restores: true } : IGNORED,
      )
    case 'rollback.failed':
      return withEffect(run, event.effect, effect =>
        onRollbackFailed(effect, failureReason(event.failure)),
      )
    case 'call.late':
      // The question about the call has answered itself.
      return event.ok ? unblockEffect(run, `${event.call}?`) : NOTHING
    case 'notified':
      return withEffect(run, event.effect, effect => onNotified(run, effect, event))
    case 'child.waiting':
      return withEffect(run, event.effect, ({ id }) => ({
        events: [],
        pending: blockOnChildren(run.pending, id, event.children),
      }))
    case 'child.ended': {
      const pending = unblock(run.pending, event)
      return pending ? { events: [], pending } : IGNORED
    }
    case 'tick':
      return withEffect(run, event.effect, effect => onDue(run, effect, event.at))
    case 'resume':
      return withEffect(run, event.effect, effect => onAnswer(machine, run, effect, event))
    case 'cancel':
      return cancelled(event.reason, cancelReasonOf(event.reason))
    case 'message':
      return onMessage(machine, run, event.input)
    case 'round.started':
      return nextRound(run) ? NOTHING : IGNORED
    case 'thread.started':
      // A thread begins once: a second beginning would lose what was reached.
      return run.seq < 0 ? NOTHING : IGNORED
    default:
      return NOTHING
  }
}

function onNotified(
  run: Run,
  effect: Effect,
  { notifier, step }: Extract<AgentEvent, { readonly type: 'notified' }>,
): Interpretation {
  if (effect.type !== 'interrupt') return IGNORED
  return { events: [], pending: replaceEffect(run, markNotified(effect, notifier, step)) }
}

type ToolFailed = Stamped<Extract<AgentEvent, { readonly type: 'tool.failed' }>>

/** A person must say whether a write took effect that ended without an answer. */
function onToolFailed(run: Run, event: ToolFailed): Interpretation {
  if (!event.final || event.failure.class !== 'indeterminate') return NOTHING
  const { effect: id, call, subject: tool, key, at } = event
  return withEffect(run, id, effect =>
    blockEffect(run, effect, { effect: id, call, tool, key }, at),
  )
}

/** To a busy thread: it waits for its round, and where the policy says so, the present one ends for it. */
function onMessage(machine: AgentMachine, run: Run, input: Json): Interpretation {
  if (messageRejection(machine, run, input) !== undefined) return IGNORED
  if (run.ended || run.policy.rounds.busy === 'queue') return NOTHING
  return cancelled('interrupted', { code: 'interrupted' })
}

function cancelled(reason: string, because: Reason): Interpretation {
  return { events: [{ type: 'cancelled', region: '' }], reason, because, ends: 'cancelled' }
}

function withEffect(
  run: Run,
  id: string,
  meaning: (effect: Effect) => Interpretation,
): Interpretation {
  const effect = pendingEffect(run.pending, id)
  return effect ? meaning(effect) : IGNORED
}

function onDone(
  machine: AgentMachine,
  run: Run,
  effect: Effect,
  event: { output: Json; label?: string },
): Interpretation {
  const {
    writes,
    faults,
    label = event.label,
  } = machine.settle(effect.node, run.snapshot.context, event.output)
  const [fault] = faults
  if (fault)
    return onFailed(effect, {
      name: 'InvalidOutput',
      ...stated({
        code: 'invalid-output',
        params: { node: effect.node, path: fault.path, fault: fault.message },
      }),
      class: 'persistent',
      scope: 'request',
      rule: 'output',
    })
  const outcome = { region: effect.region, output: event.output, writes }
  const plain = { ...outcome, type: 'done' }
  return {
    events: label === undefined ? [plain] : [{ ...outcome, type: `done.${label}` }, plain],
    settles: effect.id,
  }
}

function onStarted(run: Run, effect: Effect, at: number): Interpretation {
  if (effect.type === 'rollback') {
    if (effect.starts + 1 >= STARTS_MAX) return onRollbackFailed(effect, CRASHED)
    return { events: [], pending: replaceEffect(run, { ...effect, starts: effect.starts + 1 }) }
  }
  if (effect.type !== 'invoke') return IGNORED
  const starts = hasChildren(run, effect) ? 1 : effect.starts + 1
  if (starts >= STARTS_MAX) {
    const [writing] = effect.writing ?? []
    if (writing) return blockEffect(run, effect, writing, at)
    return onFailed(effect, {
      name: CRASH_LOOP,
      ...stated(CRASHED),
      class: 'persistent',
      scope: 'request',
      rule: 'crash-loop',
    })
  }
  const time = Math.min(
    effect.timeout,
    timeLeft(
      run.watch.account,
      run.policy.limits,
      scopeLimits(run.watch.scopes, run.policy.limits.scopes, at, run.watch.account),
    ),
  )
  return { events: [], pending: replaceEffect(run, { ...effect, starts, deadline: at + time }) }
}

/** A child that kills its process each time is found out by its own journal; one that goes on for days may outlive many drivers of its parent. */
function hasChildren({ watch }: Run, { id }: Effect): boolean {
  return Object.values(watch.account.reserved).some(({ effect }) => effect === id)
}

/** What has been written stays, and half of the way back is gone: only a person, or the end, can follow. */
function onRollbackFailed(effect: Effect, cause: Reason): Interpretation {
  return {
    events: [{ type: 'rollback.failed', region: '' }],
    settles: effect.id,
    failed: {
      class: 'indeterminate',
      reason: { code: 'rollback-failed', cause },
      as: 'compensation',
    },
  }
}

function onDue(run: Run, effect: Effect, at: number): Interpretation {
  if (effect.type === 'rollback') return IGNORED
  if (effect.deadline === undefined || at < effect.deadline) {
    const later = effect.type === 'interrupt' ? advanceEscalation(effect, at) : undefined
    return later ? { events: [], pending: replaceEffect(run, later) } : IGNORED
  }
  if (effect.type === 'wait')
    return { events: [{ type: 'done', region: effect.region }], settles: effect.id }
  const [writing] = effect.type === 'invoke' ? (effect.writing ?? []) : []
  if (writing) return blockEffect(run, effect, writing, at)
  if (effect.type === 'invoke')
    return onFailed(effect, {
      name: TIMED_OUT,
      ...stated({ code: 'node-timeout', params: { ms: effect.timeout } }),
      class: 'transient',
      scope: 'request',
      rule: 'deadline',
    })
  return onQuestionDue(run, effect)
}
