/** The places of events on the timeline. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { type Axis, eventAxis, timeAxis } from '../../visualizer/src/data/axis.ts'
import { densityOf } from '../../visualizer/src/data/density.ts'
import { extentIn, extentOf, extentText, WHOLE, zoomed } from '../../visualizer/src/data/extent.ts'
import { type Span, Spans } from '../../visualizer/src/data/spans.ts'
import { GRAPHS, journalOf } from './journals.ts'

/** Rows at these times, with events of the given types. */
const rowsAt = (times: readonly number[], typeOf = (_: number) => 'turn.started') =>
  times.map((at, seq) => ({ seq, event: { type: typeOf(seq), at } })) as unknown as readonly Row[]

const callFrom = (from: number, to: number, kind: Span['kind'] = 'tool'): Span => ({
  ...{ kind, name: 'search', from, to, startedAt: 0, endedAt: 0 },
  ...{ open: false, outcome: 'ok', attempts: 1 },
})

const byTime = (rows: readonly Row[], spans: readonly Span[] = [], folds = true) =>
  timeAxis({ rows, spans, folds })

function expectInOrder(axis: Axis, count: number) {
  let last = 0
  for (let seq = 0; seq < count; seq++) {
    expect(axis.startOf(seq)).toBeGreaterThanOrEqual(last - 1e-9)
    expect(axis.endOf(seq)).toBeGreaterThanOrEqual(axis.startOf(seq))
    expect(axis.endOf(seq)).toBeLessThanOrEqual(1 + 1e-9)
    last = axis.startOf(seq)
  }
}

test.each(GRAPHS)('the events of %s stand in order on both axes', async file => {
  const { rows } = await journalOf(file, 1)
  const spans = new Spans()
  for (const row of rows) spans.take(row)
  expectInOrder(eventAxis(rows.length - 1), rows.length)
  for (const folds of [true, false]) {
    const axis = byTime(rows, spans.all, folds)
    expectInOrder(axis, rows.length)
    expect(axis.endOf(rows.length - 1)).toBeCloseTo(1, 6)
  }
})

test('each place leads back to its event', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 }), steps => {
      let at = 1
      const rows = rowsAt([at, ...steps.map(step => (at += step))])
      for (const axis of [eventAxis(rows.length - 1), byTime(rows), byTime(rows, [], false)])
        for (const { seq } of rows)
          expect(axis.seqAt((axis.startOf(seq) + axis.endOf(seq)) / 2 + 1e-12)).toBe(seq)
    }),
  )
})

describe('by time', () => {
  test('a long time without a call takes little room, and has its length', () => {
    const axis = byTime(rowsAt([0, 100, 200, 7_200_200, 7_200_300]))
    expect(axis.folded).toMatchObject([{ after: 2, ms: 7_200_000 }])
    const [idle] = axis.folded
    expect((idle?.to ?? 1) - (idle?.from ?? 0)).toBeLessThan(0.05)
    expect(axis.startOf(1)).toBeGreaterThan(0.2)
  })

  test('a long call is not folded', () => {
    const rows = rowsAt([0, 100, 200, 7_200_200, 7_200_300])
    expect(byTime(rows, [callFrom(2, 3)]).folded).toEqual([])
    expect(byTime(rows, [callFrom(1, 2)]).folded).toHaveLength(1)
  })

  test('a node that works is not folded, and one that waits for a person is', () => {
    const rows = rowsAt([0, 100, 200, 7_200_200, 7_200_300])
    const node = callFrom(1, 4, 'state')
    expect(byTime(rows, [node]).folded).toEqual([])
    expect(byTime(rows, [node, callFrom(2, 3, 'question')]).folded).toHaveLength(1)
  })

  test('a second wait is found beside a much longer one', () => {
    const axis = byTime(rowsAt([0, 1_000, 86_400_000, 86_401_000, 86_461_000, 86_462_000]))
    expect(axis.folded.map(({ after }) => after)).toEqual([1, 3])
  })

  test('without folding, all times keep their length', () => {
    const rows = rowsAt([0, 100, 10_000])
    expect(byTime(rows, [], false).startOf(1)).toBeCloseTo(0.01)
    expect(byTime(rows, [], false).folded).toEqual([])
  })

  test('a clock that was set back takes no room', () => {
    expectInOrder(byTime(rowsAt([1_000, 2_000, 500, 3_000]), [], false), 4)
  })
})

describe('the shown part', () => {
  test('stays inside of the run, whatever is zoomed and moved', () => {
    const place = fc.double({ min: -3, max: 3, noNaN: true })
    fc.assert(
      fc.property(place, place, fc.double({ min: 0.01, max: 9, noNaN: true }), (a, b, factor) => {
        for (const part of [extentOf(a, b), zoomed(extentOf(a, b), factor, 0.5)]) {
          expect(part.from).toBeGreaterThanOrEqual(0)
          expect(part.to).toBeLessThanOrEqual(1 + 1e-9)
          expect(part.to - part.from).toBeGreaterThan(0.004)
        }
      }),
    )
  })

  test('is named by an address, and a wrong name is the whole run', () => {
    expect(extentText(WHOLE)).toBeUndefined()
    expect(extentIn(extentText({ from: 0.25, to: 0.5 }))).toEqual({ from: 0.25, to: 0.5 })
    expect(extentIn('here')).toEqual(WHOLE)
    expect(extentIn(undefined)).toEqual(WHOLE)
    expect(extentIn('1.2.3-4')).toEqual(WHOLE)
  })
})

test('the density counts each event once, and the failed ones', () => {
  const rows = rowsAt([0, 10, 20, 30, 1_000], seq => (seq === 3 ? 'tool.failed' : 'tool.called'))
  const density = densityOf(rows, byTime(rows, [], false), 10)
  expect(density.map(({ events }) => events)).toEqual([4, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(density.map(({ failed }) => failed)).toEqual([1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
})
