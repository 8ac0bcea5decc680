/** The retries, open breakers and polls of tools and models. One count limits all layers that retry, because their attempts multiply. */
import { shortHash, remember, hash, withLatest } from './data/json.ts'
import type { Stamped, EventOf } from './event/event.ts'
import type { DetectPolicy, Policy } from './policy/policy.ts'
import { type Transients, isTransient, withoutOldest, withTransient } from './failure/recurring.ts'
import { REPORTED } from './failure/failure-rules.ts'
import type { ResourceKind } from './event/call-event.ts'

/** Plain JSON of bounded size. */
export interface Retries {
  /** By dependency: the retries since it last succeeded. */
  readonly spent: Readonly<Record<string, number>>
  /** The latest calls that failed permanently. */
  readonly failed: readonly string[]
  readonly transients: Transients
}

export const NO_RETRIES: Retries = { spent: {}, failed: [], transients: [] }
const DEPENDENCIES_MAX = 32
const FAILED_MAX = 32

/** Attempts beyond the first: by an SDK within a tool, by the runtime, and by a model or graph that repeats a failed call. */
type RetryCounts = Readonly<Record<'sdk' | 'runtime' | 'model', number>>

type Attempt = Stamped<EventOf<`${'tool' | 'model'}.${'called' | 'done' | 'failed'}`>>

const isAttempt = (event: Stamped): event is Attempt =>
  event.type.startsWith('tool.') || event.type.startsWith('model.')

export function retriesAfter(retries: Retries, event: Stamped): Retries {
  if (!isAttempt(event)) return retries
  const dependency = dependencyIn(event)
  if (event.type === 'tool.done' || event.type === 'model.done')
    return clearRetries(retries, dependency, event.key)
  // A tool that counts what failed works: the next call does not count as a retry.
  if ('failure' in event && event.final && event.failure.rule === REPORTED)
    return clearRetries(retries, dependency, event.key)
  const { sdk, runtime, model } = retryCountsIn(retries, event)
  const spent = addRetries(retries.spent, dependency, sdk + runtime + model)
  if (event.type === 'tool.called' || event.type === 'model.called')
    return spent === retries.spent ? retries : { ...retries, spent }
  const { failed, transients } = retries
  const name = nameOf(dependency, event.key)
  return {
    spent,
    failed: event.final ? remember(without(failed, name), name, FAILED_MAX) : failed,
    transients: isTransient(event.failure)
      ? withTransient(transients, dependency, event.at)
      : transients,
  }
}

type RetriedCall = { readonly dependency: string; readonly key: string; readonly total: number }

/** Whether the call has failed before and the retry budget of its dependency is exhausted. */
export function isFutileRetry({ spent, failed }: Retries, call: RetriedCall): boolean {
  const { dependency, key, total } = call
  return (spent[dependency] ?? 0) >= total && failed.includes(nameOf(dependency, key))
}

/** One line of the ledger. `attempts` counts all known requests. */
export interface LedgerLine extends RetryCounts {
  readonly dependency: string
  readonly calls: number
  readonly attempts: number
}

const NO_ATTEMPTS = { attempts: 0, sdk: 0, runtime: 0, model: 0 }

/** The ledger of a whole journal. */
export function retryLedger(rows: readonly { readonly event: Stamped }[]): readonly LedgerLine[] {
  const lines = new Map<string, LedgerLine>()
  const calls = new Map<string, Set<string>>()
  let retries = NO_RETRIES
  for (const { event } of rows) {
    if (!isAttempt(event)) continue
    const dependency = dependencyIn(event)
    const { sdk, runtime, model } = retryCountsIn(retries, event)
    const started = event.type.endsWith('.called') ? 1 : 0
    const ids = calls.get(dependency) ?? new Set()
    if (started > 0) calls.set(dependency, ids.add(event.call))
    const line = lines.get(dependency) ?? NO_ATTEMPTS
    // A call that was refused before its first attempt does not count.
    if (ids.size > 0)
      lines.set(dependency, {
        dependency,
        calls: ids.size,
        attempts: line.attempts + started + sdk,
        sdk: line.sdk + sdk,
        runtime: line.runtime + runtime,
        model: line.model + model,
      })
    retries = retriesAfter(retries, event)
  }
  return [...lines.values()]
}

function retryCountsIn({ failed }: Retries, event: Attempt): RetryCounts {
  if (event.type !== 'tool.called' && event.type !== 'model.called')
    return { sdk: (event.tries ?? 1) - 1, runtime: 0, model: 0 }
  if (event.attempt > 1) return { sdk: 0, runtime: 1, model: 0 }
  const repeated = failed.length > 0 && failed.includes(nameOf(dependencyIn(event), event.key))
  return { sdk: 0, runtime: 0, model: repeated ? 1 : 0 }
}

