/** Everything a run needs from the world: one typed parameter, and no other way in for time, chance, models and tools. */
import type { Reason } from '../core/watch/reason/reason.ts'
import type { AgentMachine } from '../core/graph/agent-machine.ts'
import type { Review } from '../core/review/review.ts'
import type { Row, Run } from '../core/run.ts'
import type { View } from '../core/graph/channels.ts'
import type { BreakerOptions } from '../core/watch/failure/breaker.ts'
import type { Reconciled, ToolRequest } from '../core/watch/event/call-event.ts'
import type { ChildOutcome, Item } from '../core/watch/event/event.ts'
import type { Failure } from '../core/watch/failure/failure.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { RetryPolicy } from '../core/watch/policy/policy.ts'
import type { Price } from '../core/watch/event/spent.ts'
import type { Gate } from './gate/gate.ts'
import type { Message, ModelAnswer, ModelReply } from './model-message.ts'
import type { Store } from './store/store.ts'

/** Where time comes from, and how it is waited for. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  readonly sleep: Sleep
  /** Does work in the world: a virtual clock does not jump ahead of it, except while it sleeps by the function it is given. */
  during<T>(work: (sleep: Sleep) => Promise<T>): Promise<T>
  /** Its time passes by sleeping alone: nothing may be done by the time of the world. */
  readonly virtual?: true
}

/** Resolves after `ms` (never, for Infinity); rejects with the signal's reason as soon as it is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

/** All that the runtime needs of the world. */
export interface Ports {
  readonly graph: Graph
  readonly store: Store
  /** The time of the thread: of its events, deadlines and waits. */
  readonly clock: Clock
  /** The time of the world, in ms: leases are kept by it, whatever the clock of a thread. */
  readonly wall: () => number
  readonly gate: Gate
  /** Names this process: `host/pid/nonce`. */
  readonly owner: string
  /** Whether the process of another owner is surely gone. */
  readonly isOwnerDead: (owner: string) => boolean
  /** Calls `beat` about twice a second until the returned function is called; keeps no process alive. */
  readonly heartbeat: (beat: () => void) => () => void
  /** Tell people of open questions. */
  readonly notifiers?: readonly Notifier[]
  /** Takes secrets out of whatever is about to be journalled. */
  readonly redact: (value: Json) => Json
  /** Told what happens while it happens: rows once they are stored, and the tokens of a model, which never are. */
  readonly live?: (news: Live) => void
}

/** What happens, as it happens. */
export type Live =
  /** `runs`: the run after each of the rows. */
  | {
      readonly kind: 'rows'
      readonly thread: string
      readonly rows: readonly Row[]
      readonly runs: readonly Run[]
    }
  | {
      readonly kind: 'delta'
      readonly thread: string
      readonly effect: string
      readonly call: string
      /** From 1. Text of a new attempt replaces the text of the one before. */
      readonly attempt: number
      /** The last event before it. */
      readonly seq: number
      readonly text: string
    }

/** One way to tell people. */
export interface Notifier {
  /** How the journal names it; each of a graph has its own. */
  readonly name: string
  /** The names of `escape.review` it serves; absent: all. */
  readonly to?: readonly string[]
  /** The most one attempt may take, in ms, and attempts in all. What it throws is classified like any failure. */
  readonly timeout: number
  readonly attempts: number
  /** One attempt. Returns what the other side said, in short. */
  send(notice: Notice, sending: Delivery): Promise<string>
}

/** What people are told: a question has become open, or has moved on. */
export interface Notice {
  readonly type: 'question.opened' | 'question.escalated'
  readonly thread: string
  readonly graph: string
  /** How often it has moved on. */
  readonly step: number
  readonly review: Review
}

export interface Delivery {
  /** The same at every attempt and after a crash: whoever is told twice knows it by this. */
  readonly id: string
  readonly attempt: number
  readonly signal: AbortSignal
}

/** A machine bound to its nodes, tools and models, with the types of its input and output. */
export interface Graph<Input = unknown, Output = unknown> {
  /** The types of the graph. It has no value. */
  readonly '~types'?: { readonly input: Input; readonly output: Output }
  readonly machine: AgentMachine
  readonly nodes: Readonly<Record<string, Node>>
  readonly tools: Readonly<Record<string, Tool>>
  readonly models: Readonly<Record<string, Model>>
  /** The graphs its nodes run, by their names in the spec. A graph may hold itself. */
  readonly graphs?: Readonly<Record<string, Graph>>
  /** Versions of nodes of one's own, as they stand in the first event of a thread. */
  readonly versions?: Readonly<Record<string, string>>
  /** The spec as it was written; kept by its hash beside the journal. */
  readonly source: Json
}

/** The type of the input of a graph. */
export type InputOf<G extends Graph> = NonNullable<G['~types']>['input']

/** The type of the output of a graph. */
export type OutputOf<G extends Graph> = NonNullable<G['~types']>['output']

/** A worker: does one piece of work and returns its output. May return `done(…)` or `failing(…)`; what it throws is a failure, too. */
export type Node = (task: Task) => Promise<unknown>

