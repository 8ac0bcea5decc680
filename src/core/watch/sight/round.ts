/** The calls that are out, and the round they belong to: what was asked must be known when the answer comes. */
import type { Asked } from './asked.ts'
import { type Answered, itemOf } from '../detect/detector.ts'
import type { Reading } from './reading.ts'
import { remember } from '../memory.ts'

export interface Round {
  readonly out: readonly (readonly [call: string, asked: Asked])[]
  /** The seq of the first answer of the round, `-1` before it. */
  readonly since: number
  /** What was asked and answered in it: side by side, the same counts once. */
  readonly heard: readonly string[]
  /** A call was made, or a person has decided something, since the last text. */
  readonly acted: boolean
}

export const ROUND: Round = { out: [], since: -1, heard: [], acted: false }

/** Calls remembered until they are answered. Of one that is forgotten, only the same arguments count as alike. */
const OUT_MAX = 8
const HEARD_MAX = 16

export function called(round: Round, call: string, asked: Asked): Round {
  const { out, since, heard } = round
  return { out: remember(out, [call, asked] as const, OUT_MAX), since, heard, acted: true }
}

/** Who calls after an answer has come has seen it, and begins another round: what is still out may be lost, and is not waited for. */
export function begun(round: Round): Round {
  return round.since < 0 ? round : { ...round, since: -1, heard: ROUND.heard }
}

export function isOut(round: Round, call: string): boolean {
  return round.out.some(([other]) => other === call)
}

export function askedIn(round: Round, call: string): Asked | undefined {
  return round.out.find(([other]) => other === call)?.[1]
}

/** A person has decided something. */
export function decided(round: Round): Round {
  return { ...round, acted: true }
}

/** Somebody has spoken. */
export function spoken(round: Round): Round {
  return round.acted ? { ...round, acted: false } : round
}

/** The number of the round in which an answer comes as event `seq`. */
export function numberOf({ since }: Round, seq: number): number {
  return since < 0 ? seq : since
}

/** What an answer comes as: `more`: others of its round are still out. */
interface Coming {
  readonly call: string
  readonly more: boolean
  readonly reading: Reading | undefined
}

/** An answer has come. The second value is what of it is to be looked at: once, what was asked and answered side by side, and of a poll only that it failed. */
export function answered(
  round: Round,
  sighting: Answered,
  { call, more, reading }: Coming,
): readonly [Round, Answered | undefined] {
  const item = itemOf(sighting)
  const shown =
    round.heard.includes(item) || (reading?.poll && !sighting.failed) ? undefined : sighting
  const out = isOut(round, call) ? round.out.filter(([other]) => other !== call) : round.out
  const heard = more ? remember(round.heard, item, HEARD_MAX) : ROUND.heard
  return [{ out, since: more ? sighting.round : -1, heard, acted: round.acted }, shown]
}
