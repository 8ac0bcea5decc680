/** The open calls, and the round they belong to. Answers are compared with the request that they belong to. */
import type { RequestFeatures } from './request-features.ts'
import { type AnsweredObservation, itemOf } from './observed.ts'
import type { ToolHints } from '../policy/detect-keys.ts'
import { remember } from '../data/json.ts'

export interface Round {
  readonly out: readonly (readonly [call: string, request: RequestFeatures])[]
  /** The seq of the first answer of the round, `-1` before it. */
  readonly since: number
  /** The calls of the round with their answers. Equal ones of parallel calls count once. */
  readonly heard: readonly string[]
  /** A call, also a refused one, or a decision of a person followed the last text. */
  readonly acted: boolean
  /** The seq of the latest successful answer of a tool with `poll`. */
  readonly polled?: number
}

export const ROUND: Round = { out: [], since: -1, heard: [], acted: false }

/** Open calls that are remembered. After that, only calls with the same arguments are similar. */
const PENDING_MAX = 8
const ANSWERS_MAX = 16

export function withCall(round: Round, call: string, request: RequestFeatures): Round {
  return { ...round, out: remember(round.out, [call, request] as const, PENDING_MAX), acted: true }
}

/** A call after an answer begins a new round, although other answers may be missing. */
export function nextRound(round: Round): Round {
  return round.since < 0 ? round : { ...round, since: -1, heard: ROUND.heard }
}

export function requestOf(round: Round, call: string): RequestFeatures | undefined {
  return round.out.find(([other]) => other === call)?.[1]
}

export function withMessage(round: Round): Round {
  return round.acted ? { ...round, acted: false } : round
}

/** The round of an answer that arrives as event `seq`. */
export function roundNumber({ since }: Round, seq: number): number {
  return since < 0 ? seq : since
}

/** `more`: other answers of the round are still open. */
interface IncomingAnswer {
  readonly call: string
  readonly more: boolean
  readonly reading: ToolHints | undefined
}

/** The round after an answer, and the observation. Repeated answers of parallel calls and successful polls are not observed. */
export function withAnswer(
  round: Round,
  observation: AnsweredObservation,
  { call, more, reading }: IncomingAnswer,
): readonly [Round, AnsweredObservation | undefined] {
  const { out, heard } = round
  const item = itemOf(observation)
  const polled = reading?.poll && !observation.failed
  const ignored = polled || heard.includes(item)
  const next = {
    ...round,
    ...(polled && { polled: observation.seq }),
    out: out.filter(([other]) => other !== call),
    since: more ? observation.round : -1,
    heard: more ? remember(heard, item, ANSWERS_MAX) : ROUND.heard,
    // A refused call is an act too, although nothing was called.
    acted: true,
  }
  return [next, ignored ? undefined : observation]
}
