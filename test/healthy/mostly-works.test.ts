/** A tool that works for most items, and refuses the others alike, is not an obstacle. One that works no longer is. */
import { describe, expect, test } from 'vitest'
import { watchdog } from '../../src/watchdog.ts'
import { seenInGraph, seenInTrace } from '../attack/loop-paths.ts'
import { seenAt, type Shape } from '../attack/loops.ts'

type Lap = ReturnType<Shape['lap']>

const SYLLABLES = 'ba de fi go ku la me ni po ru sa te vi wo zu'.split(' ')
/** A word for each number. */
const word = (n: number): string => {
  const rest = Math.floor(n / SYLLABLES.length)
  return `${rest > 0 ? word(rest) : ''}${SYLLABLES[n % SYLLABLES.length] ?? ''}`
}
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => word(from * 31 + at * 7)).join(' ')

const url = (n: number) => `https://${word(n * 13 + 40)}.example/${word(n * 17 + 90)}`
const fetched = (n: number, refused: boolean): Lap => ({
  tool: 'fetch',
  args: { url: url(n) },
  result: refused ? `Failed to fetch ${url(n)} - status code 403` : `${words(n, 40)}.`,
})
const thrown = (n: number, refused: boolean): Lap => ({
  tool: 'fetch',
  args: { url: url(n) },
  ...(refused
    ? { error: new Error(`Failed to fetch ${url(n)} - status code 403`) }
    : { result: `${words(n, 40)}.` }),
})
const policy = (n: number, refused: boolean): Lap => ({
  tool: 'bash',
  args: { command: `aws s3api get-bucket-policy --bucket ${word(n * 13 + 40)}-logs` },
  result: refused
    ? { exitCode: 254, stdout: '', stderr: 'An error occurred (AccessDenied): Access Denied' }
    : { exitCode: 0, stdout: JSON.stringify({ Version: words(n, 20) }), stderr: '' },
})
const prompted = (n: number, refused: boolean): Lap => ({
  tool: 'WebFetch',
  args: { url: `${url(n)}/pricing`, prompt: 'Extract the pricing tiers and any limits mentioned.' },
  result: refused ? 'Request failed with status code 403' : `${words(n, 40)}.`,
})
const numbered = (n: number, refused: boolean): Lap => ({
  tool: 'fetch_page',
  args: { url: `https://shop.example/p/${n}` },
  ...(refused ? { error: new Error('403 Forbidden') } : { result: words(n, 40) }),
})
const queried = (n: number, refused: boolean): Lap => ({
  tool: 'query',
  args: { sql: `SELECT count(*) AS n FROM ${word(n * 13 + 40)}` },
  result: refused ? `permission denied for table ${word(n * 13 + 40)}` : [{ n: n * 791 }],
})
const piped = (n: number, refused: boolean): Lap => ({
  tool: 'bash',
  args: { command: `curl -sSfL ${url(n)} | pandoc -f html -t plain` },
  result: refused
    ? { exitCode: 22, stdout: '', stderr: 'curl: (22) The requested URL returned error: 403' }
    : { exitCode: 0, stdout: words(n, 40), stderr: '' },
})
const KINDS = {
  'a text': fetched,
  'an error': thrown,
  'a command': policy,
  'a text beside the same prompt': prompted,
  'an error by number': numbered,
  'a database': queried,
  'a pipe': piped,
}

describe.each(Object.entries(KINDS))('items that are refused by %s', (_, lap) => {
  test.each([3, 4, 5])('one in %i, among new ones, are not detected', async every => {
    const shape: Shape = { name: '', lap: n => lap(n, n % every === 0) }
    expect(seenAt(shape)).toBeUndefined()
    expect(seenInTrace(shape)).toBeUndefined()
    expect(await seenInGraph(shape)).toBeUndefined()
  })

  test('are detected when all others are refused, too', async () => {
    const shape: Shape = { name: '', lap: n => lap(n, n > 20) }
    for (const seen of [seenAt(shape), seenInTrace(shape), await seenInGraph(shape)]) {
      if (seen === undefined || seen === 'other') throw new Error('nothing was found')
      expect(seen.lap).toBeGreaterThan(20)
      expect(seen.lap).toBeLessThanOrEqual(27)
    }
  })
})

test('three of eight that are refused in a row, among new ones, are not detected', () => {
  expect(seenAt({ name: '', lap: n => thrown(n, n % 8 > 4) })).toBeUndefined()
})

test('different failures in a row are not one obstacle', () => {
  const shape: Shape = {
    name: '',
    lap: n => ({ ...thrown(n, n > 20), ...(n > 20 && { error: new Error(words(n, 6)) }) }),
    laps: 27,
  }
  expect(seenAt(shape)).toBeUndefined()
})

test('five pages at once of which three are refused are detected', () => {
  const monitor = watchdog({ policy: { mode: 'observe' }, writes: [] })
  const call = ({ tool = '', args, result, error }: Lap, at: number) => {
    const permit = monitor.permit(tool, at, 0)
    const outcome =
      permit.kind === 'no' ? permit.outcome : monitor.settle(permit, at, error && { error })
    return { tool, args, result, outcome }
  }
  const found = Array.from({ length: 5 }, (_, turn) => {
    const at = 1_760_000_000_000 + turn * 5_000
    const calls = [0, 1, 2, 3, 4].map(n => call(thrown(turn * 10 + n, n > 1), at))
    const verdict = monitor.afterModelTurn({ text: '', calls, at })
    return 'because' in verdict ? verdict.because.map(finding => finding.kind) : []
  })
  expect(found.flat()).toContain('stall')
})

test('the same page that is refused among new ones is detected', () => {
  const shape: Shape = { name: '', lap: n => (n % 3 ? fetched(n, false) : fetched(0, true)) }
  expect(seenAt(shape)?.lap).toBeLessThanOrEqual(12)
})

test.each<readonly [string, (n: number) => Lap, (n: number) => Lap]>([
  [
    'a method',
    n => ({ tool: 'http', args: { method: 'GET', path: `/${word(n)}` }, result: words(n, 20) }),
    n => ({
      tool: 'http',
      args: { method: 'POST', path: `/${word(n)}` },
      result: '403 Forbidden: missing scope users:write',
    }),
  ],
  [
    'a statement',
    n => ({ tool: 'sql', args: { sql: `SELECT ${word(n)} FROM t` }, result: words(n, 20) }),
    n => ({
      tool: 'sql',
      args: { sql: `UPDATE t SET ${word(n)} = 1` },
      result: 'ERROR: permission denied for table t',
    }),
  ],
])('%s that always fails is found, although reads by the same tool succeed', (_, read, write) => {
  const shape: Shape = { name: '', lap: n => (n % 3 ? read(n) : write(n)) }
  expect(seenAt(shape)?.lap).toBeLessThanOrEqual(15)
})
