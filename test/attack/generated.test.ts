/** Loops of programs: their answers differ only in numbers that each run draws, and a shell may be declared as a write. */
import { describe, expect, test } from 'vitest'
import { type CompletedCall, watchdog } from '../../src/watchdog.ts'
import { FAILING } from './tested.ts'

type Call = readonly [tool: string, args: object, result: unknown]

/** The round in which a plain loop is stopped or advised, `undefined` if it is not within 40. */
function noticedAt(callOf: (round: number) => Call, writes: readonly string[]): number | undefined {
  const monitor = watchdog({ writes })
  for (let round = 1; round <= 40; round++) {
    const [tool, args, result] = callOf(round)
    const at = round * 4_000
    const permit = monitor.permit(tool, at, 0)
    if (permit.kind === 'no') return round
    const outcome = monitor.settle(permit, at + 500)
    const call = { tool, args, result, outcome } as CompletedCall
    const { kind } = monitor.afterModelTurn({ at: at + 1_000, text: '', calls: [call] })
    if (kind !== 'continue') return round
  }
  return undefined
}

const drawn = (round: number, digits = 5) => String((round * 48_271) % 99_991).padStart(digits, '7')

test.each<[string, (round: number) => string]>([
  [
    'minitest that passes',
    n =>
      `Run options: --seed ${drawn(n)}\n\n..\n\nFinished in 0.00${drawn(n)}s, 4${drawn(n)}.25 runs/s.\n\n2 runs, 0 failures`,
  ],
  ['rspec that passes', n => `Randomized with seed ${drawn(n)}\n....\n4 examples, 0 failures`],
  ['a crash in a shell', n => `bash: line 1: ${18_000 + n} Segmentation fault      ./a.out`],
  ['valgrind', n => `==${18_000 + n}== All heap blocks were freed -- no leaks are possible`],
  ['a service', n => `web.service\n Main PID: ${18_000 + n} (code=exited)`],
])('the same command, answered by %s, is a loop', (_, answer) => {
  const run = (n: number): Call => ['bash', { command: 'make test' }, answer(n)]
  expect(noticedAt(run, [])).toBe(3)
  expect(noticedAt(run, ['bash'])).toBe(3)
})

test('a series of small seeds is work', () => {
  const run = (n: number): Call => ['fuzz', { seed: n }, `seed ${n}: no crash in 10000 inputs`]
  expect(noticedAt(run, [])).toBeUndefined()
})