/** One piece of work as its node sees it. Whatever is to be journalled goes through it. */
export interface Task {
  readonly thread: string
  /** The id of the effect being performed. */
  readonly effect: string
  readonly node: string
  readonly input: View
  readonly lessons: readonly string[]
  /** Answers of models that are to be forgotten, by their calls; the reads that came of them, too. */
  readonly forgotten: readonly string[]
  /** Aborted as soon as the node is left: by the watchdog, a deadline, a person. */
  readonly signal: AbortSignal
  /** Asks a model; retries, breaker and journal included. A failure for good is a value. */
  ask(model: string, request: ModelRequest): Promise<Answer<ModelAnswer>>
  /** Calls a tool; the same. */
  call(tool: string, args: Json): Promise<Answer<Json>>
  /** Calls several tools concurrently; verdicts wait until the last has answered. */
  batch(calls: readonly Omit<ToolRequest, 'id'>[]): Promise<readonly Answer<Json>[]>
  /** Runs a graph as a thread of its own, with its own journal and watch, on a share of this thread's budget. However it ends is a value. */
  run(graph: string, input: Json, options?: ChildOptions): Promise<ChildAnswer>
  /** Puts a note into the journal, once even if the node is performed again. */
  report(note: Json): Promise<void>
  /** Chance in [0, 1), the same whenever this effect is performed again. */
  draw(purpose: string): number
  readonly tools: Readonly<Record<string, Tool>>
  /** Of these, by name, what is known to be out of order. It stays the same when the effect is performed again. */
  readonly outOfOrder: Readonly<Record<string, OutOfOrder>>
}

export interface OutOfOrder {
  /** When it may be tried again, in ms. */
  readonly until: number
  /** The tool that answers in its place; absent: nobody does. */
  readonly instead?: string
}

export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: Failure }

export interface ChildOptions {
  /** Which of several items it is run for: items are no repetitions of one another, and their results are kept short. */
  readonly item?: Item
  /** Children that may be started beside one another now, this one included: what is left of the budget is divided among them (default 1). */
  readonly places?: number
  /** Aborted: the child is cancelled. */
  readonly stop?: AbortSignal
}

/** How a child has ended. */
export interface ChildAnswer {
  readonly outcome: ChildOutcome
  /** `goal`, or why not, in short and in full. */
  readonly reason: string
  readonly because?: Reason
  /** Its result, also where it is only a part of one. `null` where it is too long to be handed on. */
  readonly result: Json
  /** Absent where it was not started. */
  readonly thread?: string
  /** The length of a result that is too long, in characters. The child has it. */
  readonly cut?: number
}

/** What protects a tool or a model. Absent values come from the policy. */
export interface Guarded {
  /** The most one attempt may take, in ms. */
  readonly timeout: number
  readonly retry?: Partial<RetryPolicy>
  readonly breaker?: Partial<BreakerOptions>
  /** Calls at once; more are refused. */
  readonly concurrency?: number
  /** The names of others of its kind that answer in its place while its breaker is open, in this order. */
  readonly substitutes?: readonly string[]
}

/** A tool as nodes call it; `tool` makes one from a schema and a function. */
export interface Tool<Input = unknown, Output = unknown> extends Guarded {
  /** The types of the tool. It has no value. */
  readonly '~types'?: { readonly input: Input; readonly output: Output }
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, as function calling wants it. */
  readonly parameters: Readonly<Record<string, Json>>
  readonly effects: 'read' | 'write'
  /** A repetition with the same key changes nothing more. */
  readonly idempotent: boolean
  /** What it does is undone by an ordinary later call of the same tool: a flag is set back, a draft saved anew. */
  readonly reversible?: boolean
  /** Checks and coerces arguments. The journal, `confirm` and `execute` get what it returns. @throws InvalidArguments */
  parse(args: Json): Json
  /** Whether a person must allow this call; a text asks with it, and `{{path}}` in it stands for an argument. */
  confirm?(args: Json): boolean | string
  execute(args: Json, call: Calling): Promise<unknown>
  /** Through this tool the agent says that it is stuck: why, in its words, given its arguments. */
  stuck?(args: Json): string
  /** Undoes a call that took effect. After a crash it may be made again, with the same key. */
  compensate?(args: Json, result: Json, call: Calling): Promise<void>
  /** Finds out whether an earlier call with this key took effect. */
  reconcile?(
    args: Json,
    call: Calling,
  ): Promise<{ readonly answer: Reconciled; readonly result?: Json }>
}

export interface Calling {
  /** `thread/effect/n`: the same at every attempt and after a crash. Pass it on as idempotency key. */
  readonly idempotencyKey: string
  readonly attempt: number
  readonly signal: AbortSignal
  sleep(ms: number): Promise<void>
  /** Chance in [0, 1), keyed by call and attempt. */
  draw(purpose: string): number
  /** Tells how often an SDK has really tried inside this attempt, the first time included: it counts for `retry.total`. */
  tried(times: number): void
}

/** A model as nodes ask it. What `ask` throws is classified like any failure. */
export interface Model extends Guarded {
  /** The id the endpoint knows. */
  readonly id: string
  readonly price?: Price
  ask(
    request: ModelRequest,
    call: Calling & { readonly onDelta: (text: string) => void },
  ): Promise<ModelReply>
}

/** What a model is asked: the system prompt, the conversation, and the tools it may call. */
export interface ModelRequest {
  readonly system: string
  readonly messages: readonly Message[]
  readonly tools: readonly Tool[]
  /** The node needs a command: an answer without one is a finding. */
  readonly command?: 'required' | 'optional'
}
