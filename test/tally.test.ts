/** The tally of a thread: what a list shows of its findings and escapes, folded row by row. */
import { describe, expect, test } from 'vitest'
import { NO_TALLY, type Tally, tallyAfter } from '../src/core/run/tally.ts'
import type { Finding, FindingKind } from '../src/core/watch/event/event.ts'
import { NOTHING_SPENT } from '../src/core/watch/event/call-event.ts'
import { CONTINUE, type Verdict } from '../src/core/watch/escape/ladder.ts'

function finding(kind: FindingKind, members: readonly string[], more: Partial<Finding> = {}) {
  const times = { period: members.length, repeats: 3, onset: 1, noticed: 9 }
  const reason = { code: 'repeated-sequence', params: { calls: members, times: 3 } } as const
  const place = { detector: 'd', region: '', id: 'id', states: [], events: [], reason }
  return { kind, members, ...times, ...place, burned: NOTHING_SPENT, ...more } as Finding
}

const escape = (rung: 'review' | 'rollback'): Verdict => ({
  kind: 'escape',
  route:
    rung === 'rollback' ? { rung, region: '', from: 'a', to: 1 } : { rung, region: '', from: 'a' },
  because: [],
  considered: [],
})

const tallyOf = (...findings: readonly Finding[]): Tally =>
  findings.reduce((tally, each) => tallyAfter(tally, [each], CONTINUE), NO_TALLY)

describe('the finding of a tally', () => {
  test('is the last repetition, which a spent budget or a failure does not replace', () => {
    const loop = finding('loop', ['search'])
    const tally = tallyOf(finding('failure', ['a']), loop, finding('budget', ['steps']))
    expect(tally).toMatchObject({ findings: 3, finding: { signature: { kind: 'loop' } } })
    expect(tallyOf(loop, finding('stall', ['read'])).finding?.signature.kind).toBe('stall')
    expect(
      tallyOf(finding('circuit', ['a']), finding('budget', ['b'])).finding?.signature.kind,
    ).toBe('budget')
  })

  test('has one signature for all rotations of a cycle, and each member once', () => {
    const one = tallyOf(finding('loop', ['read', 'search', 'read', 'ask'])).finding?.signature
    const other = tallyOf(finding('loop', ['read', 'ask', 'read', 'search'])).finding?.signature
    expect(one?.members).toEqual(['ask', 'read', 'search'])
    expect(other).toEqual(one)
  })

  test('separates the same from similar arguments, whichever detector is first', () => {
    const codeFor = (same: 'same' | 'similar') => {
      const params = { call: 'search', times: 3, arguments: same, result: 'unknown' } as const
      const reason = { code: 'repeated-call', params } as const
      return tallyOf(finding('loop', ['search'], { reason })).finding?.signature.code
    }
    expect(codeFor('similar')).toBe('repeated-call')
    expect(codeFor('same')).toBe('repeated-sequence')
    expect(tallyOf(finding('loop', ['search'])).finding?.signature.code).toBe('repeated-sequence')
  })

  test('is small and fit for every store, whatever a model calls its tools', () => {
    const names = ['a\u0000b', 'c\ud800', 'x'.repeat(500), 'd', 'e', 'f']
    const members = tallyOf(finding('loop', names)).finding?.signature.members ?? []
    expect(members).toHaveLength(4)
    expect(members.slice(0, 2)).toEqual(['a\u{FFFD}b', 'c\u{FFFD}'])
    expect(members[2]).toHaveLength(60)
  })
})

test('the rungs are the latest ones in order, and all escapes are counted', () => {
  const verdicts = [...Array<Verdict>(10).fill(escape('rollback')), escape('review')]
  const tally = verdicts.reduce((each, verdict) => tallyAfter(each, [], verdict), NO_TALLY)
  expect(tally.escapes).toBe(11)
  expect(tally.rungs).toEqual([...Array(7).fill('rollback'), 'review'])
})

test('a row without a finding and an escape changes nothing', () => {
  expect(tallyAfter(NO_TALLY, [], CONTINUE)).toBe(NO_TALLY)
})
