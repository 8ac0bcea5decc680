/** Everything a run needs from outside: time, randomness, models, tools and the store come in through one typed parameter. */
import type { Migrate } from '../core/migration.ts'
import type { Remaining } from '../core/run/remaining.ts'
import type { RequestedWrite } from '../core/run/requested-writes.ts'
import type { Reason } from '../core/watch/reason/reason.ts'
import type { AgentMachine } from '../core/graph/agent-machine.ts'
import type { Row, Run } from '../core/run/run.ts'
import type { View } from '../core/graph/channels.ts'
import type { BreakerOptions } from '../core/watch/failure/breaker.ts'
import type {
  Edited,
  Price,
  Reconciled,
  ReportedUsage,
  ToolRequest,
} from '../core/watch/event/call-event.ts'
import type { ChildOutcome, Item } from '../core/watch/event/event.ts'
import type { Failure } from '../core/watch/failure/failure.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { RetryPolicy } from '../core/watch/policy/policy.ts'
import type { Gate } from './gate/gate.ts'
import type { Message, ModelAnswer, ModelReply } from './model-message.ts'
import type { Notifier } from './notifier.ts'
import type { LeasePorts } from './store/lease.ts'

/** The source of time. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  readonly sleep: Sleep
  /** Runs external work. A virtual clock stands still during the work, except while the work uses the given `sleep`. */
  during<T>(work: (sleep: Sleep) => Promise<T>): Promise<T>
  /** The clock advances by sleeping only, independently of real time. */
  readonly virtual?: true
}

/** Resolves after `ms` (never, for Infinity); rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** Everything the runtime needs from outside. */
export interface Ports extends LeasePorts {
  readonly graph: Graph
  /** The time of the thread: for its events, deadlines and waits. */
  readonly clock: Clock
  readonly gate: Gate
  /** Calls `beat` about twice a second until the returned function is called; does not keep the process alive. */
  readonly heartbeat: (beat: () => void) => () => void
  /** Has the drive of a thread in this process look at its inbox now. Absent: its next heartbeat does. */
  readonly wake?: (thread: string) => void
  /** Notify people of open questions. */
  readonly notifiers?: readonly Notifier[]
  /** Redacts secrets in values before they are journaled. */
  readonly redact: <T>(value: T) => T
  /** Receives live updates: rows once they are stored, and the tokens of a model, which are never stored. */
  readonly live?: (update: Live) => void
  /** Whether the thread has a follower now. Absent: it has none. */
  readonly isAttended?: (thread: string) => boolean
}

/** A live update of a thread. */
export type Live = LiveRows | LiveToken

/** Rows of a thread, which are stored. `graph` is the id of its graph. */
export interface LiveRows {
  readonly kind: 'rows'
  readonly thread: string
  readonly graph: string
  readonly items: readonly LiveRow[]
}

/** A row, with the run after it. */
export type LiveRow = Readonly<{ row: Row; run: Run }>

/** Streamed text of a model, which is never stored. */
export interface LiveToken {
  readonly kind: 'delta'
  readonly thread: string
  readonly effect: string
  readonly call: string
  /** From 1. Text of a new attempt replaces the text of the previous one. */
  readonly attempt: number
  /** The last event before it. */
  readonly seq: number
  readonly text: string
}

/** A machine bound to its nodes, tools and models, with the types of its input and output. */
export interface Graph<Input = unknown, Output = unknown, Channels = unknown> {
  /** The types of the graph. This field has no value. */
  readonly '~types'?: {
    readonly input: Input
    readonly output: Output
    readonly channels: Channels
  }
  readonly machine: AgentMachine
  readonly nodes: Readonly<Record<string, Node>>
  readonly tools: Readonly<Record<string, Tool>>
  readonly models: Readonly<Record<string, Model>>
  /** The graphs that its nodes run, by their names in the spec. A graph may contain itself. */
  readonly graphs?: Readonly<Record<string, Graph>>
  /** Moves waiting threads of earlier versions to this one. */
  readonly migrate?: Migrate
  /** Versions of custom nodes, as in the first event of a thread. */
  readonly versions?: Readonly<Record<string, string>>
  /** The original spec, stored under its hash beside the journal. */
  readonly source: Json
}

