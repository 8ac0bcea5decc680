/** From an event, and the round it comes in, to what the eyes are shown of it. */
import { askedBy } from './asked.ts'
import type { Sighting } from '../detect/detector.ts'
import type { Stamped } from '../event.ts'
import type { DetectPolicy } from '../policy.ts'
import { answered, askedIn, called, decided, isOut, numberOf, type Round, spoken } from './round.ts'
import { sightingOf } from './sighting.ts'

/** The next round, if it is another one, and what is to be looked at. */
export function sighted(
  round: Round,
  event: Stamped,
  seq: number,
  { tools }: DetectPolicy,
): readonly [Round | undefined, Sighting | undefined] {
  if (event.type === 'tool.called') {
    const { call, subject, args, key, compensates } = event
    return [
      compensates !== undefined || isOut(round, call)
        ? undefined
        : called(round, call, askedBy(subject, args, tools[subject], key)),
      undefined,
    ]
  }
  if (event.type === 'resume' || event.type === 'round.started') return [decided(round), undefined]
  const reading = 'subject' in event ? tools[event.subject] : undefined
  const asked = 'call' in event ? askedIn(round, event.call) : undefined
  const sighting = sightingOf(event, { seq, round: numberOf(round, seq), asked, reading })
  if (sighting?.kind === 'said')
    return [spoken(round), round.acted ? { ...sighting, acted: true } : sighting]
  if (sighting?.kind !== 'answered' || !('call' in event)) return [undefined, sighting]
  return answered(round, sighting, {
    call: event.call,
    more: 'more' in event && event.more === true,
    reading,
  })
}