const dependencyIn = ({ type, subject }: Attempt): string =>
  dependencyOf(type.startsWith('tool.') ? 'tool' : 'model', subject)

/** Includes the dependency because a substitute receives the same key. */
const nameOf = (dependency: string, key: string): string => shortHash(hash(`${dependency} ${key}`))

/** After a success. Returns the same object if nothing changes, which is the usual case. */
function clearRetries(retries: Retries, dependency: string, key: string): Retries {
  const spent = withoutKey(retries.spent, dependency)
  const { failed: before } = retries
  const failed = before.length === 0 ? before : without(before, nameOf(dependency, key))
  const transients = withoutOldest(retries.transients, dependency)
  const same = spent === retries.spent && failed === before && transients === retries.transients
  return same ? retries : { spent, failed, transients }
}

function withoutKey(spent: Retries['spent'], dependency: string): Retries['spent'] {
  if (spent[dependency] === undefined) return spent
  const { [dependency]: _, ...others } = spent
  return others
}

const without = (failed: readonly string[], name: string): readonly string[] =>
  failed.includes(name) ? failed.filter(other => other !== name) : failed

function addRetries(spent: Retries['spent'], dependency: string, more: number): Retries['spent'] {
  if (more === 0) return spent
  return withLatest(spent, [dependency, (spent[dependency] ?? 0) + more], DEPENDENCIES_MAX)
}

interface OpenCircuit {
  readonly openedAt: number
  /** 0 if another thread opened it. */
  readonly failures: number
  readonly retryAt: number
}

/** Keyed by dependency, the latest change last. An expired entry remains until a probe closes the breaker. */
export type OpenBreakers = Readonly<Record<string, OpenCircuit>>

/** A thread forgets the breaker that changed longest ago. The breaker itself stays open, and refuses the next call. */
const BREAKERS_MAX = 64

export function openBreakersAfter(circuits: OpenBreakers, event: Stamped): OpenBreakers {
  switch (event.type) {
    case 'circuit.opened': {
      const { kind, subject, at: openedAt, failures, retryAt } = event
      const circuit = { openedAt, failures, retryAt }
      return withLatest(circuits, [dependencyOf(kind, subject), circuit], BREAKERS_MAX)
    }
    case 'circuit.refused':
    case 'call.substituted': {
      const { kind, subject, at: openedAt, retryAt } = event
      const dependency = dependencyOf(kind, subject)
      const circuit = { openedAt, failures: 0, ...circuits[dependency], retryAt }
      return withLatest(circuits, [dependency, circuit], BREAKERS_MAX)
    }
    case 'circuit.closed': {
      const { [dependencyOf(event.kind, event.subject)]: _, ...rest } = circuits
      return rest
    }
    default:
      return circuits
  }
}

/** When a dependency may be tried again, if its breaker is known to be open at `at`. */
export function openUntil(
  circuits: OpenBreakers,
  dependency: string,
  at: number,
): number | undefined {
  const { retryAt = 0 } = circuits[dependency] ?? {}
  return at < retryAt ? retryAt : undefined
}

/** The key of a tool or model: `tool:search`, `model:fast`. */
export const dependencyOf = (kind: ResourceKind, subject: string): string => `${kind}:${subject}`

/** The times (ms) of the latest answers of tools with `poll.every`, by call. The same call waits until that time has passed. */
export type Polls = Readonly<Record<string, number>>

const POLLS_MAX = 16

export function pollsAfter(polls: Polls | undefined, event: Stamped, { detect }: Policy) {
  if (event.type !== 'tool.done' || intervalOf(detect, event.subject) === 0) return polls
  return withLatest(polls ?? {}, [pollOf(event.subject, event.key), event.at], POLLS_MAX)
}

/** The earliest time (ms) of the same call. */
export function pollDue(
  polls: Polls = {},
  { mode, detect }: Policy,
  { subject, key }: { readonly subject: string; readonly key: string },
): number {
  if (mode === 'observe') return 0
  return (polls[pollOf(subject, key)] ?? 0) + intervalOf(detect, subject)
}

function intervalOf({ tools }: DetectPolicy, tool: string): number {
  const poll = Object.hasOwn(tools, tool) ? tools[tool]?.poll : undefined
  return (typeof poll === 'object' && poll.every) || 0
}

const pollOf = (subject: string, key: string): string => shortHash(`${subject} ${key}`)
