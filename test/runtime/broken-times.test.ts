/** Times that are not numbers: a tool that waits for `NaN`, and a clock of the host that returns it. No timeout may be lost, and no journal. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { systemClock } from '../../src/adapters/node/ports.ts'
import { createRuntime, defineGraph, memoryStore, tool, virtualClock } from '../../src/index.ts'
import type { Clock } from '../../src/runtime/ports.ts'
import { checkBatch, NO_THREAD } from '../../src/runtime/store/head.ts'
import { monotonicClock } from '../../src/runtime/time/timers.ts'
import { watchdog } from '../../src/watchdog.ts'

const inputSchema = z.object({})

/** A graph of one call, which ends at `end` or at `bad`. */
const graphOf = (poll: ReturnType<typeof tool>, limits: object = {}) =>
  defineGraph({
    id: 'g',
    start: 'a',
    tools: { poll },
    limits,
    nodes: {
      a: { use: 'tool', tool: 'poll', on: { done: 'end', error: 'bad' } },
      end: { final: 'success' },
      bad: { final: 'failure' },
    },
  })

/** Runs a tool that passes this to `sleep`, and then, with `again`, waits without an end. */
async function runSleeping(ms: unknown, clock: Clock, mode: 'once' | 'again' | 'spin' = 'once') {
  const poll = tool({
    name: 'poll',
    description: 'Polls a job.',
    inputSchema,
    effects: 'read',
    timeout: clock.virtual ? 2_000 : 200,
    retry: { attempts: 1 },
    async execute(_, { sleep }) {
      const wait = async () => sleep(ms as number)
      if (mode === 'spin') for (;;) await wait().catch(() => {})
      if (mode === 'once') await wait()
      else await wait().catch(() => {})
      if (mode === 'again') for (;;) await sleep(50)
      return 'ok'
    },
  })
  const store = memoryStore()
  const graph = graphOf(poll, { duration: '1m' })
  const runtime = createRuntime({ store, graphs: [graph], clock })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const run = await thread.drive()
  const rows = await store.rows('t')
  await runtime.close()
  const failed = rows.find(({ event }) => event.type === 'tool.failed')?.event
  return { run, failed, times: rows.map(({ event }) => event.at) }
}

describe('a call that waits', () => {
  test.each([
    [Number.NaN, 'NaN'],
    [undefined, 'undefined'],
    ['5s', "'5s'"],
    [{}, 'object'],
  ])('for %s fails, and says what `sleep` expects', async (ms, received) => {
    const { failed, times } = await runSleeping(ms, virtualClock())
    expect(failed).toMatchObject({
      failure: {
        name: 'TypeError',
        message: `sleep: expected a number of ms, 0 or more, received ${received}`,
      },
    })
    expect(times.every(Number.isFinite)).toBe(true)
  })

  test.each([Number.NaN, '5s', 0])('for %s without an end ends at its timeout', async ms => {
    const { failed } = await runSleeping(ms, systemClock, 'spin')
    expect(failed).toMatchObject({ failure: { message: 'no-answer' } })
  })

  test.each([Number.NaN, undefined, '5s', -5, Number.NEGATIVE_INFINITY])(
    'for %s and then again ends at its timeout',
    async ms => {
      const { failed, run } = await runSleeping(ms, virtualClock(), 'again')
      expect(failed).toMatchObject({ at: 2_000, failure: { name: 'TimeoutError' } })
      expect(run.ended?.outcome).toBe('failure')
    },
  )

  test('for NaN in real time and then again ends at its timeout', async () => {
    const { failed, times } = await runSleeping(Number.NaN, systemClock, 'again')
    expect(failed).toMatchObject({ failure: { name: 'TimeoutError' } })
    expect(times.every(Number.isFinite)).toBe(true)
  })

  test.each([Number.POSITIVE_INFINITY, 1e300, 1e14])(
    'for %s ms waits until its timeout, and moves no clock',
    async ms => {
      const { failed, times } = await runSleeping(ms, virtualClock())
      expect(failed).toMatchObject({ failure: { name: 'TimeoutError' } })
      expect(Math.max(...times)).toBe(2_000)
    },
  )

  test.each([0, -5, Number.NEGATIVE_INFINITY])('for %s ms goes on at once', async ms => {
    expect((await runSleeping(ms, virtualClock())).run.ended?.outcome).toBe('success')
  })
})

describe('a clock', () => {
  const clockOf = (times: readonly number[]): Clock => {
    const left = [...times]
    const sleep: Clock['sleep'] = async () => {}
    return { now: () => left.shift() ?? 0, sleep, during: work => work(sleep) }
  }

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300])(
    'that once returns %s keeps its time',
    time => {
      const { now } = monotonicClock(clockOf([5, time, 4, 7]))
      expect([now(), now(), now(), now()]).toEqual([5, 5, 5, 7])
    },
  )

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e300])(
    'whose sleep of %s ms ends keeps its time',
    async ms => {
      const clock = monotonicClock(clockOf([5, 6, 7]))
      await clock.sleep(ms)
      await clock.during(sleep => sleep(ms))
      expect(clock.now()).toBe(7)
    },
  )

  test('that never had a time is an error', () => {
    expect(() => monotonicClock(clockOf([Number.NaN])).now()).toThrow(
      'the clock: expected ms since 1970, received NaN',
    )
  })

  test('of a host that returns NaN for a while loses no timeout, and no time of an event', async () => {
    let calls = 0
    const now = () => (++calls % 3 === 0 ? Number.NaN : Date.now())
    const { failed, times } = await runSleeping(60_000, { ...systemClock, now })
    expect(failed).toMatchObject({ failure: { name: 'TimeoutError' } })
    expect(times.every(Number.isFinite)).toBe(true)
  })
})

test.each([Number.NaN, -1, '30s'])('a tool with the timeout %s is refused', timeout => {
  const poll = tool({
    ...{ name: 'poll', description: 'x', inputSchema, effects: 'read' },
    timeout: timeout as number,
    execute: async () => 'ok',
  })
  expect(() => graphOf(poll)).toThrow(
    `tools.poll.timeout: expected a number of ms, 0 or more, received ${timeout}`,
  )
})

test('a watchdog refuses a time that is not a number', () => {
  const monitor = watchdog()
  expect(() => monitor.beforeModelCall(Number.NaN)).toThrow('at: expected ms since 1970')
  expect(() => monitor.permit('search', Number.NaN, 0)).toThrow('at: expected ms since 1970')
  expect(monitor.state.seq).toBe(-1)
})

test('no store takes an event without a time', () => {
  const lease = { thread: 't', owner: 'o', epoch: 1, until: 1 }
  const rows = [{ seq: 0, event: { type: 'tick', at: Number.NaN } }]
  const head = { ...NO_THREAD, epoch: 1, lease: { owner: 'o', until: 1 } }
  expect(() => checkBatch({ lease, rows, summary: { seq: 0 } } as never, head)).toThrow(
    "thread 't': row 0 has no time",
  )
})
