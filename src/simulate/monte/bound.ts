/** The most that runs spent, against the most that `lint` proves. */
import { worstCaseOf } from '../../core/graph/worst-case/worst-case.ts'
import { mapFields } from '../../core/watch/data/json.ts'
import type { Spent } from '../../core/watch/event/call-event.ts'
import { nestedOf } from '../../kit/bind/nested.ts'
import type { SpecGraph } from '../../kit/bind/bind.ts'
import type { SimulatedRun, Subject } from '../run/simulate.ts'

/** `proven` is absent if the graph has no bound for the unit. */
export type Bound = Readonly<{ found: number; proven?: number }>

export type Bounds = Readonly<Record<keyof Spent, Bound>>

export function boundsOf(
  { graph }: Pick<Subject, 'graph'>,
  runs: readonly SimulatedRun[],
): Bounds | undefined {
  // A graph of a program may have no spec.
  if (!('spec' in graph)) return undefined
  return mapFields(worstCaseOf(nestedOf(graph as SpecGraph)), ({ most }, unit): Bound => {
    const found = runs.reduce(
      (largest, { spent }) => Math.max(largest, spent[unit as keyof Spent]),
      0,
    )
    return Number.isFinite(most) ? { found, proven: most } : { found }
  }) as Bounds
}
