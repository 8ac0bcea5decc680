/** A fork that begins while a model call of its parent is open. The parent books its attempt, and the fork its own. */
import { expect, it } from 'vitest'
import { createRuntime, defineGraph, memoryStore } from '../../src/index.ts'
import type { Spent } from '../../src/core/watch/event/call-event.ts'
import { FORK_EFFECTS } from '../../src/core/watch/event/event.ts'

const usage = { input: 10_000, output: 0, cached: 0 }
const model = {
  id: 'm',
  timeout: 60_000,
  price: { input: 1_000, output: 1, cached: 0.5 },
  ask: async () => ({ text: 'ok', calls: [], usage }),
}

const graph = defineGraph({
  id: 'talk',
  start: 'ask',
  input: ['goal'],
  models: { model },
  channels: { goal: { type: 'string' } },
  limits: { usd: 1_000 },
  nodes: {
    ask: { use: 'model', model: 'model', in: ['goal'], on: { done: 'end', error: 'end' } },
    end: { final: 'success' },
  },
} as never)

it.each(FORK_EFFECTS)('books one call in a fork with effects: %s', async effects => {
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph, { goal: 'word '.repeat(8_000) } as never, {
    thread: 't',
  })
  const costOf = ({ usd }: Spent) => Math.round(usd)
  expect(costOf((await thread.result()).spent)).toBe(10)
  const called = (await store.rows('t')).find(({ event }) => event.type === 'model.called')
  const fork = await thread.fork({ at: called?.seq ?? 0, as: 'f', effects })
  await fork.drive()
  expect(costOf((await fork.state()).spent)).toBe(10)
  await runtime.close()
})
