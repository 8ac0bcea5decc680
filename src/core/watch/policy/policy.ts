/** The policy of a thread: every threshold, limit and preference, as one plain value that is journalled with the run. */
import type { BreakerOptions } from '../failure/breaker.ts'
import type { ConfirmPolicy } from './confirm.ts'
import { backoff, type RecurringOptions } from '../failure/recurring.ts'
import type { Failure, FailureRule } from '../failure/failure.ts'
import { FAILURE_RULES } from '../failure/failure-rules.ts'
import type { Json } from '../data/json.ts'
import {
  type DetectParts,
  type DetectorParts,
  type ToolHints,
  detectKeys,
  detectors,
} from './detect-keys.ts'
import { type PolicyParts, policyKind, type RUNGS } from './policy-keys.ts'
import { readKind } from './policy-kinds.ts'
import { isMap, mapFields } from './policy-parts.ts'

/** All that a thread is judged by, complete. Times are in ms. */
export interface Policy {
  /** `observe`: findings are only reported; limits, timeouts, retries and the spec's own edges still act. */
  readonly mode: 'act' | 'observe'
  readonly detect: DetectPolicy
  readonly retry: RetryPolicy
  readonly breaker: BreakerOptions
  readonly limits: Limits
  readonly escape: EscapePolicy
  readonly rounds: Required<Part<'rounds'>>
  readonly confirm: ConfirmPolicy
  /** The first rule that fits decides. */
  readonly failures: readonly FailureRule[]
  /** When transient failures are so many that they count as persistent. */
  readonly recurring: RecurringOptions | false
}

type Part<K extends keyof PolicyParts> = NonNullable<PolicyParts[K]>

/** Each detector's options, or `false` where it is off. */
export type DetectorSettings = Required<DetectorParts>

export type DetectorName = keyof DetectorSettings

export interface DetectPolicy extends DetectorSettings {
  /** What differs for calls of one tool, and for one node. `tools` comes before `nodes`. */
  readonly tools: Readonly<Record<string, DetectorParts & ToolHints>>
  readonly nodes: Readonly<Record<string, DetectorParts>>
  /** Degenerate output inside one answer of a model. */
  readonly degenerateOutput: NonNullable<DetectParts['degenerateOutput']>
  /** Channels that are ignored when two states are compared. */
  readonly ignore: readonly string[]
  /** The options of custom detectors, or `false` where one is off; absent: their own defaults. */
  readonly own: Readonly<Record<string, Readonly<Record<string, Json>> | false>>
}

export type RetryPolicy = Required<Part<'retry'>>

/** The most a thread may spend, and within it each of its rounds. `duration` is in ms. */
export interface Limits
  extends Omit<Part<'limits'>, 'mistakes' | 'scopes' | 'steps' | 'nodeCalls' | 'depth'> {
  readonly steps: number
  readonly nodeCalls: number
  readonly depth: number
  readonly scopes?: Scopes
}

/** The most all threads of a scope may spend together within the window. Threads with the same scope and key share. */
export type ScopeLimits = Part<'limits'>['scopes'] extends
  | Readonly<Record<string, infer S>>
  | undefined
  ? S & { readonly key: string }
  : never

export type Scopes = Readonly<Record<string, ScopeLimits>>

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

export interface EscapePolicy
  extends Required<Pick<Part<'escape'>, 'ladder' | 'alternatives' | 'restarts'>> {
  /** How often each rung may be taken: for one distinct loop, and in all, until there is progress. */
  readonly budget: Readonly<Record<Counted, RungBudget>>
  /** Tools whose writes may stay although the run goes back to before them. */
  readonly rollback: { readonly accept: readonly string[] }
  /** Absent: a person cannot be asked. */
  readonly review?: ReviewPolicy
}

export type RungBudget = Required<NonNullable<NonNullable<Part<'escape'>['budget']>[Counted]>>

export type ReviewPolicy = NonNullable<Part<'escape'>['review']>

/** The policy where nothing else is said: the defaults of the notation. */
export const POLICY = shaped(readKind(policyKind, {}, { fill: true }).value ?? {}) as Policy

/** The policy that parts of the notation make. What they leave out is as by default. */
export function completePolicy(parts: PolicyParts): Policy {
  const policy = laidOver(POLICY, shaped(parts)) as Policy
  COMPLETE.add(policy)
  return policy
}

function shaped({ mode, retry, breaker, escape, rounds, confirm, ...parts }: PolicyParts): object {
  const { mistakes, scopes, ...limits } = parts.limits ?? {}
  const { rules = [], defaults = true, recurring } = parts.failures ?? {}
  // A scope without a key is shared by all threads that name it.
  const keyed = scopes && { scopes: mapFields(scopes, (scope, key) => ({ key, ...scope })) }
  return {
    mode,
    limits: { ...limits, ...keyed },
    retry,
    breaker,
    detect: shapedDetect(parts.detect ?? {}, mistakes),
    escape,
    rounds,
    confirm,
    failures: [...rules, ...(defaults ? FAILURE_RULES : [])],
    recurring,
  }
}

const ALL_OFF = mapFields(detectors, () => false)

function shapedDetect(
  { window, visits, tools = {}, nodes = {}, ignore, ...others }: DetectParts,
  limit: number | undefined,
): object {
  const isKnown = (name: string) => Object.hasOwn(detectKeys, name)
  return {
    ...mapFields<unknown, unknown>(others, (of, name) => (isKnown(name) ? of : undefined)),
    mistakes: limit === undefined ? others.mistakes : { limit },
    visits: visits && window !== undefined ? { ...visits, window } : visits,
    tools: mapFields(tools, tuning => tuning || ALL_OFF),
    nodes: mapFields(nodes, tuning => tuning || ALL_OFF),
    ignore: ignore?.map(path => path.replace(/^context\./, '')),
    own: mapFields<unknown, unknown>(others, (of, name) => (isKnown(name) ? undefined : of)),
  }
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

/** A stored policy, with the defaults of what it does not know yet. A limit that it lacks stays absent: it had none. */
export function withDefaults(stored: Policy): Policy {
  if (COMPLETE.has(stored)) return stored
  const { limits, detect } = POLICY
  const { steps, nodeCalls, depth } = limits
  const policy = laidOver({ ...POLICY, limits: { steps, nodeCalls, depth } }, stored) as Policy
  const byDefault: Fields = { ...detect }
  const complete = (tuning: object) =>
    mapFields({ ...tuning } as Fields, (options, name) => laidOver(byDefault[name], options))
  const tools = mapFields(policy.detect.tools, complete)
  const nodes = mapFields(policy.detect.nodes, complete)
  const whole = { ...policy, detect: { ...policy.detect, tools, nodes } } as Policy
  COMPLETE.add(whole)
  return whole
}

/** Policies that are complete: a graph that runs a thousand times has one. */
const COMPLETE = new WeakSet<Policy>()

type Fields = Readonly<Record<string, unknown>>

function laidOver(base: unknown, given: unknown): unknown {
  if (!isMap(base) || !isMap(given)) return given
  return { ...base, ...mapFields<unknown, unknown>(given, (of, key) => laidOver(base[key], of)) }
}
