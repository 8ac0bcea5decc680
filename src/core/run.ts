/** A run: the whole of one thread, as plain JSON. Store it, send it, load it: the thread goes on. */
import type { Outcome } from './graph/agent-machine.ts'
import type { Snapshot } from './graph/machine.ts'
import { dueAt, type Effect } from './effects.ts'
import type { AgentEvent, Stamped } from './watch/event.ts'
import type { Finding } from './watch/finding.ts'
import type { Json } from './watch/json.ts'
import { CONTINUE, type Verdict } from './watch/ladder.ts'
import type { Policy } from './watch/policy.ts'
import { WATCH, type Watch } from './watch/watchdog.ts'

export interface Run {
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
  readonly mark: Mark
  /** The compensable writes since then, oldest first. */
  readonly undo: readonly Undo[]
  /** What the thread learnt about ways that did not work: told to the model, never rolled back. */
  readonly lessons: readonly string[]
  readonly policy: Policy
  readonly seed: number
  readonly ended?: Ending
  /** What the last event led to; with the event, the journal's row. */
  readonly last: Outlook
}

export interface Mark {
  readonly seq: number
  readonly snapshot: Snapshot
  readonly pending: readonly Effect[]
}

export interface Undo {
  readonly seq: number
  readonly call: string
  readonly tool: string
}

export interface Ending {
  readonly outcome: Outcome | 'error'
  /** `goal`, `failure`, a reason of the escape mechanism (`loop`, `budget.steps`, …), `cancelled`, or what broke. */
  readonly reason: string
  readonly result: Json
}

export interface Outlook {
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
  /** The ids of the edges taken, in order. */
  readonly edges: readonly string[]
  /** No state expected the event. */
  readonly ignored?: true
  readonly ended?: Ending
}

/** One line of a journal. */
export interface Row extends Outlook {
  readonly seq: number
  readonly event: Stamped
}

export type Started = Extract<AgentEvent, { type: 'thread.started' }>

/** The run before its first event. */
export function unborn(event: Stamped<Started>): Run {
  const snapshot: Snapshot = { value: null, context: {}, status: 'active' }
  return {
    seq: -1,
    at: event.at,
    startedAt: event.at,
    snapshot,
    watch: WATCH,
    pending: [],
    entries: {},
    mark: { seq: 0, snapshot, pending: [] },
    undo: [],
    lessons: [],
    policy: event.policy,
    seed: event.seed,
    last: { findings: [], verdict: CONTINUE, edges: [] },
  }
}

/** Work that can go on now: neither waiting for a person or a time, nor for an answer about a call. */
export function runnable(run: Run): readonly Extract<Effect, { type: 'invoke' }>[] {
  return run.pending.filter((effect): effect is Extract<Effect, { type: 'invoke' }> => effect.type === 'invoke' && effect.blocked === undefined)
}

/** When the thread must be looked at although nothing happens, in ms; `undefined` if never. Runnable work is due at once. */
export function wakeAt(run: Run): number | undefined {
  if (run.ended) return undefined
  if (runnable(run).length > 0) return run.at
  const times = run.pending.flatMap(effect => dueAt(effect) ?? [])
  return times.length > 0 ? Math.min(...times) : undefined
}
