/**
 * The ids of questions about calls: `act#3/1?` is the first question about the call `act#3/1`, `act#3/1?2` the second, and `act#3/1?r2` the
 * one that round 2 begins with. An id names one question: a receiver of notifications may drop what it has received, and an answer to an earlier question must not answer a later one.
 */
import { type Effect, type Interrupt, pendingEffect } from './effects.ts'

/** The id of the next question about a call. `before`: the effects before it is asked. */
export function nextQuestionId(before: readonly Effect[], effect: string, call: string): string {
  const owner = pendingEffect(before, effect)
  const asked = (owner?.type === 'invoke' ? owner.asked?.[call] : undefined) ?? 0
  return `${call}?${asked > 0 ? asked + 1 : ''}`
}

/** The id of the question that a round begins with. The call belongs to an earlier round, which may have asked about it, too. */
export const questionIdOfRound = (call: string, round: number): string => `${call}?r${round}`

/** The call that a question is about. Returns `undefined` for any other question. */
export function callOfQuestion(id: string): string | undefined {
  const end = id.lastIndexOf('?')
  return end < 0 ? undefined : id.slice(0, end)
}

/** The open question about a call. */
export const questionOf = (pending: readonly Effect[], call: string): Interrupt | undefined =>
  pending.find(
    (effect): effect is Interrupt => effect.type === 'interrupt' && effect.call?.call === call,
  )
