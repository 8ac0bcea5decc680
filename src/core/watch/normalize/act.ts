/** The acts of an agent as an observer sees them: the events of recorded traces, and of agents in other frameworks. */
import type { Json } from '../data/json.ts'

/** The recording of one agent. `solved`: the source states that the agent reached its goal. */
export interface Trace {
  readonly id: string
  readonly acts: readonly Act[]
  readonly solved?: true
}

export type Act = SpokenAct | CalledAct | AnswerAct

interface SpokenAct {
  readonly act: 'said'
  /** The speaker. A single agent needs no name. */
  readonly by?: string
  /** The speaker is a person, or a simulated one. */
  readonly person?: true
  readonly text: string
}

interface CalledAct {
  readonly act: 'called'
  /** Pairs the call with its answer. Without it, answers arrive in the order of their calls. */
  readonly call?: string
  readonly tool: string
  readonly args: Json
}

interface AnswerAct {
  readonly act: 'answered'
  readonly call?: string
  /** `null`: the source does not know. */
  readonly ok: boolean | null
  /** The answer, or its beginning. Then `hash` and `length` describe the whole. */
  readonly text: string
  readonly hash?: string
  readonly length?: number
}
