/** Events of the calls of a node, and of the gate in front of them. */
import type { Failure } from '../failure/failure.ts'
import type { Json, Digest } from '../data/json.ts'
import type { Usage } from './spent.ts'

/** The work of one effect. `region` is its parallel region, `''` if there is only one. */
export interface OfEffect {
  readonly effect: string
  readonly region: string
}

/** One call of a node: `call` is `<effect>/<n>`, equal for every attempt and after a crash. */
export interface OfCall extends OfEffect {
  readonly call: string
  /** The tool or the model. */
  readonly subject: string
  /** The identity of subject and arguments (`callKey`). */
  readonly key: string
  /** Replayed from the journal of the parent of a fork, without contact to an external system. */
  readonly recorded?: true
  /** Other calls of the same batch are open. The verdict waits for the last of them. */
  readonly more?: true
}

/** The start of an attempt. `instead`: the unavailable subject that this one replaces. */
type StartedAttempt = OfCall & { readonly instead?: string }

/** The end of an attempt. `tries`: the number of attempts that an SDK made inside of this one, if more than one. */
type EndedAttempt = OfCall & { readonly tries?: number }

/** The call that this one undoes in a rollback. */
type Compensation = { readonly compensates?: string }

/** A failed attempt. `final`: no further attempt follows. */
interface FailedCall extends EndedAttempt {
  readonly failure: Failure
  readonly attempt: number
  readonly final: boolean
}

/**
 * `compensable` calls can be undone by the tool, `reversible` ones by a later write of the same kind. `owner`: the driver of a
 * write that must not be repeated.
 */
interface ToolAttempt extends StartedAttempt, Compensation {
  readonly args: Json
  readonly attempt: number
  readonly effects: 'read' | 'write'
  readonly repeatable: boolean
  readonly owner?: string
  readonly compensable?: true
  readonly reversible?: true
}

/** `cut`: the length of the whole result in characters if only a part is kept. `stuck`: the agent used this tool to report that it is stuck. */
interface ToolResult extends EndedAttempt, Compensation {
  readonly result: Json
  readonly digest: Digest
  readonly effects: 'read' | 'write'
  readonly compensable?: true
  readonly cut?: number
  readonly stuck?: string
}

/** `commandExpected`: the node needs a command, and an answer without one is a finding. `cut` as for tools. */
interface ModelResult extends EndedAttempt {
  readonly text: string
  readonly reasoning?: string
  readonly calls: readonly ToolRequest[]
  readonly usage: Usage
  readonly digest: Digest
  readonly commandExpected?: true
  readonly cut?: number
}

/** A call that needs the approval of a person. `question` replaces the default question. */
interface ProposedCall extends OfCall {
  readonly args: Json
  readonly question?: string
  readonly effects: 'read' | 'write'
}

/** The attempt after `attempt` follows at `until`. `since`: it waits for an open breaker, and began to at this time. */
interface WaitingCall extends OfCall {
  readonly attempt: number
  readonly until: number
  readonly since?: number
}

/** Whether an indeterminate call took effect, according to the tool or to a person. */
interface ReconciledCall extends OfCall {
  readonly answer: Reconciled
  readonly by: 'tool' | 'person'
  readonly result: Json
}

/** An answer to an abandoned call. The machine takes no step, but a question about the call is answered. */
interface LateAnswer extends OfCall, Compensation {
  readonly ok: boolean
  readonly effects: 'read' | 'write'
  readonly result: Json
  /** What an abandoned attempt of a model has cost. */
  readonly usage?: Usage
}

export interface ToolRequest {
  readonly id: string
  readonly tool: string
  readonly args: Json
}

export type CallEvent =
  | ({ readonly type: 'call.proposed' } & ProposedCall)
  | ({ readonly type: 'tool.called' } & ToolAttempt)
  | ({ readonly type: 'tool.done' } & ToolResult)
  | ({ readonly type: 'tool.failed' } & FailedCall & Compensation)
  | ({
      readonly type: 'model.called'
      readonly attempt: number
      readonly messages: number
    } & StartedAttempt)
  | ({ readonly type: 'model.done' } & ModelResult)
  /** `usage`: what the attempt has cost nevertheless. */
  | ({ readonly type: 'model.failed'; readonly usage?: Usage } & FailedCall)
  | ({ readonly type: 'call.waiting' } & WaitingCall)
  | ({ readonly type: 'call.reconciled' } & ReconciledCall)
  | ({ readonly type: 'call.late' } & LateAnswer)

export type Reconciled = 'applied' | 'not-applied' | 'unknown'

/** The breaker of a tool or of a model. `retryAt` is the time of the next probe. */
type OfCircuit = OfCall & { readonly kind: ResourceKind }
type OpenCircuit = OfCircuit & { readonly retryAt: number }

/** What the gate answered to a thread. */
export type CircuitEvent =
  | ({
      readonly type: 'circuit.refused'
      readonly args?: Json
      readonly failure: Failure
    } & OpenCircuit)
  | ({ readonly type: 'circuit.opened'; readonly failures: number } & OpenCircuit)
  | ({ readonly type: 'circuit.halfOpened' | 'circuit.closed' } & OfCircuit)
  /** The subject is unavailable. `by` answers the call in its place. */
  | ({ readonly type: 'call.substituted'; readonly by: string } & OpenCircuit)

export type ResourceKind = 'tool' | 'model'
