/** The costs of a run in the page, beside those that the runtime counts. */
import { expect, test } from 'vitest'
import { costsIn } from '../../visualizer/src/data/costs.ts'
import { GRAPHS, journalOf } from './journals.ts'

test.each(GRAPHS)('the costs of %s add up to what the runtime counts', async file => {
  const { rows, runs } = await journalOf(file, 3)
  for (const [seq, run] of runs.entries()) {
    const costs = costsIn(rows, seq)
    const sum = (of: (cost: (typeof costs)[number]) => number) =>
      costs.reduce((all, cost) => all + of(cost), 0)
    const { tokens, usd } = run.watch.account.spent
    expect([seq, sum(({ input, output }) => input + output)]).toEqual([seq, tokens])
    expect(sum(cost => cost.usd)).toBeCloseTo(usd, 9)
  }
})
