/** A run: the complete state of one thread, as plain JSON. Store it, send it, load it, and the thread continues. */
import type { DoubtfulWrites } from './doubtful-writes.ts'
import { type Controlled, isReleased } from './control.ts'
import { dueAt, type Effect, isExpired, isLeftBehind, pendingEffect } from './effects.ts'
import type { UnresolvedCall } from './effects.ts'
import type { Outcome } from '../graph/agent-machine.ts'
import type { Context } from '../graph/channels.ts'
import type { Snapshot } from '../graph/machine.ts'
import { NO_TALLY, type Tally } from './tally.ts'
import { type Polls, type OpenBreakers, type Retries, NO_RETRIES } from '../watch/retries.ts'
import { type Json, defined } from '../watch/data/json.ts'
import { type Verdict, CONTINUE } from '../watch/escape/ladder.ts'
import type { Ancestor, EventOf, ForkEffects } from '../watch/event/event.ts'
import type { MigratedVersion, Origin, Parent } from '../watch/event/event.ts'
import type { Stamped, Finding } from '../watch/event/event.ts'
import type { DetectorErrors } from '../watch/failure/failure.ts'
import { WATCH, type Watch } from '../watch/judge.ts'
import { type Policy, withDefaults } from '../watch/policy/policy.ts'
import type { Rejections } from './rejections.ts'
import type { RequestedWrite } from './requested-writes.ts'
import type { Reason } from '../watch/reason/reason.ts'

/** The version of the shape of a run. A stored run of another version is folded again from its journal. */
export const SHAPE = 10

/** The hashes of the latest messages, latest last, and how many in a row were among those before them, shortly after each round. */
export type Resent = Readonly<{ messages: readonly string[]; times: number }>

/** A thread after one event, as plain JSON: its state, its data and its pending effects. */
export interface Run extends Controlled {
  readonly shape: number
  /** The number of the round, from 1; 0 before the first event. A round ends, and a message starts the next. */
  readonly round: number
  /** Where the round started: its event, and the context before the input (null: no context). */
  readonly opening: { readonly seq: number; readonly context: Context | null }
  /** Messages that wait for their round, oldest first. */
  readonly queue: readonly Queued[]
  readonly resent?: Resent
  /** The number of the last event; -1 before the first. */
  readonly seq: number
  readonly at: number
  readonly startedAt: number
  readonly snapshot: Snapshot
  readonly watch: Watch
  /** Effects that are requested and not finished. */
  readonly pending: readonly Effect[]
  /** The number of entries of each state. A rollback keeps it. */
  readonly entries: Readonly<Record<string, number>>
  /** The run at the last progress. */
  readonly savepoint: Savepoint
  /** There has been progress. The savepoint moves when no node in progress has written. */
  readonly savepointDue?: true
  /** The compensable writes since the savepoint, oldest first. */
  readonly compensable: readonly CompensableWrite[]
  /** The thread has written, or may have. */
  readonly wrote?: true
  /** The tools whose writes since the savepoint cannot be compensated. */
  readonly uncompensatable: readonly string[]
  /** The latest model answers, from which a lap is reconstructed. */
  readonly answers: readonly AnswerRef[]
  /** Model calls that the prompt leaves out, with their answers and the reads they led to. */
  readonly dropped: readonly string[]
  /** Why earlier attempts failed, for the model. A rollback keeps it. */
  readonly lessons: readonly Reason[]
  /** The breakers that the thread knows to be open. A rollback keeps them. */
  readonly openBreakers: OpenBreakers
  /** What lists show of the findings and escapes. A rollback keeps it. */
  readonly tally: Tally
  /** The failed retries of each dependency. A rollback keeps them. */
  readonly retries: Retries
  /** When polled tools last answered. A rollback keeps it. */
  readonly polls?: Polls
  /** Results that `verify` nodes rejected in a row. A rollback keeps it. */
  readonly rejections?: Rejections
  readonly policy: Policy
  readonly seed: number
  /** Set for a thread that started with the journal of another. */
  readonly fork?: Fork
  /** The version of the graph, for a thread that has migrated. */
  readonly version?: MigratedVersion
  /** The thread that started this one. */
  readonly parent?: Parent
  /** The nested graphs, from the outermost to its own. */
  readonly lineage?: readonly Ancestor[]
  /** How the round ended. Nothing happens until the next round. */
  readonly ended?: Ending
  /** The writes that failed and may have taken effect. A rollback keeps them. */
  readonly doubtful?: DoubtfulWrites
  /** Writes that a model has requested, and whose results no node has handed over. */
  readonly requested?: readonly RequestedWrite[]
  /** The writes whose outcome was unknown when the round ended. The next round asks about them before it starts anything. */
  readonly unresolved?: readonly UnresolvedCall[]
  /** The result of the last event. Event and result form the row of the journal. */
  readonly last: AdvanceResult
}

