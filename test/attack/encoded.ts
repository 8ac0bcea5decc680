/** Answers that are JSON as a text in a field of a record, and numbers that are long, but neither times nor ids. */
import type { Shape } from './loops.ts'

const ELASTIC = (n: number) =>
  JSON.stringify({
    took: 3 + ((n * 7) % 29) + n,
    timed_out: false,
    hits: { total: 1, hits: ['a1'] },
  })

/** Where tools put the body of a response or the output of a command. */
const FIELDS: readonly (readonly [string, (body: string) => unknown])[] = [
  ['{"status":200,"body":"…"}', body => ({ status: 200, body })],
  ['{"stdout":"…","exitCode":0}', body => ({ stdout: body, stderr: '', exitCode: 0 })],
  ['{"output":"…"}', body => ({ output: body })],
  [
    '"{\\"output\\":\\"…\\"}"',
    body => JSON.stringify({ output: body, metadata: { exit_code: 0 } }),
  ],
  [
    'a block of MCP with {"body":"…"}',
    body => ({ content: [{ type: 'text', text: JSON.stringify({ status: 200, body }) }] }),
  ],
  ['{"results":["…"]}', body => ({ results: [body] })],
]

const seed = (n: number) => Uint8Array.from({ length: 64 }, (_, at) => (n * 31 + at * 7) % 251)

const LONG_NUMBERS: readonly (readonly [string, (n: number) => unknown])[] = [
  ['a share such as 0.0333333333333333', n => ({ state: 'running', progress: n / LAPS_OF_WORK })],
  ['a loss in a sentence', n => `epoch loss ${0.7 * Math.exp(-n / 9)}`],
  ['bytes of 9 digits', n => ({ state: 'copying', bytes_done: 104_857_600 + n * 10_485_760 })],
  ['bytes of 10 digits', n => ({ state: 'copying', bytes_done: 1_600_000_000 + n * 4_857_600 })],
  [
    'bytes of 10 digits in a sentence',
    n => `copied ${1_600_000_000 + n * 4_857_600} of 9000000000 bytes`,
  ],
  ['bytes of 14 digits', n => ({ bytes: 90_000_000_000_000 + n * 104_857_600 })],
  ['a balance', n => ({ balance: 1_204_000_500 + n * 250_000 })],
  ['an address of the network', n => ({ next: `192.168.1.${n}`, open: true })],
  ['a range of rows', n => `received rows 0-${n * 100}`],
  ['a share of a total', n => `500/${n + 5}`],
  ['a score', n => `Ada 0-${n}`],
  ['a number with its year', n => ({ order: `2026-${1000 + n}` })],
  ['bytes of a picture', n => seed(n)],
  ['bytes of a picture in a record', n => ({ image: Buffer.from(seed(n)) })],
  ['a buffer of bytes', n => seed(n).buffer],
]

const two = (n: number) => `${10 + (n % 18)}`

const TIMES: readonly (readonly [string, (n: number) => unknown])[] = [
  ['seconds since 1970', n => 1_764_400_000 + n],
  ['seconds since 1970 with a fraction', n => 1_764_400_000.25 + n],
  ['milliseconds since 1970', n => 1_764_400_000_000 + n],
  ['18 digits', n => `${738_291_640_112_331_008n + BigInt(n)}`],
  ['2026-01-03', n => `2026-01-${two(n)}`],
  ['1/3/26', n => `1/${two(n)}/26`],
  ['03.01.2026', n => `${two(n)}.01.2026`],
  ['/2026/01/03/post', n => `/2026/01/${two(n)}/post`],
  ['20260103-153012', n => `20260103-1530${two(n)}`],
  ['a response time', n => ({ responseTime: 10 + n })],
  ['2026-01', n => `2026-${two(n % 3)}`],
]

const LAPS_OF_WORK = 61

export const ENCODED: readonly Shape[] = [
  ...FIELDS.map(([shown, answer]) => ({
    name: `the same search, answered by JSON with a duration in ${shown}`,
    lap: (n: number) => ({
      tool: 'get',
      args: { url: '/_search?q=a' },
      result: answer(ELASTIC(n)),
    }),
  })),
  ...LONG_NUMBERS.map(([shown, answer]) => ({
    name: `a job that is polled, answered by another number: ${shown}`,
    healthy: true as const,
    lap: (n: number) => ({ tool: 'job_status', args: { job: 'j1' }, result: answer(n) }),
  })),
  ...TIMES.map(([shown, time]) => ({
    name: `the same call, answered by another time or serial number: ${shown}`,
    lap: (n: number) => ({ tool: 'status', args: {}, result: { state: 'busy', seen: time(n) } }),
  })),
]
