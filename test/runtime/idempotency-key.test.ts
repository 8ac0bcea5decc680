/** The idempotency key that a tool receives: one for all attempts of a call, also those of the next process. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, tool } from '../../src/index.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Calling } from '../../src/runtime/ports.ts'
import { LEASE } from '../../src/runtime/store/lease.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, portsOf, START } from './desk.ts'

const unavailable = () => Object.assign(new Error('HTTP 503'), { status: 503 })

it('is the same at every attempt', async () => {
  const keys: string[] = []
  const attempts: number[] = []
  const work = async ({ idempotencyKey, attempt }: Calling) => {
    attempts.push(attempt)
    if (keys.push(idempotencyKey) < 3) throw unavailable()
    return 'done'
  }
  const run = await drive(portsOf(calling(work), { clock: virtualClock(0) }), 'order-7', START)
  expect(run.ended?.outcome).toBe('success')
  expect(attempts).toEqual([1, 2, 3])
  expect(keys).toEqual(['order-7/A#1/1', 'order-7/A#1/1', 'order-7/A#1/1'])
})

it('is the same after another process has taken the thread over', async () => {
  const keys: string[] = []
  const work = async ({ idempotencyKey }: Calling) =>
    keys.push(idempotencyKey) === 1 ? new Promise(() => {}) : 'done'
  let now = 0
  const ports = portsOf(calling(work), { wall: () => now })
  void drive({ ...ports, owner: 'first' }, 'order-7', START).catch(() => {})
  await pause(20)
  now += 2 * LEASE
  const run = await drive({ ...ports, owner: 'second', isOwnerDead: () => true }, 'order-7')
  expect(run.ended?.outcome).toBe('success')
  expect(keys).toEqual(['order-7/A#1/1', 'order-7/A#1/1'])
})

/** Pays in three nodes, one after the other, whatever happens. `pay` gets the number of the node. */
async function paid(pay: (node: number, call: Calling) => Promise<unknown>, amounts = [5, 5, 5]) {
  const keys: (readonly [node: number, key: string])[] = []
  let node = 0
  const tools = {
    pay: tool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ amount: z.number(), node: z.number().optional() }),
      effects: 'write',
      idempotent: true,
      execute: async (_, call) => {
        const [, last] = keys.at(-1) ?? []
        if (call.attempt === 1) node++
        if (last !== call.idempotencyKey || call.attempt === 1)
          keys.push([node, call.idempotencyKey])
        return pay(node, call)
      },
    }),
  }
  const step = <const N extends string>(at: number, next: N) => ({
    use: 'tool' as const,
    tool: 'pay' as const,
    args: { amount: amounts[at] ?? 0 },
    timeout: '30s',
    on: { done: next, error: next, timeout: next },
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'a',
    tools,
    nodes: { a: step(0, 'b'), b: step(1, 'c'), c: step(2, 'end'), end: { final: 'success' } },
    breaker: { threshold: 100 },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock(0) })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await thread.drive()
  await runtime.close()
  return keys.map(([, key]) => key)
}

const refused = () => Object.assign(new Error('HTTP 422'), { status: 422 })
const [A, B, C] = ['t/a#1/1', 't/b#1/1', 't/c#1/1']

describe('the key of an identical call', () => {
  it('is that of the call before if it failed and may have taken effect', async () => {
    const pay = async (node: number) => {
      if (node === 1) throw Object.assign(new Error('HTTP 500'), { status: 500 })
      return 'paid'
    }
    expect(await paid(pay)).toEqual([A, A, C])
  })

  it('stays the same while each call fails so', async () => {
    const pay = async (node: number) => {
      if (node < 3) throw new Error('boom')
      return 'paid'
    }
    expect(await paid(pay)).toEqual([A, A, A])
  })

  it('is its own after a refusal, and after a success', async () => {
    const pay = async (node: number) => {
      if (node === 1) throw refused()
      return 'paid'
    }
    expect(await paid(pay)).toEqual([A, B, C])
  })

  it('is its own for other arguments', async () => {
    const pay = async () => {
      throw new Error('boom')
    }
    expect(await paid(pay, [5, 6, 5])).toEqual([A, B, A])
  })

  it('is that of a call whose node was left', async () => {
    const pay = async (node: number, call: Calling) => (node === 1 ? call.sleep(60_000) : 'paid')
    expect(await paid(pay)).toEqual([A, A, C])
  })
})

