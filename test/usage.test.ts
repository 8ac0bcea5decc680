/** The tokens that an endpoint reports: some providers count thoughts and caches apart. */
import { expect, test } from 'vitest'
import { readUsage } from '../src/core/watch/event/call-event.ts'

test.each([
  [
    'thoughts only in the total, as Gemini does',
    { input: 100, output: 10, total: 9_110 },
    [100, 9_010, 0],
  ],
  [
    'thoughts in a field of their own',
    { input: 100, output: 10, reasoning: 9_000 },
    [100, 9_010, 0],
  ],
  [
    'thoughts within the output',
    { input: 100, output: 9_010, reasoning: 9_000, total: 9_110 },
    [100, 9_010, 0],
  ],
  ['a total only', { total: 9_110 }, [9_110, 0, 0]],
  ['a total that is too small', { input: 100, output: 10, total: 50 }, [100, 10, 0]],
  ['a total that is not a number', { input: 100, output: 10, total: Number.NaN }, [100, 10, 0]],
  [
    'a cache apart from the input, as Anthropic does',
    { input: 5, output: 10, cached: 200_000 },
    [200_005, 10, 200_000],
  ],
  [
    'a cache that only the total contains',
    { input: 2_000, output: 50, cached: 1_500, total: 3_550 },
    [3_500, 50, 1_500],
  ],
  [
    'a cache without an input',
    { input: 0, output: 20, cached: 1_500, total: 1_520 },
    [1_500, 20, 1_500],
  ],
  ['an input that only the total contains', { output: 20, total: 10_020 }, [10_000, 20, 0]],
  ['a cache within the input', { input: 500, output: 10, cached: 400 }, [500, 10, 400]],
] as const)('%s', (_, usage, [input, output, cached]) => {
  expect(readUsage(usage)).toEqual({ input, output, cached })
})

test.each([
  {},
  { input: 0, output: 0 },
  { input: Number.NaN, output: 1 },
  { input: -1, output: 1 },
])('%j does not count as a report', usage => expect(readUsage(usage)).toBeUndefined())