test.each<[string, (round: number) => string]>([
  ['fewer tests that fail', n => `${50 - n} failing`],
  ['seconds', n => `[${n} s] compiling`],
  ['workers that are done', n => `worker ${n} of 80 done`],
  ['workers with large numbers', n => `worker ${10_000 + n} of 20000 done`],
  ['a process of many', n => `process ${n} of 80`],
  ['rows to process', n => `will process ${12_000 - n} rows`],
  ['rows to process in a worker', n => `worker process ${12_000 - n} rows`],
  ['rows that were processed', n => `processed ${n * 120} rows`],
  ['cases of a business process', n => `Please approve the process ${10_000 + n}.`],
  ['cases of a business process, by id', n => `Process ID ${10_000 + n} waits for approval`],
  ['children that were found', n => `child ${10_000 + n} not vaccinated`],
  ['threads of a forum', n => `Thread-${n}: no answer yet`],
  ['a thread of many', n => `thread ${n} of 80 done`],
  ['pools', n => `pool-${n} is drained`],
  ['hosts', n => `worker-${n} is drained`],
  ['ports that are tried', n => `port ${8_080 + n} is in use`],
  ['ports of a host', n => `connect to localhost port ${18_080 + n} failed`],
  ['ports of services', n => `from 10.0.0.7 port ${8_080 + n}`],
  ['a stage of a build', n => `Stage ${n} of the build is done`],
  ['a stage with a fraction', n => `stage ${n}.0 of the build is done`],
  ['a task by its id', n => `TID ${n} is open`],
  ['cells', n => `Cell ${n} executed`],
  ['an element of a list', n => `out[${n}] = 7`],
  ['a value of R', n => `[1] ${12_345 + n}`],
  ['a value of R in brackets', n => `[${12_345 + n}] is prime`],
  ['a vector in JSON', n => `[${n}.123456]`],
  ['rows of a list that are bad', n => `rows[${12_000 + n}]: not a number`],
  ['a numbered list', n => `[${n}] * Write the test`],
  ['a progress bar', n => `[${'='.repeat(n)}>] ${n * 2}% ${n * 1_200}/48000`],
  ['a list of bytes', n => `total-vm of the plan: ${71_000 + n} kB`],
  ['published ports of Docker', n => `web [::]:${49_153 + n}->80/tcp is up`],
  ['allocations of a benchmark', n => `Allocations: ${10_123 - n}`],
  ['memory of a process', n => `rss: ${71_000 + n} kB`],
  ['CPU that was used', n => `CPU of the job: ${60 + n} percent`],
  ['tokens that were used', n => `Used ${28_000 + n * 17} of 30000 tokens`],
  ['runs', n => `${200 + n} runs`],
  ['errors by level', n => `ERROR ${30_000 - n} lines remain`],
  ['versions', n => `E/${n} (${n + 1_000}) was released`],
  ['goroutines', n => `goroutine ${n} done`],
  ['pages of a file', n => `main: read ${n} of 48 pages`],
  ['a chapter in brackets', n => `[chapter ${1_000_000 + n}] was read`],
  ['items that remain', n => `{"items":["a"],"items_remaining":${80 - n}}`],
  ['requests per second', n => `{"requestsPerSecond":${80 + n}}`],
  ['a row and a column', n => `cell (${n},${n * 3}) is empty`],
])('the same command, answered by %s that change, is work', (_, answer) => {
  const run = (n: number): Call => ['bash', { command: 'make test' }, answer(n)]
  expect(noticedAt(run, [])).toBeUndefined()
})

test('a growing log is work', () => {
  const lines = (n: number) =>
    Array.from({ length: n }, (_, at) => `[pid ${3_000 + at}] GET /items/${at} 200`).join('\n')
  const run = (n: number): Call => ['bash', { command: 'cat app.log' }, lines(n)]
  expect(noticedAt(run, [])).toBeUndefined()
})

/** The id of the commit alone says that the edits changed something. */
test.each([
  ['commit -am wip', ''],
  ['commit -a --amend --no-edit', '\n Date: Sat Jan 3 15:30:12 2026 +0100'],
])('git %s after each edit is work', (command, date) => {
  const run = (n: number): Call =>
    n % 2
      ? ['edit', { path: 'a.ts', text: `${drawn(n)} lines of ${drawn(n + 1)}` }, { ok: true }]
      : [
          'bash',
          { command: `git ${command}` },
          `[main a${n % 10}b2c${n % 7}d] wip${date}\n 1 file changed, 1 insertion(+)`,
        ]
  expect(noticedAt(run, [])).toBeUndefined()
  expect(noticedAt(run, ['edit', 'bash'])).toBeUndefined()
})

describe('a check between edits, with a shell that is declared as a write', () => {
  test.each(FAILING)('answered by %s, is a loop', (_, result) => {
    const run = (n: number): Call =>
      n % 2
        ? ['edit', { path: 'a.ts', text: `${drawn(n)} lines of ${drawn(n + 1)}` }, { ok: true }]
        : ['bash', { command: 'npm test' }, result]
    expect(noticedAt(run, ['edit', 'bash'])).toBeLessThanOrEqual(11)
  })

  test('answered by tests that pass, is work', () => {
    const run = (n: number): Call =>
      n % 2
        ? ['edit', { path: 'a.ts', text: `${drawn(n)} lines of ${drawn(n + 1)}` }, { ok: true }]
        : ['bash', { command: 'npm test' }, `Randomized with seed ${drawn(n)}\n41 passed`]
    expect(noticedAt(run, ['edit', 'bash'])).toBeUndefined()
  })
})
