/** What can happen to the calls of a node, and at the gate that they pass. */
import type { Failure } from '../failure/failure.ts'
import type { Json } from '../data/json.ts'
import type { Digest } from '../data/signature.ts'
import type { Usage } from './spent.ts'

/** The work of one effect. `region` is the parallel region it belongs to, `''` where there is one only. */
export interface OfEffect {
  readonly effect: string
  readonly region: string
}

/** One call of a node: `call` is `<effect>/<n>`, the same at every attempt and after a crash. */
export interface OfCall extends OfEffect {
  readonly call: string
  /** The tool or the model. */
  readonly subject: string
  /** The identity of subject and arguments (`callKey`). */
  readonly key: string
  /** Told from the journal of the thread this one was forked from: nothing was asked of the world. */
  readonly recorded?: true
  /** Other calls of the same batch are still out: verdicts wait for the last of them. */
  readonly more?: true
}

/** An attempt about to be made. */
interface StartedAttempt extends OfCall {
  /** The subject stands in for this one, which is out of order. */
  readonly instead?: string
}

/** An attempt that has come to its end. */
interface EndedAttempt extends OfCall {
  /** How often an SDK has really tried inside this attempt, where it was more than once. */
  readonly tries?: number
}

/** A call of a tool; `compensates` names the call that it undoes, on the way back to a mark. */
interface OfToolCall {
  readonly compensates?: string
}

interface FailedCall extends EndedAttempt {
  readonly failure: Failure
  readonly attempt: number
  readonly final: boolean
}

export interface ToolRequest {
  readonly id: string
  readonly tool: string
  readonly args: Json
}

export type CallEvent =
  /** Parsed, and not made yet: a person must allow it first. `question`: what the person is asked, in place of the usual text. */
  | ({
      readonly type: 'call.proposed'
      readonly args: Json
      readonly question?: string
      readonly effects: 'read' | 'write'
    } & OfCall)
  | ({
      readonly type: 'tool.called'
      readonly args: Json
      readonly attempt: number
      readonly effects: 'read' | 'write'
      readonly repeatable: boolean
      readonly compensable?: true
      /** A later write of the same kind undoes it. */
      readonly reversible?: true
    } & StartedAttempt &
      OfToolCall)
  | ({
      readonly type: 'tool.done'
      readonly result: Json
      readonly digest: Digest
      readonly effects: 'read' | 'write'
      readonly compensable?: true
      /** The length of the whole result in characters, where only a part was kept. */
      readonly cut?: number
      /** The tool is the one by which an agent says that it is stuck, and this is what it said. */
      readonly stuck?: string
    } & EndedAttempt &
      OfToolCall)
  | ({
      readonly type: 'model.called'
      readonly attempt: number
      readonly messages: number
    } & StartedAttempt)
  | ({
      readonly type: 'model.done'
      readonly text: string
      readonly reasoning?: string
      readonly calls: readonly ToolRequest[]
      readonly usage: Usage
      readonly digest: Digest
      /** The node needs a command from the model; an answer without one is a finding. */
      readonly commandExpected?: true
      readonly cut?: number
    } & EndedAttempt)
  /** One attempt failed. `final`: no further attempt follows, the failure is the call's answer. */
  | ({ readonly type: 'tool.failed'; readonly compensates?: string } & FailedCall)
  | ({ readonly type: 'model.failed' } & FailedCall)
  /** The call will be attempted again, not before `until`. */
  | ({ readonly type: 'call.waiting'; readonly attempt: number; readonly until: number } & OfCall)
  /** Whether an indeterminate call took effect has been found out. */
  | ({
      readonly type: 'call.reconciled'
      readonly answer: Reconciled
      readonly by: 'tool' | 'person'
      readonly result: Json
    } & OfCall)
  /** An answer that came after its call had been given up. The machine takes no step; a question about the call is answered by it. */
  | ({
      readonly type: 'call.late'
      readonly ok: boolean
      readonly effects: 'read' | 'write'
      readonly result: Json
      readonly compensates?: string
    } & OfCall)

export type Reconciled = 'applied' | 'not-applied' | 'unknown'

/** What was met at the gate: the breaker of a tool, or of a model. */
interface OfCircuit extends OfCall {
  readonly kind: ResourceKind
}

/** What a thread met at the gate. `retryAt` is the time of the next probe. */
export type CircuitEvent =
  | ({
      readonly type: 'circuit.refused'
      readonly failure: Failure
      readonly retryAt: number
    } & OfCircuit)
  | ({
      readonly type: 'circuit.opened'
      readonly failures: number
      readonly retryAt: number
    } & OfCircuit)
  | ({ readonly type: 'circuit.halfOpened' | 'circuit.closed' } & OfCircuit)
  /** The subject is out of order until `retryAt`: `by` answers this call in its place. */
  | ({
      readonly type: 'call.substituted'
      readonly by: string
      readonly retryAt: number
    } & OfCircuit)

export type ResourceKind = 'tool' | 'model'
