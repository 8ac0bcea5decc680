/** Policies meet the same weather: their difference varies less than that of independent runs. */
import { expect, test } from 'vitest'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { faultsOfSeed } from '../../src/simulate/inject/decide.ts'
import { Injector } from '../../src/simulate/inject/injector.ts'
import { simulate, type Subject } from '../../src/simulate/run/simulate.ts'
import { parseScenario } from '../../src/simulate/scenario/scenario.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { NEIGHBORS } from '../lab/measure.ts'
import { COMPARED, gainOf } from '../lab/paired.ts'

const storm = parseScenario({
  scenario: 1,
  name: 'storm',
  faults: [{ id: 'storm', on: 'tool:*', how: { p: 0.5 }, what: { error: 'transient' } }],
})

/** Whether the first attempt of each request fails, if each request takes this many attempts. */
function firstAttempts(attempts: number): readonly boolean[] {
  const injector = new Injector({
    decide: faultsOfSeed(storm, 7),
    clock: virtualClock(),
    seed: 7,
  })
  return Array.from({ length: 50 }, (_, visit) => {
    const met = Array.from({ length: attempts }, (_, attempt) =>
      injector.meet('tool', 'search', {
        node: 'plan',
        visit,
        attempt: attempt + 1,
        request: `t/plan#${visit}/1`,
      }),
    )
    return met[0]?.hits.length === 1
  })
}

test('more attempts of a policy do not change the faults of later requests', () => {
  expect(new Set(firstAttempts(1))).toEqual(new Set([true, false]))
  expect(firstAttempts(4)).toEqual(firstAttempts(1))
})

test('attempts of one request have independent faults', () => {
  const injector = new Injector({ decide: () => [], clock: virtualClock(), seed: 7 })
  const draws = Array.from({ length: 20 }, (_, attempt) =>
    injector
      .meet('tool', 'search', { node: 'plan', visit: 1, attempt: attempt + 1, request: 'one' })
      .chance('latency'),
  )
  expect(new Set(draws).size).toBe(20)
})

test('on the same seeds, the difference of two policies varies at least five times less than on different seeds', async () => {
  const { subjects } = await loadScenario('scenarios/flapping.scenario.yaml', NEIGHBORS)
  const callsOf = async (policy: string) => {
    const values: number[] = []
    for (let seed = 1; seed <= 40; seed++)
      values.push(COMPARED['tool calls'](await simulate(subjects[policy] as Subject, { seed })))
    return values
  }
  const gain = gainOf(await callsOf('default'), await callsOf('eager'))
  expect(gain?.times).toBeGreaterThanOrEqual(5)
})