/** The type of the input of a graph. */
export type InputOf<G extends Graph> = NonNullable<G['~types']>['input']

/** The type of the output of a graph. */
export type OutputOf<G extends Graph> = NonNullable<G['~types']>['output']

/** The types of the channels of a graph. */
export type ChannelsOf<G extends Graph> = unknown extends NonNullable<G['~types']>['channels']
  ? Readonly<Record<string, Json>>
  : NonNullable<G['~types']>['channels']

/** A node: does one piece of work and returns its output, `done(…)` or `failing(…)`. An error it throws is a failure, too. */
export type Node = (task: Task) => Promise<unknown>

/** One piece of work, as its node sees it. All journaled work goes through the task. */
export interface Task {
  readonly thread: string
  /** The id of the effect being performed. */
  readonly effect: string
  readonly node: string
  readonly input: View
  /** The number of the round, from 1: each message to an ended thread starts another. */
  readonly round: number
  readonly lessons: readonly string[]
  /** How often this node ended with `done.rejected` in a row, in this round. */
  readonly rejections: number
  /** Model answers to leave out of the conversation, by their calls, with the reads that followed from them. */
  readonly forgotten: readonly string[]
  /** Writes that a model has requested and whose results no node has handed over. */
  readonly requested: readonly RequestedWrite[]
  /** Aborted when the node is left: by the watchdog, a deadline or a person. */
  readonly signal: AbortSignal
  /** Calls a model, with retries, breaker and journal. A final failure is returned as a value. */
  ask(model: string, request: ModelRequest): Promise<Answer<ModelAnswer>>
  /** Calls a tool in the same way. */
  call(tool: string, args: Json): Promise<Answer<Json>>
  /** Calls several tools concurrently; verdicts wait for the last answer. */
  batch(calls: readonly Omit<ToolRequest, 'id'>[]): Promise<readonly Answer<Json>[]>
  /** Runs a graph as a child thread with its own journal and watchdog, on a share of this thread's budget. Every ending is returned as a value. */
  run(graph: string, input: Json, options?: ChildOptions): Promise<ChildAnswer>
  /** Journals a note, once even if the node is performed again. */
  report(note: Json): Promise<void>
  /** A random number in [0, 1), the same whenever this effect is performed again. */
  draw(purpose: string): number
  readonly tools: Readonly<Record<string, Tool>>
  /** What is left of the limits, if `limits.reserve` is set. Constant when the effect is performed again. */
  readonly remaining?: Remaining | undefined
  /** The tools known to be unavailable, by name. Constant when the effect is performed again. */
  readonly unavailable: Readonly<Record<string, Unavailable>>
}

export interface Unavailable {
  /** When the tool may be tried again, in ms. */
  readonly until: number
  /** The substitute that answers in its place, if any. */
  readonly instead?: string
}

/**
 * `confirmed`: a person has said that the call took effect, and has given no result. `edited`: the arguments with which a person has
 * replaced those of the call.
 */
export type Answer<T> = (
  | { readonly ok: true; readonly value: T; readonly confirmed?: true }
  | { readonly ok: false; readonly failure: Failure }
) & { readonly edited?: Edited }

export interface ChildOptions {
  /** The item it runs for: items do not count as repetitions of one another, and their results are kept short. */
  readonly item?: Item
  /** Children that may start concurrently now, this one included: they divide the rest of the budget (default 1). */
  readonly places?: number
  /** Aborting it cancels the child. */
  readonly stop?: AbortSignal
}

/** How a child thread has ended. */
export interface ChildAnswer {
  readonly outcome: ChildOutcome
  /** `goal`, or the code of the reason, which `because` holds in full. */
  readonly reason: string
  readonly because?: Reason
  /** The result, possibly partial; `null` when it is too long. */
  readonly result: Json
  /** Absent when the child was not started. */
  readonly thread?: string
  /** The length in characters of a result that is too long. The child's journal holds it. */
  readonly cut?: number
}

/** The protection of a tool or a model. The policy provides defaults. */
export interface Guarded {
  /** Timeout of one attempt, in ms. */
  readonly timeout: number
  readonly retry?: Partial<RetryPolicy>
  readonly breaker?: Partial<BreakerOptions>
  /** Concurrent calls; further calls are rejected. */
  readonly concurrency?: number
  /** The names of the tools or models that answer in its place while its breaker is open, in order of preference. */
  readonly substitutes?: readonly string[]
}

