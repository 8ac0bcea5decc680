/** Lists with more items than a call takes arguments. */
import { expect, it } from 'vitest'
import { pruneThreads } from '../../src/host/prune.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { boundsOf } from '../../src/simulate/monte/bound.ts'
import { membersSection } from '../../src/faces/cli/print/report.ts'
import { machineOfSpec } from '../../src/core/graph/agent-machine.ts'
import { specOf } from '../graph/linted.ts'

/** V8 refuses a call with about 120,000 arguments. */
const MANY = 200_000
const times = <T>(of: (nth: number) => T): readonly T[] =>
  Array.from({ length: MANY }, (_, nth) => of(nth))

it('prints a result with many members', () => {
  const value = Object.fromEntries(times(nth => [`m${nth}`, nth]))
  expect(membersSection('result', value).length).toBeGreaterThan(0)
})

it('deletes a thread with many child threads', async () => {
  const family = times(nth => `t/a#1/${nth}`)
  const store = {
    page: async () => [{ thread: 't', status: 'ended', at: -1_000 }],
    forks: async () => [],
    remove: async () => ['t', ...family],
  }
  expect(await pruneThreads(store as unknown as Store, 0, { keep: 1 })).toHaveLength(MANY + 1)
})

it('compares the bounds with many runs', () => {
  const spec = specOf({
    nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
  })
  const graph = { spec, machine: machineOfSpec(spec), graphs: {} }
  const runs = times(nth => ({ spent: { steps: nth } }))
  const bounds = boundsOf({ graph } as never, runs as never)
  expect(bounds?.steps).toMatchObject({ found: MANY - 1 })
})
