/** Walks of two machines side by side: random events of a chart, and the states after each. */
import fc from 'fast-check'
import type { Chart } from '../../src/core/graph/chart.ts'
import type { Machine, MachineEvent, Snapshot } from '../../src/core/graph/machine.ts'

/** Every event that an edge of the chart expects, with and without its route, for each region. */
export function eventsOf({ states, edges }: Chart): readonly MachineEvent[] {
  const regions = ['', ...new Set(states.map(({ region }) => region).filter(Boolean))]
  const targets = states.filter(({ kind }) => kind !== 'compound').map(({ id }) => id)
  return edges.flatMap(({ event, whenDone, rung, target }) => {
    if (whenDone || event === 'always') return []
    const type = event.replace(/\.\*$/, '.other')
    const to = targets.includes(target) ? { to: target } : {}
    const route = rung === undefined ? {} : { rung }
    return regions.flatMap(region => [
      { type, region, ...route, ...to },
      { type, region, ...route },
    ])
  })
}

/** Walks of at most thirty events. */
export const walksOf = (chart: Chart) =>
  fc.array(fc.constantFrom(...eventsOf(chart)), { maxLength: 30 })

/** The states without children that are active. */
export function leavesOf({ chart, active }: Machine, snapshot: Snapshot): readonly string[] {
  const leaves = chart.states.filter(({ kind }) => kind === 'atomic' || kind === 'final')
  const ids = active(snapshot)
  return leaves.flatMap(({ id }) => (ids.has(id) ? id : [])).sort()
}
