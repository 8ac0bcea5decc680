/** The bound: no run spends more, whatever its tools, models and people do, and adversaries come close to it. */
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { nestedIn } from '../../src/adapters/spec/library.ts'
import { bindLoaded, loadSpecs } from '../../src/host/drive/load.ts'
import { DEFAULT } from '../../src/core/graph/worst-case/limit.ts'
import { type Nested, worstCaseOf } from '../../src/core/graph/worst-case/worst-case.ts'
import type { Spec } from '../../src/core/graph/spec/spec.ts'
import { type Spent, SPENDABLE } from '../../src/core/watch/event/call-event.ts'
import type { CustomNode } from '../../src/kit/nodes/node.ts'
import { specOf } from '../graph/linted.ts'
import { graphOf, type Measured, measureWorst, type Behaviour } from './adversary.ts'
import type { LoadedSpec } from '../../src/host/drive/load.ts'
import { bounded } from './specs.ts'
import { randomBehaviour } from './behaviour.ts'

/** `BOUND_RUNS=10000 npx vitest run test/bound` looks longer. */
const RUNS = Number(process.env.BOUND_RUNS ?? 300)
vi.setConfig({ testTimeout: 120_000 + RUNS * 500 })

test('no adversary exceeds the bound of any graph', async () => {
  await fc.assert(
    fc.asyncProperty(bounded, randomBehaviour, async (spec, of) =>
      expectWithin({ spec, inside: () => undefined }, await measureWorst(graphOf(spec), of)),
    ),
    { numRuns: RUNS },
  )
})

/** Adversaries that want as much as they can get. */
const GREEDY: readonly Behaviour[] = (
  [
    { deeds: ['news'], sayings: ['one'], people: ['no'] },
    { deeds: ['news'], sayings: ['one'], people: ['on'] },
    { deeds: ['tired'], sayings: ['tooMany'], people: ['on'] },
    // These want tokens, and time.
    { deeds: ['news'], sayings: ['one'], people: ['on'], wordy: true },
    { deeds: ['deaf'], sayings: ['one'], people: ['on'] },
    { deeds: ['tired', 'worn'], sayings: ['one'], people: ['on'] },
    { deeds: ['weary'], sayings: ['tooMany'], people: ['on'] },
  ] as const
).map(temper => ({ seed: 1, wordy: false, undoes: false, ...temper }))

/** Who has to be asked answers once a drive: a hundred times as many answers take their time. */
const TIMES = RUNS >= 10_000 ? 100 : 10

const GRAPHS = join(import.meta.dirname, '..', '..', 'graphs')

/** Graphs that go round: their limits bind before their edges end. */
const ROUND = ['agent', 'approval', 'incident', 'night', 'release', 'ring', 'supervisor']

describe.each(
  readdirSync(GRAPHS).filter(
    file => file.endsWith('.yaml') && !/\.(script|scenario)\.yaml$/.test(file),
  ),
)('of %s', file => {
  test('an adversary never exceeds the bound, also with much higher limits', async () => {
    for (const greedy of GREEDY) {
      const loaded = raised(await loadSpecs(join(GRAPHS, file)), TIMES)
      expectWithin(loaded, await measureWorst(await bindLoaded(loaded), greedy))
    }
  })

  test('an adversary reaches half of the bound on steps and calls in a cyclic graph, and never exceeds it', async () => {
    const loaded = await loadSpecs(join(GRAPHS, file))
    const graph = await bindLoaded(loaded)
    const worst = worstCaseOf(loaded)
    const most = { steps: 0, toolCalls: 0 }
    for (const greedy of GREEDY) {
      const got = await measureWorst(graph, greedy)
      expectWithin(loaded, got)
      for (const unit of ['steps', 'toolCalls'] as const)
        most[unit] = Math.max(most[unit], got.run.watch.account.spent[unit])
    }
    if (!ROUND.includes(file.replace('.yaml', ''))) return
    for (const unit of ['steps', 'toolCalls'] as const)
      if (!worst[unit].because.includes(DEFAULT))
        expect(most[unit], `${unit}: ${worst[unit].because}`).toBeGreaterThanOrEqual(
          worst[unit].most / 2,
        )
  })
})

