/** Questions to people: blocking a node on one, its answer, and its deadline. Children that wait for people block a node too. */
import { questionAbout } from './doubts.ts'
import { isLeftBehind, pendingEffect } from './run/effects.ts'
import type { Effect, Interrupt, Invoke, Permission, QuestionedCall } from './run/effects.ts'
import { choiceOf } from './escape-routes.ts'
import { IGNORED, NOTHING, onFailed, ownFailure, replaceEffect } from './interpretation.ts'
import { type Interpretation, type EffectContext, updateEffect } from './interpretation.ts'
import { nextQuestionId, questionOf } from './run/question-id.ts'
import type { Rules, Run } from './run/run.ts'
import { defined, type Json } from './watch/data/json.ts'
import { isReason } from './watch/escape/rungs.ts'
import type { EventOf, Stamped } from './watch/event/event.ts'
import { type Code, customReason, isBroken, type Reason } from './watch/reason/reason.ts'

type Resume = Stamped<EventOf<'resume'>>
type Asked = EffectContext<Interrupt>

/** The maximum number of argument characters that a question shows. The journal stores all of them. */
const SHOWN_MAX = 500

/** Blocks a node until a person says whether a call took effect, or whether it may be made. */
export function blockEffect(
  context: EffectContext,
  asked: QuestionedCall,
  at: number,
): Interpretation {
  const { run, effect, rules } = context
  if (effect.type !== 'invoke') return NOTHING
  const { call } = asked
  if (questionOf(run.pending, call)) return updateEffect(run, { ...effect, blocked: call })
  const id = nextQuestionId(run.pending, effect.id, call)
  const interrupt = questionAbout(run, effect, { id, asked, at, question: callQuestion(asked) })
  const { deadline: _, expired: __, writing, ...rest } = effect
  const inFlight = asked.proposed === undefined ? writesBeside(writing, call, rules) : writing
  const count = { ...effect.asked, [call]: (effect.asked?.[call] ?? 0) + 1 }
  const blocked = { ...rest, ...defined({ writing: inFlight }), blocked: call, asked: count }
  return { events: [], pending: [...replaceEffect(run, blocked), interrupt] }
}

/** The other writes of the node stay in flight. If the node is left now, a person is asked about them, too. */
function writesBeside(writing: Invoke['writing'], asked: string, rules: Rules | undefined) {
  const others = rules ? writing?.filter(({ call }) => call !== asked) : undefined
  return others && others.length > 0 ? others : undefined
}

function callQuestion({ tool, proposed, question, broken: cause }: QuestionedCall): Reason {
  if (question !== undefined) return customReason(question)
  return proposed === undefined
    ? { code: 'ask-outcome', params: { call: tool }, ...defined({ cause }) }
    : { code: 'ask-approval', params: { call: tool, arguments: proposed } }
}

/** Removes an answered question. Its node continues once no other question about it is open. */
export function unblockEffect(
  run: Run,
  question: string | undefined,
  permission?: Permission,
): Interpretation {
  const asked = question === undefined ? undefined : pendingEffect(run.pending, question)
  if (asked?.type !== 'interrupt' || !asked.call) return NOTHING
  if (asked.call.proposed !== undefined && !permission) return NOTHING
  const owner = asked.call.effect
  const left = run.pending.filter(({ id }) => id !== question)
  const pending = left.map(other => {
    if (other.id !== owner || other.type !== 'invoke') return other
    const permissions = [...(other.permissions ?? []), ...(permission ? [permission] : [])]
    return reblock(permissions.length > 0 ? { ...other, permissions } : other, left)
  })
  return { events: [], pending }
}

/** The effect as the open questions about it and its children block it. Without them, its node continues. */
function reblock({ blocked: _, ...free }: Invoke, pending: readonly Effect[]): Invoke {
  const blocked = callAskedAbout(pending, free.id) ?? free.children?.[0]?.call
  return blocked === undefined ? { ...free, starts: 0, resumed: true } : { ...free, blocked }
}

