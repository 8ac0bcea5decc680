/** The policy of a thread: every threshold, limit and preference as one plain value, journaled with the run; and its notation. */
import { type Json, isMap, mapFields, valueAt } from '../data/json.ts'
import { depthFault } from '../data/depth-fault.ts'
import { patternsFault } from '../data/pattern-total.ts'
import { readBounded } from '../data/read-bounded.ts'
import type { BreakerOptions } from '../failure/breaker.ts'
import type { Failure, FailureRule } from '../failure/failure.ts'
import { FAILURE_RULES } from '../failure/failure-rules.ts'
import { type RecurringOptions, backoff } from '../failure/recurring.ts'
import { detectKeys, detectors } from './detect-keys.ts'
import type { DetectorParts, DetectParts, ToolHints } from './detect-keys.ts'
import { policyKind } from './policy-keys.ts'
import type { PolicyParts, RUNGS, PolicyNotation } from './policy-keys.ts'
import { defaultsOf } from './map-keys.ts'
import { changeFaults } from './change-faults.ts'
import { faultsOf, messageFor } from '../data/schema-faults.ts'
import { type Fault, type OrFaults, codedError, guardOf, faultLine } from '../data/fault.ts'

/** A complete policy. Times are in ms. */
export interface Policy {
  /** `observe`: findings are only reported. Limits, timeouts, retries and the edges of the spec still apply. */
  readonly mode: 'act' | 'observe'
  readonly detect: DetectPolicy
  readonly retry: RetryPolicy
  readonly breaker: BreakerOptions
  readonly limits: Limits
  readonly escape: EscapePolicy
  readonly rounds: Required<Part<'rounds'>>
  readonly confirm: ConfirmPolicy
  readonly failures: readonly FailureRule[]
  readonly recurring: RecurringOptions | false
}

type Part<K extends keyof PolicyParts> = NonNullable<PolicyParts[K]>

/** The options of each detector, or `false` if it is off. */
type DetectorSettings = Required<DetectorParts>

export type DetectorName = keyof DetectorSettings

export interface DetectPolicy extends DetectorSettings {
  /** Overrides for calls of one tool and for one node. `tools` takes precedence. */
  readonly tools: Readonly<Record<string, DetectorParts & ToolHints>>
  readonly nodes: Readonly<Record<string, DetectorParts>>
  readonly degenerateOutput: NonNullable<DetectParts['degenerateOutput']>
  readonly ignore: readonly string[]
  /** Dismissals raise the thresholds of the detectors for their subjects. */
  readonly adapt: boolean
  /** The options of custom detectors, or `false` if one is off. Absent: their own defaults. */
  readonly own: Readonly<Record<string, Readonly<Record<string, Json>> | false>>
}

export type RetryPolicy = Required<Part<'retry'>>

/** The spending limits of a thread and of each of its rounds. `duration` is in ms. */
export type Limits = Omit<Part<'limits'>, 'mistakes' | 'scopes'> &
  Required<Pick<Part<'limits'>, 'steps' | 'nodeCalls' | 'depth'>> & { readonly scopes?: Scopes }

/** What all threads with the same scope and key may spend together within the window. */
export type ScopeLimits = NonNullable<Part<'limits'>['scopes']>[string] & { readonly key: string }

export type Scopes = Readonly<Record<string, ScopeLimits>>

/**
 * An escape. `retry`, `substitute` and `wait` act in place on a call. All others leave the current state.
 * - `retry`: the same call later; `substitute`: another tool or model in its place; `wait`: the same call when its breaker allows it
 * - `rethink`: the last lap is dropped and the smarter model gets one call
 * - `alternative`: another edge; `rollback`: return to the last progress and undo later writes
 * - `review`: ask a person; `restrict`: continue with reads only while a person is asked; `stop`: end in order
 */
export type Rung = (typeof RUNGS)[number]

/** The rungs that act on a call, not on a finding. */
export const IN_PLACE: ReadonlySet<string> = new Set<Rung>(['retry', 'substitute', 'wait'])

/** Rungs with a budget. The rungs in place are bounded by the calls, `stop` by its effect. */
export type Counted = Exclude<Rung, 'retry' | 'substitute' | 'wait' | 'stop'>

