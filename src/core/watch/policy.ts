/** The policy of a thread: every threshold, limit and preference, as one plain value that is journalled with the run. */
import { backoff } from './failure/backoff.ts'
import type { BreakerOptions } from './failure/breaker.ts'
import type { MistakesOptions } from './detect/mistakes.ts'
import type { ErrorsOptions } from './detect/errors.ts'
import type { RepeatedTextOptions } from './detect/repeated-text.ts'
import type { RecurrenceOptions } from './detect/recurrence.ts'
import type { RepetitionOptions } from './detect/repetition.ts'
import type { SequenceOptions } from './detect/sequence.ts'
import type { NoToolCallOptions } from './detect/no-tool-call.ts'
import type { StaleOptions } from './detect/stale.ts'
import type { VisitsOptions } from './detect/visits.ts'
import type { DegenerateOutputOptions } from './normalize/degenerate-output.ts'
import type { ConfirmPolicy } from './confirm.ts'
import type { Failure, FailureClass, FailureRule } from './failure/failure.ts'
import type { Json } from './json.ts'
import { FAILURE_RULES } from './failure/failure-rules.ts'
import type { ToolHints } from './normalize/tool-hints.ts'
import type { RecurringOptions } from './failure/recurring.ts'
import type { Spent } from './budget/spent.ts'

/** All that a thread is judged by. Times are in ms. */
export interface Policy {
  /** `observe`: findings are only reported; limits, timeouts, retries and the spec's own edges still act. */
  readonly mode: 'act' | 'observe'
  readonly detect: DetectPolicy
  readonly retry: RetryPolicy
  readonly breaker: BreakerOptions
  readonly limits: Limits
  readonly escape: EscapePolicy
  readonly rounds: RoundsPolicy
  readonly confirm: ConfirmPolicy
  /** Asked from the top; the first that fits decides. */
  readonly failures: readonly FailureRule[]
  /** When transient failures are so many that they count as persistent. */
  readonly recurring: RecurringOptions | false
}

/** Each detector's options, or `false` where it is off. */
export interface DetectorSettings {
  readonly sequence: SequenceOptions | false
  readonly repetition: RepetitionOptions | false
  readonly recurrence: RecurrenceOptions | false
  readonly visits: VisitsOptions | false
  readonly stale: StaleOptions | false
  readonly errors: ErrorsOptions | false
  readonly silence: NoToolCallOptions | false
  readonly monologue: RepeatedTextOptions | false
  readonly mistakes: MistakesOptions | false
}

export type DetectorName = keyof DetectorSettings

export interface DetectPolicy extends DetectorSettings {
  /** What is otherwise for calls of one tool, and for one node. `tools` is asked before `nodes`. */
  readonly tools: Readonly<Record<string, Partial<DetectorSettings> & ToolHints>>
  readonly nodes: Readonly<Record<string, Partial<DetectorSettings>>>
  /** Degenerate output inside one answer of a model. */
  readonly chant: DegenerateOutputOptions | false
  /** Channels that do not count when two states are compared. */
  readonly ignore: readonly string[]
  /** What one's own detectors are tuned by, or `false` where one is off; absent: their own defaults. */
  readonly own: Readonly<Record<string, Readonly<Record<string, Json>> | false>>
}

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number
  /** Milliseconds before the second attempt; doubled after each. */
  readonly base: number
  readonly cap: number
  readonly on: readonly FailureClass[]
  /** How often one dependency is tried again, by whomever, until it succeeds. */
  readonly total: number
}

/**
 * The most a thread may spend, and within it each of its rounds; `steps` always has a value, and so has `nodeCalls`, the most calls
 * and reports of one node before it is left. `concurrency`: the most effects performed at once; absent: all. `wall` is in ms.
 */
export type Limits = Partial<Spent> &
  Pick<Spent, 'steps'> & {
    readonly nodeCalls: number
    readonly concurrency?: number
    readonly round?: Partial<Spent>
    readonly scopes?: Scopes
    /** How many threads may stand one inside another below this one. */
    readonly depth?: number
  }

