/** From an event, and the round it comes in, to what the eyes are shown of it. */
import { requestFeatures } from './request-features.ts'
import type { Observation } from './observed.ts'
import type { Stamped } from '../event/event.ts'
import type { DetectPolicy } from '../policy/policy.ts'
import {
  withAnswer,
  requestOf,
  withCall,
  withDecision,
  isPending,
  roundNumber,
  type Round,
  withMessage,
} from './round.ts'
import { observationOf } from './observation.ts'

/** The next round, if it is another one, and what is to be looked at. */
export function normalize(
  round: Round,
  event: Stamped,
  seq: number,
  { tools }: DetectPolicy,
): readonly [Round | undefined, Observation | undefined] {
  if (event.type === 'tool.called') {
    const { call, subject, args, key, compensates } = event
    return [
      compensates !== undefined || isPending(round, call)
        ? undefined
        : withCall(round, call, requestFeatures(subject, args, tools[subject], key)),
      undefined,
    ]
  }
  if (event.type === 'resume' || event.type === 'round.started')
    return [withDecision(round), undefined]
  const reading = 'subject' in event ? tools[event.subject] : undefined
  const request = 'call' in event ? requestOf(round, event.call) : undefined
  const observation = observationOf(event, {
    seq,
    round: roundNumber(round, seq),
    request,
    reading,
  })
  if (observation?.kind === 'said')
    return [withMessage(round), round.acted ? { ...observation, acted: true } : observation]
  if (observation?.kind !== 'answered' || !('call' in event)) return [undefined, observation]
  return withAnswer(round, observation, {
    call: event.call,
    more: 'more' in event && event.more === true,
    reading,
  })
}
