/** An agent that asks again after a failure and gets its page makes progress. One whose failures stay is still found. */
import { describe, expect, test } from 'vitest'
import { type Seen, seenInGraph, seenInTrace } from '../attack/loop-paths.ts'
import { seenAt, type Shape } from '../attack/loops.ts'

type Lap = ReturnType<Shape['lap']>

const WORDS = 'alder birch cedar elm fir ginkgo hazel ironwood juniper larch maple nutmeg'.split(
  ' ',
)
const word = (n: number) => WORDS[n % 12] ?? ''

const failure = (message: string, fields: object = {}) => Object.assign(new Error(message), fields)
const RESET = failure('read ECONNRESET', { code: 'ECONNRESET' })
const TRANSIENT: readonly Error[] = [
  failure('socket hang up', { code: 'ECONNRESET' }),
  failure('fetch failed', { cause: RESET }),
  failure('The operation was aborted due to timeout', { name: 'TimeoutError' }),
  failure('429 Too Many Requests', { status: 429 }),
  failure('down', { status: 503 }),
  failure('This operation was aborted', { name: 'AbortError' }),
]
const FAILURES = [...TRANSIENT, failure('The index is being rebuilt.')]

const fetched = (n: number): Lap => ({
  tool: 'fetch',
  args: { url: `https://docs.test/${word(n)}/${word(n * 7 + 3)}-${n}` },
})
const page = (n: number): Lap => ({
  ...fetched(n),
  result: `The ${word(n)} page: ${word(n * 3)} and ${word(n * 11 + 5)} grow ${n * 13} cm.`,
})
const failed = (n: number, error: Error): Lap => ({ ...fetched(n), error })

const script = (name: string, laps: readonly Lap[]): Shape => ({
  name,
  laps: laps.length,
  lap: n => laps[n - 1] ?? {},
})

/** Thirty pages. Of each `every`-th one, the first `times` attempts fail. */
const reader = (error: Error, every: number, times = 1): Shape =>
  script(
    `${error.message}, each ${every}`,
    Array.from({ length: 30 }, (_, n) => [
      ...Array.from({ length: n % every === 0 ? times : 0 }, () => failed(n, error)),
      page(n),
    ]).flat(),
  )

describe.each(FAILURES)('%s', error => {
  test.each([1, 2, 3])('at the first attempt of one page in %i is not detected', async every => {
    const agent = reader(error, every)
    expect(seenAt(agent)).toBeUndefined()
    expect(seenInTrace(agent)).toBeUndefined()
    expect(await seenInGraph(agent)).toBeUndefined()
  })

  test('at the first two attempts of each page is not detected', async () => {
    const agent = reader(error, 1, 2)
    expect(seenAt(agent)).toBeUndefined()
    expect(seenInTrace(agent)).toBeUndefined()
    expect(await seenInGraph(agent)).toBeUndefined()
  })
})

const [HUNG_UP] = TRANSIENT as readonly [Error]

const LOOPS: readonly (readonly [name: string, lap: (n: number) => Lap, at: Seen])[] = [
  ['every page fails', n => failed(n, HUNG_UP), { lap: 6, detector: 'errors' }],
  [
    'every second page fails, and is not tried again',
    n => (n % 2 ? failed(n, HUNG_UP) : page(n)),
    { lap: 15, detector: 'errors' },
  ],
  [
    'one page fails and recovers, while one after the other fails',
    n => [failed(0, HUNG_UP), page(0), failed(n, HUNG_UP)][n % 3] ?? {},
    { lap: 7, detector: 'sequence' },
  ],
  [
    'one page recovers with something new, while one after the other fails',
    n => [failed(0, HUNG_UP), { ...page(n), ...fetched(0) }, failed(n, HUNG_UP)][n % 3] ?? {},
    { lap: 18, detector: 'errors' },
  ],
  [
    'one page fails and answers the same, in turn',
    n => (n % 2 ? failed(0, HUNG_UP) : page(0)),
    { lap: 6, detector: 'sequence' },
  ],
]

test.each(LOOPS)('found: %s', async (name, lap, at) => {
  const shape: Shape = { name, lap }
  const seen = [seenAt(shape), seenInTrace(shape), await seenInGraph(shape)]
  expect(seen).toEqual([at, at, at])
})

test.each(TRANSIENT)('counts half by its class, whatever its words: %s', async error => {
  const shape: Shape = { name: 'every page fails', lap: n => failed(n, error) }
  const at = { lap: 6, detector: 'errors' }
  expect([seenAt(shape), await seenInGraph(shape)]).toEqual([at, at])
})
