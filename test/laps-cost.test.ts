/** The laps of a forged finding: neither its events nor the depth of values multiplies the work. */
import { expect, test } from 'vitest'
import { lapsOf } from '../src/core/review/laps.ts'
import type { Row } from '../src/core/run/run.ts'
import { NOTHING_SPENT } from '../src/core/watch/event/call-event.ts'
import type { Finding } from '../src/core/watch/event/event.ts'
import type { Json } from '../src/index.ts'

const rowsOf = (outputs: readonly Json[]): readonly Row[] =>
  outputs.map(
    (output, seq): Row => ({
      seq,
      event: { type: 'node.done', effect: `A#${seq}`, region: '', output, at: 0 },
      findings: [],
      edges: [],
      verdict: { kind: 'continue' },
    }),
  )

const findingOf = (events: readonly number[]): Finding => ({
  ...{ kind: 'loop', detector: 'recurrence', region: '', id: 'x', members: ['A'], states: ['A'] },
  ...{ period: 1, repeats: events.length, onset: 0, noticed: 1e6, events, burned: NOTHING_SPENT },
  reason: { code: 'no-savepoint' },
})

const WITHIN = 3_000

test('a finding with many events beside many rows', () => {
  const rows = rowsOf(Array.from({ length: 40_000 }, () => null))
  const start = performance.now()
  const { leftOut } = lapsOf(rows, findingOf(Array.from({ length: 10_000 }, (_, at) => 4 * at)))
  expect(leftOut).toBe(9_995)
  expect(performance.now() - start).toBeLessThan(WITHIN)
})

test('values that differ below many levels', () => {
  const within = (value: Json): Json =>
    Array.from({ length: 250 }).reduce<Json>(inner => ({ b: inner, a: 1 }), value)
  const rows = rowsOf([0, 1, 2, 3].map(at => within([at, 'x'.repeat(500_000)])))
  const start = performance.now()
  const { differing } = lapsOf(rows, findingOf([0, 1, 2, 3]))
  expect(differing.map(({ path }) => path)).toEqual(['1 A output.b.b.b.b.b.b.b'])
  expect(performance.now() - start).toBeLessThan(WITHIN)
})
