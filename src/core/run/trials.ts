/** What a journal teaches about the rungs: which one came first against each problem, and whether it was enough. */
import type { Row } from './run.ts'
import type { Trial } from '../watch/escape/bandit.ts'
import { isExchangeable, problemOf } from '../watch/escape/order.ts'

/**
 * The trials of each round that has ended. Cancelled rounds teach nothing, nor do the rows that a fork copies from its parent.
 * @example const trials = trialsIn(await store.rows('ticket-42'))
 */
export function trialsIn(rows: readonly Row[]): readonly Trial[] {
  let trials: Trial[] = []
  let open = new Map<string, Trial>()
  for (const { event, verdict, ended } of rows) {
    if (event.type === 'forked') {
      trials = []
      open.clear()
    }
    if (verdict.kind === 'escape') {
      // Another escape: the earlier ones were not enough.
      open = new Map([...open].map(([key, trial]) => [key, { ...trial, sufficed: false }]))
      const [cause] = verdict.because
      const rung = verdict.route.by ?? verdict.route.rung
      const key = cause && JSON.stringify(problemOf(cause))
      if (cause && key !== undefined && isExchangeable(rung) && !open.has(key))
        open.set(key, { ...problemOf(cause), rung, sufficed: true })
    }
    if (!ended) continue
    const isGoal = ended.outcome === 'success'
    if (ended.outcome !== 'cancelled')
      trials.push(
        ...[...open.values()].map(trial => ({ ...trial, sufficed: isGoal && trial.sufficed })),
      )
    open.clear()
  }
  return trials
}
