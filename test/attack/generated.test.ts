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
