/** Attribution: which fault began the trouble, from a recording alone. */
import { describe, expect, test } from 'vitest'
import { attributeActs, attributeEvents } from '../src/core/watch/attribution/attribute.ts'
import type { Attribution } from '../src/core/watch/attribution/fault.ts'
import type { Json } from '../src/core/watch/data/json.ts'
import type { Act } from '../src/core/watch/trace-watcher.ts'
import { INJECTED } from './attribution/corpus.ts'
import { accuracyOf } from './attribution/measure.ts'
import { MEASURED, measured } from './attribution/page.ts'
import { readPart } from './written-part.ts'

/** A recorded call with its answer; a text starting with `!` is a failure. */
const call = (tool: string, args: Json, answer: Json): readonly Act[] => [
  { act: 'called', tool, args },
  typeof answer === 'string' && answer.startsWith('!')
    ? { act: 'answered', ok: false, text: answer.slice(1) }
    : { act: 'answered', ok: true, text: JSON.stringify(answer) },
]
const says = (text: string): Act => ({ act: 'said', text })
const rejects: Act = { act: 'said', person: true, text: 'This is not accepted.' }

const look = (answer: Json) => call('look', { item: 'clock' }, answer)
const buy = (price: number) => call('order', { item: 'clock', price }, { ordered: 'clock' })

const named = (of: Attribution | undefined) => of && `${of.kind} ${of.at} ${of.subject}`
const kindIn = (...acts: readonly (Act | readonly Act[])[]) => named(attributeActs(acts.flat()))

describe('a recorded trace', () => {
  test('without a fault is attributed to nothing', () => {
    expect(kindIn(look({ price: 40 }), buy(40), says('Done.'))).toBeUndefined()
    expect(kindIn(says('Hello.'))).toBeUndefined()
    expect(attributeActs([])).toBeUndefined()
  })

  test.each([
    ['!HTTP 503: service unavailable', 'error 2 look'],
    ['!Request timed out after 30 s', 'timeout 2 look'],
    ['!read ECONNRESET', 'lost-reply 2 look'],
    ['!Unknown tool: look', 'unknown-tool 2 look'],
    ['!invalid arguments: not valid JSON', 'malformed-call 2 look'],
  ])('names the kind of the failure %j, and its call', (answer, expected) => {
    expect(kindIn(call('list', {}, ['clock']), look(answer), look({ price: 40 }))).toBe(expected)
  })

  test('names the first fault, not its consequences', () => {
    expect(kindIn(look('!HTTP 503'), look('!HTTP 503'), look(null), look('!ETIMEDOUT'))).toBe(
      'error 0 look',
    )
  })

  test('an empty answer, unless the tool always answers so', () => {
    expect(kindIn(look({ price: 40 }), call('look', { item: 'bell' }, null))).toBe('empty 2 look')
    expect(kindIn(look(null), call('look', { item: 'bell' }, null))).toBeUndefined()
  })

  test('an answer that is cut off, by its arguments, by an earlier answer, or in a sentence', () => {
    expect(kindIn(look({ item: 'clo', price: 40 }))).toBe('truncated 0 look')
    const files = (...names: readonly string[]) => call('files', {}, { names })
    expect(kindIn(files('a', 'b'), files('a'))).toBe('truncated 2 files')
    const read = (path: string, text: string) => call('read', { path }, { text })
    expect(
      kindIn(read('1', 'It has been like this since May.'), read('2', 'It has been like thi')),
    ).toBe('truncated 2 read')
  })

  test('a write that reports only success, and one that counts twice', () => {
    expect(kindIn(buy(40), call('order', { item: 'bell' }, { done: true }))).toBe(
      'no-effect 2 order',
    )
    const set = (level: number, version: number) => call('set', { level }, { version })
    expect(kindIn(set(1, 1), set(2, 3), set(3, 4))).toBe('duplicate 0 set')
    expect(kindIn(set(1, 1), set(2, 2), set(3, 3))).toBeUndefined()
  })

  test('answers that contradict each other: the one that stands alone', () => {
    expect(kindIn(look({ price: 40 }), look({ price: 44 }), look({ price: 40 }))).toBe(
      'wrong 2 look',
    )
    const other = call('catalog', { item: 'clock' }, { price: 40 })
    expect(kindIn(look({ price: 44 }), other)).toBe('wrong 0 look')
    expect(kindIn(look({ level: 1 }), buy(40), look({ level: 2 }))).toBeUndefined()
  })

  test('a rejected result: the answer from which the written value came', () => {
    expect(
      kindIn(call('list', {}, ['clock']), look({ price: 44 }), buy(44), says('Done.'), rejects),
    ).toBe('wrong 2 look')
  })

  test('requests of the model: repeated without need, not an object, ended early', () => {
    expect(kindIn(look({ price: 40 }), look({ price: 40 }))).toBe('repeats 2 ')
    expect(kindIn(look('!HTTP 503'), look({ price: 40 }))).toBe('error 0 look')
    expect(kindIn(call('look', '{"item": "', { price: 40 }))).toBe('malformed-call 0 ')
    expect(kindIn(look({ price: 40 }), says('That is all.'), rejects)).toBe('early-stop 2 ')
  })

  test('reads any recording without an error', () => {
    const odd: readonly Act[] = [
      { act: 'answered', ok: true, text: 'no call before it' },
      { act: 'called', tool: '', args: null },
      { act: 'answered', ok: null, text: '' },
      { act: 'called', tool: 'look', args: [1, [2, { three: [] }]] },
    ]
    expect(() => attributeActs(odd)).not.toThrow()
    expect(attributeEvents([])).toBeUndefined()
  })
})

describe('journals with injected faults', async () => {
  const { text, all } = await measured()

  test('the kind and the step are named in at least 80 % of them', () => {
    const { kind, step } = accuracyOf(all)
    expect(kind.low).toBeGreaterThan(0.8)
    expect(step.low).toBeGreaterThan(0.8)
    expect(new Set(all.map(of => of.kind))).toEqual(new Set(Object.keys(INJECTED)))
  })

  test('docs/simulation.md shows what `REWRITE=1 npm run attribution` measures', () => {
    expect(readPart(MEASURED)).toBe(text)
  })
})
