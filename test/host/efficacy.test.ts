/** Whether the ways out helped, from the threads of a store. */
import { expect, test } from 'vitest'
import { efficacyIn, efficacyOf, problemsIn } from '../../src/host/efficacy.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { differenceOf, wilson } from '../../src/simulate/statistics/interval.ts'
import { shop, subjectOf, TURNS } from '../simulate/fixture.ts'

const STORM = { id: 'storm', on: 'tool:stock', how: { nth: [1] }, what: { error: 'transient' } }
const DEAD = { id: 'dead', on: 'tool:stock', what: { error: 'persistent' } }

const again = { calls: [{ tool: 'stock', args: { item: 'wall clock' } }], times: 'always' as const }

test('a retry and an escape are noted with the tool, the class of the failure, and the kind of the loop', async () => {
  const storm = await simulate(subjectOf(shop(TURNS), { faults: [STORM as never] }), { seed: 1 })
  expect([...problemsIn(storm.journal)]).toEqual([['stock\ttransient', new Set(['retry'])]])
  const loop = await simulate(subjectOf(shop([again]), {}), { seed: 1 })
  const found = [...problemsIn(loop.journal)]
  expect(found.map(([key]) => key)).toContainEqual(expect.stringMatching(/^stock.*\tloop$/))
  expect(found.flatMap(([, rungs]) => [...rungs])).toContain('stop')
})

test('a store shows the part of the threads that reached the goal with a rung and without it', async () => {
  const store = memoryStore()
  const run = async (thread: string, faults: object[], policy: object = {}) =>
    simulate(subjectOf(shop(TURNS, policy as never), { faults: faults as never }), {
      ...{ seed: 1, store, thread },
    })
  for (const name of ['a', 'b']) await run(name, [STORM])
  await run('once', [STORM], { retry: { attempts: 1 }, limits: { mistakes: 1 } })
  await run('dead', [DEAD])
  await run('healthy', [])
  const { threads, efficacy } = await efficacyIn(store)
  expect(threads).toBe(5)
  expect(efficacy[0]).toMatchObject({
    ...{ subject: 'stock', problem: 'transient', rung: 'retry' },
    used: { count: 2, of: 2 },
  })
  expect(await efficacyIn(store, { graph: 'other' })).toEqual({ threads: 0, efficacy: [] })
})

test('a rung that raises completion is separated from one that does not', () => {
  const threads = (count: number, rungs: readonly string[], succeeded: boolean) =>
    Array.from({ length: count }, () => ({
      problems: new Map([['search\ttransient', new Set(rungs)]]),
      succeeded,
    }))
  const all = [
    ...threads(40, ['retry'], true),
    ...threads(10, ['retry'], false),
    ...threads(10, ['wait'], true),
    ...threads(40, ['wait'], false),
  ]
  const [retry, wait] = efficacyOf(all)
  expect(retry).toMatchObject({ rung: 'retry', used: { rate: 0.8 }, unused: { rate: 0.2 } })
  expect(retry?.difference.low).toBeGreaterThan(0.4)
  expect(wait?.difference.high).toBeLessThan(-0.4)
})

test('the interval of a difference is that of Newcombe, method 10', () => {
  // His example: 56 of 70 against 48 of 80.
  const { difference, low, high } = differenceOf(wilson(56, 70), wilson(48, 80))
  expect(difference).toBeCloseTo(0.2, 10)
  expect([low, high].map(value => value.toFixed(4))).toEqual(['0.0524', '0.3339'])
})
