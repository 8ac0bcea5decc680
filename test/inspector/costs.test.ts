/** The costs of a run in the page, beside those that the runtime counts. */
import { expect, test } from 'vitest'
import { Costs } from '../../visualizer/src/data/costs.ts'
import { GRAPHS, journalOf } from './journals.ts'

test.each(GRAPHS)('the costs of %s add up to what the runtime counts', async file => {
  const { rows, runs } = await journalOf(file, 3)
  const costs = new Costs()
  for (const [seq, run] of runs.entries()) {
    const lines = costs.until(rows, seq)
    const sum = (of: (cost: (typeof lines)[number]) => number) =>
      lines.reduce((all, cost) => all + of(cost), 0)
    const { tokens, usd } = run.watch.account.spent
    expect([seq, sum(({ input, output }) => input + output)]).toEqual([seq, tokens])
    expect(sum(cost => cost.usd)).toBeCloseTo(usd, 9)
  }
})

test('the error rate of a tool is the part of its attempts that failed or were refused', async () => {
  const { rows } = await journalOf('agent.yaml', 3)
  const [cost] = new Costs().until(rows, rows.length).filter(({ state }) => state === 'act')
  const of = (...types: readonly string[]) =>
    rows.filter(
      ({ event }) => types.includes(event.type) && 'effect' in event && /^act#/.test(event.effect),
    ).length
  const failed = of('tool.failed', 'circuit.refused')
  expect(failed).toBeGreaterThan(2)
  expect(cost).toMatchObject({ failed, attempts: of('tool.called', 'circuit.refused') })
})

test('the costs at an event are the same after a look at a later one', async () => {
  const { rows } = await journalOf('agent.yaml', 3)
  const costs = new Costs()
  costs.until(rows, rows.length)
  for (const { seq } of rows.toReversed())
    expect(costs.until(rows, seq)).toEqual(new Costs().until(rows, seq))
})
