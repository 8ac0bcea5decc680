/** A node whose time ends while its write has an unknown outcome. Neither an edge nor a rung may make the write again. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { effectsOf } from '../../src/core/review/ledger.ts'
import { createRuntime, defineGraph, memoryStore, tool, virtualClock } from '../../src/index.ts'

/** Pays in a node of 3 s. The attempt fails after `lasts` ms, whatever its signal says, and `reconcile` takes `asks` ms. */
async function pay({
  timeout,
  lasts,
  asks,
}: Readonly<Record<'timeout' | 'lasts' | 'asks', number>>) {
  const clock = virtualClock()
  const writes: string[] = []
  const send = tool({
    name: 'send',
    description: 'Pays.',
    inputSchema: z.object({}),
    effects: 'write',
    timeout,
    async execute(_, { idempotencyKey, sleep }) {
      writes.push(idempotencyKey)
      await (lasts > timeout ? clock.sleep(lasts, new AbortController().signal) : sleep(lasts))
      throw new Error('the connection was lost')
    },
    async reconcile(_, { sleep }) {
      await sleep(asks)
      return { answer: 'applied', result: 'paid' }
    },
  })
  const graph = defineGraph({
    id: 'shop',
    start: 'pay',
    nodes: {
      pay: { use: 'tool', tool: 'send', timeout: '3s', on: { done: 'paid', error: 'again' } },
      again: { use: 'tool', tool: 'send', on: { done: 'paid', error: 'failed' } },
      paid: { final: 'success' },
      failed: { final: 'failure' },
    },
    tools: { send },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph], clock })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const { status } = await thread.drive()
  const [effect] = effectsOf(await store.rows('t'))
  await runtime.close()
  return { writes: writes.length, status, effect: effect?.kind }
}

test('asks a person while the attempt still runs', async () => {
  expect(await pay({ timeout: 1_000, lasts: 10_000, asks: 0 })).toEqual({
    writes: 1,
    status: 'waiting',
    effect: 'indeterminate',
  })
})

test('asks a person while the tool is asked', async () => {
  expect(await pay({ timeout: 4_000, lasts: 500, asks: 3_500 })).toEqual({
    writes: 1,
    status: 'waiting',
    effect: 'indeterminate',
  })
})
