/** What a run keeps and accepts, at its bounds: messages, limits, points of a scope, dismissals. */
import { expect, test } from 'vitest'
import { createMachine, emit, log } from 'xstate'
import { diverge } from '../src/core/fork.ts'
import { machineOf } from '../src/core/graph/agent-machine.ts'
import { remainingOf } from '../src/core/run/remaining.ts'
import { messageRejection } from '../src/core/rounds.ts'
import { initialRun, type Run } from '../src/core/run/run.ts'
import { scopesAfter } from '../src/core/watch/budget/scope.ts'
import { spanText } from '../src/core/watch/data/duration.ts'
import { defineDetector, defineRung } from '../src/core/watch/detect/custom.ts'
import { dismiss } from '../src/core/watch/normalize/observed.ts'
import { checkName } from '../src/runtime/store/store.ts'
import { completePolicy } from '../src/core/watch/policy/policy.ts'

const runWith = (policy: object): Run =>
  initialRun({
    type: 'thread.started',
    at: 0,
    seed: 1,
    policy: completePolicy(policy as never),
  } as never)

test.each([
  [15, undefined],
  [16, { code: 'queue-full', params: { limit: 16 } }],
])('with %i queued messages, another one is answered %j', (queued, rejection) => {
  const run = runWith({ rounds: { busy: 'queue' } })
  const queue = Array.from({ length: queued }, () => ({ input: {}, from: 'last' as const }))
  const machine = { checkInput: () => [] } as never
  expect(messageRejection(machine, { ...run, queue }, {})).toEqual(rejection)
})

test.each([
  [36, true],
  [35, false],
])('after %i of 40 steps, the next answer is the last one: %s', (steps, isLast) => {
  const run = runWith({ limits: { steps: 40, reserve: 0.01 } })
  const { watch } = run
  const spent = { ...watch.account.spent, steps }
  const account = { ...watch.account, spent }
  expect(remainingOf({ ...run, watch: { ...watch, account } })?.isLast).toBe(isLast)
})

test('a scope keeps one point of spending for each slot of its window', () => {
  const limits = { team: { per: 60_000, steps: 100 } } as never
  const { account } = runWith({}).watch
  const after = (times: readonly number[]) =>
    times.reduce(
      (scopes, at) => scopesAfter(scopes, limits, { note: undefined, spent: account.spent, at }),
      {} as Parameters<typeof scopesAfter>[0],
    )
  expect(after([0, 1, 2, 3]).team?.points).toHaveLength(1)
  expect(after([0, 30_000]).team?.points).toHaveLength(2)
})

test('a finding that is dismissed twice is kept once', () => {
  const found = { id: 'loop-1', signs: ['a'] } as never
  expect(dismiss(dismiss([], [found]), [found])).toHaveLength(1)
})

test('a duration of zero is written in milliseconds', () => {
  expect(spanText(0)).toBe('0ms')
})

test.each([[['called']], [[]], [undefined], ['answered']])(
  'a custom detector that sees %j would never run, and is refused',
  sees => {
    const detector = { name: 'slow', version: 1, start: 0, sees, observe: () => [0, undefined] }
    expect(() => defineDetector(detector as never)).toThrow(
      `the detector 'slow' sees ${JSON.stringify(sees)}; expected some of entered, answered, said`,
    )
  },
)

test('a custom detector needs a version from 1', () => {
  const declared = (version: number) => () => defineRung({ name: 'r', version } as never)
  expect(declared(0)).toThrow('needs a version')
  expect(declared(1)).not.toThrow()
})

test('a fork follows the journal of its parent past a write that the parent refused', () => {
  const run = { fork: { effects: 'recorded', origins: [] } } as unknown as Run
  const refused = (recorded: boolean, rule = 'fork') =>
    ({ type: 'tool.failed', failure: { rule }, ...(recorded && { recorded }) }) as never
  expect(diverge(run, refused(true)).fork?.diverged).toBeUndefined()
  expect(diverge(run, refused(false, 'http')).fork?.diverged).toBeUndefined()
  expect(diverge(run, refused(false)).fork?.diverged).toBe(true)
})

test('a hand-written statechart may log and emit', () => {
  const entry = [log('entered'), emit({ type: 'noticed' })]
  const states = { a: { entry, on: { done: 'b' } }, b: { type: 'final' } }
  const chart = createMachine({ id: 'noisy', initial: 'a', states } as never)
  const { start } = machineOf(chart as never, { version: '1' })
  expect(start({}).snapshot).toMatchObject({ value: 'a', status: 'active' })
})

test('half a surrogate pair is refused in the name of a thread: SQLite would not keep it apart from another', () => {
  expect(() => checkName('tenant\ud800')).toThrow('control characters')
  expect(() => checkName('tenant \u{1f600}')).not.toThrow()
})