test('a time limit is exceeded only by the grace period for a write that ignores its signal', async () => {
  const nodes = {
    A: { use: 'tool', tool: 't', on: { done: 'B', error: 'B' } },
    B: { use: 'pass', on: { done: 'E' } },
    E: { final: 'success' },
  }
  const spec = specOf({
    nodes,
    tools: { t: { use: 'flaky', timeout: '19s', retry: 0, effects: 'write', idempotent: true } },
    limits: { duration: '20s' },
  })
  const deaf: Behaviour = {
    seed: 1,
    deeds: ['deaf'],
    sayings: ['one'],
    people: ['on'],
    wordy: false,
    undoes: false,
  }
  const got = await measureWorst(graphOf(spec), deaf)
  expectWithin({ spec, inside: () => undefined }, got)
  expect(got.run.watch.account.spent.duration).toBe(24_000)
})

test('a custom node that calls endlessly stops at the limit of one node', async () => {
  const nodes = {
    A: { use: './mine.ts#mine', on: { done: 'E', error: 'E' } },
    E: { final: 'success' },
  }
  const spec = specOf({
    nodes,
    tools: { t: { use: 'flaky' } },
    limits: { nodeCalls: 20 },
    failures: { recurring: false },
  })
  const tired: Behaviour = {
    seed: 1,
    deeds: ['tired'],
    sayings: ['one'],
    people: ['on'],
    wordy: false,
    undoes: false,
  }
  const mine: CustomNode = async task => {
    for (let nth = 0; ; nth++) await task.call('t', { nth })
  }
  const got = await measureWorst(graphOf(spec, { A: mine }), tired)
  expectWithin({ spec, inside: () => undefined }, got)
  expect(got.toolCalls).toBeGreaterThanOrEqual(30)
})

function expectWithin(nested: Nested, { run, toolCalls, modelCalls }: Measured): void {
  const bound = worstCaseOf(nested)
  const explanation = (unit: keyof Spent) => `${unit}: ${bound[unit].because}`
  const { spent } = run.watch.account
  for (const unit of SPENDABLE)
    expect(spent[unit], explanation(unit)).toBeLessThanOrEqual(bound[unit].most)
  expect(toolCalls, explanation('toolCalls')).toBeLessThanOrEqual(bound.toolCalls.most)
  expect(modelCalls, explanation('modelCalls')).toBeLessThanOrEqual(bound.modelCalls.most)
}

/** The graph, and all graphs inside it, with higher limits. */
function raised(loaded: LoadedSpec, times: number): LoadedSpec {
  const library = Object.fromEntries(
    Object.entries(loaded.library).map(([path, spec]) => [path, higher(spec, times)]),
  )
  const from = { file: resolve(loaded.file), spec: higher(loaded.spec, times) }
  return { ...loaded, ...from, library, inside: nestedIn(library, from).inside }
}

function higher(spec: Spec, times: number): Spec {
  const grown = Object.entries(spec.limits).map(([unit, limit]) => [
    unit,
    typeof limit === 'number' && unit !== 'depth' ? limit * times : limit,
  ])
  const scopes = Object.entries(spec.limits.scopes ?? {}).map(([name, scope]) => [
    name,
    {
      ...scope,
      ...Object.fromEntries(
        SPENDABLE.flatMap(unit => (scope[unit] === undefined ? [] : [[unit, scope[unit] * times]])),
      ),
    },
  ])
  return {
    ...spec,
    limits: {
      ...Object.fromEntries(grown),
      ...(scopes.length > 0 ? { scopes: Object.fromEntries(scopes) } : {}),
    },
  } as Spec
}
