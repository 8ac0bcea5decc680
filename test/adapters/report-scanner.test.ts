/** Finds the usage in an answer that has not arrived to its end, wherever it is split, in linear time. */
import { expect, test } from 'vitest'
import { ReportScanner } from '../../src/adapters/model/langchain/report-scanner.ts'

function scan(...parts: readonly string[]) {
  const scanner = new ReportScanner()
  for (const part of parts) scanner.add(part)
  return { counts: scanner.counts, isStream: scanner.isStream }
}

const USAGE = '{"prompt_tokens": 5, "a\\"}": [{"b": "}"}], "completion_tokens": 3}'
const COUNTS = { input: 5, output: 3 }

test('an answer may be split at each character', () => {
  const text = String.raw`{"id": "a\"{", "choices": [{"message": {"usage": {"output_tokens": 9}, "content": "\\"}}], "usage": ${USAGE}, "b": "`
  for (let at = 0; at <= text.length; at++)
    expect(scan(text.slice(0, at), text.slice(at))).toEqual({ counts: COUNTS, isStream: false })
  expect(scan(...text)).toEqual({ counts: COUNTS, isStream: false })
})

test.each([
  [`{"message":{"usage":${USAGE}`, COUNTS, false],
  [`[{"usage":{"output_tokens":2}},{"response":{"usage":${USAGE}}}]`, COUNTS, true],
  [`{"usage":{"output_tokens":2}}\n{"usage":${USAGE}}`, COUNTS, true],
  [`{"usage":${USAGE.slice(0, -1)}`, {}, false],
  [`{"usage":{oops: 5}, "usage":${USAGE}`, COUNTS, false],
  [`{"a":{"usage":${USAGE}}}`, {}, false],
  [`{"choices":[{"usage":${USAGE}}]`, COUNTS, false],
  [`{"data":[{"usage":${USAGE}}]`, {}, false],
  [`]}"usage":${USAGE}`, {}, false],
  [`{"usage":null,"usage":[${USAGE}]`, {}, false],
])('%s', (text, counts, isStream) => {
  expect(scan(text)).toEqual({ counts, isStream })
})

test.each(['"', '{', '[', '}', '"\\', '{"usage":', '{"usage":{}},', '"usage":{"a":1},', 'x', ':'])(
  'a text of 4 MB of %j is read in linear time',
  part => {
    const text = part.repeat(4e6 / part.length)
    const started = process.cpuUsage()
    scan('{', ...(text.match(/.{1,1000}/gs) ?? []))
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000)
  },
)