/** The call of the first open question about an effect. */
function callAskedAbout(pending: readonly Effect[], effect: string): string | undefined {
  const calls = pending.flatMap(other => (other.type === 'interrupt' ? (other.call ?? []) : []))
  return calls.find(call => call.effect === effect)?.call
}

export function proposalOf(event: EventOf<'call.proposed'>): QuestionedCall {
  const { args, question } = event
  return { ...callIn(event), proposed: shownArguments(args), ...defined({ question }) }
}

function shownArguments(args: Json): string {
  const text = JSON.stringify(args)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text
}

type CallEvent = EventOf<'call.proposed' | 'tool.called' | 'tool.failed'>

function callIn({ effect, call, subject: tool, key, received }: CallEvent): QuestionedCall {
  return { effect, call, tool, key, ...defined({ received }) }
}

export const callMade = (event: EventOf<'tool.called'>): QuestionedCall => ({
  ...callIn(event),
  made: shownArguments(event.args),
})

/** The call that ended without an answer, in its effect. */
export function callUnanswered(effect: Effect, event: EventOf<'tool.failed'>): QuestionedCall {
  const calls = effect.type === 'invoke' ? effect.writing : undefined
  const made = calls?.find(({ call }) => call === event.call)?.made
  const { reason } = event.failure
  const broken = isBroken(reason) ? reason : undefined
  return { ...callIn(event), ...defined({ made, again: event.notApplied?.again, broken }) }
}

/** The decision about a call of an effect. */
export function findPermission(effect: Effect | undefined, call: string): Permission | undefined {
  const permissions = effect?.type === 'invoke' ? effect.permissions : undefined
  return permissions?.find(permission => permission.call === call)
}

/** Blocks an effect on its children. */
export function blockOnChildren(run: Run, event: EventOf<'child.waiting'>): Interpretation {
  const { effect: id, children } = event
  const [first] = children
  if (!first) return { events: [], pending: run.pending }
  const pending = run.pending.map(effect => {
    if (effect.id !== id || effect.type !== 'invoke') return effect
    const { deadline: _, ...rest } = effect
    return { ...rest, blocked: first.call, children }
  })
  return { events: [], pending }
}

/** The effects after a child has ended. Returns `undefined` if no effect is blocked on that child. */
export function unblock(pending: readonly Effect[], call: string): readonly Effect[] | undefined {
  const isBlocked = (effect: Effect): effect is Invoke =>
    effect.type === 'invoke' && effect.children?.some(child => child.call === call) === true
  if (!pending.some(isBlocked)) return undefined
  return pending.map(effect => {
    if (!isBlocked(effect)) return effect
    const { children: _, ...free } = effect
    return reblock(free, pending)
  })
}

/** The effect without the children it was blocked on. */
export function withoutBlocks(effect: Invoke): Invoke {
  const { blocked: _, children: __, ...free } = effect
  return { ...free, starts: 0, resumed: true }
}

export function onAnswer({ effect, ...rest }: EffectContext, event: Resume): Interpretation {
  if (effect.type !== 'interrupt' || isLate(effect, event)) return IGNORED
  if (event.decision === 'stop')
    return {
      ...stopped('review.stopped', becauseOf('review-stopped', effect)),
      finishes: effect.id,
    }
  if (effect.call) return onCallAnswer(rest.run, effect.id, effect.call, event)
  if (effect.restricts)
    return event.decision === 'approved' ? { events: [], finishes: effect.id } : IGNORED
  const context = { ...rest, effect }
  if (effect.about) return onReviewAnswer(context, event)
  return event.decision === 'dismiss' ? IGNORED : onNodeAnswer(context, event)
}

const stopped = (reason: string, because: Reason): Interpretation => {
  return {
    events: [{ type: 'escape', region: '', rung: 'stop' }],
    reason,
    because,
    ends: 'stopped',
  }
}