/** The parts of a run that a rollback restores. */
export type Savepoint = Pick<Run, 'seq' | 'at' | 'snapshot' | 'pending'>

export interface Fork {
  readonly effects: ForkEffects
  /** The threads whose rows the journal starts with, from the oldest ancestor to the parent, each up to its `seq`. */
  readonly origins: readonly Origin[]
  /** The fork no longer makes the same calls as its parent, whose journal no longer answers them. */
  readonly diverged?: true
}

export interface Queued {
  readonly input: Json
  /** Where its round starts: from the last context, or from the context at the start of the round it replaced. */
  readonly from: 'last' | 'opening'
}

/** A write since the savepoint that its tool can compensate. */
export interface CompensableWrite {
  readonly call: string
  readonly tool: string
  /** The seq of the row with its arguments. */
  readonly called: number
  /** The seq of the row with its result; absent while the outcome is unknown. */
  readonly done?: number
}

/** A model answer: the seq of its row, and its call. */
export type AnswerRef = readonly [seq: number, call: string]

/** The outcomes of threads. */
export const ENDINGS = [
  'success',
  'failure',
  'stopped',
  'cancelled',
  'error',
] as const satisfies readonly (Outcome | 'error')[]

/** How a thread has ended. */
export interface Ending {
  readonly outcome: (typeof ENDINGS)[number]
  /** `goal`, `failure`, a reason of the escape mechanism (`loop`, `budget.steps`, …), `cancelled`, or the part that failed. */
  readonly reason: string
  /** The reason in full, with its cause. */
  readonly because: Reason
  readonly result: Json
}

/** 1: those of `rules.ts`. */
export type Rules = 1

export interface AdvanceResult {
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  /** The ids of the edges taken, in order. */
  readonly edges: readonly string[]
  /** No state expected the event. */
  readonly ignored?: true
  readonly ended?: Ending
  /** The rules that decided what the event does. Absent where they decide nothing, and in rows of versions before 0.2.0. */
  readonly rules?: Rules
}

/** One line of a journal. */
export interface Row extends AdvanceResult {
  readonly seq: number
  readonly event: Stamped
  /** For a wrapped agent: the errors of its custom parts so far, which a reader of the journal cannot reproduce. */
  readonly detectorErrors?: DetectorErrors
}

export type Started = EventOf<'thread.started'>

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
    openBreakers: {},
    retries: NO_RETRIES,
    tally: NO_TALLY,
    policy: withDefaults(event.policy),
    seed: event.seed,
    ...defined({ parent: event.parent, lineage: event.lineage }),
    last: { findings: [], verdict: CONTINUE, edges: [] },
  }
}

/** Whether the round has ended and the queue is empty: the thread waits for a message. */
export const isOver = (run: Run): boolean => run.ended !== undefined && run.queue.length === 0

export type Runnable = Extract<Effect, { type: 'invoke' | 'rollback' }>

/**
 * The effects that a process can perform now. Waits, questions, blocked nodes, and the nodes of a paused thread are not runnable. Neither
 * are those that have not started while a write is in doubt, or while a child whose node was left may be writing.
 */
export function runnable(run: Run): readonly Runnable[] {
  const mayStart = !run.pending.some(isLeftBehind) && !hasOrphans(run)
  return run.pending.filter(
    (effect): effect is Runnable =>
      isPerformable(effect) && (mayStart || effect.starts > 0) && isReleased(run, effect.id),
  )
}

const isPerformable = (effect: Effect): effect is Runnable =>
  effect.type === 'rollback' ||
  (effect.type === 'invoke' && effect.blocked === undefined && !isExpired(effect))

/** Whether a process can work on the thread now: it can perform an effect, or has to end the children of one. */
export const hasWork = (run: Run): boolean =>
  runnable(run).length > 0 || run.pending.some(isExpired) || hasOrphans(run)

/** Whether a child has not ended whose node was left. */
export const hasOrphans = ({ pending, watch }: Run): boolean =>
  Object.values(watch.account.reserved).some(({ effect }) => !pendingEffect(pending, effect))

/** The time (ms) at which the thread needs a process without any event. Returns `undefined` if it needs none. */
export function wakeAt(run: Run): number | undefined {
  if (run.ended) return run.queue.length > 0 ? run.at : undefined
  if (hasWork(run)) return run.at
  // The time limit of a node counts while the node works.
  const waiting = run.pending.filter(effect => !run.paused || !isPerformable(effect))
  const times = waiting.flatMap(effect => dueAt(effect) ?? [])
  return times.length > 0 ? Math.min(...times) : undefined
}
