/** The states of a breaker, written out. */
import { describe, expect, test } from 'vitest'
import {
  admit,
  type Breaker,
  CLOSED,
  isRefusing,
  settleBreaker,
  tripBreaker,
} from '../src/core/watch/failure/breaker.ts'

const options = { threshold: 3, reset: 30_000 }
const closed = (failures: number): Breaker => ({ state: 'closed', failures })
const OPEN: Breaker = { state: 'open', failures: 3, openedAt: 0, retryAt: 30_000 }
const HALF: Breaker = { state: 'half-open', failures: 3, since: 30_000, retryAt: 60_000 }

const settled = (
  breaker: Breaker,
  signal: 'success' | 'failure' | 'neither',
  probe = false,
  at = 0,
) => settleBreaker(breaker, signal, { admission: probe ? 'probe' : 'pass', at, options })

describe('a breaker', () => {
  test('opens at the threshold of consecutive failures, and a success starts the count again', () => {
    expect(settled(CLOSED, 'failure')).toEqual(closed(1))
    expect(settled(closed(1), 'failure')).toEqual(closed(2))
    expect(settled(closed(2), 'failure')).toEqual(OPEN)
    expect(settled(closed(2), 'success')).toEqual(CLOSED)
    expect(settled(closed(2), 'neither')).toEqual(closed(2))
  })

  test('refuses calls while it is open, passes one probe at its end, and refuses the others', () => {
    expect(admit(closed(2), 0, options)).toEqual([closed(2), 'pass'])
    expect(admit(OPEN, 29_999, options)).toEqual([OPEN, 'refused'])
    expect(admit(OPEN, 30_000, options)).toEqual([HALF, 'probe'])
    expect(admit(HALF, 59_999, options)).toEqual([HALF, 'refused'])
  })

  test('closes after a successful probe, and opens again for the full time after a failed one', () => {
    expect(settled(HALF, 'success', true, 31_000)).toEqual(CLOSED)
    expect(settled(HALF, 'failure', true, 31_000)).toEqual({
      ...OPEN,
      failures: 4,
      openedAt: 31_000,
      retryAt: 61_000,
    })
    expect(settled(HALF, 'success', false, 31_000)).toEqual(HALF)
  })

  test('does not change when it is read, before or after its time', () => {
    for (const breaker of [CLOSED, closed(2), OPEN, HALF].map(each => Object.freeze({ ...each })))
      for (const at of [0, 29_999, 30_000, 60_000, 1e9]) {
        const text = JSON.stringify(breaker)
        const refuses = isRefusing(breaker, at)
        expect(isRefusing(breaker, at)).toBe(refuses)
        expect(admit(breaker, at, options)[1] === 'refused').toBe(refuses)
        expect(JSON.stringify(breaker)).toBe(text)
      }
  })

  test('with a rate, opens for a resource that fails more often, in any fixed pattern', () => {
    const openedAfter = (pattern: string, rate?: number) => {
      let breaker: Breaker = CLOSED
      for (let call = 0; call < 100; call++) {
        const signal = pattern[call % pattern.length] === 'F' ? 'failure' : 'success'
        const more = { threshold: 5, reset: 30_000, ...(rate === undefined ? {} : { rate }) }
        breaker = settleBreaker(breaker, signal, { admission: 'pass', at: call, options: more })
        if (breaker.state === 'open') return call + 1
      }
      return undefined
    }
    expect([undefined, 0.5, 0.75, 0.8].map(rate => openedAfter('FFFFS', rate))).toEqual([
      undefined,
      7,
      9,
      undefined,
    ])
    expect(['FS', 'SSSSF', 'FSS'].map(pattern => openedAfter(pattern, 0.5))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(openedAfter('F', 0.5)).toBe(5)
  })

  test('with several probes, admits so many, closes when all have succeeded, and opens at one failure', () => {
    const several = { ...options, probes: 2 }
    const end = (breaker: Breaker, signal: 'success' | 'failure' | 'neither') =>
      settleBreaker(breaker, signal, { admission: 'probe', at: 31_000, options: several })
    const [first, one] = admit(OPEN, 30_000, several)
    const [second, two] = admit(first, 30_001, several)
    expect([one, two, admit(second, 30_002, several)[1]]).toEqual(['probe', 'probe', 'refused'])
    expect(end(end(second, 'success'), 'success')).toEqual(CLOSED)
    expect(end(end(second, 'success'), 'failure').state).toBe('open')
    expect(end(end(second, 'failure'), 'success').state).toBe('open')
    expect(admit(end(second, 'neither'), 30_003, several)[1]).toBe('probe')
  })

  test('is half-open at once if it is opened by hand for no time', () => {
    const tripped = tripBreaker(CLOSED, 5_000, 0)
    expect(admit(tripped, 5_000, options)[1]).toBe('probe')
    expect(admit(tripBreaker(CLOSED, 5_000, 1), 5_000, options)[1]).toBe('refused')
  })
})