/** The time of the decision counts, not the time at which the answer arrives. */
const isLate = ({ deadline }: Interrupt, { at, saidAt = at }: Resume): boolean =>
  deadline !== undefined && Math.min(at, saidAt) >= deadline

function onCallAnswer(run: Run, id: string, asked: QuestionedCall, event: Resume): Interpretation {
  const { decision, output, note } = event
  const { call, key, proposed } = asked
  if (proposed === undefined)
    return decision === 'applied' || decision === 'not-applied' ? unblockEffect(run, id) : IGNORED
  if (decision !== 'approved' && decision !== 'rejected' && decision !== 'edited') return IGNORED
  const args = decision === 'edited' ? output : undefined
  return unblockEffect(run, id, { call, key, decision, ...defined({ args, note }) })
}

/** An answer about a finding. `refusalOfAnswer` refuses routes that do not apply before they get here. */
function onReviewAnswer(context: Asked, { decision, rung, to }: Resume): Interpretation {
  const { id, region, state, about } = context.effect
  if (rung !== undefined) {
    const route = choiceOf(context, { rung, to })
    if (isReason(route)) return IGNORED
    return { events: [], finishes: id, chosen: { route, because: about?.because ?? [] } }
  }
  if (decision !== 'rejected') {
    const target = to ?? about?.from ?? state
    return { events: [{ type: 'human.approved', region, to: target }], finishes: id }
  }
  return {
    events: [{ type: 'human.rejected', region }],
    finishes: id,
    reason: 'review.rejected',
    because: becauseOf('review-rejected', context.effect),
  }
}

/** An answer to a node that asks. */
function onNodeAnswer(asked: Asked, { decision, output }: Resume): Interpretation {
  const { machine, run, effect } = asked
  const { id, node, state, region } = effect
  const { context } = run.snapshot
  const { writes, faults } =
    output === undefined ? { writes: {}, faults: [] } : machine.applyOutput(node, context, output)
  if (faults.length > 0) return IGNORED
  const type = `human.${decision}`
  const outcome = { region, output: output ?? null, writes, type }
  const reason: Reason = { code: 'no-edge', params: { state, outcome: type } }
  return {
    events: decision === 'edited' ? [outcome, { ...outcome, type: 'human.approved' }] : [outcome],
    finishes: id,
    failed: { class: 'business', reason },
    explains: { code: 'question-answered', params: { decision }, cause: effect.question },
  }
}

/** The deadline of a question has passed. */
export function onQuestionDue(run: Run, effect: Interrupt): Interpretation {
  const { id, about, call, question, region } = effect
  if (call?.proposed !== undefined)
    return unblockEffect(run, id, { call: call.call, key: call.key, decision: 'expired' })
  if (isLeftBehind(effect))
    return { ...stopped('review.expired', becauseOf('review-expired', effect)), finishes: id }
  if (call) {
    const owner = pendingEffect(run.pending, call.effect) ?? effect
    const reason: Reason = { code: 'call-unresolved', params: { call: call.tool } }
    const kind = { class: 'indeterminate', rule: 'unanswered' } as const
    const failure = ownFailure('Indeterminate', kind, reason)
    return { ...onFailed(owner, failure), pending: run.pending.filter(other => other.id !== id) }
  }
  const to = about?.otherwise === 'continue' ? { to: about.from } : {}
  return {
    events: [{ type: 'human.expired', region, ...to }],
    finishes: id,
    reason: 'review.expired',
    because: becauseOf('review-expired', effect),
    failed: { class: 'persistent', reason: { code: 'question-unanswered', cause: question } },
  }
}

/** The decision about a question, caused by the finding that led to it. */
function becauseOf(code: Extract<Code, `review-${string}`>, { about }: Interrupt): Reason {
  const [finding] = about?.because ?? []
  return finding ? { code, cause: finding.reason } : { code }
}