/** The most all threads of a scope may spend together within the window. */
export interface ScopeLimits extends Partial<Spent> {
  /** Threads with the same scope and key share. */
  readonly key: string
  /** The window, in ms. */
  readonly per: number
  /** The thread that meets a loop as the `loops`th of them is not let out of it as the others were: a person is asked, or it stops. */
  readonly loops: number
}

export type Scopes = Readonly<Record<string, ScopeLimits>>

/** What becomes of a message to a thread whose round has not ended. */
export interface RoundsPolicy {
  /**
   * - `reject`: it is refused
   * - `queue`: it waits for the end of the round
   * - `interrupt`: the round ends, and the next begins from the context as it is
   * - `rollback`: the round ends, and the next begins from the context before that round, as if it had not been
   */
  readonly busy: 'reject' | 'queue' | 'interrupt' | 'rollback'
}

export const RUNGS = [
  'retry',
  'rethink',
  'substitute',
  'alternative',
  'rollback',
  'review',
  'stop',
] as const

/**
 * One way out. `retry` and `substitute` act in place, on a call; all others leave where the run is.
 * - `retry`: the same call again, later; `substitute`: another tool or model in its place
 * - `rethink`: the last lap is forgotten, and the smarter model gets one call
 * - `alternative`: another edge; `rollback`: back to the last progress, what was done since undone
 * - `review`: a person is asked; `stop`: an orderly end
 */
export type Rung = (typeof RUNGS)[number]

/** The rungs that are counted: of the others, one is bounded by its calls and one by being the last. */
export type Counted = Exclude<Rung, 'retry' | 'substitute' | 'stop'>

export interface EscapePolicy {
  /** The ways out, in the order in which they are tried: those that ship, and one's own by their names. */
  readonly ladder: readonly string[]
  /** How often each may be taken: for one distinct loop, and in all, until there is progress. */
  readonly budget: Readonly<Record<Counted, RungBudget>>
  /** For a state, the states to which a way out may lead. */
  readonly alternatives: Readonly<Record<string, readonly string[]>>
  readonly rollback: RollbackPolicy
  /** Absent: nobody is there to ask. */
  readonly review?: ReviewPolicy
  /** How often progress may start the ladder again. */
  readonly restarts: number
}

export interface RungBudget {
  readonly perLoop: number
  readonly total: number
}

export interface RollbackPolicy {
  /** Tools whose writes may stay in the world although the run goes back to before them. */
  readonly accept: readonly string[]
}

export interface ReviewPolicy {
  /** Milliseconds a person has for the answer. */
  readonly deadline: number
  /** What happens when nobody answered: end, or go on where the question was asked. */
  readonly otherwise: 'stop' | 'continue'
  /** Whom questions are put to. Names mean something to notifiers only. */
  readonly to?: string
  /** Whom a question moves on to, `after` so many ms without an answer. Deadline and default stay. */
  readonly escalate?: readonly { readonly to: string; readonly after: number }[]
}

/** What holds where nothing else is said. */
export const POLICY: Policy = {
  mode: 'act',
  detect: {
    sequence: { repeats: 3, periodMax: 24 },
    repetition: { times: 3, within: 16 },
    recurrence: { times: 3, within: 32 },
    visits: false,
    stale: { times: 16 },
    errors: { times: 3 },
    silence: { times: 2 },
    monologue: { times: 3, nudges: 4 },
    mistakes: { limit: 8 },
    chant: { repeats: 10, length: 200 },
    tools: {},
    nodes: {},
    ignore: [],
    own: {},
  },
  retry: { attempts: 3, base: 1_000, cap: 60_000, on: ['transient'], total: 12 },
  breaker: { threshold: 3, reset: 30_000 },
  limits: {
    steps: 100,
    toolCalls: 200,
    modelCalls: 100,
    tokens: 2_000_000,
    usd: 10,
    wall: 86_400_000,
    nodeCalls: 1_000,
  },
  escape: {
    ladder: RUNGS,
    budget: {
      rethink: { perLoop: 1, total: 3 },
      alternative: { perLoop: 2, total: 6 },
      rollback: { perLoop: 1, total: 2 },
      review: { perLoop: 1, total: 3 },
    },
    alternatives: {},
    rollback: { accept: [] },
    restarts: 3,
  },
  rounds: { busy: 'reject' },
  confirm: {},
  failures: FAILURE_RULES,
  recurring: { times: 8, within: 600_000 },
}

