/**
 * The retry ledger: how often what a thread depends on was tried again, by whomever. An SDK that tries three times inside each of our
 * three attempts, of a call that the model makes three times, is 27 requests for one; counted together, they are capped together.
 */
import { dependencyOf } from './circuits.ts'
import type { Stamped } from './event/event.ts'
import { remember } from './data/json.ts'
import { isTransient, type Transients, withoutOldest, withTransient } from './failure/recurring.ts'
import { shortHash, hash } from './data/signature.ts'

/** What the thread remembers of it. Plain JSON, of bounded size. */
export interface Retries {
  /** By dependency: how often it was tried again since it last succeeded. */
  readonly spent: Readonly<Record<string, number>>
  /** The latest calls that failed for good. */
  readonly failed: readonly string[]
  readonly transients: Transients
}

export const NO_RETRIES: Retries = { spent: {}, failed: [], transients: [] }

const DEPENDENCIES_MAX = 32
const FAILED_MAX = 32

/** Attempts beyond the first: by an SDK inside a tool, by the runtime, and by a model (or a graph) that makes a failed call once more. */
export interface RetryCounts {
  readonly sdk: number
  readonly runtime: number
  readonly model: number
}

/** The events in which attempts begin and end. */
type Attempted = Extract<
  Stamped,
  { readonly type: `${'tool' | 'model'}.${'called' | 'done' | 'failed'}` }
>

function isAttempt(event: Stamped): event is Attempted {
  return event.type.startsWith('tool.') || event.type.startsWith('model.')
}

export function retriesAfter(retries: Retries, event: Stamped): Retries {
  if (!isAttempt(event)) return retries
  const dependency = dependencyIn(event)
  const { sdk, runtime, model } = retryCountsIn(retries, event)
  if (event.type === 'tool.done' || event.type === 'model.done')
    return clearRetries(retries, dependency, event.key)
  const spent = withMore(retries.spent, dependency, sdk + runtime + model)
  if (event.type === 'tool.called' || event.type === 'model.called')
    return spent === retries.spent ? retries : { ...retries, spent }
  return {
    spent,
    failed: event.final
      ? remember(
          without(retries.failed, nameOf(dependency, event.key)),
          nameOf(dependency, event.key),
          FAILED_MAX,
        )
      : retries.failed,
    transients: isTransient(event.failure)
      ? withTransient(retries.transients, dependency, event.at)
      : retries.transients,
  }
}

/** Whether a call that has failed before would be made once more although nothing is left to retry its dependency with. */
export function isFutileRetry(
  { spent, failed }: Retries,
  {
    dependency,
    key,
    total,
  }: { readonly dependency: string; readonly key: string; readonly total: number },
): boolean {
  return (spent[dependency] ?? 0) >= total && failed.includes(nameOf(dependency, key))
}

/** One line of the ledger: `attempts` is of all requests that were really made, as far as they are known. */
export interface LedgerLine extends RetryCounts {
  readonly dependency: string
  readonly calls: number
  readonly attempts: number
}

/** The ledger of a whole journal. */
export function retryLedger(rows: readonly { readonly event: Stamped }[]): readonly LedgerLine[] {
  const lines = new Map<string, LedgerLine & { readonly made: Set<string> }>()
  let retries = NO_RETRIES
  for (const { event } of rows) {
    if (!isAttempt(event)) continue
    const dependency = dependencyIn(event)
    const line = lines.get(dependency) ?? {
      dependency,
      calls: 0,
      attempts: 0,
      sdk: 0,
      runtime: 0,
      model: 0,
      made: new Set<string>(),
    }
    const { sdk, runtime, model } = retryCountsIn(retries, event)
    const begun = event.type.endsWith('.called') ? 1 : 0
    if (begun > 0) line.made.add(event.call)
    // What was refused before it could be attempted is no business of the dependency's.
    if (line.made.size > 0)
      lines.set(dependency, {
        ...line,
        calls: line.made.size,
        attempts: line.attempts + begun + sdk,
        sdk: line.sdk + sdk,
        runtime: line.runtime + runtime,
        model: line.model + model,
      })
    retries = retriesAfter(retries, event)
  }
  return [...lines.values()].map(({ made: _, ...line }) => line)
}

function retryCountsIn({ failed }: Retries, event: Attempted): RetryCounts {
  if (event.type !== 'tool.called' && event.type !== 'model.called')
    return { sdk: (event.tries ?? 1) - 1, runtime: 0, model: 0 }
  if (event.attempt > 1) return { sdk: 0, runtime: 1, model: 0 }
  return {
    sdk: 0,
    runtime: 0,
    model: failed.length > 0 && failed.includes(nameOf(dependencyIn(event), event.key)) ? 1 : 0,
  }
}

function dependencyIn({ type, subject }: Attempted): string {
  return dependencyOf(type.startsWith('tool.') ? 'tool' : 'model', subject)
}

/** Of a call, and not only of its key: who stands in for another is asked for the same. */
function nameOf(dependency: string, key: string): string {
  return shortHash(hash(`${dependency} ${key}`))
}

/** After a success. Most calls succeed, and there is nothing to forget. */
function clearRetries(retries: Retries, dependency: string, key: string): Retries {
  const spent =
    retries.spent[dependency] === undefined
      ? retries.spent
      : withoutSpent(retries.spent, dependency)
  const failed =
    retries.failed.length === 0 ? retries.failed : without(retries.failed, nameOf(dependency, key))
  const transients = withoutOldest(retries.transients, dependency)
  if (spent === retries.spent && failed === retries.failed && transients === retries.transients)
    return retries
  return { spent, failed, transients }
}

function withoutSpent(spent: Retries['spent'], dependency: string): Retries['spent'] {
  const { [dependency]: _, ...others } = spent
  return others
}

function without(failed: readonly string[], name: string): readonly string[] {
  return failed.includes(name) ? failed.filter(other => other !== name) : failed
}

function withMore(spent: Retries['spent'], dependency: string, more: number): Retries['spent'] {
  if (more === 0) return spent
  const { [dependency]: before = 0, ...others } = spent
  return {
    ...Object.fromEntries(Object.entries(others).slice(-(DEPENDENCIES_MAX - 1))),
    [dependency]: before + more,
  }
}
