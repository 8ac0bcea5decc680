/** The same call with answers in which only measured numbers differ is a loop. Progress, and answers between which something happens, are not. */
import { expect, test } from 'vitest'
import { chance } from './chance.ts'
import { type Lap, seenAt } from './loops.ts'

const { below, next } = chance(7)
const upTo = (most: number) => below(most) + 1
const share = () => next().toFixed(2)

const lapOf = (result: unknown, tool = 'query', args = {}): Lap => ({ tool, args, result })
const seen = (lap: (n: number) => Lap) => seenAt({ name: '', lap })?.lap

test.each<readonly [string, () => unknown]>([
  [
    'ClickHouse',
    () =>
      `0 rows in set. Processed 8.19 thousand rows (${share()} million rows/s., ${share()} MB/s.)\nPeak memory usage: ${share()} KiB.`,
  ],
  [
    'Trino',
    () => `Query 7, FINISHED, 1 node\nSplits: 9 total [${upTo(90)} rows/s, ${upTo(90)}KB/s]`,
  ],
  [
    'Axiom',
    () => ({
      status: { elapsedTime: upTo(900_000), blocksExamined: 4, rowsMatched: 1, isPartial: false },
      matches: [{ data: { msg: 'hello there' } }],
    }),
  ],
  [
    'a build that runs out of memory',
    () => ({
      exitCode: 134,
      stdout: '',
      stderr: `Mark-Compact ${upTo(900)} (${upTo(900)}) -> ${upTo(900)} MB\nFATAL ERROR: Ineffective mark-compacts near heap limit`,
    }),
  ],
])('measurements of %s are seen in the sixteenth answer', (_, answer) => {
  const at = seen(() => lapOf(answer()))
  expect(at).toBeGreaterThan(3)
  expect(at).toBeLessThanOrEqual(17)
})

test.each<readonly [string, unknown]>([
  ['Solr', () => ({ responseHeader: { status: 0, QTime: upTo(60) }, response: { numFound: 2 } })],
  ['Pinot', () => ({ resultTable: { rows: [[97]] }, totalDocs: 97, timeUsedMs: upTo(90) })],
  ['Dgraph', () => ({ data: { me: [] }, extensions: { server_latency: { total_ns: upTo(9e6) } } })],
  ['Jupyter', (n: number) => ({ execution_count: n, data: { 'text/plain': '(100, 4)' } })],
  ['GitHub', (n: number) => ({ data: { rateLimit: { remaining: 5_000 - n }, issues: 3 } })],
  ['OpenCage', (n: number) => ({ rate: { remaining: 2_500 - n }, results: [], total_results: 0 })],
  [
    'S3',
    () => `https://b.s3.amazonaws.com/a.pdf?X-Amz-Security-Token=F${upTo(9e9)}%2Bq${upTo(9e9)}`,
  ],
  [
    'Playwright',
    (n: number) => `- heading "Login" [ref=s${n}e3]\n- button "Sign in" [ref=s${n}e7]`,
  ],
  [
    'a sub-agent',
    () => `The login works.\n<usage>total_tokens: ${upTo(9e4)}\ntool_uses: ${upTo(90)}</usage>`,
  ],
  [
    'OpenAI',
    () => ({ answer: 'The login works.', usage: { prompt_tokens: upTo(9e4), total_tokens: 7 } }),
  ],
  ['Julia', (n: number) => `ERROR: UndefVarError: x not defined\n @ Main REPL[${n}]:1`],
  ['gdb', (n: number) => `$${n} = {count = 0, name = "clock", next = 0x0}`],
] as const)('what %s counts or measures is not content', (_, answer) => {
  expect(seen(n => lapOf((answer as (n: number) => unknown)(n)))).toBeLessThanOrEqual(4)
})

test('progress beside measurements is not a loop', () => {
  const job = (n: number) =>
    `Copied ${n * 3} of 900 files of the job at ${share()} million bytes/s.`
  expect(seen(n => lapOf(job(n)))).toBeUndefined()
})

