/** Interprets the answer to a question, and the end of its deadline. */
import { permissionFrom, unblockEffect } from './block.ts'
import { type Effect, type Interrupt, pendingEffect, type QuestionedCall } from './effects.ts'
import { choiceOf } from './escape-routes.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { IGNORED, type Interpretation, onFailed, ownFailure } from './interpretation.ts'
import type { Run } from './run.ts'
import { isReason } from './watch/escape/rungs.ts'
import type { EventOf, Stamped } from './watch/event/event.ts'
import type { Reason } from './watch/reason/reason.ts'

type Resume = Stamped<EventOf<'resume'>>

export function onAnswer(
  machine: AgentMachine,
  run: Run,
  effect: Effect,
  event: Resume,
): Interpretation {
  if (effect.type !== 'interrupt' || isLate(effect, event)) return IGNORED
  if (event.decision === 'stop')
    return {
      events: [{ type: 'escape', region: '', rung: 'stop' }],
      settles: effect.id,
      reason: 'review.stopped',
      because: becauseOf('review-stopped', effect),
      ends: 'stopped',
    }
  if (effect.call) return onCallAnswer(run, effect.id, effect.call, event)
  if (effect.about) return onReviewAnswer(machine, run, effect, event)
  return event.decision === 'dismiss' ? IGNORED : onNodeAnswer(machine, run, effect, event)
}

/** The time of the decision counts, not the time at which the answer arrives. */
function isLate({ deadline }: Interrupt, { at, saidAt = at }: Resume): boolean {
  return deadline !== undefined && Math.min(at, saidAt) >= deadline
}

function onCallAnswer(run: Run, id: string, call: QuestionedCall, event: Resume): Interpretation {
  if (call.proposed === undefined)
    return event.decision === 'applied' || event.decision === 'not-applied'
      ? unblockEffect(run, id)
      : IGNORED
  const permission = permissionFrom(call, event)
  return permission ? unblockEffect(run, id, permission) : IGNORED
}

/** An answer about a finding. `rejection` refuses routes that do not apply before they get here. */
function onReviewAnswer(
  machine: AgentMachine,
  run: Run,
  effect: Interrupt,
  { decision, rung, to }: Resume,
): Interpretation {
  const { id, region, state, about } = effect
  if (rung !== undefined) {
    const route = choiceOf(machine, run, effect, { rung, to })
    if (isReason(route)) return IGNORED
    return { events: [], settles: id, chosen: { route, because: about?.because ?? [] } }
  }
  if (decision !== 'rejected') {
    const target = to ?? about?.from ?? state
    return { events: [{ type: 'human.approved', region, to: target }], settles: id }
  }
  return {
    events: [{ type: 'human.rejected', region }],
    settles: id,
    reason: 'review.rejected',
    because: becauseOf('review-rejected', effect),
  }
}

/** An answer to a node that asks. */
function onNodeAnswer(
  machine: AgentMachine,
  run: Run,
  { id, node, state, region }: Interrupt,
  { decision, output }: Resume,
): Interpretation {
  const { writes, faults } =
    output === undefined
      ? { writes: {}, faults: [] }
      : machine.settle(node, run.snapshot.context, output)
  if (faults.length > 0) return IGNORED
  const type = `human.${decision}`
  const outcome = { region, output: output ?? null, writes, type }
  const reason: Reason = { code: 'no-edge', params: { state, outcome: type } }
  return {
    events: decision === 'edited' ? [outcome, { ...outcome, type: 'human.approved' }] : [outcome],
    settles: id,
    failed: { class: 'business', reason },
  }
}

/** The deadline of a question has passed. */
export function onQuestionDue(run: Run, effect: Interrupt): Interpretation {
  const { id, about, call, question, region } = effect
  if (call?.proposed !== undefined)
    return unblockEffect(run, id, { call: call.call, key: call.key, decision: 'expired' })
  if (call) {
    const owner = pendingEffect(run.pending, call.effect) ?? effect
    const reason: Reason = { code: 'call-unresolved', params: { call: call.tool } }
    const failure = ownFailure('Indeterminate', 'indeterminate', 'unanswered', reason)
    return { ...onFailed(owner, failure), pending: run.pending.filter(other => other.id !== id) }
  }
  const to = about?.otherwise === 'continue' ? { to: about.from } : {}
  return {
    events: [{ type: 'human.expired', region, ...to }],
    settles: id,
    reason: 'review.expired',
    because: becauseOf('review-expired', effect),
    failed: { class: 'persistent', reason: { code: 'question-unanswered', cause: question } },
  }
}

/** The decision about a question, caused by the finding that led to it. */
function becauseOf(
  code: 'review-expired' | 'review-stopped' | 'review-rejected',
  { about }: Interrupt,
): Reason {
  const [finding] = about?.because ?? []
  return finding ? { code, cause: finding.reason } : { code }
}
