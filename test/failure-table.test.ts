/** The class of each failure, written out: a table that is compared with itself shows nothing. */
import { describe, expect, test } from 'vitest'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { policyOf } from '../src/core/graph/spec/spec.ts'
import { redactor } from '../src/runtime/redact.ts'
import { classify, factsOf, leavesDoubt } from '../src/core/watch/failure/failure.ts'
import { FAILURE_RULES } from '../src/core/watch/failure/failure-rules.ts'
import { backoff } from '../src/core/watch/failure/recurring.ts'
import { POLICY, retryDelay } from '../src/core/watch/policy/policy.ts'

const classOf = (error: unknown, rules = FAILURE_RULES) => classify(factsOf(error), rules).class

/** Every status from 400 to 599 that is not `unknown`. */
const STATUSES = {
  transient: [408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529],
  persistent: [
    ...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417],
    ...[421, 422, 423, 424, 428, 431, 451, 501, 505],
  ],
} as const

/** The statuses that say nothing of other callers: a breaker does not count them. */
const OF_THE_REQUEST = [
  ...[400, 402, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417],
  ...[421, 422, 423, 424, 425, 428, 431, 451],
]

const WORDS = {
  transient: [
    'Timeout',
    'connection refused',
    'Network Error',
    'Service Unavailable',
    'too many requests',
    'Rate limit exceeded',
    'Internal Server Error',
    'connect timed out',
    'the database is temporarily locked',
  ],
  persistent: [
    'Unauthorized',
    'FORBIDDEN',
    'page not found',
    'Bad Request',
    'invalid credentials',
    'permission denied',
    'configuration error: no region',
  ],
} as const

const CODES = {
  transient: ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EAI_AGAIN', 'EBUSY', 'SQLITE_BUSY'],
  persistent: ['ENOENT', 'EACCES', 'ENOTFOUND', 'invalid_api_key', 'insufficient_quota'],
} as const

describe('the default table of failures', () => {
  test('has these statuses, 409 and 429 as transient ones, and no others', () => {
    const all = Array.from({ length: 200 }, (_, index) => 400 + index)
    const statusesOf = (wanted: string) =>
      all.filter(status => classOf({ status, message: 'x' }) === wanted)
    expect(statusesOf('transient')).toEqual(STATUSES.transient)
    expect(statusesOf('persistent')).toEqual(STATUSES.persistent)
    for (const status of all)
      expect(classOf(new Error(`HTTP ${status}`))).toBe(classOf({ status, message: 'x' }))
  })

  test('separates a bad request from a bad resource', () => {
    const listed = [...STATUSES.transient, ...STATUSES.persistent].toSorted((a, b) => a - b)
    const ofRequest = listed.filter(
      status => classify({ name: 'E', message: 'x', status }, FAILURE_RULES).scope === 'request',
    )
    expect(ofRequest).toEqual(OF_THE_REQUEST)
  })

  test('has these words, in any case', () => {
    for (const [wanted, messages] of Object.entries(WORDS))
      for (const message of messages)
        expect([message, classOf(new Error(message))]).toEqual([message, wanted])
    expect(classOf(new Error('something odd happened'))).toBe('unknown')
    expect(classOf({})).toBe('unknown')
  })

  test('has these codes, which precede the status and the words', () => {
    for (const [wanted, codes] of Object.entries(CODES))
      for (const code of codes)
        expect([code, classOf({ code, message: 'x' })]).toEqual([code, wanted])
    expect(classOf({ status: 429, code: 'insufficient_quota', message: 'x' })).toBe('persistent')
    expect(classOf({ status: 401, message: 'timeout' })).toBe('persistent')
  })

  test('yields to the rules of a spec: 409 and 429 can be persistent', () => {
    const { spec, faults } = readSpec({
      escapement: 1,
      id: 'strict',
      start: 'work',
      nodes: { work: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } },
      failures: { rules: [{ id: 'strict', status: [409, 429], class: 'persistent' }] },
    })
    expect(faults).toBeUndefined()
    const { failures } = spec ? policyOf(spec) : POLICY
    expect([409, 429, 503].map(status => classOf({ status, message: 'x' }, failures))).toEqual([
      'persistent',
      'persistent',
      'transient',
    ])
  })
})