/** The options of a detector for what it is shown now, or `false`. */
export function tunedOptions<N extends DetectorName>(
  detect: DetectPolicy,
  name: N,
  tool: string,
  node: string,
): DetectorSettings[N] {
  const own = detect.tools[tool]?.[name] ?? detect.nodes[node]?.[name] ?? detect[name]
  return own as DetectorSettings[N]
}

/** How often a call is made in all of which nobody knew, each time, what became of it; whatever its retries. */
export const TOLERATED_MAX = 3

/** How many graphs may stand one inside another, where no `limits.depth` says otherwise. */
export const DEPTH = 8

/** How long work that was left may take to heed its signal, in ms. What comes later is journalled as `call.late`. */
export const GRACE = 5_000

/** Chance in [0, 1) and the number of the attempt that failed, from 1. */
export interface FailedAttempt {
  readonly failure: Failure
  readonly attempt: number
  readonly chance: number
  /** How often its dependency was tried again since it last succeeded. */
  readonly spent: number
}

/** The `retry` rung: how long to wait before the call is tried again, in ms; `undefined` when it is not. */
export function retryDelay(
  retry: RetryPolicy,
  { failure, attempt, chance, spent }: FailedAttempt,
): number | undefined {
  if (attempt >= retry.attempts || spent >= retry.total || !retry.on.includes(failure.class))
    return undefined
  // Whoever asks for more patience than there is would only be asked in vain: the call has failed for now.
  if ((failure.retryAfter ?? 0) > retry.cap) return undefined
  return backoff(attempt, chance, retry, failure.retryAfter)
}

/** A policy out of a journal: what was not thought of yet when it was written is as it is by default. */
export function withDefaults(policy: Policy): Policy {
  if (COMPLETE.has(policy)) return policy
  const filling = fillDefaults(COMPLETING as unknown as Part, policy as unknown as Part)
  const detect = mapPart(filling.detect as Part, (value, name) =>
    name === 'tools' || name === 'nodes' ? mapPart(value as Part, fillTuning) : value,
  )
  const whole = (detect === filling.detect ? filling : { ...filling, detect }) as unknown as Policy
  COMPLETE.add(whole)
  return whole
}

/** Why `times` are never met among the latest `within`; `undefined` where they can be. */
export function unreachableTimes({
  times,
  within,
}: {
  readonly times: number
  readonly within: number
}): string | undefined {
  return times > within
    ? `is ${times}, of which the latest ${within} never hold so many; expected at most \`within\`, ${within}`
    : undefined
}

/** Policies that nothing is missing from: a graph that is run a thousand times has one. */
const COMPLETE = new WeakSet<Policy>()

/** A stored policy without a limit had none: a default limit of today would end its thread early. */
const COMPLETING: Policy = {
  ...POLICY,
  limits: { steps: POLICY.limits.steps, nodeCalls: POLICY.limits.nodeCalls },
}

type Part = Readonly<Record<string, unknown>>

function fillDefaults(by: Part, given: Part): Part {
  const missing = Object.entries(by).filter(([key]) => !Object.hasOwn(given, key))
  const inner = mapPart(given, (value, key) => fillKey(by, key, value))
  return missing.length === 0 ? inner : { ...Object.fromEntries(missing), ...inner }
}

/** A tuning names the detectors that are otherwise; of these, what it does not say is as by default. */
function fillTuning(tuning: unknown): unknown {
  return isPart(tuning)
    ? mapPart(tuning, (options, name) => fillKey(POLICY.detect as unknown as Part, name, options))
    : tuning
}

function fillKey(by: Part, key: string, value: unknown): unknown {
  const inner = Object.hasOwn(by, key) ? by[key] : undefined
  return isPart(value) && isPart(inner) ? fillDefaults(inner, value) : value
}

/** The very same where no value is another. */
function mapPart(part: Part, map: (value: unknown, key: string) => unknown): Part {
  const entries = Object.entries(part).map(([key, value]) => [key, map(value, key)] as const)
  return entries.every(([key, value]) => value === part[key]) ? part : Object.fromEntries(entries)
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
