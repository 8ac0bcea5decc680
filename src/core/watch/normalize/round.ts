/** The calls that are out, and the round they belong to: what was asked must be known when the answer comes. */
import type { RequestFeatures } from './request-features.ts'
import { type AnsweredObservation, itemOf } from './observed.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { remember } from '../data/json.ts'

export interface Round {
  readonly out: readonly (readonly [call: string, asked: RequestFeatures])[]
  /** The seq of the first answer of the round, `-1` before it. */
  readonly since: number
  /** What was asked and answered in it: side by side, the same counts once. */
  readonly heard: readonly string[]
  /** A call was made, or a person has decided something, since the last text. */
  readonly acted: boolean
}

export const ROUND: Round = { out: [], since: -1, heard: [], acted: false }

/** Calls remembered until they are answered. Of one that is forgotten, only the same arguments count as alike. */
const PENDING_MAX = 8
const ANSWERS_MAX = 16

export function withCall(round: Round, call: string, request: RequestFeatures): Round {
  const { out, since, heard } = round
  return { out: remember(out, [call, request] as const, PENDING_MAX), since, heard, acted: true }
}

/** Who calls after an answer has come has seen it, and begins another round: what is still out may be lost, and is not waited for. */
export function nextRound(round: Round): Round {
  return round.since < 0 ? round : { ...round, since: -1, heard: ROUND.heard }
}

export function isPending(round: Round, call: string): boolean {
  return round.out.some(([other]) => other === call)
}

export function requestOf(round: Round, call: string): RequestFeatures | undefined {
  return round.out.find(([other]) => other === call)?.[1]
}

/** A person has decided something. */
export function withDecision(round: Round): Round {
  return { ...round, acted: true }
}

/** Somebody has spoken. */
export function withMessage(round: Round): Round {
  return round.acted ? { ...round, acted: false } : round
}

/** The number of the round in which an answer comes as event `seq`. */
export function roundNumber({ since }: Round, seq: number): number {
  return since < 0 ? seq : since
}

/** What an answer comes as: `more`: others of its round are still out. */
interface IncomingAnswer {
  readonly call: string
  readonly more: boolean
  readonly reading: ToolHints | undefined
}

/** An answer has come. The second value is what of it is to be looked at: once, what was asked and answered side by side, and of a poll only that it failed. */
export function withAnswer(
  round: Round,
  observation: AnsweredObservation,
  { call, more, reading }: IncomingAnswer,
): readonly [Round, AnsweredObservation | undefined] {
  const item = itemOf(observation)
  const shown =
    round.heard.includes(item) || (reading?.poll && !observation.failed) ? undefined : observation
  const out = isPending(round, call) ? round.out.filter(([other]) => other !== call) : round.out
  const heard = more ? remember(round.heard, item, ANSWERS_MAX) : ROUND.heard
  return [{ out, since: more ? observation.round : -1, heard, acted: round.acted }, shown]
}