export interface EscapePolicy
  extends Required<Pick<Part<'escape'>, 'ladder' | 'alternatives' | 'explore' | 'restarts'>> {
  /** How often each rung may be used: for one loop, and in total until there is progress. */
  readonly budget: Readonly<Record<Counted, RungBudget>>
  readonly rollback: { readonly accept: readonly string[] }
  /** Absent: the rung `review` does not apply. */
  readonly review?: ReviewPolicy
  /** Absent: the rung `wait` does not apply. */
  readonly wait?: WaitPolicy
  /** Applies to a finding while the thread has no follower. Absent: the same as with one. */
  readonly unattended?: NonNullable<Part<'escape'>['unattended']>
  /** A new thread learns `orders` from earlier ones. */
  readonly learn?: boolean
  /** The order of rungs against single problems. */
  readonly orders?: NonNullable<Part<'escape'>['orders']>
}

export type RungBudget = Required<NonNullable<NonNullable<Part<'escape'>['budget']>[Counted]>>

export type WaitPolicy = Required<NonNullable<Part<'escape'>['wait']>>

export type ReviewPolicy = NonNullable<Part<'escape'>['review']>

/** The default policy. */
export const POLICY = shaped(defaultsOf(policyKind) ?? {}) as Policy

/** Completes parsed notation with the defaults. */
export function completePolicy(parts: PolicyParts): Policy {
  const policy = mergeOver(POLICY, shaped(parts)) as Policy
  COMPLETE.add(policy)
  return policy
}

/** `parts` may hold more: a whole spec. */
function shaped({ limits: given = {}, detect = {}, failures = {}, ...parts }: PolicyParts): object {
  const { mistakes, scopes, ...limits } = given
  const { rules = [], defaults = true, recurring } = failures
  // A scope without a key is shared by all threads that name it.
  const keyed = scopes && { scopes: mapFields(scopes, (scope, key) => ({ key, ...scope })) }
  const { mode, retry, breaker, escape, rounds, confirm } = parts
  return {
    mode,
    limits: { ...limits, ...keyed },
    ...{ retry, breaker, detect: shapedDetect(detect, mistakes), escape, rounds, confirm },
    failures: [...rules, ...(defaults ? FAILURE_RULES : [])],
    recurring,
  }
}

const ALL_OFF = mapFields(detectors, () => false)

function shapedDetect(of: DetectParts, limit: number | undefined): object {
  const { window, visits, tools = {}, nodes = {}, ignore, ...others } = of
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

/** The maximum number of attempts of one call whose outcomes all remain unknown, regardless of its retries. */
export const TOLERATED_MAX = 3

/** How long abandoned work may take to react to its signal, in ms. Later results are journaled as `call.late`. */
export const GRACE = 5_000

/** `attempt` counts from 1. `chance` is a random number in [0, 1), `spent` the retries of the dependency since it last succeeded. */
type FailedAttempt = { readonly failure: Failure } & Readonly<
  Record<'attempt' | 'chance' | 'spent', number>
>

/** Models wait by default, because an agent can do nothing without its model. Without a tool, it may know another way. In ms. */
const MODEL_WAIT: WaitPolicy = { most: 60_000 }

/** The latest time until which a call that waits since `since` may wait for its breaker. */
export function waitLimit({ mode, escape }: Policy, kind: 'tool' | 'model', since: number): number {
  const { ladder, wait = kind === 'model' ? MODEL_WAIT : undefined } = escape
  return mode === 'act' && wait && ladder.includes('wait') ? since + wait.most : -Infinity
}

/** The `retry` rung: the wait before the next attempt in ms, or `undefined` if the call is not retried. */
export function retryDelay(retry: RetryPolicy, failed: FailedAttempt): number | undefined {
  const { failure, attempt, chance, spent } = failed
  if (attempt >= retry.attempts || spent >= retry.total || !retry.on.includes(failure.class))
    return undefined
  // An earlier attempt than the service requests would fail again.
  if ((failure.retryAfter ?? 0) > retry.cap) return undefined
  return backoff(attempt, chance, retry, failure.retryAfter)
}

/** Completes a stored policy with the defaults of newer keys. A missing limit stays absent. */
export function withDefaults(stored: Policy): Policy {
  if (COMPLETE.has(stored)) return stored
  const { limits, detect } = POLICY
  const { steps, nodeCalls, depth } = limits
  const policy = mergeOver({ ...POLICY, limits: { steps, nodeCalls, depth } }, stored) as Policy
  const byDefault: Fields = { ...detect }
  const complete = (tuning: object) =>
    mapFields({ ...tuning } as Fields, (options, name) => mergeOver(byDefault[name], options))
  const tools = mapFields(policy.detect.tools, complete)
  const nodes = mapFields(policy.detect.nodes, complete)
  const whole = { ...policy, detect: { ...policy.detect, tools, nodes } } as Policy
  COMPLETE.add(whole)
  return whole
}

/** Complete policies, so that a graph completes its policy once and not once per run. */
const COMPLETE = new WeakSet<Policy>()

type Fields = Readonly<Record<string, unknown>>

function mergeOver(base: unknown, given: unknown): unknown {
  if (!isMap(base) || !isMap(given)) return given
  return { ...base, ...mapFields<unknown, unknown>(given, (of, key) => mergeOver(base[key], of)) }
}

/** Keyed by tool name or by a pattern with `*`. An exact name takes precedence; otherwise the first matching pattern applies. */
export type ConfirmPolicy = Part<'confirm'>
/** One of the words, or a map: a CEL condition over `args` (default: always) and the question to ask. */
export type Confirm = ConfirmPolicy[string]

export const confirmByName = (confirm: ConfirmPolicy, tool: string): Confirm | undefined =>
  Object.hasOwn(confirm, tool) ? confirm[tool] : undefined

export const confirmByPattern = (confirm: ConfirmPolicy, tool: string): Confirm | undefined =>
  Object.entries(confirm).find(([pattern]) => matchesTool(pattern, tool))?.[1]

/** Replaces each `{{path}}` with the value in `args`, as in `Refund {{amount}} for {{order.id}}?`. */
export function filledTemplate(template: string, args: Json): string {
  return template.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (_, path: string) => {
    const value = valueAt(args, path)
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  })
}

