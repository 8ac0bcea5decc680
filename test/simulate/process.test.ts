/** Processes: by the number of the call, by virtual time, and by the calls of the agent. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chanceOf } from '../../src/simulate/process/chance.ts'
import { overload, quota } from '../../src/simulate/process/demand.ts'
import { occurrence } from '../../src/simulate/process/occurrence.ts'
import { burst, correlated, degraded, flap } from '../../src/simulate/process/spans.ts'
import type { Process } from '../../src/simulate/scenario/process.ts'

function occursAt(process: Process, seed = 1) {
  const chance = chanceOf(seed)
  return occurrence(process, {
    time: (...purpose) => chance('f', ...purpose),
    own: (...purpose) => chance('f', 'own', ...purpose),
    call:
      ({ drawKey }) =>
      (...purpose) =>
        chance('f', drawKey, ...purpose),
  })
}

const calls = (process: object, count = 10) => {
  const occurs = occursAt(process as Process)
  const indexes = Array.from({ length: count }, (_, index) => index + 1)
  return indexes.filter(index => occurs({ index, drawKey: String(index), at: index * 1_000 }))
}

test.each([
  ['always', 'always', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ['nth', { nth: [2, 5] }, [2, 5]],
  ['every', { every: 3 }, [3, 6, 9]],
  ['first', { first: 2 }, [1, 2]],
  ['after', { after: 8 }, [9, 10]],
  ['outage', { outage: { at: 3_000, for: 2_000 } }, [3, 4]],
  ['any', { any: [{ nth: [1] }, { every: 5 }] }, [1, 5, 10]],
  ['all', { all: [{ after: 4 }, { every: 3 }] }, [6, 9]],
  ['not', { not: { after: 3 } }, [1, 2, 3]],
  ['rate', { rate: { limit: 2, per: 4_000, penalty: 0 } }, [4, 6, 8, 10]],
])('%s', (_, process, expected) => {
  expect(calls(process as object)).toEqual(expected)
})

test('a probability holds over many calls', () => {
  const { length } = calls({ p: 0.3 }, 4_000)
  expect(length / 4_000).toBeCloseTo(0.3, 1)
})

describe('spans of time', () => {
  const times = Array.from({ length: 200 }, (_, index) => index * 997)

  test('are the same whatever the order in which they are asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000 }), fc.shuffledSubarray(times), (seed, some) => {
        const make = () => burst({ enter: 20_000, exit: 5_000 }, chanceOf(seed))
        const [one, other] = [make(), make()]
        const inOrder = new Map(times.map(at => [at, one(at)]))
        for (const at of some) expect(other(at)).toBe(inOrder.get(at))
      }),
      { numRuns: 50 },
    )
  })

  test('a burst has the mean lengths', () => {
    const active = burst({ enter: 30_000, exit: 10_000 }, chanceOf(3))
    const many = Array.from({ length: 20_000 }, (_, index) => index * 500)
    expect(many.filter(active).length / many.length).toBeCloseTo(0.25, 1)
  })

  test('a flap has its duty cycle, and a phase for each seed', () => {
    const starts = [1, 2, 3, 4, 5, 6, 7, 8].map(seed =>
      flap({ up: 30_000, down: 30_000, jitter: 0 }, chanceOf(seed))(0),
    )
    expect(new Set(starts).size).toBe(2)
  })

  test('degrade is a ramp', () => {
    const ramp = { from: 0.2, to: 0.8, over: 60_000 }
    expect([0, 30_000, 90_000].map(at => degraded(ramp, at))).toEqual([0.2, 0.5, 0.8])
  })
})

test('a quota with a penalty refuses a caller that does not wait', () => {
  const refuses = quota({ limit: 1, per: 1_000, penalty: 5_000 })
  expect([0, 100, 2_000, 6_000].map(refuses)).toEqual([false, true, true, false])
})

test('a service above its knee fails in proportion', () => {
  const fails = overload({ knee: 2, per: 1_000 })
  expect([0, 10, 20, 30, 5_000].map(at => fails(at, 0.6))).toEqual([
    false,
    false,
    false,
    true,
    false,
  ])
})

describe('correlated spans', () => {
  const members = (rho: number) => {
    const chance = chanceOf(3)
    const at = (name: string) =>
      correlated(
        { p: 0.3, rho, per: 1_000 },
        (...of) => chance('group', ...of),
        (...of) => chance(name, ...of),
      )
    const [one, other] = [at('one'), at('other')]
    const times = Array.from({ length: 20_000 }, (_, span) => span * 1_000)
    const mean = (test: (time: number) => boolean) => times.filter(test).length / times.length
    const p = mean(one)
    const both = mean(time => one(time) && other(time))
    return { p, correlation: (both - p * mean(other)) / (p * (1 - p)) }
  }

  test.each([0, 0.5, 0.8, 1])('have the correlation %d, and the same probability', rho => {
    const { p, correlation } = members(rho)
    expect(p).toBeCloseTo(0.3, 1)
    expect(Math.abs(correlation - rho)).toBeLessThan(0.03)
  })

  test('last for the whole span', () => {
    const chance = chanceOf(1)
    const active = correlated({ p: 0.5, rho: 0.5, per: 1_000 }, chance, chance)
    for (let span = 0; span < 50; span++)
      expect(active(span * 1_000)).toBe(active(span * 1_000 + 999))
  })
})
