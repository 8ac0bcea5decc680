/** Scenarios are read with the path and the expectation of each fault. */
import { expect, test } from 'vitest'
import { targetFaults } from '../../src/simulate/scenario/check.ts'
import {
  parseScenario,
  readScenario,
  scenarioJsonSchema,
} from '../../src/simulate/scenario/scenario.ts'

const VALID = { scenario: 1, name: 'storm', graph: './shop.yaml' } as const
const timeout = { id: 'slow', on: 'tool:stock', what: { timeout: '30s' } } as const

function faultsOf(change: object): readonly string[] {
  const { faults = [] } = readScenario({ ...VALID, ...change })
  return faults.map(({ path, message }) => `${path}: ${message}`)
}

test('a scenario gets its defaults', () => {
  const scenario = parseScenario({ ...VALID, faults: [timeout] })
  expect(scenario.policies).toEqual({ default: {} })
  expect(scenario.seeds).toEqual({ from: 1, count: 100 })
  expect(scenario.faults[0]).toMatchObject({
    how: 'always',
    arm: 1,
    on: { kind: 'tool', pattern: 'stock' },
    what: { timeout: 30_000 },
  })
})

test.each([
  [
    'a newer version',
    { scenario: 2 },
    'scenario: is written for version 2 of the notation; this build understands version 1: upgrade escapement',
  ],
  ['too many seeds', { seeds: 1_000_001 }, 'seeds: Too big: expected number to be <=1000000'],
  ['a range of no seeds', { seeds: [9, 1] }, 'seeds: expected [first, last] of 1 to 1000000 seeds'],
  [
    'a range of too many seeds',
    { seeds: [1, 1_000_001] },
    'seeds: expected [first, last] of 1 to 1000000 seeds',
  ],
  ['an unknown key', { fault: [] }, "fault: is unknown; did you mean 'faults'?"],
  [
    'an unknown kind of target',
    { faults: [{ ...timeout, on: 'tools:stock' }] },
    'faults[0].on: expected tool:NAME, model:NAME, human or commit; * stands for any text',
  ],
  [
    'a probability above 1',
    { faults: [{ ...timeout, how: { p: 1.2 } }] },
    'faults[0].how.p: Too big: expected number to be <=1',
  ],
  [
    'two processes',
    { faults: [{ ...timeout, how: { p: 0.1, every: 2 } }] },
    /^faults\[0\]\.how: expected exactly one of: p, nth, every/,
  ],
  [
    'a burst without length',
    { faults: [{ ...timeout, how: { burst: { enter: '1m', exit: 0 } } }] },
    'faults[0].how.burst.exit: expected a duration above 0',
  ],
  [
    'an outage after heal',
    { heal: '1m', faults: [{ ...timeout, how: { outage: { at: '2m', for: '1m' } } }] },
    'faults[0].how.outage: starts at 2m, and heal ends all faults at 1m; it cannot occur',
  ],
  [
    'a limit of 0',
    { faults: [{ ...timeout, limit: 0 }] },
    'faults[0].limit: is 0, so the fault cannot occur; remove the fault',
  ],
  [
    'an effect of another target',
    { faults: [{ ...timeout, what: 'repeat' }] },
    /^faults\[0\]\.what: 'repeat' is not possible on tool; expected one of: error, timeout, hang/,
  ],
  [
    'an unknown effect',
    { faults: [{ on: 'model:*', id: 'x', what: { slow_down: true } }] },
    /^faults\[0\]\.what\.slow_down: is unknown; expected one of: error, [^\n]*$/,
  ],
  [
    'a known effect beside an unknown one',
    { faults: [{ on: 'model:*', id: 'x', what: { hang: true, slow_down: true } }] },
    /^faults\[0\]\.what\.slow_down: is unknown; expected one of: error, [^\n]*$/,
  ],
  [
    'no effect',
    { faults: [{ on: 'model:*', id: 'x', what: {} }] },
    /^faults\[0\]\.what: expected exactly one of: error, [^\n]*$/,
  ],
  [
    'an id that is used twice',
    { faults: [timeout, timeout] },
    "faults[1].id: 'slow' is used twice",
  ],
  [
    'a missing earlier fault',
    { faults: [{ ...timeout, when: { afterFault: 'slwo' } }] },
    "faults[0].when.afterFault: did you mean 'slow'?",
  ],
  [
    'a condition with an error',
    { oracle: { never: ['steps > 3', 'stepz > 3'] } },
    /^oracle\.never\[1\]: CEL: Unknown variable: stepz at column 1 of `stepz > 3`; expected one of: .*\bsteps\b/,
  ],
  [
    'a gate of an unknown policy',
    { gates: ['naive.success.low > 0.5'] },
    /^gates\[0\]: CEL: Unknown variable: naive at column 1/,
  ],
])('%s is a fault with its path', (_, change, expected) => {
  const faults = faultsOf(change)
  expect(faults).toHaveLength(1)
  if (typeof expected === 'string') expect(faults[0]).toBe(expected)
  else expect(faults[0]).toMatch(expected)
})

test('a target that the graph lacks is a fault with the name that was meant', () => {
  const { faults } = parseScenario({ ...VALID, faults: [{ ...timeout, on: 'tool:stok' }] })
  expect(targetFaults(faults, { tool: ['stock'], model: [] })).toEqual([
    { path: 'faults[0].on', message: "the graph has no tool 'stok'; did you mean 'stock'?" },
  ])
})

test.each([
  ['tool:*', 'the graph has no tools; this fault cannot occur'],
  ['model:*', 'the graph has no models; this fault cannot occur'],
  ['tool:stock', 'the graph has no tools; this fault cannot occur'],
])('a target %s in a graph without any says so', (on, message) => {
  const { faults } = parseScenario({ ...VALID, faults: [{ ...timeout, on }] })
  expect(targetFaults(faults, { tool: [], model: [] })).toEqual([{ path: 'faults[0].on', message }])
})

test('a value that is not a map is a fault', () => {
  expect(readScenario(null).faults?.[0]?.message).toMatch('expected a map')
})

test('editors get a JSON Schema', () => {
  expect(JSON.stringify(scenarioJsonSchema())).toContain('"lostAck"')
})

test('ablation adds policies that lack one part of the policy under test', () => {
  const { policies } = parseScenario({
    ...VALID,
    ablate: true,
    policies: { default: { escape: { ladder: ['retry', 'rethink', 'stop'] } } },
  })
  expect(policies.without_rethink).toEqual({ escape: { ladder: ['retry', 'stop'] } })
  expect(policies.without_sequence).toMatchObject({ detect: { sequence: false } })
  expect(policies).not.toHaveProperty('without_stop')
})
