/** The lanes of the budget and of channels, beside what the runtime holds at each event. */
import { expect, test } from 'vitest'
import { lineText } from '../../visualizer/src/design/format.ts'
import { nearestRepetition } from '../../visualizer/src/data/nearest-repetition.ts'
import { createTracks } from '../../visualizer/src/data/tracks.ts'
import { SPENDABLE } from '../../src/core/watch/event/call-event.ts'
import type { ThreadGraph } from '../../src/host/thread/thread-graph.ts'
import { GRAPHS, journalOf, type TestJournal } from './journals.ts'

const SPECS = GRAPHS.filter(file => file !== 'incident.yaml')

const tracksOf = ({ spec, rows }: TestJournal, names: readonly string[], until = rows.length) => {
  const fold = createTracks({ spec } as unknown as ThreadGraph, names)
  const { signal } = new AbortController()
  return { fold, first: fold.in(rows.slice(0, until), signal), all: () => fold.in(rows, signal) }
}

test.each(SPECS)(
  '%s: the budget lane never shows less than the runtime has used of a limit',
  async file => {
    const journal = await journalOf(file, 2)
    const { budget } = await tracksOf(journal, []).first
    for (const [seq, run] of journal.runs.entries()) {
      const { limits } = run.policy
      const parts = SPENDABLE.flatMap(unit => {
        const limit = limits[unit]
        return limit === undefined ? [] : [run.watch.account.spent[unit] / limit]
      })
      const shown = budget.findLast(use => use.seq <= seq)
      expect([seq, shown?.part ?? 0]).toEqual([
        seq,
        expect.closeTo(Math.min(1, Math.max(...parts)), 6),
      ])
    }
  },
)

test('a channel lane has each value from the event that wrote it', async () => {
  const journal = await journalOf('agent.yaml', 1)
  const names = ['results', 'thought', 'no such channel']
  const { channels } = await tracksOf(journal, names).first
  for (const [seq, run] of journal.runs.entries())
    for (const name of ['results', 'thought']) {
      const shown = channels.get(name)?.findLast(change => change.seq <= seq)?.text
      expect([seq, shown]).toEqual([seq, lineText(run.snapshot.context[name]) || '""'])
    }
  expect(channels.get('no such channel')).toEqual([])
})

test('rows that arrive later continue the lanes', async () => {
  const journal = await journalOf('agent.yaml', 1)
  const whole = await tracksOf(journal, ['results']).first
  const inParts = tracksOf(journal, ['results'], 20)
  await inParts.first
  expect(await inParts.all()).toEqual(whole)
})

test('before a finding, the repetition is named that comes nearest to one', async () => {
  const { rows } = await journalOf('agent.yaml', 1)
  const found = rows.findIndex(({ findings }) => findings.some(({ kind }) => kind === 'loop'))
  expect(nearestRepetition(rows, found - 1)).toEqual({
    states: ['act', 'observe', 'plan'],
    times: 2,
  })
  expect(nearestRepetition(rows, 5)).toBeUndefined()
  expect(nearestRepetition([], -1)).toBeUndefined()
})
