/**
 * Writes in flight whose node was left: by a limit, a deadlock, an escape, another region, or the end of a round. No other node starts
 * before a person, or a late answer, says whether they took effect: the edge that was taken, or the next round, may lead to the same write.
 */
import {
  callsInDoubt,
  type Effect,
  type Interrupt,
  pendingEffect,
  recipientsOf,
} from './run/effects.ts'
import type { QuestionedCall, UnresolvedCall } from './run/effects.ts'
import { nextQuestionId, questionIdOfRound } from './run/question-id.ts'
import type { Run } from './run/run.ts'
import type { Stamped } from './watch/event/event.ts'
import type { Reason } from './watch/reason/reason.ts'

/** The deadline of a question about a call where the policy sets none: one day. */
const CALL_DEADLINE = 86_400_000

type Place = Pick<Effect, 'state' | 'region' | 'node'>

type Asking = Readonly<{ id: string; asked: QuestionedCall; at: number; question: Reason }>

/** The question whether a call took effect, or may be made. */
export function questionAbout(
  { policy, seq }: Run,
  { state, region, node }: Place,
  { id, asked, at, question }: Asking,
): Interrupt {
  const { review } = policy.escape
  const deadline = at + (review?.deadline ?? CALL_DEADLINE)
  const base = { id, state, region, node, since: seq + 1, deadline, call: asked }
  return { ...base, type: 'interrupt', question, ...recipientsOf(review, at, deadline) }
}

/** The questions about writes of earlier rounds, at the start of a round. `kept`: the effects that stay. */
export const questionsOfRound = (
  run: Run,
  kept: readonly Effect[],
  calls: readonly UnresolvedCall[],
): readonly Interrupt[] =>
  notIn(callsInDoubt(kept), calls).map(({ unanswered: _, ...asked }) =>
    leftBehind(run, asked, questionIdOfRound(asked.call, run.round)),
  )

/** The questions about the calls that no effect of `kept` holds. `before`: the effects before the event that leaves them. */
export const questionsLeft = (
  run: Run,
  { before, kept }: Readonly<Record<'before' | 'kept', readonly Effect[]>>,
  calls: readonly QuestionedCall[],
): readonly Interrupt[] =>
  notIn(callsInDoubt(kept), calls).map(asked =>
    leftBehind(run, asked, nextQuestionId(before, asked.effect, asked.call)),
  )

/** The calls that are not known, each once. */
function notIn<C extends QuestionedCall>(known: readonly QuestionedCall[], calls: readonly C[]) {
  const held = new Set(known.map(({ call }) => call))
  return calls.filter(({ call }) => !held.has(call) && held.add(call))
}

/** The writes in doubt, each once. */
export const withUnresolved = (
  known: readonly UnresolvedCall[] = [],
  calls: readonly UnresolvedCall[],
): readonly UnresolvedCall[] => [...known, ...notIn(known, calls)]

/** A child, as the call of its node that a person is asked about. */
export const childCall = (
  { effect, call, key }: Pick<QuestionedCall, 'effect' | 'call' | 'key'>,
  tool: string,
): QuestionedCall => ({ effect, call, key, tool, child: true })

const LEFT: Place = { state: '', region: '', node: '' }

function leftBehind(run: Run, asked: QuestionedCall, id: string): Interrupt {
  const question = { code: 'ask-outcome', params: { call: asked.tool } } as const
  return { ...questionAbout(run, LEFT, { id, asked, at: run.at, question }), leftBehind: true }
}

/** The writes that a rollback must not repeat: they took effect, as a person says, or nothing is known of them. */
export function writesToKeep(
  before: Run,
  after: readonly Effect[],
  event: Stamped,
): readonly QuestionedCall[] {
  if (event.type === 'child.done' && event.unresolved !== undefined) {
    return [childCall(event, event.subject)]
  }
  const asked = 'effect' in event ? pendingEffect(before.pending, event.effect) : undefined
  const isApplied = event.type === 'resume' && event.decision === 'applied'
  const calls =
    isApplied && asked?.type === 'interrupt' && !pendingEffect(after, asked.id)
      ? callsInDoubt([asked])
      : unanswered(before, after, event)
  // A child with a write counts as a write itself.
  return calls.filter(({ child }) => !child)
}

/** The call whose question the event ends without an answer: by `stop`, or by its deadline. */
export function unanswered(
  before: Run,
  after: readonly Effect[],
  event: Stamped,
): readonly UnresolvedCall[] {
  const isEnd = event.type === 'tick' || (event.type === 'resume' && event.decision === 'stop')
  if (!isEnd || pendingEffect(after, event.effect)) return []
  const asked = pendingEffect(before.pending, event.effect)
  const calls = asked?.type === 'interrupt' ? callsInDoubt([asked]) : []
  return calls.map(call => ({ ...call, unanswered: true }))
}

/**
 * The writes in doubt after an event between rounds. A late answer finishes the write, and not the work that it belonged to: the node of a
 * child would run again, so its parent still asks.
 */
export function unresolvedAfter(run: Run, event: Stamped): readonly UnresolvedCall[] {
  const unresolved = stillUnresolved(run, event)
  if (event.type !== 'child.done' || event.unresolved === undefined) return unresolved
  return withUnresolved(unresolved, [childCall(event, event.unresolved)])
}

/** The writes in doubt that the event does not answer. */
export const stillUnresolved = (
  { unresolved = [], parent }: Run,
  event: Stamped,
): readonly UnresolvedCall[] =>
  event.type === 'call.late' && event.ok && !parent
    ? unresolved.filter(({ call }) => call !== event.call)
    : unresolved