/** Pays twice with the same arguments, the second time after `ms`. `answers`: what each execution does. The breaker of a tool opens for a minute. */
async function paidByRoutes(
  ms: number,
  answers: readonly ('booked' | 'lost' | 'refused' | 'unreadable')[],
  idempotent: Readonly<Record<string, boolean>> = {},
) {
  const made: string[] = []
  const route = (name: string, substitutes: readonly string[] = []) =>
    tool({
      name,
      description: 'Pays.',
      inputSchema: z.object({}),
      effects: 'write',
      idempotent: idempotent[name] ?? true,
      substitutes,
      retry: { attempts: 1 },
      breaker: { threshold: 1, reset: 60_000 },
      async execute(_, { idempotencyKey }) {
        const answer = answers[made.length]
        made.push(`${name} ${idempotencyKey}`)
        if (answer === 'unreadable') throw new SyntaxError('the answer was cut')
        if (answer === 'lost') throw Object.assign(new Error('HTTP 500'), { status: 500 })
        if (answer === 'refused') throw Object.assign(new Error('HTTP 529'), { status: 529 })
        return 'paid'
      },
    })
  const rest = tool({
    name: 'rest',
    description: 'Rests.',
    inputSchema: z.object({}),
    effects: 'read',
    timeout: 1_000_000,
    execute: (_, { sleep }) => sleep(ms),
  })
  const pay = { use: 'tool', tool: 'pay', args: {} } as const
  const graph = defineGraph({
    id: 'routes',
    start: 'a',
    tools: { pay: route('pay', ['other']), other: route('other'), rest },
    nodes: {
      a: { ...pay, on: { done: 'end', error: 'pause' } },
      pause: { use: 'tool', tool: 'rest', args: {}, on: { done: 'b' } },
      b: { ...pay, on: { done: 'end', error: 'end' } },
      end: { final: 'success' },
    },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock(0) })
  const thread = await runtime.start(graph, {} as never, { thread: 't' })
  await thread.drive()
  await runtime.close()
  return made
}

describe('a write that may have taken effect', () => {
  it('is repeated by its own tool and not by a substitute, also by a later call', async () => {
    expect(await paidByRoutes(0, ['lost', 'booked'])).toEqual(['pay t/a#1/1'])
    const made = await paidByRoutes(120_000, ['lost', 'booked'])
    expect(made).toEqual(['pay t/a#1/1', 'pay t/a#1/1'])
  })

  it('of a substitute that is not idempotent is not made again by it', async () => {
    const made = await paidByRoutes(120_000, ['refused', 'unreadable', 'booked'], { other: false })
    expect(made).toEqual(['pay t/a#1/1', 'other t/a#1/1', 'pay t/b#1/1'])
  })

  it('of a substitute is repeated by the substitute, also in place of a tool that is not idempotent', async () => {
    const made = await paidByRoutes(120_000, ['refused', 'lost', 'booked'], { pay: false })
    expect(made).toEqual(['pay t/a#1/1', 'other t/a#1/1', 'other t/a#1/1'])
  })

  it('of a substitute is repeated by the substitute', async () => {
    const made = await paidByRoutes(120_000, ['refused', 'lost', 'booked'])
    expect(made).toEqual(['pay t/a#1/1', 'other t/a#1/1', 'other t/a#1/1'])
  })
})

/** Pays twice, each time with these arguments, and does not get the first answer. A person may edit each payment above 60. */
async function paidWith(requests: readonly object[], edits: readonly object[] = []) {
  const keys: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ amount: z.coerce.number(), currency: z.string().default('EUR') }),
    effects: 'write',
    idempotent: true,
    retry: { attempts: 1 },
    confirm: ({ amount }) => edits.length > 0 && amount > 60,
    async execute({ amount }, { idempotencyKey }) {
      if (keys.push(`${amount} ${idempotencyKey}`) === 1) throw new Error('boom')
      return 'paid'
    },
  })
  const step = (at: number, next: string) => ({
    ...{ use: 'tool', tool: 'pay', args: requests[at], on: { done: next, error: next } },
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'a',
    tools: { pay },
    nodes: { a: step(0, 'b'), b: step(1, 'end'), end: { final: 'success' } },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph], clock: virtualClock(0) })
  const thread = await runtime.start(graph, {} as never, { thread: 't' })
  await thread.drive()
  for (const output of edits) {
    const [question] = (await thread.state()).questions
    await thread.answer(question?.id ?? '', { decision: 'edited', output } as never)
    await thread.drive()
  }
  await runtime.close()
  return keys
}

describe('the arguments that count are those that the tool receives', () => {
  it.each([
    ['a default', [{ amount: 5 }, { amount: 5, currency: 'EUR' }]],
    ['coercion', [{ amount: '5' }, { amount: 5 }]],
  ])('after %s', async (_, requests) => {
    expect(await paidWith(requests)).toEqual(['5 t/a#1/1', '5 t/a#1/1'])
  })

  it('after an edit to what is requested next', async () => {
    const keys = await paidWith([{ amount: 100 }, { amount: 50 }], [{ amount: 50 }])
    expect(keys).toEqual(['50 t/a#1/1', '50 t/a#1/1'])
  })

  it('after two edits of the same request', async () => {
    const edits = [{ amount: 50 }, { amount: 55 }]
    const keys = await paidWith([{ amount: 100 }, { amount: 100 }], edits)
    expect(keys).toEqual(['50 t/a#1/1', '55 t/b#1/1'])
  })
})
