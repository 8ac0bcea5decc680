/** Simulated threads in a store that a service shares: their tools are fakes, so the service must not continue them with real ones. */
import { afterEach, expect, test } from 'vitest'
import { createRuntime, isWrongGraph, memoryStore, type Runtime } from '../../src/index.ts'
import { simulate } from '../../src/simulate/run/simulate.ts'
import { shop, subjectOf } from '../simulate/fixture.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A store with a simulated thread that a crash of its process has left open, and a service of the same graph. */
async function abandoned() {
  const store = memoryStore()
  const graph = shop()
  const orders: string[] = []
  const { order } = graph.tools
  const execute = async () => orders.push('a real order')
  const tools = {
    ...graph.tools,
    order: Object.assign(Object.create(order as object), { execute }),
  }
  const system = () => ({ tools: { order: () => new Promise<never>(() => {}) } })
  const run = simulate({ ...subjectOf(graph, {}), system } as never, {
    seed: 1,
    store,
    thread: 's',
  })
  await expect(run).rejects.toThrow(/order/)
  const runtime = createRuntime({ store, graphs: [{ ...graph, tools }] })
  open.push(runtime)
  return { store, runtime, orders }
}

test('a simulated thread is not due for a service of its graph, which refuses to continue it', async () => {
  const { store, runtime, orders } = await abandoned()
  expect(await store.thread('s')).toMatchObject({
    graph: 'shop',
    status: expect.not.stringMatching('ended'),
  })
  const held = [{ graph: 'shop', specHash: shop().machine.hash }]
  expect(await store.due(Date.now() + 3_600_000, { graphs: held })).toEqual([])
  expect(await runtime.thread('s').resume().catch(isWrongGraph)).toBe(true)
  expect(orders).toEqual([])
})
