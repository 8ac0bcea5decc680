/** True loops: equal requests without progress of the fake system, whether a detector finds them or not. */
import { expect, test } from 'vitest'
import { inShop, shop, subjectOf, TURNS } from './fixture.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'

/** A shop in which every answer, or only the first one, is progress. */
function create(all: boolean) {
  let [answers, progress] = [0, 0]
  return {
    tools: {
      stock: () => {
        answers++
        if (all || answers === 1) progress++
        return { left: all ? answers : 10 }
      },
    },
    progress: () => progress,
  }
}

const look = { calls: [{ tool: 'stock', args: { item: 'wall clock' } }], times: 'always' as const }

test('a loop without progress is found at or after its onset, without a false alarm', async () => {
  const { truth, findings } = await inShop([], { turns: [look], create: () => create(false) })
  expect(findings[0]?.kind).toBe('loop')
  expect(truth?.falseAlarms).toBe(0)
  const [loop] = truth?.loops ?? []
  expect(loop?.noticed).toBeGreaterThan(loop?.onset ?? Number.POSITIVE_INFINITY)
})

test('without a detector, a loop is certain and not noticed', async () => {
  const graph = shop([look], {
    mode: 'observe',
    limits: { steps: 30 },
    detect: {
      sequence: false,
      repetition: false,
      recurrence: false,
      stale: false,
      sameAnswer: false,
    },
  })
  const { truth } = await simulate(
    subjectOf(graph, {}, () => create(false)),
    { seed: 1 },
  )
  expect(truth?.loops).toEqual([{ onset: expect.any(Number), certain: expect.any(Number) }])
})

test('requests that each make progress are healthy', async () => {
  const turns = [look, look, look, look, { say: 'Done.', times: 'always' as const }].map(
    (turn, index) => (index < 4 ? { ...look, times: 1 } : turn),
  )
  const { truth } = await inShop([], { turns, create: () => create(true) })
  expect(truth).toMatchObject({ loops: [], falseAlarms: 0 })
  expect(truth?.healthySteps).toBeGreaterThan(8)
})

test('without progress of the system, the truth is absent', async () => {
  expect((await inShop([], { turns: TURNS })).truth).toBeUndefined()
})