test('the facts of an error are its name, message, status, code, wait and causes, and never its stack', () => {
  const cause = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  const headers = { 'retry-after': '7' }
  const error = Object.assign(new TypeError('HTTP 503: try later', { cause }), { headers })
  expect(error.stack).toContain('failure-table.test.ts')
  expect(factsOf(error)).toEqual({
    name: 'TypeError',
    message: 'HTTP 503: try later',
    status: 503,
    retryAfter: 7_000,
    causes: [{ name: 'Error', message: 'socket hang up', code: 'ECONNRESET' }],
  })
})

test.each(['headers', 'response', 'responseHeaders'])(
  'the wait is read from `%s` of an error',
  key => {
    const headers = { 'retry-after': '7' }
    const error = { message: 'HTTP 503', [key]: key === 'response' ? { headers } : headers }
    expect(factsOf(error).retryAfter).toBe(7_000)
  },
)

describe('the wait before an attempt', () => {
  const waits = { base: 100, cap: 60_000 }
  const attempts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

  test('is base × 2^(attempt − 1) up to the cap', () => {
    expect(attempts.map(attempt => backoff(attempt, 0, waits))).toEqual([
      100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000, 60_000,
    ])
  })

  test('grows by up to a tenth by chance, and never beyond the cap', () => {
    expect(attempts.map(attempt => backoff(attempt, 0.5, waits))).toEqual([
      105, 210, 420, 840, 1_680, 3_360, 6_720, 13_440, 26_880, 53_760, 60_000, 60_000,
    ])
    expect(backoff(1, 0.999, { base: 1_000, cap: 60_000 })).toBe(1_100)
  })

  test('is 1 s, then 2 s by default, and 60 s at most', () => {
    const failure = {
      ...factsOf({ status: 503 }),
      class: 'transient',
      scope: 'resource',
      rule: 'x',
    } as const
    const delay = (attempt: number) =>
      retryDelay(POLICY.retry, { failure, attempt, chance: 0, spent: 0 })
    expect([1, 2, 3].map(delay)).toEqual([1_000, 2_000, undefined])
    expect(POLICY.retry).toMatchObject({ attempts: 3, base: 1_000, cap: 60_000, total: 12 })
  })
})

describe('a failed call may have taken effect', () => {
  const doubtful = (facts: object) =>
    leavesDoubt({
      ...factsOf({ message: 'x', ...facts }),
      class: 'transient',
      scope: 'resource',
      rule: 'r',
    })

  test('after exactly these statuses', () => {
    const all = Array.from({ length: 200 }, (_, index) => 400 + index)
    expect(all.filter(status => doubtful({ status }))).toEqual([408, 504, 520, 522, 524])
  })

  test('after a lost connection, but not after one that never began', () => {
    expect(doubtful({ code: 'ECONNRESET' })).toBe(true)
    expect(doubtful({ code: 'ECONNREFUSED' })).toBe(false)
  })
})

test('an answer of an MCP tool with an error is a business failure', () => {
  const error = Object.assign(new Error('the article is sold out'), { name: 'McpToolError' })
  expect(classOf(error)).toBe('business')
})

test('a message is stored up to 2,000 characters', () => {
  expect(factsOf(new Error('x'.repeat(3_000))).message.length).toBe(2_000)
})

test('a secret that the limit of a message would split is left out', () => {
  const redact = redactor(['plain-word-secret'])
  const token = `eyJ${'a'.repeat(5_000)}.${'b'.repeat(9_000)}.${'c'.repeat(2_340)} `
  const { message } = factsOf(new Error(`${token.padEnd(16_375, 'x')}plain-word-secret`), redact)
  expect(message).not.toContain('plain-wo')
})
