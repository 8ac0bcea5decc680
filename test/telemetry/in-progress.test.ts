/** What the telemetry remembers of driven threads has a bound. */
import { expect, test } from 'vitest'
import { InProgress } from '../../src/adapters/telemetry/in-progress.ts'

test('remembers ten thousand threads, and forgets the one that was used longest ago', () => {
  const entries = new InProgress<number>()
  for (let thread = 0; thread < 10_000; thread++) entries.of(`t${thread}`).set('step', thread)
  entries.of('t0')
  entries.of('one more')
  expect(entries.take('t0', 'step')).toBe(0)
  expect(entries.take('t1', 'step')).toBeUndefined()
  expect(entries.take('t2', 'step')).toBe(2)
})
