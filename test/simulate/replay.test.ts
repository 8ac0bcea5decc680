/** A stored journal as a cassette, until the run makes another call. */
import { expect, test } from 'vitest'
import { replayThread } from '../../src/simulate/replay/replay.ts'
import { parseScenario, type ScenarioInput } from '../../src/simulate/scenario/scenario.ts'
import { inShop, shop } from './fixture.ts'

const scenario = (faults: ScenarioInput['faults']) =>
  parseScenario({ scenario: 1, name: 'replay', graph: 'recorded', faults })

/** A run with retries, and what its tools answered then. */
const recorded = () =>
  inShop([{ id: 'down', on: 'tool:stock', how: { first: 2 }, what: { error: 'transient' } }], {
    create: () => ({ tools: { stock: () => ({ left: 3 }), order: () => ({ number: 17 }) } }),
  })

/** A model that would say something else. */
const other = () => shop([{ say: 'Something else.', times: 'always' }])

test('without faults, every call is answered from the journal, with its failures and its times', async () => {
  const { journal, took } = await recorded()
  const run = await replayThread({ graph: other(), rows: journal })
  expect(run.differsAt).toBeUndefined()
  expect(run.divergence).toBeUndefined()
  expect(run.took).toBe(took)
  expect(JSON.stringify(run.journal)).toContain('"number":17')
})

test('one changed answer is seen by the rest of the run', async () => {
  const { journal } = await recorded()
  const lie = { id: 'lie', on: 'tool:order', what: { wrong: { value: { number: 99 } } } } as const
  const run = await replayThread({ graph: other(), rows: journal, scenario: scenario([lie]) })
  expect(JSON.stringify(run.journal)).toContain('"number":99')
  expect(run.divergence).toBeUndefined()
})

test('from the first call that is not recorded, calls fail or are answered by the graph', async () => {
  const { journal } = await recorded()
  const down = {
    id: 'down',
    on: 'model:fast',
    how: { nth: [3] },
    what: { error: 'transient' },
  } as const
  const options = { graph: other(), rows: journal, scenario: scenario([down]) }
  const failed = await replayThread(options)
  expect(failed.divergence).toEqual({ call: 'plan#3/1', attempt: 2, subject: 'fast' })
  expect(failed.outcome).toBe('stopped dirty')
  const live = await replayThread({ ...options, onMiss: 'scripted' })
  expect(live.outcome).toBe('success')
  expect(live.output).toEqual({ answer: 'Something else.' })
})

test('a part of a journal is refused', async () => {
  const { journal } = await recorded()
  await expect(replayThread({ graph: other(), rows: journal.slice(1) })).rejects.toThrow(
    'rows: expected a whole journal, from its first event',
  )
})

test('conditions on the fake system are not judged: recorded answers do not change it', async () => {
  const { journal } = await recorded()
  const oracle = {
    never: ['system.orders > 1', 'toolCalls > 100'],
    eventually: [{ is: 'system.orders == 1', steps: 9 }],
    correct: 'system.orders == 1',
  }
  const given = parseScenario({ scenario: 1, name: 'replay', graph: 'recorded', oracle })
  const run = await replayThread({ graph: other(), rows: journal, scenario: given })
  expect(run).toMatchObject({ outcome: 'success', violations: [] })
  expect(run.notJudged).toEqual(['system.orders > 1', 'system.orders == 1'])
  const facts = { ...given, oracle: { ...given.oracle, never: ['toolCalls > 0'] } }
  const judged = await replayThread({ graph: other(), rows: journal, scenario: facts })
  expect(judged.violations).toMatchObject([{ condition: 'toolCalls > 0' }])
  expect(await replayThread({ graph: other(), rows: journal })).not.toHaveProperty('notJudged')
})
