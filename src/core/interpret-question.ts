/** Questions to people: a node that waits for one, its answer, and its deadline. */
import { choiceOf } from './escape-routes.ts'
import { CALL_DEADLINE, type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import { IGNORED, type Interpretation, NOTHING, onFailed, replaceEffect } from './interpretation.ts'
import { escalationOf } from './escalation.ts'
import { type Permission, permissionFrom, type QuestionedCall, callQuestion } from './permission.ts'
import type { Run } from './run.ts'
import type { AgentEvent, Stamped } from './watch/event/event.ts'
import { stated } from './watch/failure/failure.ts'
import type { Reason } from './watch/reason/reason.ts'
import { isReason } from './watch/escape/rungs.ts'

/** Nobody knows whether the call took effect, or may be made: its node rests until somebody has said so. */
export function blockEffect(
  run: Run,
  effect: Effect,
  asked: QuestionedCall,
  at: number,
): Interpretation {
  if (effect.type !== 'invoke') return NOTHING
  if (pendingEffect(run.pending, `${asked.call}?`))
    return { events: [], pending: replaceEffect(run, { ...effect, blocked: asked.call }) }
  const { review } = run.policy.escape
  const deadline = at + (review?.deadline ?? CALL_DEADLINE)
  const question: Effect = {
    id: `${asked.call}?`,
    type: 'interrupt',
    state: effect.state,
    region: effect.region,
    node: effect.node,
    since: run.seq + 1,
    question: callQuestion(asked),
    deadline,
    ...escalationOf(review, at, deadline),
    call: asked,
  }
  const { deadline: _, writing, ...resting } = effect
  // What is proposed says nothing about what is on its way.
  const kept = asked.proposed === undefined || !writing ? {} : { writing }
  return {
    events: [],
    pending: [...replaceEffect(run, { ...resting, ...kept, blocked: asked.call }), question],
  }
}

type Resume = Stamped<Extract<AgentEvent, { readonly type: 'resume' }>>
type Interrupt = Effect & { readonly type: 'interrupt' }

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
  if (effect.call) return onCallAnswer(run, effect, effect.call, event)
  if (effect.about) return onReviewAnswer(machine, run, effect, event)
  return event.decision === 'dismiss' ? IGNORED : onNodeAnswer(machine, run, effect, event)
}

/** What counts is when the person decided, not when the answer arrived. */
function isLate({ deadline }: Interrupt, { at, saidAt = at }: Resume): boolean {
  return deadline !== undefined && Math.min(at, saidAt) >= deadline
}

/** An answer about a call: whether it may be made, or whether it took effect. */
function onCallAnswer(
  run: Run,
  { id }: Interrupt,
  call: QuestionedCall,
  event: Resume,
): Interpretation {
  if (call.proposed !== undefined) {
    const permission = permissionFrom(call, event)
    return permission ? unblockEffect(run, id, permission) : IGNORED
  }
  const known = event.decision === 'applied' || event.decision === 'not-applied'
  return known ? unblockEffect(run, id) : IGNORED
}

/** An answer about a finding. */
function onReviewAnswer(
  machine: AgentMachine,
  run: Run,
  effect: Interrupt,
  { decision, rung, to }: Resume,
): Interpretation {
  if (rung !== undefined) return chosenRoute(machine, run, effect, { rung, to })
  const { region } = effect
  if (decision === 'rejected')
    return {
      events: [{ type: 'human.rejected', region }],
      settles: effect.id,
      reason: 'review.rejected',
      because: becauseOf('review-rejected', effect),
    }
  return {
    events: [{ type: 'human.approved', region, to: to ?? effect.about?.from ?? effect.state }],
    settles: effect.id,
  }
}

/** An answer to a node that asks. */
function onNodeAnswer(
  machine: AgentMachine,
  run: Run,
  effect: Interrupt,
  { decision, output }: Resume,
): Interpretation {
  const { writes, faults } =
    output === undefined
      ? { writes: {}, faults: [] }
      : machine.settle(effect.node, run.snapshot.context, output)
  if (faults.length > 0) return IGNORED
  const type = `human.${decision}`
  const outcome = { region: effect.region, output: output ?? null, writes }
  const approved = { ...outcome, type: 'human.approved' }
  return {
    events: decision === 'edited' ? [{ ...outcome, type }, approved] : [{ ...outcome, type }],
    settles: effect.id,
    failed: {
      class: 'business',
      reason: { code: 'no-edge', params: { state: effect.state, outcome: type } },
    },
  }
}

/** The time to answer is over. */
export function onQuestionDue(run: Run, effect: Interrupt): Interpretation {
  if (effect.call?.proposed !== undefined)
    return unblockEffect(run, effect.id, {
      call: effect.call.call,
      key: effect.call.key,
      decision: 'expired',
    })
  if (effect.call) {
    const owner = pendingEffect(run.pending, effect.call.effect) ?? effect
    return {
      ...onFailed(owner, {
        name: 'Indeterminate',
        ...stated({ code: 'call-unresolved', params: { call: effect.call.tool } }),
        class: 'indeterminate',
        scope: 'request',
        rule: 'unanswered',
      }),
      pending: run.pending.filter(({ id }) => id !== effect.id),
    }
  }
  const to = effect.about?.otherwise === 'continue' ? { to: effect.about.from } : {}
  return {
    events: [{ type: 'human.expired', region: effect.region, ...to }],
    settles: effect.id,
    reason: 'review.expired',
    because: becauseOf('review-expired', effect),
    failed: {
      class: 'persistent',
      reason: { code: 'question-unanswered', cause: effect.question },
    },
  }
}

/** What a person decided about a question, or did not, and why it was asked. */
function becauseOf(
  code: 'review-expired' | 'review-stopped' | 'review-rejected',
  { about }: Interrupt,
): Reason {
  const [finding] = about?.because ?? []
  return finding ? { code, cause: finding.reason } : { code }
}

/** The person chooses the way out; one that does not apply is refused before it comes here. */
function chosenRoute(
  machine: AgentMachine,
  run: Run,
  effect: Interrupt,
  { rung, to }: Pick<Resume, 'rung' | 'to'>,
): Interpretation {
  const route = choiceOf(machine, run, effect, { rung, to })
  return isReason(route)
    ? IGNORED
    : { events: [], settles: effect.id, chosen: { route, because: effect.about?.because ?? [] } }
}

/** The question is answered: once no other about its node is open, that may go on, and finds the answer. */
export function unblockEffect(run: Run, question: string, permission?: Permission): Interpretation {
  const asked = pendingEffect(run.pending, question)
  if (
    asked?.type !== 'interrupt' ||
    !asked.call ||
    (asked.call.proposed !== undefined && !permission)
  )
    return NOTHING
  const owner = asked.call.effect
  const left = run.pending.filter(({ id }) => id !== question)
  const open = left.flatMap(other =>
    other.type === 'interrupt' && other.call?.effect === owner ? [other.call.call] : [],
  )
  const pending = left.map(other => {
    if (other.id !== owner || other.type !== 'invoke') return other
    const { blocked: _, ...free } = permission
      ? { ...other, permissions: [...(other.permissions ?? []), permission] }
      : other
    const next = open[0] ?? other.children?.[0]?.call
    return next === undefined
      ? { ...free, starts: 0, resumed: true as const }
      : { ...free, blocked: next }
  })
  return { events: [], pending }
}
