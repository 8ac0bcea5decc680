/** Whether the ways out helped: by tool, error class or loop kind, and rung, over the ended threads of a store. */
import type { Row } from '../core/run/run.ts'
import { type Problem, problemOf } from '../core/watch/escape/order.ts'
import type { Store } from '../runtime/store/store.ts'
import { endedThreads } from '../runtime/store/trials.ts'
import {
  type Difference,
  differenceOf,
  type Rate,
  wilson,
} from '../simulate/statistics/interval.ts'

/** What one rung did against one problem. Rates are of threads that reached the goal. */
export interface Efficacy extends Problem {
  readonly rung: string
  readonly used: Rate
  /** Threads with the same problem that did not take this rung. */
  readonly unused: Rate
  /** `used` minus `unused`. */
  readonly difference: Difference
}

/** The problems of a thread, as `subject` and `problem`, with the rungs that it took against each. */
type Problems = ReadonlyMap<string, ReadonlySet<string>>

interface Observed {
  readonly problems: Problems
  readonly succeeded: boolean
}

/** The fields of a key cannot contain a tab. */
const SEPARATOR = '\t'
const keyOf = ({ subject, problem }: Problem): string =>
  [subject, problem].map(part => part.replaceAll(SEPARATOR, ' ')).join(SEPARATOR)

/** The problems in a journal, and the rungs that answered them. */
export function problemsIn(rows: readonly Row[]): Problems {
  const found = new Map<string, Set<string>>()
  const note = (key: string, rung?: string) => {
    const rungs = found.get(key) ?? new Set()
    if (rung !== undefined) rungs.add(rung)
    found.set(key, rungs)
  }
  /** The problem of each call that has failed so far. */
  const failed = new Map<string, string>()
  for (const { event, findings, verdict } of rows) {
    if (event.type === 'tool.failed') {
      const key = keyOf({ subject: event.subject, problem: event.failure.class })
      failed.set(event.call, key)
      note(key)
    }
    if (event.type === 'tool.called') {
      const key = failed.get(event.call)
      if (key !== undefined) note(key, event.instead === undefined ? 'retry' : 'substitute')
    }
    const [cause] = verdict.kind === 'escape' ? verdict.because : findings
    if (!cause) continue
    note(
      keyOf(problemOf(cause)),
      verdict.kind === 'escape' ? (verdict.route.by ?? verdict.route.rung) : undefined,
    )
  }
  return found
}

/**
 * The efficacy of each rung that was taken, most used first. Threads chose their rungs by their policies and not by chance: a
 * difference is an observation. `ablate` of a scenario tests it.
 */
export function efficacyOf(threads: readonly Observed[]): readonly Efficacy[] {
  const keys = new Set(threads.flatMap(({ problems }) => [...problems.keys()]))
  const all = [...keys].flatMap(key => {
    const [subject = '', problem = ''] = key.split(SEPARATOR)
    const met = threads.filter(({ problems }) => problems.has(key))
    const rungs = new Set(met.flatMap(({ problems }) => [...(problems.get(key) ?? [])]))
    return [...rungs].map(rung => {
      const rate = (isUsed: boolean) => {
        const some = met.filter(({ problems }) => problems.get(key)?.has(rung) === isUsed)
        return wilson(some.filter(({ succeeded }) => succeeded).length, some.length)
      }
      const [used, unused] = [rate(true), rate(false)]
      return { subject, problem, rung, used, unused, difference: differenceOf(used, unused) }
    })
  })
  return all.toSorted((a, b) => b.used.of - a.used.of)
}

/** Reads the ended threads of a store, or of one graph. Cancelled threads say nothing about a rung. */
export async function efficacyIn(
  store: Store,
  of: { readonly graph?: string | undefined } = {},
): Promise<{ readonly threads: number; readonly efficacy: readonly Efficacy[] }> {
  const observed: Observed[] = []
  for await (const { thread, outcome } of endedThreads(store, of)) {
    if (outcome === 'cancelled') continue
    const problems = problemsIn(await store.rows(thread))
    observed.push({ problems, succeeded: outcome === 'success' })
  }
  return { threads: observed.length, efficacy: efficacyOf(observed) }
}
