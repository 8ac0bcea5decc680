/** Compiling a pattern takes time, so a document may have so many of them together. */
import { describe, expect, test } from 'vitest'
import { compileJsonSchema } from '../src/core/graph/spec/json-schema.ts'
import { patternFault } from '../src/core/watch/data/pattern.ts'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { changePolicy } from '../src/core/graph/spec/policy-schema.ts'
import { safeParsePolicy } from '../src/core/watch/policy/policy.ts'
import { POLICY } from '../src/core/watch/policy/policy.ts'

const TOO_LARGE = /^the patterns up to this one are too large together/
const costly = (at: number) => `(a|b|c){1,200}x{1,100}${at}`
/** Classes of hundreds of ranges each. */
const wide = (at: number, properties: number) => `r${at}[${'\\p{L}'.repeat(properties)}]`
/** An expression with several patterns. */
const MANY = Array.from({ length: 10 }, (_, at) => `"a".matches("(a|b){1,400}${at}")`).join(' || ')
const times = <T>(count: number, of: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => of(at))
const rules = (count: number, message = costly) =>
  times(count, at => ({ id: `r${at}`, message: message(at), class: 'business' }))

const spec = (more: object) => ({
  escapement: 1,
  id: 'g',
  start: 'A',
  nodes: { A: { use: 'pass', on: { done: 'E' } }, E: { final: 'success' } },
  ...more,
})
const faultsOf = (more: object) => readSpec(spec(more)).faults ?? []

describe('patterns that are too large together are refused before they are compiled', () => {
  test.each<[where: RegExp, more: object]>([
    [/^failures\.rules\[\d+\]\.message$/, { failures: { rules: rules(4_000) } }],
    [
      /^channels\.c\d+\.schema\.pattern$/,
      {
        channels: Object.fromEntries(
          times(4_000, at => [`c${at}`, { schema: { pattern: costly(at) } }]),
        ),
      },
    ],
    [
      /^channels\.c\.schema\.patternProperties\..+$/,
      {
        channels: {
          c: {
            schema: { patternProperties: Object.fromEntries(times(4_000, at => [costly(at), {}])) },
          },
        },
      },
    ],
    [
      /^nodes\.A\.when\.l\d+$/,
      {
        nodes: {
          A: {
            use: 'pass',
            on: { done: 'E' },
            when: Object.fromEntries(
              times(4_000, at => [`l${at}`, `"a".matches("${costly(at)}")`]),
            ),
          },
          E: { final: 'success' },
        },
      },
    ],
    [
      /^graphs\.x\d+\.failures\.rules\[\d+\]\.message$/,
      {
        graphs: Object.fromEntries(
          times(40, at => [`x${at}`, spec({ failures: { rules: rules(100) } })]),
        ),
      },
    ],
    [/^failures\.rules\[\d+\]\.message$/, { failures: { rules: rules(20_000, at => `e${at}`) } }],
    [/^failures\.rules\[\d+\]\.message$/, { failures: { rules: rules(60, at => wide(at, 250)) } }],
    [
      /^nodes\.A\.when\.l\d+$/,
      {
        nodes: {
          A: {
            use: 'pass',
            on: { done: 'E' },
            when: Object.fromEntries(times(40, at => [`l${at}`, MANY])),
          },
          E: { final: 'success' },
        },
      },
    ],
  ])('at %s', (where, more) => {
    expect(faultsOf(more)).toEqual([
      { path: expect.stringMatching(where), message: expect.stringMatching(TOO_LARGE) },
    ])
  })

  test('in a policy, and in a change of one', () => {
    const failures = { failures: { rules: rules(4_000) } }
    for (const { faults } of [safeParsePolicy(failures), changePolicy(POLICY, failures)])
      expect(faults).toMatchObject([{ message: expect.stringMatching(TOO_LARGE) }])
  })
})

test('a pattern that mentions very many classes is refused', () => {
  expect(patternFault(wide(0, 1_996))).toMatch(/too large/)
  expect(patternFault(`^[${'\\p{L}\\p{N}_-'}]{1,100}$`)).toBeUndefined()
})

test('the patterns of the schema of a tool are too large together', () => {
  const properties = Object.fromEntries(times(60, at => [`p${at}`, { pattern: wide(at, 250) }]))
  expect(() => compileJsonSchema({ type: 'object', properties })).toThrow(
    /^`properties\.p\d+\.pattern`: the patterns up to this one are too large together/,
  )
})

test('a thousand patterns of usual size are accepted', () => {
  expect(
    faultsOf({ failures: { rules: rules(1_000, at => `quota of service ${at} exceeded`) } }),
  ).toEqual([])
})

test.each([
  `${'['.repeat(9_880)}${'a{1000}'.repeat(13)}`,
  '\\p{'.repeat(3_300),
  '\\x{'.repeat(3_300),
  '[[:'.repeat(3_300),
  '(?P<a'.repeat(2_000),
])('1,000 patterns are measured in linear time: %.12s…', message => {
  const start = process.cpuUsage().user
  const policy = { failures: { rules: rules(1_000, () => message) } }
  expect(safeParsePolicy(policy)).toMatchObject({ faults: expect.anything() })
  // Quadratic time would be more than 100 s.
  expect((process.cpuUsage().user - start) / 1_000).toBeLessThan(15_000)
})
