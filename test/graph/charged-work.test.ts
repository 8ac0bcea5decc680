/** The work of an import that is charged to its budget: checks by schemas, merges and hashes. */
import { expect, test } from 'vitest'
import { OverBudget } from '../../src/core/graph/cel/cost.ts'
import type { AgentMachine } from '../../src/core/graph/agent-machine.ts'
import { defineGraph, node } from '../../src/index.ts'

const KEYS = 1_000
const ITEMS = 100
const MAP = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, 1]))
const CONSTANTS = Array.from({ length: 100 }, (_, index) => ({ const: index }))

const work = node({}, async () => ({}))
const labeled = { when: { low: 'n < 0' } }

const { machine } = defineGraph({
  id: 'g',
  start: 'a',
  channels: {
    m: { type: 'object', reducer: 'merge', default: MAP },
    c: { type: 'array', items: { anyOf: CONSTANTS }, reducer: 'append' },
    n: { type: 'number', default: 0 },
    t: { type: 'string', default: '' },
  },
  progress: 'n',
  nodes: {
    a: {
      use: work,
      out: ['m', 'c'],
      ...labeled,
      on: { done: 'end' },
    },
    end: { final: 'success' },
  },
})
// XState takes the first step.
const { context } = machine.start({}).snapshot
const items = Array<number>(ITEMS).fill(0)

const costOf = (work: (of: AgentMachine, budget: { left: number }) => unknown): number => {
  const budget = { left: 1e9 }
  work(machine, budget)
  return 1e9 - budget.left
}

test('checks are charged for each item and alternative', () => {
  const least = 4 * ITEMS * CONSTANTS.length
  expect(
    costOf((of, budget) => of.applyOutput('a', context, { c: [items] }, budget)),
  ).toBeGreaterThan(least)
  expect(costOf((of, budget) => of.checkInput({ c: [items] }, budget))).toBeGreaterThan(least)
})

test('a merge is charged for each key of the merged map', () => {
  const least = 20 * KEYS
  expect(
    costOf((of, budget) => of.applyOutput('a', context, { m: { z: 1 }, c: [] }, budget)),
  ).toBeGreaterThan(least)
  expect(costOf((of, budget) => of.restart(context, { m: { z: 1 } }, budget))).toBeGreaterThan(
    least,
  )
  expect(costOf((of, budget) => of.start({ m: { z: 1 } }, budget))).toBeGreaterThan(least)
})

test('a value is charged when it is hashed, once', () => {
  const text = 'x'.repeat(160_000)
  const hash = (of: AgentMachine, budget: { left: number }) =>
    of.hashOf({ ...context, t: text }, [], budget)
  expect(costOf(hash)).toBeGreaterThan(10_000 + 4 * KEYS)
  expect(costOf(hash)).toBeLessThan(10)
})

test('a budget that is used up ends the work, and nothing of it is remembered', () => {
  const over = () => ({ left: -1 })
  const next = { ...context, n: 7, t: 'y' }
  expect(() => machine.applyOutput('a', context, { m: {}, c: [] }, over())).toThrow(OverBudget)
  expect(() => machine.applyOutput('a', context, {}, over())).toThrow(OverBudget)
  expect(() => machine.checkInput({ c: [0] }, over())).toThrow(OverBudget)
  expect(() => machine.hashOf(next, [], over())).toThrow(OverBudget)
  expect(() => machine.measure(next, over())).toThrow(OverBudget)
  expect(machine.measure(next)).toBe(7)
})

test('items after the budget is used up are not checked', () => {
  const budget = { left: 4 * ITEMS * CONSTANTS.length }
  const many = Array<readonly number[]>(1_000).fill(items)
  expect(() => machine.applyOutput('a', context, { m: {}, c: many }, budget)).toThrow(OverBudget)
  expect(budget.left).toBeGreaterThan(-2 * 4 * ITEMS * CONSTANTS.length)
})
