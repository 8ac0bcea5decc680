/** `cache` of a tool: the result of an earlier call answers an equal request, in all threads of a graph. */
import { afterEach, describe, expect, test } from 'vitest'
import {
  createRuntime,
  defineGraph,
  memoryStore,
  node,
  type Runtime,
  systemClock,
  type Tool,
  tool,
} from '../../src/index.ts'
import type { Clock } from '../../src/runtime/ports.ts'
import { keepResult, keptResult } from '../../src/runtime/call/kept-results.ts'
import { virtualClock } from '../../src/testing/clock.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

let made: unknown[] = []
let broken = false
const options = {
  description: 'The rate of a currency.',
  inputSchema: { type: 'object' },
  effects: 'read',
  cache: 60_000,
  breaker: { threshold: 1, reset: 3_600_000 },
  retry: { attempts: 1 },
  execute: (args: unknown) => {
    if (broken) throw new Error('connect ECONNREFUSED')
    made.push(args)
    return { call: made.length }
  },
} as const

type Answered = { readonly answer: unknown }

/** Asks for what its input names, and returns the answer. */
function started(rate: Tool, clock: Clock = virtualClock(0)) {
  made = []
  broken = false
  const graph = defineGraph({
    id: 'rates',
    start: 'ask',
    input: ['args'],
    channels: { args: { default: {} }, answer: { default: null } },
    tools: { rate },
    nodes: {
      ask: {
        use: node({ tools: { rate } }, async ({ input, call }) => ({
          answer: await call.rate(input.args as never),
        })),
        in: ['args'],
        out: ['answer'],
        on: { done: 'end', error: 'lost' },
      },
      end: { final: 'success' },
      lost: { final: 'failure' },
    },
    output: ['answer'],
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock })
  open.push(runtime)
  const ask = async (thread: string, args: object) => {
    const { result } = await runtime.start(graph, { args } as never, { thread })
    const { outcome, output } = (await result()) as never as { outcome: string; output: Answered }
    return outcome === 'success' ? output.answer : outcome
  }
  return { runtime, store, clock, ask }
}

const marks = async (rows: Promise<readonly { readonly event: object }[]>) =>
  (await rows).flatMap(({ event }) =>
    'type' in event && /^tool\./.test(String(event.type))
      ? [[event.type, (event as { cached?: boolean }).cached ?? false]]
      : [],
  )

describe('the result of a read with a cache', () => {
  test('answers the same request of another thread, and the journal says so', async () => {
    const { ask, store } = started(tool(options))
    expect(await ask('a', { of: 'EUR', at: 'noon' })).toEqual({ call: 1 })
    expect(await ask('b', { at: 'noon', of: 'EUR' })).toEqual({ call: 1 })
    expect(await ask('c', { of: 'USD' })).toEqual({ call: 2 })
    expect(made).toHaveLength(2)
    expect(await marks(store.rows('a'))).toEqual([
      ['tool.called', false],
      ['tool.done', false],
    ])
    expect(await marks(store.rows('b'))).toEqual([
      ['tool.called', true],
      ['tool.done', true],
    ])
  })

  test('is used until its time is over', async () => {
    const { ask, clock } = started(tool(options))
    await ask('a', {})
    await clock.sleep(59_000)
    expect(await ask('b', {})).toEqual({ call: 1 })
    await clock.sleep(1_000)
    expect(await ask('c', {})).toEqual({ call: 2 })
  })

  test('answers while the breaker of its tool is open, and does not close it', async () => {
    // Threads on virtual time do not share breakers.
    const { ask, runtime } = started(tool(options), systemClock)
    await ask('a', { of: 'EUR' })
    broken = true
    expect(await ask('b', { of: 'USD' })).toBe('failure')
    broken = false
    expect(await ask('c', { of: 'EUR' })).toEqual({ call: 1 })
    expect(await runtime.breakers()).toMatchObject([{ state: 'open' }])
  })

  test.each([{ error: 'rate limited' }, { ok: false }, 'Error: try again later'])(
    'is not %j, which reports a failure',
    async report => {
      let calls = 0
      const { ask } = started(tool({ ...options, execute: () => (calls++ === 0 ? report : calls) }))
      expect(await ask('a', {})).toEqual(report)
      expect(await ask('b', {})).toBe(2)
    },
  )

  test('is not that of a failed call', async () => {
    const { ask } = started(tool({ ...options, breaker: { threshold: 100 } }))
    broken = true
    expect(await ask('a', {})).toBe('failure')
    broken = false
    expect(await ask('b', {})).toEqual({ call: 1 })
  })
})

test('a tool without a cache is called each time', async () => {
  const { cache: _, ...without } = options
  const { ask } = started(tool(without))
  await ask('a', {})
  expect(await ask('b', {})).toEqual({ call: 2 })
})

test('a tool that writes has no cache', () => {
  expect(() => started(tool({ ...options, effects: 'write' }))).toThrow(
    /tools\.rate\.cache: 'rate' writes: expected a tool that only reads/,
  )
})

test('a tool keeps its latest thousand results', () => {
  const of = tool(options) as Tool
  const clock = virtualClock(0)
  const requestOf = (n: number) => ({ tool: of, args: { n }, clock })
  for (let n = 0; n <= 1_000; n++) keepResult(requestOf(n), n)
  expect([0, 1, 1_000].map(n => keptResult(requestOf(n))?.result)).toEqual([undefined, 1, 1_000])
})

test('a result of real time is not used on virtual time', () => {
  const request = { tool: tool(options) as Tool, args: {} }
  keepResult({ ...request, clock: systemClock }, 'now')
  expect(keptResult({ ...request, clock: systemClock })?.result).toBe('now')
  expect(keptResult({ ...request, clock: virtualClock(0) })).toBeUndefined()
})
