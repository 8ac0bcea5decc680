/** A rollback and writes whose outcome is unknown: nothing is written, or undone, a second time under another key. */
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createRuntime,
  defineGraph,
  memoryStore,
  node,
  tool,
  virtualClock,
} from '../../src/index.ts'
import type { Calling } from '../../src/runtime/ports.ts'

type Pay = (calling: Calling) => Promise<unknown>
type Undo = (calling: Calling) => Promise<void>

const lost = () => Object.assign(new Error('gateway timeout'), { status: 504 })
const refused = () => Object.assign(new Error('bad'), { status: 400 })

/** Pays, whatever comes of it, and then repeats a read until the watchdog goes back. */
async function paidAndLooped(pay: Pay, undo?: Undo, more: object = {}) {
  const shared = { description: '', inputSchema: z.object({}) }
  const tools = {
    pay: tool({
      ...{ ...shared, name: 'pay', effects: 'write', idempotent: true },
      execute: (_, calling) => pay(calling),
      ...(undo && { compensate: (_: unknown, __: unknown, calling: Calling) => undo(calling) }),
    }),
    look: tool({ ...shared, name: 'look', effects: 'read', execute: async () => 'the same' }),
  }
  const graph = defineGraph({
    ...{
      id: 'shop',
      start: 'begin',
      channels: { n: { type: 'integer', default: 0 } },
      progress: 'n',
    },
    ...{ retry: { attempts: 2, base: 10 }, limits: { steps: 40 } },
    escape: { review: { deadline: '1h' } },
    nodes: {
      begin: { use: node(async () => ({ n: 1 })), out: ['n'], on: { done: 'act' } },
      act: {
        ...{ use: 'tool', tool: 'pay', timeout: 300 },
        on: { done: 'loop', error: 'loop', timeout: 'loop' },
      },
      loop: { use: 'tool', tool: 'look', on: { done: 'loop', error: 'end' } },
      end: { final: 'success' },
    },
    tools,
    ...more,
  } as never)
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock() })
  const thread = await runtime.start(graph, {} as never, { thread: 't' })
  const state = await thread.drive()
  return { runtime, thread, state, store }
}

describe('a write that failed in doubt', () => {
  it.each([
    ['without a compensation', undefined],
    ['with a compensation', async () => {}],
  ])('%s is not made again by a rollback', async (_, undo) => {
    const charges = new Set<string>()
    const { runtime, state } = await paidAndLooped(async ({ idempotencyKey }) => {
      charges.add(idempotencyKey)
      throw lost()
    }, undo)
    expect([...charges]).toEqual(['t/act#1/1'])
    expect(state.questions).toHaveLength(1)
    await runtime.close()
  })

  it('and is refused at its next attempt stays in doubt', async () => {
    const charges = new Set<string>()
    let attempts = 0
    const { runtime } = await paidAndLooped(async ({ idempotencyKey }) => {
      charges.add(idempotencyKey)
      throw attempts++ === 0 ? lost() : refused()
    })
    expect([...charges]).toEqual(['t/act#1/1'])
    await runtime.close()
  })

  it('and is refused by its breaker then stays in doubt', async () => {
    const charges = new Set<string>()
    const pay: Pay = async ({ idempotencyKey }) => {
      charges.add(idempotencyKey)
      throw lost()
    }
    const { runtime, store } = await paidAndLooped(pay, undefined, { breaker: { threshold: 1 } })
    const types = (await store.rows('t')).map(({ event }) => event.type)
    expect(types).toContain('circuit.refused')
    // The open breaker would refuse the second charge, too.
    expect(types).not.toContain('rollback.done')
    expect([...charges]).toEqual(['t/act#1/1'])
    await runtime.close()
  })

  it('whose node was left is not made again by a rollback', async () => {
    const charges = new Set<string>()
    const { runtime } = await paidAndLooped(async ({ idempotencyKey, sleep }) => {
      charges.add(idempotencyKey)
      await sleep(20_000)
    })
    expect([...charges]).toEqual(['t/act#1/1'])
    await runtime.close()
  })
})

it.each([
  ['at each attempt', () => lost()],
  // A refusal proves nothing of the attempt before it.
  ['and was then refused', (tries: number) => (tries === 1 ? lost() : refused())],
])(
  'a write whose compensation failed in doubt %s is undone under the same key, and keeps its thread',
  async (_, failure) => {
    const refunds: string[] = []
    let isLost = true
    const { runtime, thread, state } = await paidAndLooped(
      async () => 'paid',
      async ({ idempotencyKey }) => {
        refunds.push(idempotencyKey)
        if (isLost) throw failure(refunds.length)
      },
    )
    const [question] = state.questions
    const lines: string[] = []
    for await (const line of thread.archive()) lines.push(line.trimEnd())
    const renamed = runtime.importThread(Readable.from(lines), 'u')
    await expect(renamed).rejects.toThrow('the compensation of a call by pay is unfinished')
    isLost = false
    await thread.answer(question?.id ?? '', { decision: 'approved', rung: 'rollback' } as never)
    await thread.drive()
    expect(refunds.length).toBeGreaterThan(2)
    expect(new Set(refunds)).toEqual(new Set(['t/rollback/act#1/1']))
    await runtime.close()
  },
)
