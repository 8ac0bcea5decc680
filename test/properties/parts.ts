/** Properties of the parts: signatures, logs, waits, breakers, failure classes and stored values. */
import { deepStrictEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appendItem, CHUNK, EMPTY_LOG, itemsOf, logOf } from '../../src/core/graph/channels.ts'
import { backoff } from '../../src/core/watch/failure/recurring.ts'
import {
  type Admission,
  admit,
  type Breaker,
  CLOSED,
  settleBreaker,
} from '../../src/core/watch/failure/breaker.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { notJsonAt, draw, callKey, canonical, cycleKey } from '../../src/core/watch/data/json.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { errorKey } from '../../src/core/watch/normalize/answer-features.ts'
import { excerpt, storedJson } from '../../src/runtime/call/stored-json.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'

const json = fc.jsonValue() as fc.Arbitrary<Json>

describe('of signatures', () => {
  test('a call is equal for any order of its keys, and different for other arguments', () => {
    fc.assert(
      fc.property(json, json, (one, other) => {
        expect(callKey('tool', backwards(one))).toBe(callKey('tool', one))
        expect(canonical(one) === canonical(other)).toBe(
          JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)),
        )
        deepStrictEqual(sorted(JSON.parse(canonical(one))), sorted(JSON.parse(JSON.stringify(one))))
      }),
    )
  })

  test('a cycle is equal from any starting point', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('a', 'b', 'c', 'ab'), { minLength: 1, maxLength: 24 }),
        fc.nat(24),
        (members, by) => {
          const turned = [
            ...members.slice(by % members.length),
            ...members.slice(0, by % members.length),
          ]
          expect(cycleKey(turned)).toBe(cycleKey(members))
        },
      ),
    )
  })

  test('an error is equal for any locations, times and ids in it', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.constantFrom(
          'row %: try again',
          'request r%a7c03bd91 at 0x% failed after % ms',
          'ENOENT at src/main.ts:%:%',
        ),
        (one, other, text) => {
          const said = (number: number) =>
            errorKey({ name: 'Error', message: text.replaceAll('%', String(number)) })
          expect(said(one)).toBe(said(other))
        },
      ),
    )
  })

  test('a random number is in [0, 1), and equal for the same purpose', () => {
    fc.assert(
      fc.property(fc.integer(), fc.string(), fc.nat(), (seed, purpose, attempt) => {
        const chance = draw(seed, purpose, attempt)
        expect(chance).toBeGreaterThanOrEqual(0)
        expect(chance).toBeLessThan(1)
        expect(draw(seed, purpose, attempt)).toBe(chance)
      }),
    )
  })
})