test('two calls in turn, one of which shows progress, are not a loop', () => {
  const job = (n: number) => `Copied ${n * 3} of 900 files of the job, and none of them failed`
  const load = () => `Load of the host over the last minutes: ${share()}, ${share()}, ${share()}`
  expect(seen(n => (n % 2 ? lapOf(job(n)) : lapOf(load(), 'load')))).toBeUndefined()
})

test('a game whose state moves up and down is not a loop', () => {
  const state = () => ({
    player: { x: upTo(9), y: upTo(9) },
    energy: upTo(9),
    room: 'hall',
    key: 'no',
  })
  const ways = ['north', 'east', 'south', 'west']
  const move = (n: number) => lapOf({ ok: true }, 'move', { way: ways[upTo(4) % 4], turn: n })
  expect(seen(n => (n % 2 ? lapOf(state(), 'look') : move(n)))).toBeUndefined()
})

test('a benchmark after each edit is not a loop', () => {
  const rate = () => `The benchmark of the parser has made ${share()} million calls per thread`
  const edit = (n: number) =>
    lapOf('ok', 'edit', { text: `draft ${n * 7} of the parser, part ${n}` })
  expect(seen(n => (n % 2 ? edit(n) : lapOf(rate(), 'bench')))).toBeUndefined()
})

const METRICS = () => `cpu usage ${upTo(90)} percent, memory ${upTo(900)} MB free, load ${share()}`

test.each<readonly [string, string, unknown]>([
  ['sleep', 'ok', { seconds: 60 }],
  ['bash', '', { command: 'sleep 60' }],
])('numbers that are watched with pauses of %s are not a loop', (tool, result, args) => {
  expect(
    seen(n => (n % 2 ? lapOf(METRICS(), 'get_metrics') : lapOf(result, tool, args as object))),
  ).toBeUndefined()
})

test.each(['next_item', 'step', 'roll_dice'])('what %s returns is not a measurement', tool => {
  const item = () => ({
    width: upTo(9),
    height: upTo(9),
    depth: upTo(9),
    weight: upTo(99),
    color: 1,
    kind: 2,
  })
  expect(seen(() => lapOf(item(), tool))).toBeUndefined()
})

test.each<readonly [string, (n: number) => unknown]>([
  ['complexity', n => ({ file: 'a.ts', complexity: { cyclomatic: 90 - n, cognitive: 120 - n } })],
  ['rateLimit', n => ({ rateLimit: { limit: n * 10, burst: n } })],
  ['start_ts', n => ({ start_ts: n * 5.5, speaker: 'A' })],
  ['execution_count', n => ({ execution_count: n, name: 'sync' })],
  ['mean_ns', n => ({ mean_ns: 90_000 - 500 * n })],
  ['the tokens of a text', n => ({ input_tokens: 14 + n * 3 })],
  ['the usage of a model alone', n => ({ usage: { total_tokens: 90 * n } })],
])('%s is content of another record', (_, answer) => {
  expect(seen(n => lapOf(answer(n), 'get'))).toBeUndefined()
})

test('prices and other values alone are not a loop', () => {
  expect(seen(() => lapOf({ symbol: 'BTC', price: upTo(90_000) }))).toBeUndefined()
})

test.each([[[]], [['bash']]])(
  'a failing check after the same pause, between commits, with the writes %j',
  writes => {
    const [commit, check] = [
      'git commit --allow-empty -m ci && git push',
      'sleep 90 && gh pr checks',
    ]
    const sha = () =>
      below(2 ** 28)
        .toString(16)
        .padStart(7, 'a')
    const lap = (n: number) =>
      n % 2
        ? lapOf(`[fix ${sha()}] ci`, 'bash', { command: commit })
        : lapOf('Exit code 1\nbuild\tfail\nlint\tpass', 'bash', { command: check })
    expect(seenAt({ name: '', lap }, writes)?.lap).toBeLessThanOrEqual(10)
  },
)
