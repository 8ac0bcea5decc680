/** What an agent does, as anybody who stands beside it can see: the events of recorded traces, and of agents that were not built here. */
import type { Json } from '../data/json.ts'

/** What was recorded of one agent. */
export interface Trace {
  readonly id: string
  readonly acts: readonly Act[]
  /** The source says that the agent reached its goal; absent, it failed or nobody knows. */
  readonly solved?: true
}

export type Act = SpokenAct | CalledAct | AnswerAct

interface SpokenAct {
  readonly act: 'said'
  /** Who; one agent alone needs no name. */
  readonly by?: string
  /** It is the person, or what stands for one. */
  readonly person?: true
  readonly text: string
}

interface CalledAct {
  readonly act: 'called'
  /** Pairs it with its answer; without one, answers come in the order of their calls. */
  readonly call?: string
  readonly tool: string
  readonly args: Json
}

interface AnswerAct {
  readonly act: 'answered'
  readonly call?: string
  /** `null`: the source does not know. */
  readonly ok: boolean | null
  /** The answer, or the beginning of it; then `hash` and `length` are of the whole. */
  readonly text: string
  readonly hash?: string
  readonly length?: number
}
