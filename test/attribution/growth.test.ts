/** A recording may be long: the work of an attribution grows with its calls, not with their square. */
import { describe, expect, test } from 'vitest'
import { attributeActs, attributeEvents } from '../../src/core/watch/attribution/attribute.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import type { Act } from '../../src/core/watch/trace-watcher.ts'

/** Reads of the answers in a journal with so many calls. */
function readsOf(calls: number, result: (nth: number) => Json, effects: 'read' | 'write'): number {
  let reads = 0
  const counted = (value: Json): Json =>
    new Proxy(value as object, {
      get: (of, key) => {
        reads++
        return Reflect.get(of, key)
      },
      ownKeys: of => {
        reads++
        return Reflect.ownKeys(of)
      },
    }) as Json
  const events = Array.from({ length: calls }, (_, nth) => [
    { type: 'tool.called', call: `c${nth}`, subject: 's', at: 2 * nth, args: { nth }, effects },
    { type: 'tool.done', call: `c${nth}`, subject: 's', at: 2 * nth, result: counted(result(nth)) },
  ])
  attributeEvents(events.flat() as unknown as readonly Stamped[])
  return reads
}

describe('four times the calls take four times the work', () => {
  test.each<[string, (nth: number) => Json, 'read' | 'write']>([
    ['answers of one tool', nth => ({ text: `nothing ${nth}` }), 'read'],
    ['counters of a write', nth => ({ version: nth, order: `o${nth}` }), 'write'],
    ['checks that reject', nth => ({ passed: false, level: nth }), 'read'],
  ])('%s', (_, result, effects) => {
    const reads = readsOf(50, result, effects)
    expect(reads).toBeGreaterThan(100)
    expect(readsOf(200, result, effects)).toBeLessThan(4.5 * reads)
  })
})

/** A quadratic search takes minutes for so many calls: more than the time of a test. */
const CALLS = 30_000

describe('a trace of thousands of calls is attributed', () => {
  const called = (nth: number): Act => ({
    act: 'called',
    call: `c${nth}`,
    tool: 'search',
    args: { q: `look for item number ${nth} in the archive` },
  })
  const answered = (nth: number): Act => ({
    act: 'answered',
    call: `c${nth}`,
    ok: true,
    text: `nothing ${nth}`,
  })
  const all = (of: (nth: number) => readonly Act[]) =>
    Array.from({ length: CALLS }, (_, n) => of(n))

  test('with ordinary calls', () => {
    const fault: readonly Act[] = [
      { act: 'called', tool: 'search', args: { q: 'the last' } },
      { act: 'answered', ok: false, text: 'HTTP 503' },
    ]
    const acts = [...all(nth => [called(nth), answered(nth)]).flat(), ...fault]
    expect(attributeActs(acts)).toMatchObject({ kind: 'error', at: 2 * CALLS })
  })

  test('with calls that never end, and answers in another order', () => {
    const open = all(nth => [called(nth)]).flat()
    const late = all(nth => [answered(CALLS - 1 - nth)]).flat()
    expect(attributeActs([...open, ...late])).toBeUndefined()
  })
})

test('a deeply nested answer is read down to the levels that signatures count', () => {
  const text = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const acts: readonly Act[] = [
    { act: 'called', tool: 'look', args: {} },
    { act: 'answered', ok: true, text },
  ]
  expect(attributeActs(acts)).toBeUndefined()
})
