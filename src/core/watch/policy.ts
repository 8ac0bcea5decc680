/** The policy of a thread: every threshold, limit and preference, as one plain value that is journalled with the run. */
import type { BreakerOptions } from './failure/breaker.ts'
import type { ConfirmPolicy } from './confirm.ts'
import { backoff } from './failure/backoff.ts'
import type { Failure, FailureRule } from './failure/failure.ts'
import { FAILURE_RULES } from './failure/failure-rules.ts'
import type { RecurringOptions } from './failure/recurring.ts'
import type { Json } from './json.ts'
import { type DetectParts, type DetectorParts, detectKeys, detectors } from './detect-keys.ts'
import { type PolicyParts, policyKind, type RUNGS } from './policy-keys.ts'
import { defaultOf } from './policy-reader.ts'
import type { ToolHints } from './normalize/tool-hints.ts'

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
export const POLICY = shaped(defaultOf(policyKind) ?? {}) as Policy

/** The policy that parts of the notation make; the rest is as by default. */
export function completePolicy(parts: PolicyParts): Policy {
  return laidOver(POLICY, shaped(parts) as Policy)
}

function shaped({ mode, retry, breaker, escape, rounds, confirm, ...parts }: PolicyParts): object {
  const { mistakes, scopes, ...limits } = parts.limits ?? {}
  const { rules = [], defaults = true, recurring } = parts.failures ?? {}
  return withoutAbsent({
    mode,
    limits: { ...limits, ...(scopes ? { scopes: scopesOf(scopes) } : {}) },
    retry,
    breaker,
    detect: detectOf(parts.detect ?? {}, mistakes),
    escape,
    rounds,
    confirm,
    failures: [...rules, ...(defaults ? FAILURE_RULES : [])],
    recurring,
  })
}

function detectOf(
  { window, visits, tools = {}, nodes = {}, ignore, ...others }: DetectParts,
  mistakes: number | undefined,
): object {
  const named = Object.entries(others)
  const own = named.filter(([name]) => !Object.hasOwn(detectKeys, name))
  return withoutAbsent({
    ...Object.fromEntries(named.filter(([name]) => Object.hasOwn(detectKeys, name))),
    ...(mistakes === undefined ? {} : { mistakes: { limit: mistakes } }),
    visits: visits && window !== undefined ? { ...visits, window } : visits,
    tools: switched(tools),
    nodes: switched(nodes),
    ignore: ignore?.map(path => path.replace(/^context\./, '')),
    own: Object.fromEntries(own),
  })
}

/** A scope without a key is shared by all threads that name it. */
function scopesOf(scopes: NonNullable<Part<'limits'>['scopes']>): Scopes {
  return mapPart(scopes, (scope, key) => ({ key, ...(scope as object) })) as unknown as Scopes
}

const ALL_OFF = mapPart(detectors, () => false)

function switched(by: Readonly<Record<string, object | false>>): Parts {
  return mapPart(by, tuning => (tuning === false ? ALL_OFF : tuning))
}

function withoutAbsent(part: Parts): object {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
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

/** A stored policy, with the defaults of what it does not know yet. */
export function withDefaults(policy: Policy): Policy {
  if (COMPLETE.has(policy)) return policy
  const whole = laidOver(STORED, policy)
  COMPLETE.add(whole)
  return whole
}

function laidOver(base: Policy, policy: Policy): Policy {
  const filling = fillDefaults(base as unknown as Parts, policy as unknown as Parts)
  const detect = mapPart(filling.detect as Parts, (value, name) =>
    name === 'tools' || name === 'nodes' ? mapPart(value as Parts, fillTuning) : value,
  )
  return (detect === filling.detect ? filling : { ...filling, detect }) as unknown as Policy
}

/** A stored policy without a limit had none: a default limit of today would end its thread early. */
const { steps, nodeCalls, depth } = POLICY.limits
const STORED: Policy = { ...POLICY, limits: { steps, nodeCalls, depth } }

/** Policies that nothing is missing from: a graph that is run a thousand times has one. */
const COMPLETE = new WeakSet<Policy>()

type Parts = Readonly<Record<string, unknown>>

function fillDefaults(by: Parts, given: Parts): Parts {
  const inner = mapPart(given, (value, key) => fillKey(by, key, value))
  return Object.keys(by).every(key => Object.hasOwn(given, key)) ? inner : { ...by, ...inner }
}

/** A tuning names the detectors that are otherwise; of these, what it does not say is as by default. */
function fillTuning(tuning: unknown): unknown {
  return isPart(tuning)
    ? mapPart(tuning, (options, name) => fillKey(POLICY.detect as unknown as Parts, name, options))
    : tuning
}

function fillKey(by: Parts, key: string, value: unknown): unknown {
  const inner = Object.hasOwn(by, key) ? by[key] : undefined
  return isPart(value) && isPart(inner) ? fillDefaults(inner, value) : value
}

/** The very same where no value is another. */
function mapPart(part: Parts, map: (value: unknown, key: string) => unknown): Parts {
  const entries = Object.entries(part).map(([key, value]) => [key, map(value, key)] as const)
  return entries.every(([key, value]) => value === part[key]) ? part : Object.fromEntries(entries)
}

function isPart(value: unknown): value is Parts {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
