/** What stands beside the text of an answer does not hide what the text says, and no answer is too large or too deep to be read. */
import { expect, test } from 'vitest'
import { watchdog } from '../../src/watchdog.ts'
import { seenAt } from './loops.ts'

const words = 'amber basil cedar dune ember fjord grove heron iris jade'.split(' ')
const draft = (n: number) => `${words[n % 10]} ${words[(n * 7 + 3) % 10]} ${n}`

const savedAt = (answer: (n: number) => unknown) =>
  seenAt({ name: '', lap: n => ({ tool: 'save', args: { text: draft(n) }, result: answer(n) }) })
    ?.lap

/** The same page is opened again and again. */
const openedAt = (answer: (n: number) => unknown) =>
  seenAt({ name: '', lap: n => ({ tool: 'open', args: { page: 'orders' }, result: answer(n) }) })
    ?.lap

const pixels = (n: number, times = 300) => btoa(`pixels ${n} `.repeat(times))

/** What stands beside the text of an answer. */
const BESIDE: readonly (readonly [name: string, block: (n: number) => object])[] = [
  ['an image', () => ({ type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' })],
  ['a new image each time', n => ({ type: 'image', data: `aGVs${n}`, mimeType: 'image/png' })],
  [
    'a large image, new each time',
    n => ({ type: 'image', data: pixels(n, 20_000), mimeType: 'image/png' }),
  ],
  ['an image of Anthropic', () => ({ type: 'image', source: { type: 'url', url: 'https://a/b' } })],
  ['an image of OpenAI', () => ({ type: 'image_url', image_url: { url: 'https://a/b.png' } })],
  ['a recording', () => ({ type: 'audio', data: 'aGVsbG8=', mimeType: 'audio/wav' })],
  ['a link', () => ({ type: 'resource_link', uri: 'view://1', name: 'view' })],
  ['a resource', () => ({ type: 'resource', resource: { uri: 'view://1', text: '# Views' } })],
  ['a file', () => ({ type: 'file', mediaType: 'image/png', data: 'aGVsbG8=' })],
]
const REFUSALS = ['403 Forbidden', '{"ok":false}', 'Error: Permission denied']

test.each(BESIDE)('a write that is refused beside %s is seen', (_, block) => {
  for (const text of REFUSALS) {
    const refused = { type: 'text', text }
    for (const answer of [
      (n: number) => ({ content: [refused, block(n)] }),
      (n: number) => [block(n), refused],
      (n: number) => ({ type: 'content', value: [refused, block(n)] }),
    ])
      expect(savedAt(answer)).toBeLessThanOrEqual(6)
  }
})

const FIELDS: readonly (readonly [name: string, field: (n: number) => object])[] = [
  ['its usage', n => ({ usage: { tokens: n * 7 } })],
  ['its duration', n => ({ durationMs: n * 13 })],
  ['the id of the request', n => ({ requestId: `req-${n}` })],
  ['a number that counts', n => ({ seq: n })],
  ['metadata', n => ({ metadata: { turn: n } })],
]

test.each(FIELDS)('a write that is refused in blocks beside %s is seen', (_, field) => {
  const content = [{ type: 'text', text: 'Permission denied' }]
  expect(savedAt(n => ({ content, ...field(n) }))).toBeLessThanOrEqual(6)
  const image = { type: 'image', data: 'aGVsbG8=', mimeType: 'image/png' }
  expect(savedAt(n => ({ content: [...content, image], ...field(n) }))).toBeLessThanOrEqual(6)
})

/** Fields that differ from answer to answer, and are left out. What remains is still a record. */
const VOLATILE: readonly (readonly [name: string, field: object])[] = [
  ['a quota', { quota_remaining: 33 }],
  ['a quota between others', { aaa: 1, quota_remaining: '33', zzz: 2 }],
  ['headers', { headers: { 'x-request-id': 'a1', 'x-ratelimit-remaining': '7' } }],
  ['headers before others', { headers: { 'cf-ray': 'a1', 'content-type': 'text/plain' } }],
  [
    'the cost of a query',
    { extensions: { cost: { requestedQueryCost: 3, throttleStatus: { available: 7 } } } },
  ],
  ['the clock of a cluster', { operationTime: { $timestamp: { t: 1, i: 7 } } }],
]

test.each(VOLATILE)('a refusal beside %s is seen', (_, field) => {
  expect(savedAt(() => ({ error: 'Permission denied', ...field }))).toBe(3)
  expect(savedAt(() => ({ status: 403, data: { message: 'Permission denied' }, ...field }))).toBe(3)
})

test.each([null, [], {}])('an explanation beside no data, %j, is a refusal', data => {
  expect(savedAt(() => ({ code: 40_001, message: 'Permission denied', data }))).toBe(3)
  expect(savedAt(() => ({ message: 'Permission denied', result: data }))).toBe(3)
})

test('a panic of Rust is the same whatever thread it is in', () => {
  const panic = (n: number) =>
    `thread 'main' (${1_000 + n * 17}) panicked at src/main.rs:3:5:\nboom`
  expect(openedAt(panic)).toBeLessThanOrEqual(5)
})

const MEASURED: readonly (readonly [name: string, line: (n: number) => string])[] = [
  ['a duration', n => `FAIL\texample.com/cart\t0.${100 + n * 7}s`],
  ['a process id', n => `1 failed\npid ${1_000 + n * 17}`],
  ['a colored process id', n => `1 failed\n\u001b[90mpid ${1_000 + n * 17}\u001b[39m`],
  ['a task', n => `1 failed\nTask-${n}`],
]

test.each(MEASURED)('%s in a line of a record does not make another answer', (_, line) => {
  expect(openedAt(line)).toBe(3)
  expect(openedAt(n => ({ exitCode: 1, stdout: line(n), stderr: '' }))).toBe(3)
  expect(openedAt(n => ({ output: `cart\n${line(n)}` }))).toBe(3)
})

test('a flag beside the blocks is the answer', () => {
  const content = (n: number) => [{ type: 'text', text: `Saved ${draft(n)}` }]
  for (const flag of [{ isError: true }, { is_error: true }, { ok: false }, { success: false }])
    expect(savedAt(n => ({ content: content(n), ...flag }))).toBeLessThanOrEqual(8)
})

const SCREENSHOTS: readonly (readonly [name: string, answer: (shot: string) => unknown])[] = [
  ['a field of any name', screenshot => ({ success: false, error: '403 Forbidden', screenshot })],
  ['a field for bytes', image => ({ error: '403 Forbidden', image })],
  ['a list of attachments', data => ({ error: '403 Forbidden', attachments: [{ data }] })],
  ['an address in Markdown', shot => `403 Forbidden\n\n![](data:image/png;base64,${shot})`],
  ['a part of Gemini', data => [{ text: '403 Forbidden' }, { inlineData: { data } }]],
]

test.each(SCREENSHOTS)('a refusal with a new screenshot each time, in %s, is seen', (_, answer) => {
  expect(openedAt(n => answer(pixels(n)))).toBe(3)
  expect(openedAt(n => JSON.stringify(answer(pixels(n))))).toBe(3)
  expect(savedAt(n => answer(pixels(n)))).toBeLessThanOrEqual(6)
})

test('what a record of blocks is about remains', () => {
  const content = [{ type: 'text', text: 'Access denied page' }]
  expect(openedAt(n => ({ title: `On ${words[n % 10]}`, order: n, content }))).toBeUndefined()
})

test('bytes of a name of their own are content', () => {
  expect(openedAt(n => ({ image: pixels(n), width: 40 }))).toBeUndefined()
  expect(openedAt(n => ({ uri: 'ui://shot', blob: pixels(n) }))).toBeUndefined()
})

const WORDED = [
  'invalid password: 8 characters are required',
  'no seats left for passengers: 2',
  'TypeError: f() takes 1 argument, but 2 were passed',
  'The release could not be deployed to the staging cluster successfully',
]

test.each(WORDED)('a refusal with a word like that of a passed test is seen: %s', text => {
  expect(savedAt(() => text)).toBeLessThanOrEqual(8)
})

test('a login that succeeds before each pull does not hide that the pulls are denied', () => {
  const answer = (n: number) =>
    `Login Succeeded\nError response from daemon: pull access denied for ${draft(n)}`
  const lap = (n: number) => ({
    tool: 'run',
    args: { command: `docker pull ${draft(n)}` },
    result: answer(n),
  })
  expect(seenAt({ name: '', lap })?.lap).toBeLessThanOrEqual(6)
})

test('a token without a type is not content', () => {
  const answer = (n: number) => ({ data: pixels(n), message: 'The session goes on.' })
  expect(openedAt(answer)).toBeLessThanOrEqual(16)
})

const DEEP = '['.repeat(8_000) + ']'.repeat(8_000)
const HUGE: readonly (readonly [name: string, result: unknown])[] = [
  ['base64 of 20 MB', { data: 'A'.repeat(20_000_000), mimeType: 'image/png' }],
  ['base64 of 20 MB as a text', `data:image/png;base64,${'A'.repeat(20_000_000)}`],
  ['a deep block', `[{"json":${DEEP}}]`],
  ['a deep text of a block', `[{"type":"text","text":${DEEP}}]`],
  [
    'deep structured content',
    `{"content":[{"type":"text","text":"Done."}],"structuredContent":{"a":${DEEP}}}`,
  ],
]

test.each(HUGE)('%s is read', (_, result) => {
  const watch = watchdog()
  watch.userMessage('Look at it.', 1)
  watch.beforeModelCall(2)
  const permit = watch.permit('look', 3, 0)
  if (permit.kind === 'no') throw new Error(permit.why)
  const call = { tool: 'look', args: {}, result, outcome: watch.settle(permit, 4) }
  const verdict = watch.afterModelTurn({ text: '', calls: [call], at: 5 })
  expect(verdict.kind).toBe('continue')
})
