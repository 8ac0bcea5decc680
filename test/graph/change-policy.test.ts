/** A policy in spec notation: written, parsed and changed. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { changePolicy } from '../../src/core/graph/spec/policy-schema.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { policyOf, type Spec } from '../../src/core/graph/spec/spec.ts'
import { notationOf, safeParsePolicy, POLICY } from '../../src/core/watch/policy/policy.ts'
import type { Policy } from '../../src/core/watch/policy/policy.ts'

const GRAPHS = join(import.meta.dirname, '../../graphs')
const shipped = readdirSync(GRAPHS).filter(
  file => file.endsWith('.yaml') && !/\.(script|scenario)\.yaml$/.test(file),
)

function changed(policy: Policy, change: unknown): Policy {
  const { policy: next, faults } = changePolicy(policy, change)
  if (faults) throw new Error(faults.map(({ path, message }) => `${path}: ${message}`).join('; '))
  return next
}

describe('a policy in the notation of a spec', () => {
  for (const file of shipped) {
    it(`of ${file} parses to the same policy`, () => {
      const policy = policyOf(
        readSpec(parse(readFileSync(join(GRAPHS, file), 'utf8'))).spec as Spec,
      )
      expect(safeParsePolicy(notationOf(policy))).toEqual({ policy })
    })
  }

  it('separates custom rules from the default table', () => {
    const rule = { id: 'quota', message: 'daily quota', class: 'persistent' }
    const own = changed(POLICY, { failures: { rules: [rule] } })
    expect(own.failures).toEqual([rule, ...POLICY.failures])
    expect(changed(own, { failures: { defaults: false } }).failures).toEqual([rule])
    expect(
      changed(changed(own, { failures: { defaults: false } }), { failures: { defaults: true } }),
    ).toEqual(own)
  })
})

describe('a change of a policy', () => {
  it('is merged: maps are merged, lists replaced, durations parsed', () => {
    const before = changed(POLICY, {
      detect: { sequence: { periodMax: 10 } },
      escape: { review: { deadline: '1h', otherwise: 'continue' } },
    })
    const after = changed(before, {
      detect: { sequence: { repeats: 5 } },
      escape: { review: { deadline: '2h' }, ladder: ['review', 'stop'] },
      retry: { cap: '10m' },
    })
    expect(after.detect.sequence).toEqual({ repeats: 5, periodMax: 10 })
    expect(after.escape).toMatchObject({
      review: { deadline: 7_200_000, otherwise: 'continue' },
      ladder: ['review', 'stop'],
    })
    expect(after.retry).toEqual({ ...POLICY.retry, cap: 600_000 })
  })

  it('resets values to their default with null', () => {
    const before = changed(POLICY, {
      limits: { usd: 5 },
      retry: { attempts: 9 },
      escape: { review: { deadline: '1h' } },
    })
    const after = changed(before, {
      limits: { usd: null },
      retry: { attempts: null },
      escape: { review: null },
    })
    expect(after).toEqual(POLICY)
  })

  it('switches a detector off and on again', () => {
    const off = changed(POLICY, { detect: { stale: false, visits: { max: 5 } } })
    expect(off.detect).toMatchObject({ stale: false, visits: { max: 5, window: 60_000 } })
    expect(
      changed(off, { detect: { stale: { times: 7 }, window: '5s', visits: { max: 6 } } }).detect,
    ).toMatchObject({ stale: { times: 7 }, visits: { max: 6, window: 5_000 } })
    expect(changed(off, { limits: { mistakes: 9 } }).detect.mistakes).toEqual({ limit: 9 })
  })

  const wrong: readonly (readonly [change: unknown, ...faults: RegExp[]])[] = [
    [{ limits: { usd: -1 } }, /^limits\.usd: expected a number above 0, received -1$/],
    [
      { limits: { steps: 'many' }, breaker: { threshold: 0 } },
      /^limits\.steps: expected a whole number of at least 1, received "many"$/,
      /^breaker\.threshold: expected a whole number of at least 1, received 0$/,
    ],
    [{ detect: { sequence: { repeets: 4 } } }, /^detect\.sequence\.repeets: is unknown/],
    [
      { detect: { repetition: { times: 20 } } },
      /^detect\.repetition\.times: is 20, but only the latest 16 are searched; expected at most `within`, 16/,
    ],
    [
      { detect: { tools: { a: { recurrence: { within: 2 } } } } },
      /^detect\.tools\.a\.recurrence\.times: is 3, but only the latest 2 are searched/,
    ],
    [{ nodes: {} }, /^nodes: is unknown/],
    [{ '': 1 }, /^\[""\]: is unknown/],
    [
      { escape: { review: { otherwise: 'continue' } } },
      /^escape\.review\.deadline: is missing; expected a duration/,
    ],
    [
      { escape: { review: { deadline: '1h', escalate: [{ to: 'lead', after: '2h' }] } } },
      /^escape\.review\.escalate\[0\]\.after: expected a time before the deadline/,
    ],
    [
      {
        escape: {
          review: {
            deadline: '1h',
            escalate: [
              { to: 'a', after: '5m' },
              { to: 'b', after: '5m' },
            ],
          },
        },
      },
      /^escape\.review\.escalate\[1\]\.after: expected a time after/,
    ],
    [{ retry: { base: 'soon' } }, /^retry\.base: expected a duration/],
    [JSON.parse('{"limits":{"__proto__":{"steps":9}}}'), /^limits\.__proto__: is unknown/],
    [{ detect: { tools: { constructor: false } } }, /^detect\.tools\.constructor: /],
    [
      {},
      /^\(the change\): expected a map with one or more of mode, limits, retry, breaker, detect, escape, rounds, failures/,
    ],
    [[], /^\(the change\): expected a map/],
    [null, /^\(the change\): expected a map/],
    [nested(2_000), /^\(the change\): .*is nested deeper than 1000 levels/],
  ]
  it.each(wrong)('that is invalid names the path: %j', (change, ...faulty) => {
    const expected = faulty as readonly RegExp[]
    const { faults = [] } = changePolicy(POLICY, change)
    const received = faults.map(({ path, message }) => `${path}: ${message}`)
    expect(received).toHaveLength(expected.length)
    for (const [index, line] of received.entries()) expect(line).toMatch(expected[index] as RegExp)
  })

  it('never throws, and does not modify its input', () => {
    const before = JSON.stringify(POLICY)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom(...Object.keys(POLICY)), fc.jsonValue()),
        ),
        change => {
          const { policy } = changePolicy(POLICY, change)
          // What is taken is a policy that can be shown, and changed, again.
          if (policy) expect(changePolicy(policy, notationOf(policy))).toEqual({ policy })
        },
      ),
    )
    expect(JSON.stringify(POLICY)).toBe(before)
    expect(({} as { steps?: number }).steps).toBeUndefined()
  })
})

function nested(depth: number): unknown {
  return depth === 0 ? {} : { limits: nested(depth - 1) }
}
