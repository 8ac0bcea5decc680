/** The class of each failure, written out: a table that is compared with itself shows nothing. */
import { describe, expect, test } from 'vitest'
import { readSpec } from '../src/core/graph/spec/read.ts'
import { policyOf } from '../src/core/graph/spec/spec.ts'
import { redactor } from '../src/runtime/redaction/redact.ts'
import { type FailureClass, classify, factsOf } from '../src/core/watch/failure/failure.ts'
import { isRefusal, leavesDoubt, mayCost } from '../src/core/watch/failure/doubt.ts'
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

  test('reads a count of failures as a report: the resource works', () => {
    const scopeOf = (message: string) => classify({ name: 'Error', message }, FAILURE_RULES).scope
    const counted = [
      'Tests: 3 failed, 9 passed',
      '3 failing',
      '12 passed, 1 failed',
      '2 tests failed',
      'Found 3 errors in 2 files.',
      'Found 1 error in a.ts',
      'Command failed: npm test\n  3 passing (4ms)\n  37 failing',
      'Tests run: 40, Failures: 37, Errors: 0',
      'ℹ tests 40\nℹ pass 3\nℹ fail 37',
      'FAILED (failures=37)',
      '37 of 40 tests failed',
      'Failed 37/40 subtests',
      'webpack compiled with 37 errors',
      'webpack compiled with 1 error',
      '{"failed":37,"passed":3}',
      '{"numFailedTests":37}',
      'Command failed: flake8 a.py\na.py:3:80: E501 line too long',
      'Command failed with exit code 1: npx prettier --check a.js',
    ]
    for (const message of counted) {
      expect([message, scopeOf(message)]).toEqual([message, 'request'])
      expect(classOf(new Error(message))).toBe('unknown')
    }
    const others = [
      'Attempt 3 failed',
      'something odd happened',
      'job 7 failed: no disk',
      'Upload failed: 503',
      'Failed: 503',
      'Login failed 3 times',
      'Failed 3/2026',
      'call of 2 failed',
      'Attempt 3 of 3 failed',
      'retry 3/3 failed',
      '1 error occurred: the endpoint is down',
      'the upload fails 3',
      'errors 37',
      '{"status":"failed","id":37}',
    ]
    for (const message of others) expect([message, scopeOf(message)]).toEqual([message, 'resource'])
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
    guessed: true,
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

  const all = Array.from({ length: 500 }, (_, index) => 100 + index)

  test('after a status that accepts the request, and after a server that may have worked on it', () => {
    const refused = all.filter(status => !doubtful({ status }))
    const clientErrors = all.filter(status => status >= 400 && status < 500)
    expect(refused).toEqual([
      ...clientErrors.filter(status => status !== 408 && status !== 499),
      ...[501, 505, 521, 523, 525, 526, 529],
    ])
  })

  test('after a 503, which a proxy sends for a broken connection too, unless it has `retry-after`', () => {
    expect(doubtful({ status: 503, retryAfter: 0 })).toBe(false)
    expect(doubtful({ status: 503 })).toBe(true)
    expect(doubtful({ status: 500, retryAfter: 0 })).toBe(true)
  })

  test('after a success status whose response cannot be read, whatever the class', () => {
    const unreadable = (failureClass: FailureClass) =>
      leavesDoubt({
        ...factsOf(Object.assign(new Error('no JSON'), { response: { status: 201 } })),
        class: failureClass,
        scope: 'request',
        rule: 'r',
      })
    expect(unreadable('unknown')).toBe(true)
    expect(unreadable('persistent')).toBe(true)
    // The tool itself says that the service declined.
    expect(unreadable('business')).toBe(false)
  })

  test('by a rule with the class `indeterminate`', () => {
    const facts = { ...factsOf(new Error('x')), scope: 'request', rule: 'r' } as const
    expect(leavesDoubt({ ...facts, class: 'indeterminate' })).toBe(true)
    expect(leavesDoubt({ ...facts, class: 'unknown' })).toBe(false)
  })

  test('but not when the limit of concurrent calls did not admit it', () => {
    expect(doubtful({ name: 'BulkheadFull' })).toBe(false)
  })

  test('after a lost connection, but not after one that never began', () => {
    expect(doubtful({ code: 'ECONNRESET' })).toBe(true)
    expect(doubtful({ code: 'ECONNREFUSED' })).toBe(false)
  })
})

test('a numeric code counts as a status of HTTP from 400 on: programs end with smaller ones', () => {
  const of = (code: number) => factsOf(Object.assign(new Error('failed'), { code })).status
  expect([1, 127, 128, 255, 399].map(of)).toEqual(Array(5).fill(undefined))
  expect([400, 429, 503].map(of)).toEqual([400, 429, 503])
})