describe('of logs', () => {
  test('a log is an array with cheap appends', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.nat(300), fc.constantFrom(63, 64, 65, 4_095, 4_096, 4_097, 4_160)),
        fc.array(json, { maxLength: 5 }),
        (length, more) => {
          const items: Json[] = Array.from({ length }, (_, index) => index)
          const log = more.reduce(appendItem, logOf(items))
          expect(log.length).toBe(length + more.length)
          deepStrictEqual(itemsOf(log), [...items, ...more])
          // Small at every level, and so is what a checkpoint refers to.
          for (const level of [log.tail, ...log.levels]) expect(level.length).toBeLessThan(CHUNK)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('an append does not change the original', () => {
    fc.assert(
      fc.property(fc.nat(200), length => {
        let log = EMPTY_LOG
        for (let item = 0; item < length; item++) log = appendItem(log, item)
        const before = JSON.stringify(log)
        appendItem(log, 'more')
        expect(JSON.stringify(log)).toBe(before)
      }),
      { numRuns: 20 },
    )
  })
})

describe('of waits and breakers', () => {
  test('a backoff grows with each attempt up to its cap, and a `retry-after` is never shortened', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 100_000 }),
        fc.nat(200_000),
        (attempt, chance, base, cap, asked) => {
          const wait = (nth: number, after = 0) => backoff(nth, chance, { base, cap }, after)
          expect(wait(attempt + 2)).toBeGreaterThanOrEqual(wait(attempt + 1))
          expect(wait(attempt + 1)).toBeLessThanOrEqual(cap)
          expect(wait(attempt + 1, asked)).toBe(Math.max(wait(attempt + 1), asked))
        },
      ),
    )
  })

  test('a breaker closes only after a successful probe, and allows one probe at a time', () => {
    const deed = fc.record({
      what: fc.constantFrom('admit', 'admit', 'succeeded', 'failed', 'released'),
      after: fc.nat(4),
      which: fc.nat(3),
    })
    fc.assert(
      fc.property(
        fc.array(deed, { maxLength: 60 }),
        fc.integer({ min: 1, max: 4 }),
        (deeds, threshold) => {
          const options = { threshold, reset: 5 }
          let breaker: Breaker = CLOSED
          let at = 0
          const out: Admission[] = []
          for (const { what, after, which } of deeds) {
            at += after
            const before: Breaker = breaker
            const [admission] =
              what === 'admit' ? [undefined] : out.splice(which % Math.max(1, out.length), 1)
            if (what === 'admit') {
              const [next, admitted] = admit(breaker, at, options)
              breaker = next
              if (admitted !== 'refused') out.push(admitted)
              expect(admitted === 'pass').toBe(before.state === 'closed')
              if (admitted === 'probe')
                expect('retryAt' in before && (before.retryAt <= at || hasPlace(before))).toBe(true)
            } else if (admission) {
              const signals = {
                succeeded: 'success',
                failed: 'failure',
                released: 'neither',
              } as const
              breaker = settleBreaker(breaker, signals[what], { admission, at, options })
            }
            if (before.state === 'open') expect(breaker.state).not.toBe('closed')
            if (before.state === 'half-open' && breaker.state === 'closed')
              expect(admission).toBe('probe')
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** A probe ended without a result, so another one may take its place. */
const hasPlace = (breaker: Breaker): boolean => 'places' in breaker && (breaker.places ?? 0) > 0

describe('of failures', () => {
  const classOf = (error: unknown) => classify(factsOf(error), FAILURE_RULES)

  test('only a whole status decides, at any position, and other numbers do not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 100, max: 599 }),
        fc.integer({ min: 0, max: 99_999 }),
        (status, number) => {
          const rule = FAILURE_RULES.find(each => each.status?.includes(status))
          expect(classOf({ status, message: 'x' }).rule).toBe(rule?.id ?? 'none')
          expect(classOf(new Error(`HTTP ${status} from the other side`)).rule).toBe(
            rule?.id ?? 'none',
          )
          expect(classOf(new Error(`too much to send: ${number} rows`)).class).toBe('unknown')
          expect(
            classOf(new Error(`order ${number}${status} of ${status}${number} is odd`)).class,
          ).toBe('unknown')
        },
      ),
    )
  })

  test('only a whole code decides: one that contains a known code is unknown', () => {
    const codes = FAILURE_RULES.flatMap(({ code = [] }) => code)
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.constantFrom('X', '_', '1'), (code, extra) => {
        expect(
          FAILURE_RULES.find(({ id }) => id === classOf({ code, message: 'x' }).rule)?.code,
        ).toContain(code)
        expect(classOf({ code: `${code}${extra}`, message: 'x' }).class).toBe('unknown')
        expect(classOf({ code: `${extra}${code}`, message: 'x' }).class).toBe('unknown')
      }),
    )
  })

  test('any thrown value converts to facts of plain data', () => {
    fc.assert(
      fc.property(fc.anything(), thrown => {
        const facts = factsOf(thrown)
        expect(notJsonAt(facts)).toBeUndefined()
        classify(facts, FAILURE_RULES)
      }),
      { numRuns: 300 },
    )
  })
})

describe('of stored values', () => {
  const whole = <T>(value: T) => value

  test('only plain data is stored, unchanged', () => {
    fc.assert(
      fc.property(fc.anything(), value => {
        const plain = (of: unknown): unknown => JSON.parse(JSON.stringify(of) ?? 'null')
        try {
          // Omits undefined keys, as JSON does.
          expect(plain(storedJson('it', value, whole).value)).toEqual(plain(value))
        } catch (error) {
          if ((error as Error).name !== 'NotJson') throw error
          expect(notJsonAt(value)).toBeDefined()
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a long text keeps its head and its tail, and its length is bounded', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.integer({ min: 1, max: 200 }), (text, max) => {
        const cut = excerpt(text, max)
        if (text.length <= max) expect(cut).toBe(text)
        else {
          expect(cut.length).toBeLessThanOrEqual(max + 80)
          expect(cut.startsWith(text.slice(0, Math.ceil(max * 0.7)))).toBe(true)
          const tail = max - Math.ceil(max * 0.7)
          expect(tail === 0 || cut.endsWith(text.slice(-tail))).toBe(true)
        }
      }),
    )
  })

  test('a secret is removed from every text of a value, and everything else stays', () => {
    const secret = 'correct-horse-battery'
    const redact = redactor([secret])
    fc.assert(
      fc.property(json, fc.string(), fc.string(), (value, before, after) => {
        const text = `${before}${secret}${after}`
        const clean = redact({ value, list: [text, { text }] })
        expect(JSON.stringify(clean)).not.toContain(secret)
        deepStrictEqual(redact(clean), clean)
        deepStrictEqual(redact(['nothing here', 1, null]), ['nothing here', 1, null])
      }),
    )
  })
})

/** The same value with the keys of every object the other way round. */
function backwards(value: Json): Json {
  if (Array.isArray(value)) return value.map(backwards)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, backwards(inner)]),
  )
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}
