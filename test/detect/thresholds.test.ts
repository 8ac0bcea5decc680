/** Thresholds that dismissals raise: bounded, for their subjects only, and the same in each replay. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DETECTOR_NAMES } from '../../src/core/watch/detect/detectors.ts'
import { raisedOptions, raisedThresholds } from '../../src/core/watch/detect/thresholds.ts'
import type { Dismissed } from '../../src/core/watch/event/event.ts'
import { type DetectorName, type Policy, POLICY } from '../../src/core/watch/policy/policy.ts'
import { parsePolicy } from '../../src/core/watch/policy/policy.ts'
import { type RecordRow, watchdog } from '../../src/watchdog.ts'

const names = DETECTOR_NAMES as readonly DetectorName[]
const subjects = ['look', 'search', 'plan']
const dismissal = fc.record({
  id: fc.string({ minLength: 4, maxLength: 4 }),
  signs: fc.constant([]),
  states: fc.constant([]),
  detector: fc.constantFrom(...names, 'person', 'constructor'),
  members: fc.array(fc.constantFrom(...subjects), { maxLength: 4 }),
})
const dismissals = fc.array(dismissal, { maxLength: 16 })
const numbersIn = (options: unknown) =>
  Object.values(options as object).filter(value => typeof value === 'number')

describe('a raised threshold', () => {
  test('is never below the default, at most four times as high, and raised by each dismissal or not at all', () => {
    const { detect } = parsePolicy({ detect: { visits: { max: 8 } } })
    fc.assert(
      fc.property(
        dismissals,
        dismissal,
        fc.constantFrom(...names),
        fc.constantFrom(...subjects),
        (dismissed, more, name, subject) => {
          const options = detect[name]
          const raised = raisedOptions(name, options, { subject, dismissed })
          const further = raisedOptions(name, options, { subject, dismissed: [...dismissed, more] })
          const [before, after, last] = [options, raised, further].map(numbersIn) as [
            number[],
            number[],
            number[],
          ]
          for (const [index, value] of before.entries()) {
            expect(after[index]).toBeGreaterThanOrEqual(value)
            expect(after[index]).toBeLessThanOrEqual(4 * value)
            expect(last[index]).toBeGreaterThanOrEqual(after[index] ?? 0)
          }
        },
      ),
    )
  })

  test('stays within the events that are searched, and a number above it stays', () => {
    const twice = ['a', 'b'].map(id => ({
      id,
      signs: [],
      states: [],
      detector: 'repetition',
      members: ['look'],
    }))
    const of = { subject: 'look', dismissed: twice }
    expect(raisedOptions('repetition', { times: 6, within: 16 }, of)).toEqual({
      times: 16,
      within: 16,
    })
    expect(raisedOptions('repetition', { times: 20, within: 16 }, of)).toEqual({
      times: 20,
      within: 16,
    })
    expect(raisedOptions('repetition', false, of)).toBe(false)
    const visits = twice.map(each => ({ ...each, detector: 'visits' }))
    expect(raisedOptions('visits', { max: 20, window: 1 }, { ...of, dismissed: visits })).toEqual({
      max: 32,
      window: 1,
    })
  })

  test('is listed with its default, and not if the policy switches it off', () => {
    const dismissed: Dismissed[] = [
      { id: 'a', signs: [], states: [], detector: 'errors', members: ['look', 'look'] },
      { id: 'b', signs: [], states: [] },
    ]
    expect(raisedThresholds(POLICY.detect, dismissed)).toEqual([
      { detector: 'errors', subject: 'look', option: 'times', from: 3, to: 6 },
    ])
    expect(raisedThresholds(parsePolicy({ detect: { adapt: false } }).detect, dismissed)).toEqual(
      [],
    )
  })
})

type Rows = Parameters<RecordRow>[0][]
type Step = { readonly tool: string; readonly at: number; readonly dismiss: boolean }

/** Plays calls that all answer the same. A review is answered by a dismissal or an approval. Returns where each was asked. */
function play(policy: Policy | object, steps: readonly Step[]) {
  const rows: Rows = []
  const record: RecordRow = Object.assign((row: Rows[number]) => void rows.push(row), {
    redact: <T>(value: T) => value,
  })
  const notation = {
    limits: { steps: 1_000 },
    escape: {
      ladder: ['review', 'stop'],
      review: { deadline: '1h' },
      budget: { review: { perLoop: 99, total: 99 } },
    },
    ...policy,
  }
  const monitor = watchdog({ policy: notation as never, record })
  const asked: number[] = []
  for (const [index, { tool, at, dismiss }] of steps.entries()) {
    const outcome = { began: index * 10, ended: index * 10 }
    const call = { tool, args: { at }, result: 'none', outcome }
    monitor.beforeModelCall(index * 10)
    const { kind } = monitor.afterModelTurn({ text: '', calls: [call], at: index * 10 + 1 })
    if (kind !== 'escape') continue
    asked.push(index)
    monitor.resolveReview(dismiss ? 'dismiss' : 'approved', index * 10 + 2)
  }
  return { asked, rows, state: monitor.state }
}

const laps = (tool: string, at: number, times: number, dismiss = true): Step[] =>
  Array.from({ length: times }, () => ({ tool, at, dismiss }))

describe('a dismissed finding', () => {
  const detect = { repetition: false, sameAnswer: false, stale: false } as const

  test('doubles the threshold of its detector for its tool, and no other', () => {
    const steps = [...laps('look', 1, 3), ...laps('look', 2, 6), ...laps('search', 1, 3)]
    expect(play({ detect }, steps).asked).toEqual([2, 8, 11])
    expect(play({ detect: { ...detect, adapt: false } }, steps).asked[1]).toBe(5)
  })

  test('counts at most twice', () => {
    const steps = [1, 2, 3, 4].flatMap(at => laps('look', at, 12))
    const { asked, state } = play({ detect }, steps)
    expect(asked).toEqual([2, 17, 35, 47])
    expect(raisedThresholds(POLICY.detect, state.watch.dismissed)).toEqual([
      { detector: 'sequence', subject: 'look', option: 'repeats', from: 3, to: 12 },
    ])
  })

  test('leaves the default for confirmed loops: an approval changes no threshold', () => {
    const { asked, state } = play({ detect }, [...laps('look', 1, 3, false), ...laps('look', 2, 3)])
    expect(asked).toEqual([2, 5])
    expect(state.watch.dismissed).toHaveLength(1)
  })

  test('decides the same in each replay', () => {
    const step = fc.record({
      tool: fc.constantFrom('look', 'search'),
      at: fc.nat(2),
      dismiss: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const first = play({}, steps)
        expect(play({}, steps)).toEqual(first)
      }),
      { numRuns: 40 },
    )
  })
})
