/** The questions on the timeline, beside those that the runtime has open. */
import { expect, test } from 'vitest'
import { questionsOf } from '../../src/core/run/view.ts'
import { askingIn, Spans } from '../../visualizer/src/data/spans.ts'
import { GRAPHS, journalOf } from './journals.ts'

test.each(GRAPHS)('%s has as many open questions on the timeline as in the runtime', async file => {
  const { graph, rows, runs } = await journalOf(file, 1)
  const spans = new Spans(askingIn(graph.machine.chart))
  for (const [seq, row] of rows.entries()) {
    spans.take(row)
    const open = spans.things.filter(({ kind, open }) => kind === 'question' && open)
    const asked = row.ended ? [] : questionsOf({ pending: runs[seq]?.pending ?? [] })
    expect([seq, open.length]).toEqual([seq, asked.length])
  }
})
