/** A run: the whole of one thread, as plain JSON. Store it, send it, load it: the thread goes on. */
import type { Outcome } from './graph/agent-machine.ts'
import type { Context } from './graph/channels.ts'
import type { Snapshot } from './graph/machine.ts'
import { dueAt, type Effect } from './effects.ts'
import type { DetectorErrors } from './watch/failure/detector-errors.ts'
import type { Circuits } from './watch/circuits.ts'
import type {
  AgentEvent,
  Ancestor,
  ForkEffects,
  Origin,
  Parent,
  Stamped,
} from './watch/event/event.ts'
import type { Finding } from './watch/event/finding.ts'
import type { Json } from './watch/data/json.ts'
import { CONTINUE, type Verdict } from './watch/escape/ladder.ts'
import { withDefaults, type Policy } from './watch/policy/policy.ts'
import type { Reason } from './watch/reason/reason.ts'
import { NO_RETRIES, type Retries } from './watch/retries.ts'
import { WATCH, type Watch } from './watch/judge.ts'

/** Changed whenever a run holds other things than before: a stored one of another shape is folded again from its journal. */
export const SHAPE = 4

/** A thread at one moment, as plain JSON: where it is, what it knows, and what it has promised to do. */
export interface Run {
  readonly shape: number
  /** The number of the round, from 1; 0 before the first event. A round ends, and a message begins the next. */
  readonly round: number
  /** Where the round began: with which event, and from which context, before its input was written (null: from nothing). */
  readonly opening: { readonly seq: number; readonly context: Context | null }
  /** Messages that wait for their round, oldest first. */
  readonly queue: readonly Queued[]
  /** The number of the last event; -1 before the first. */
  readonly seq: number
  readonly at: number
  readonly startedAt: number
  readonly snapshot: Snapshot
  readonly watch: Watch
  /** Effects that are promised and not yet done. */
  readonly pending: readonly Effect[]
  /** How often each state was entered; never rolled back. */
  readonly entries: Readonly<Record<string, number>>
  /** The run as it was at the last progress. */
  readonly savepoint: Savepoint
  /** There has been progress, and the mark follows as soon as no node is in the middle of its writes. */
  readonly savepointDue?: true
  /** The writes since the mark that their tools can undo, oldest first. */
  readonly compensable: readonly CompensableWrite[]
  /** The thread has changed the world, or may have. */
  readonly wrote?: true
  /** The tools whose writes since the mark cannot be undone. */
  readonly uncompensatable: readonly string[]
  /** The latest answers of models: what a lap consisted of. */
  readonly answers: readonly AnswerRef[]
  /** The calls of models whose answers, and the reads that came of them, are left out of what models are sent. */
  readonly dropped: readonly string[]
  /** What the thread learnt about ways that did not work: told to the model, never rolled back. */
  readonly lessons: readonly Reason[]
  /** The breakers it knows to be open; never rolled back. */
  readonly circuits: Circuits
  /** How often what it depends on was tried again, and in vain; never rolled back. */
  readonly retries: Retries
  readonly policy: Policy
  readonly seed: number
  /** Of a thread that began with the journal of another. */
  readonly fork?: Fork
  /** The thread that has started this one. */
  readonly parent?: Parent
  /** The graphs it stands in, the outermost first, itself last. */
  readonly lineage?: readonly Ancestor[]
  /** How the round ended: the thread has nothing to do until the next one. */
  readonly ended?: Ending
  /** What the last event led to; with the event, the journal's row. */
  readonly last: TickResult
}

/** A run as it was at the last progress. */
export type Savepoint = Pick<Run, 'seq' | 'at' | 'snapshot' | 'pending'>

export interface Fork {
  readonly effects: ForkEffects
  /** Whose rows the journal begins with, from the oldest ancestor to the parent; each up to its `seq`. */
  readonly origins: readonly Origin[]
  /** Of a fork that is answered from its parent's journal: it has asked for something else than the parent, and is on its own. */
  readonly diverged?: true
}

export interface Queued {
  readonly input: Json
  /** Where its round begins: from the last context, or where the round began that was given up for it. */
  readonly from: 'last' | 'opening'
}

/** A write since the mark that its tool can undo. */
export interface CompensableWrite {
  readonly call: string
  readonly tool: string
  /** The seq of the row that holds its arguments. */
  readonly called: number
  /** The seq of the row that holds its result; absent while nobody knows whether there is one. */
  readonly done?: number
}

/** An answer of a model: the seq of its row, and its call. */
export type AnswerRef = readonly [seq: number, call: string]

/** How a thread has ended. */
export interface Ending {
  readonly outcome: Outcome | 'error'
  /** `goal`, `failure`, a reason of the escape mechanism (`loop`, `budget.steps`, …), `cancelled`, or what broke. */
  readonly reason: string
  /** Why, and what caused it. */
  readonly because: Reason
  readonly result: Json
}

export interface TickResult {
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  /** The ids of the edges taken, in order. */
  readonly edges: readonly string[]
  /** No state expected the event. */
  readonly ignored?: true
  readonly ended?: Ending
}

/** One line of a journal. */
export interface Row extends TickResult {
  readonly seq: number
  readonly event: Stamped
  /** Of an agent that lives elsewhere: the parts of its own that have broken so far, which nobody has who reads this. */
  readonly detectorErrors?: DetectorErrors
}

export type Started = Extract<AgentEvent, { type: 'thread.started' }>

/** The run before its first event. */
export function initialRun(event: Stamped<Started>): Run {
  const snapshot: Snapshot = { value: null, context: {}, status: 'active' }
  return {
    shape: SHAPE,
    round: 0,
    opening: { seq: 0, context: null },
    queue: [],
    seq: -1,
    at: event.at,
    startedAt: event.at,
    snapshot,
    watch: WATCH,
    pending: [],
    entries: {},
    savepoint: { seq: -1, at: event.at, snapshot, pending: [] },
    compensable: [],
    uncompensatable: [],
    answers: [],
    dropped: [],
    lessons: [],
    circuits: {},
    retries: NO_RETRIES,
    policy: withDefaults(event.policy),
    seed: event.seed,
    ...(event.parent ? { parent: event.parent } : {}),
    ...(event.lineage ? { lineage: event.lineage } : {}),
    last: { findings: [], verdict: CONTINUE, edges: [] },
  }
}

/** Nothing will happen to the thread until somebody says something to it: its round has ended, and no message waits for the next. */
export function isOver(run: Run): boolean {
  return run.ended !== undefined && run.queue.length === 0
}

/** Work that can go on now: neither waiting for a person or a time, nor for an answer about a call. */
export function runnable(run: Run): readonly Runnable[] {
  return run.pending.filter(
    (effect): effect is Runnable =>
      effect.type === 'rollback' || (effect.type === 'invoke' && effect.blocked === undefined),
  )
}

export type Runnable = Extract<Effect, { type: 'invoke' | 'rollback' }>

/** When the thread must be looked at although nothing happens, in ms; `undefined` if never. Runnable work is due at once. */
export function wakeAt(run: Run): number | undefined {
  if (run.ended) return run.queue.length > 0 ? run.at : undefined
  if (runnable(run).length > 0) return run.at
  const times = run.pending.flatMap(effect => dueAt(effect) ?? [])
  return times.length > 0 ? Math.min(...times) : undefined
}