describe('a connection', () => {
  const at = (syscall: string | undefined, code: string) =>
    Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall && { syscall }) })
  const passedOn = (cause: Error) => new TypeError('fetch failed', { cause })
  /** What Node.js throws after it has tried each address of a host. */
  const ofEach = (...errors: (Error & { code: string })[]) =>
    Object.assign(new AggregateError(errors), { code: errors[0]?.code })
  const never = (error: Error) => {
    const facts = factsOf(error)
    const failure = { ...facts, ...classify(facts, FAILURE_RULES) }
    expect([error.message, mayCost(failure)]).toEqual([error.message, !isRefusal(failure)])
    return isRefusal(failure) && !leavesDoubt(failure)
  }
  const codes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET']

  test.each([...codes, 'EADDRNOTAVAIL', 'ENETDOWN', 'EHOSTDOWN'])(
    'that could not be made has sent nothing: %s',
    code =>
      expect([never(at('connect', code)), never(passedOn(at('connect', code)))]).toEqual([
        true,
        true,
      ]),
  )

  test.each(codes)('that broke may have sent the request: %s', code => {
    for (const call of ['read', 'write']) {
      expect(never(at(call, code))).toBe(false)
      expect(never(passedOn(at(call, code)))).toBe(false)
    }
  })

  test('was made or not if an error does not name the system call, unless its code says so', () => {
    const proofs = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']
    for (const code of proofs) expect([code, never(at(undefined, code))]).toEqual([code, true])
    for (const code of codes.slice(1))
      expect([code, never(at(undefined, code))]).toEqual([code, false])
    expect(never(at('getaddrinfo', 'ENOTFOUND'))).toBe(true)
  })

  test('to one of several addresses has sent nothing if none could be made', () => {
    const unreachable = at('connect', 'ENETUNREACH')
    const tried = ofEach(unreachable, at('connect', 'ETIMEDOUT'))
    expect(factsOf(tried)).toMatchObject({ code: 'ENETUNREACH', syscall: 'connect' })
    expect([never(tried), never(passedOn(tried))]).toEqual([true, true])
    expect(never(ofEach(unreachable, at('read', 'EHOSTUNREACH')))).toBe(false)
    const { proxy, revoke } = Proxy.revocable([], {})
    revoke()
    expect(factsOf({ message: 'x', errors: proxy })).toEqual({ name: 'Error', message: 'x' })
  })
})

test('a wrapped refusal proves nothing, and one that `fetch` passes on is a refusal', () => {
  const refused = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' })
  const isRefused = (error: Error) => {
    const facts = factsOf(error)
    return isRefusal({ ...facts, ...classify(facts, FAILURE_RULES) })
  }
  expect(isRefused(new Error('the poll failed', { cause: refused }))).toBe(false)
  expect(isRefused(new TypeError('fetch failed', { cause: refused }))).toBe(true)
})

test('an error of a gRPC client is classified by the name of its status', () => {
  const grpc = (code: number, message: string) => Object.assign(new Error(message), { code })
  expect(classOf(grpc(4, '4 DEADLINE_EXCEEDED: Deadline exceeded'))).toBe('transient')
  expect(classOf(grpc(5, '5 NOT_FOUND: no account'))).toBe('persistent')
  expect(classOf(grpc(2, '2 ERRORS: in the table'))).toBe('unknown')
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

describe('a failed call of a model may cost something', () => {
  const costs = (facts: object) =>
    mayCost({
      ...factsOf({ message: 'x', ...facts }),
      class: 'transient',
      scope: 'resource',
      rule: 'r',
    })

  test('when a response began or a gateway stopped waiting, but not after an error of the provider', () => {
    expect([100, 200, 299, 302].map(status => costs({ status }))).toEqual(Array(4).fill(true))
    const all = Array.from({ length: 200 }, (_, index) => 400 + index)
    expect(all.filter(status => costs({ status }))).toEqual([408, 499, 504, 520, 522, 524])
  })

  test('after a lost connection, but not after one that never began', () => {
    expect(costs({ code: 'ECONNRESET' })).toBe(true)
    expect(costs({ code: 'ECONNREFUSED' })).toBe(false)
  })

  test.each(['Not found.', 'HTTP 404.', 'status 429', 'error code 500', 'Three left.'])(
    'when its answer cannot be read, whatever the answer says: %s',
    answer => {
      const facts = factsOf(new SyntaxError(`Unexpected token, "${answer}" is not valid JSON`))
      expect(mayCost({ ...facts, ...classify(facts, FAILURE_RULES) })).toBe(true)
    },
  )

  test.each([
    Object.assign(new Error('set OPENAI_API_KEY'), { code: 'no-endpoint' }),
    Object.assign(new Error('the key is missing'), { name: 'AI_LoadAPIKeyError' }),
    Object.assign(new Error('too long'), { code: 'context_length_exceeded' }),
    new Error('Request failed with status code 429'),
  ])('but not when it was refused or never sent: %s', error => {
    const facts = factsOf(error)
    expect(mayCost({ ...facts, ...classify(facts, FAILURE_RULES) })).toBe(false)
  })
})