/** A tool as nodes call it; `tool` makes one from a schema and a function. */
export interface Tool<Input = unknown, Output = unknown> extends Guarded {
  /** The types of the tool. This field has no value. */
  readonly '~types'?: { readonly input: Input; readonly output: Output }
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, for function calling. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly effects: 'read' | 'write'
  /** A repetition with the same key has no further effect. */
  readonly idempotent: boolean
  /** For a read: how long, in ms, a result answers the same request again, in all threads of the bound graph. */
  readonly cache?: number
  /** A later ordinary call of the same tool undoes this one: it resets a flag or saves a draft again. */
  readonly reversible?: boolean
  /** Validates and coerces arguments. The journal, `confirm` and `execute` receive the result. @throws InvalidArguments */
  parse(args: Json): Json
  /** Whether a person must allow this call. A text is the question; `{{path}}` in it stands for an argument. */
  confirm?(args: Json): boolean | string
  execute(args: Json, call: Calling): Promise<unknown>
  /** Checks what `execute` returned against the contract of the tool. @throws InvalidResult */
  checkResult?(result: unknown): void
  /** The contract as a JSON Schema, for people who answer in place of the tool. */
  readonly returns?: Readonly<Record<string, Json>>
  /** Marks the tool by which the agent reports that it is stuck; returns the agent's explanation. */
  stuck?(args: Json): string
  /** The thread whose end a call of `thread` waits for, if any. Threads that wait for each other are a finding. */
  waitsFor?(args: Json, thread: string): string | undefined
  /** Undoes a call that took effect. After a crash it may be called again, with the same key. */
  compensate?(args: Json, result: Json, call: Calling): Promise<void>
  /**
   * Determines whether an earlier call with this key took effect. `fenced`: the earlier call can no longer take effect, because the
   * external system rejects lower fencing tokens from now on. While the earlier call may still run, `not-applied` counts only if fenced.
   */
  reconcile?(args: Json, call: Calling): Promise<Reconciliation>
}

/** What `reconcile` found. `result`: that of the call, if it was applied. `fenced`: the earlier call can no longer take effect. */
export type Reconciliation = Readonly<{ answer: Reconciled; result?: Json; fenced?: boolean }>

export interface Calling {
  /** `thread/effect/n`: the same for every attempt and after a crash. An identical call after a doubtful write has its key. */
  readonly idempotencyKey: string
  readonly attempt: number
  /** Increases with every attempt and every driver of the thread: an external system that has seen a higher one can reject this call. */
  readonly fencingToken: number
  readonly signal: AbortSignal
  /** Resolves after `ms`; at once for 0 or less, and never for Infinity. Rejects when the call ends. @throws TypeError for anything else, such as NaN */
  sleep(ms: number): Promise<void>
  /** A random number in [0, 1), keyed by call and attempt. */
  draw(purpose: string): number
  /** Masks secrets, as the journal does. Call it before you cut a text: half a secret is not recognized. */
  redact<T>(value: T): T
  /** Reports how many attempts an SDK made inside this one, the first included. They count toward `retry.total`. */
  tried(times: number): void
}

/**
 * `hidden`: characters of the reasoning and of tool calls that arrived with the text, or without any. `usage`: the tokens so far, if the
 * endpoint reports them before the end. An answer that breaks, times out or is abandoned costs both.
 */
type Streaming = Calling & {
  readonly onDelta: (text: string, hidden?: number, usage?: ReportedUsage) => void
}

/** A model as nodes call it. Errors that `ask` throws are classified like any failure. */
export interface Model extends Guarded {
  /** The model id at the endpoint. */
  readonly id: string
  readonly price?: Price
  /** Rejects if the model cannot be asked because its key, its endpoint or its package is missing. */
  readonly check?: () => Promise<void>
  ask(request: ModelRequest, call: Streaming): Promise<ModelReply>
}

/** A request to a model: the system prompt, the conversation, and the available tools. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  /** `required`: an answer without a command is a finding. */
  readonly command?: 'required' | 'optional'
  /** The request uses the reserve of the budget: it asks for the last answer. */
  readonly reserve?: true
}
