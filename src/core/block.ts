/** Blocked effects: nodes that wait for a person's answer about a call, or for children that wait for people. */
import {
  type Effect,
  type Invoke,
  type Permission,
  pendingEffect,
  type QuestionedCall,
  recipientsOf,
} from './effects.ts'
import { type Interpretation, NOTHING, replaceEffect, updateEffect } from './interpretation.ts'
import type { Run } from './run.ts'
import { defined } from './watch/data/defined.ts'
import type { ChildLink, EventOf } from './watch/event/event.ts'
import { customReason, type Reason } from './watch/reason/reason.ts'

/** The deadline of a question about a call where the policy sets none: one day. */
const CALL_DEADLINE = 86_400_000

/** The maximum number of argument characters that a question shows. The journal stores all of them. */
const SHOWN_MAX = 500

/** Blocks a node until a person says whether a call took effect, or whether it may be made. */
export function blockEffect(
  run: Run,
  effect: Effect,
  asked: QuestionedCall,
  at: number,
): Interpretation {
  if (effect.type !== 'invoke') return NOTHING
  const id = `${asked.call}?`
  if (pendingEffect(run.pending, id)) return updateEffect(run, { ...effect, blocked: asked.call })
  const { review } = run.policy.escape
  const deadline = at + (review?.deadline ?? CALL_DEADLINE)
  const { state, region, node } = effect
  const base = { id, state, region, node, since: run.seq + 1, deadline, call: asked }
  const recipients = recipientsOf(review, at, deadline)
  const question = callQuestion(asked)
  const interrupt: Effect = { ...base, type: 'interrupt', question, ...recipients }
  const { deadline: _, writing, ...rest } = effect
  // A proposed call leaves the calls in flight as they are.
  const inFlight = asked.proposed === undefined || !writing ? {} : { writing }
  const blocked = { ...rest, ...inFlight, blocked: asked.call }
  return { events: [], pending: [...replaceEffect(run, blocked), interrupt] }
}

function callQuestion({ tool, proposed, question }: QuestionedCall): Reason {
  if (question !== undefined) return customReason(question)
  return proposed === undefined
    ? { code: 'ask-outcome', params: { call: tool } }
    : { code: 'ask-approval', params: { call: tool, arguments: proposed } }
}

/** Removes an answered question. Its node continues once no other question about it is open. */
export function unblockEffect(run: Run, question: string, permission?: Permission): Interpretation {
  const asked = pendingEffect(run.pending, question)
  if (asked?.type !== 'interrupt' || !asked.call) return NOTHING
  if (asked.call.proposed !== undefined && !permission) return NOTHING
  const owner = asked.call.effect
  const left = run.pending.filter(({ id }) => id !== question)
  const open = left.find(other => other.type === 'interrupt' && other.call?.effect === owner)
  const pending = left.map(other => {
    if (other.id !== owner || other.type !== 'invoke') return other
    const { blocked: _, ...free } = permission
      ? { ...other, permissions: [...(other.permissions ?? []), permission] }
      : other
    const next = open?.type === 'interrupt' ? open.call?.call : other.children?.[0]?.call
    return next === undefined
      ? { ...free, starts: 0, resumed: true as const }
      : { ...free, blocked: next }
  })
  return { events: [], pending }
}

export function proposalOf(event: EventOf<'call.proposed'>): QuestionedCall {
  const { effect, call, subject: tool, key, args, question } = event
  const text = JSON.stringify(args)
  const proposed =
    text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)` : text
  return { effect, call, tool, key, proposed, ...defined({ question }) }
}

/** The permission that an answer grants or denies. Returns `undefined` if the answer does not fit the question. */
export function permissionFrom(
  { call, key }: QuestionedCall,
  { decision, output, note }: EventOf<'resume'>,
): Permission | undefined {
  if (decision !== 'approved' && decision !== 'rejected' && decision !== 'edited') return undefined
  const args = decision === 'edited' ? output : undefined
  return { call, key, decision, ...defined({ args, note }) }
}

/** The decision about a call of an effect. */
export function findPermission(effect: Effect | undefined, call: string): Permission | undefined {
  return effect?.type === 'invoke'
    ? effect.permissions?.find(permission => permission.call === call)
    : undefined
}

/** Blocks the effect `id` on its children. */
export function blockOnChildren(
  pending: readonly Effect[],
  id: string,
  children: readonly ChildLink[],
): readonly Effect[] {
  const [first] = children
  if (!first) return pending
  return pending.map(effect => {
    if (effect.id !== id || effect.type !== 'invoke') return effect
    const { deadline: _, ...rest } = effect
    return { ...rest, blocked: first.call, children }
  })
}

/** The effects after a child has ended. Returns `undefined` if no effect is blocked on that child. */
export function unblock(
  pending: readonly Effect[],
  { call }: Pick<ChildLink, 'call'>,
): readonly Effect[] | undefined {
  const isBlocked = (effect: Effect): effect is Invoke =>
    effect.type === 'invoke' && effect.children?.some(child => child.call === call) === true
  if (!pending.some(isBlocked)) return undefined
  return pending.map(effect => {
    if (!isBlocked(effect)) return effect
    const asked = pending.find(
      other => other.type === 'interrupt' && other.call?.effect === effect.id,
    )
    const free = withoutBlocks(effect)
    return asked?.type === 'interrupt' ? { ...free, blocked: asked.call?.call ?? call } : free
  })
}

/** The effect without the children it was blocked on. */
export function withoutBlocks(effect: Invoke): Invoke {
  const { blocked: _, children: __, ...free } = effect
  return { ...free, starts: 0, resumed: true }
}
