/** What the page makes of all rows: it reads each row once, and a look at the past finds its place without reading them again. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { Matching } from '../../visualizer/src/data/matching.ts'
import { Messages } from '../../visualizer/src/data/messages.ts'
import { countSeqsUntil } from '../../visualizer/src/data/sorted.ts'
import { Spans } from '../../visualizer/src/data/spans.ts'
import { Tail } from '../../visualizer/src/data/tail.ts'
import { journalOf } from './journals.ts'

test('reads each row once, whenever it is asked', async () => {
  const { rows } = await journalOf('agent.yaml', 1)
  fc.assert(
    fc.property(fc.subarray([...rows.keys()]), cuts => {
      const arrived: Row[] = []
      const taken: number[] = []
      const tail = new Tail(arrived, { take: ({ seq }) => taken.push(seq) })
      for (const cut of [...cuts, rows.length]) {
        arrived.push(...rows.slice(arrived.length, cut))
        expect(tail.current).toBeDefined()
        expect(taken).toEqual(arrived.map(({ seq }) => seq))
      }
    }),
  )
})

test('keeps messages, spans and matches in the order of their events', async () => {
  const { rows } = await journalOf('agent.yaml', 1)
  const messages = new Tail(rows, new Messages()).current.all
  const spans = new Tail(rows, new Spans()).current
  const { seqs } = new Tail(rows, new Matching('TOOL.done')).current
  expect(messages.length).toBeGreaterThan(2)
  expect(messages.map(({ seq }) => seq)).toEqual(messages.map(({ seq }) => seq).toSorted(ascending))
  expect(seqs).toEqual(rows.flatMap(({ seq, event }) => (event.type === 'tool.done' ? seq : [])))
  const calls = new Set(rows.flatMap(({ event }) => ('call' in event && event.call) || []))
  const { model = 0, tool = 0 } = spans.counts
  expect(model + tool).toBe(calls.size)
  expect(spans.things.filter(({ open }) => open)).toEqual([])
})

test('finds the place of any event among sorted events', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(60)), fc.integer({ min: -1, max: 61 }), (some, at) => {
      const seqs = some.toSorted(ascending)
      expect(countSeqsUntil(seqs, at)).toBe(seqs.filter(seq => seq <= at).length)
    }),
  )
})

const ascending = (a: number, b: number): number => a - b
