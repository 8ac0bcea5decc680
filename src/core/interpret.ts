/** What an event means to the machine: the outcomes it may be told, most exact first, and what it settles. */
import { escalationOf, advanceEscalation, markNotified } from './review/escalation.ts'
import { CALL_DEADLINE, type Effect, pendingEffect } from './effects.ts'
import type { AgentMachine } from './graph/agent-machine.ts'
import type { MachineEvent } from './graph/machine.ts'
import {
  type QuestionedCall,
  type Permission,
  permissionFrom,
  findPermission,
  proposalOf,
  callQuestion,
} from './review/permission.ts'
import { nextRound, messageRejection } from './rounds.ts'
import { unblock, blockOnChildren } from './block-on-children.ts'
import type { Run } from './run.ts'
import { timeLeft } from './watch/budget/limits.ts'
import { scopeLimits } from './watch/budget/scope.ts'
import type { AgentEvent, Stamped } from './watch/event.ts'
import { type Failure, type FailureClass, failureReason, stated } from './watch/failure/failure.ts'
import type { Finding } from './watch/finding.ts'
import type { Json } from './watch/json.ts'
import { isReason, type Route } from './watch/ladder.ts'
import { cancelReasonOf, type Reason } from './watch/reason.ts'
import { choiceOf } from './escape-routes.ts'

export interface Interpretation {
  /** The machine takes the first of these that it can. */
  readonly events: readonly MachineEvent[]
  /** The effect that is done with this event, whatever the machine makes of it. */
  readonly settles?: string
  /** The effects as the event changes them, where it does not settle one. */
  readonly pending?: readonly Effect[]
  /** What failed, for the watchdog, if no edge takes it; `as` names it more exactly than its class. */
  readonly failed?: {
    readonly class: FailureClass
    readonly reason: Reason
    readonly as?: string
  }
  /** Somebody's word ends the thread, also where the machine knows no edge for it. */
  readonly ends?: 'cancelled' | 'stopped'
  /** The reason to give if the thread ends by this, in short and in full. */
  readonly reason?: string
  readonly because?: Reason
  readonly ignored?: true
  /** The run goes back to its mark. */
  readonly restores?: true
  /** The way out that a person chooses. */
  readonly chosen?: { readonly route: Route; readonly because: readonly Finding[] }
}

const NOTHING: Interpretation = { events: [] }
const IGNORED: Interpretation = { events: [], ignored: true }
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
      return event.final && event.failure.class === 'indeterminate'
        ? withEffect(run, event.effect, effect =>
            blockEffect(
              run,
              effect,
              { effect: event.effect, call: event.call, tool: event.subject, key: event.key },
              event.at,
            ),
          )
        : NOTHING
    case 'call.proposed':
      return withEffect(run, event.effect, effect =>
        findPermission(effect, event.call)
          ? IGNORED
          : blockEffect(run, effect, proposalOf(event), event.at),
      )
    case 'rolledBack':
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
      return withEffect(run, event.effect, effect =>
        effect.type === 'interrupt'
          ? {
              events: [],
              pending: replaceEffect(run, markNotified(effect, event.notifier, event.step)),
            }
          : IGNORED,
      )
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

const TIMED_OUT = 'NodeTimeout'
const CRASH_LOOP = 'CrashLoop'

function onFailed(
  effect: Effect,
  failure: Failure,
  output: Json = { name: failure.name, message: failure.message },
): Interpretation {
  const own = failure.class === 'cancelled' ? 'error.unknown' : `error.${failure.class}`
  const outcomes =
    failure.name === 'CircuitOpen'
      ? ['breaker.open', own]
      : failure.name === TIMED_OUT
        ? ['timeout', own]
        : [own]
  return {
    events: outcomes.map(type => ({ type, region: effect.region, output })),
    settles: effect.id,
    // Work that ended as if cancelled, although nobody cancelled the thread, is a failure like any other.
    failed: {
      class: failure.class === 'cancelled' ? 'unknown' : failure.class,
      reason: {
        code: 'node-failed',
        params: { node: effect.node },
        cause: failureReason(failure),
      },
      ...(failure.name === CRASH_LOOP ? { as: 'crash-loop' } : {}),
    },
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
      scopeLimits(run.watch.scopes, run.policy.limits.scopes, {
        now: at,
        account: run.watch.account,
      }),
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

/** Nobody knows whether the call took effect, or may be made: its node rests until somebody has said so. */
function blockEffect(run: Run, effect: Effect, asked: QuestionedCall, at: number): Interpretation {
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

type Resume = Stamped<Extract<AgentEvent, { readonly type: 'resume' }>>
type Interrupt = Effect & { readonly type: 'interrupt' }

function onAnswer(machine: AgentMachine, run: Run, effect: Effect, event: Resume): Interpretation {
  if (
    effect.type !== 'interrupt' ||
    (effect.deadline !== undefined &&
      Math.min(event.at, event.saidAt ?? event.at) >= effect.deadline)
  )
    return IGNORED
  if (event.decision === 'stop')
    return {
      events: [{ type: 'escape', region: '', rung: 'stop' }],
      settles: effect.id,
      reason: 'review.stopped',
      because: becauseOf('review-stopped', effect),
      ends: 'stopped',
    }
  if (effect.call?.proposed !== undefined) {
    const permission = permissionFrom(effect.call, event)
    return permission ? unblockEffect(run, effect.id, permission) : IGNORED
  }
  if (effect.call)
    return event.decision === 'applied' || event.decision === 'not-applied'
      ? unblockEffect(run, effect.id)
      : IGNORED
  if (event.decision === 'fine' && !effect.about) return IGNORED
  const type = `human.${event.decision}`
  if (effect.about) {
    if (event.rung !== undefined) return chosenRoute(machine, run, effect, event)
    const rejected = event.decision === 'rejected'
    return {
      events: [
        rejected
          ? { type, region: effect.region }
          : { type: 'human.approved', region: effect.region, to: event.to ?? effect.about.from },
      ],
      settles: effect.id,
      ...(rejected
        ? { reason: 'review.rejected', because: becauseOf('review-rejected', effect) }
        : {}),
    }
  }
  const { writes, faults } =
    event.output === undefined
      ? { writes: {}, faults: [] }
      : machine.settle(effect.node, run.snapshot.context, event.output)
  if (faults.length > 0) return IGNORED
  const outcome = { region: effect.region, output: event.output ?? null, writes }
  const approved = { ...outcome, type: 'human.approved' }
  return {
    events: event.decision === 'edited' ? [{ ...outcome, type }, approved] : [{ ...outcome, type }],
    settles: effect.id,
    failed: {
      class: 'business',
      reason: { code: 'no-edge', params: { state: effect.state, outcome: type } },
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
function unblockEffect(run: Run, question: string, permission?: Permission): Interpretation {
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

function replaceEffect(run: Run, effect: Effect): readonly Effect[] {
  return run.pending.map(other => (other.id === effect.id ? effect : other))
}