/** Whether a tool matches a pattern in which `*` stands for any text. */
export function matchesTool(pattern: string, tool: string): boolean {
  const [start = '', ...parts] = pattern.split('*')
  const end = parts.pop()
  if (end === undefined || !tool.startsWith(start)) return false
  let from = start.length
  for (const part of parts) {
    const at = tool.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return from + end.length <= tool.length && tool.endsWith(end)
}

/** A policy, or its faults with their paths. */
export type PolicyRead = OrFaults<{ readonly policy: Policy }>

/** The policy is invalid. The message lists every fault. */
export class InvalidPolicy extends codedError('InvalidPolicy', 'invalid-policy') {
  readonly faults: readonly Fault[]
  constructor(faults: readonly Fault[]) {
    super(faults.map(faultLine).join('\n'))
    this.faults = faults
  }
}

/** Whether an error is an `InvalidPolicy`. */
export const isInvalidPolicy = guardOf(InvalidPolicy)

/** Reads the notation; absent keys take their defaults. Never throws. */
export function safeParsePolicy(notation: unknown): PolicyRead {
  const early = depthFault(notation) ?? patternsFault(notation)
  if (early) return { faults: [early] }
  const { data, issues } = readBounded(policyKind, notation ?? null, messageFor)
  return issues ? { faults: faultsOf(issues, [], '') } : { policy: completePolicy(data ?? {}) }
}

/** Like `safeParsePolicy`, for code without a spec. @throws InvalidPolicy */
export function parsePolicy(notation: PolicyNotation): Policy {
  const { policy, faults } = safeParsePolicy(notation)
  if (policy) return policy
  throw new InvalidPolicy(
    faults.map(({ path, message }) => ({ path: path ? `policy.${path}` : 'policy', message })),
  )
}

/** A policy in the notation, durations in ms. `safeParsePolicy` reverses it. */
export function notationOf(policy: Policy): Readonly<Record<string, Json>> {
  const { failures, recurring, detect, ...parts } = policy
  const { own, ...detectors } = detect
  const rest = failures.length - POLICY.failures.length
  const defaults = POLICY.failures.every(({ id }, index) => id === failures[rest + index]?.id)
  const rules = defaults ? failures.slice(0, rest) : failures
  return {
    ...parts,
    detect: { ...detectors, ...own },
    failures: { rules, defaults, recurring },
  } as unknown as Readonly<Record<string, Json>>
}

/** Merges a change into the policy in force: see `changePolicy`. */
export function layChange(policy: Policy, change: unknown): PolicyRead {
  const faults = changeFaults(change)
  if (faults.length > 0) return { faults }
  return safeParsePolicy(mergePatch(notationOf(policy), change as Json))
}

/** A JSON merge patch (RFC 7396). */
export function mergePatch(base: Json | undefined, change: Json): Json {
  if (!isMap(change)) return change
  const known = isMap(base) ? base : {}
  const before = (key: string) => (Object.hasOwn(known, key) ? known[key] : undefined)
  const changed = mapFields(change, (inner, key) =>
    inner === null ? undefined : mergePatch(before(key), inner),
  )
  const rest = mapFields(known, (inner, key) => (Object.hasOwn(change, key) ? undefined : inner))
  // The latest change comes first because the first matching pattern applies.
  return { ...changed, ...rest }
}
