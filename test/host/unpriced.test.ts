/** A limit of money needs the price of a model: a change of a policy is held to the same rule as a graph in code. */
import { afterEach, expect, test } from 'vitest'
import {
  createAgent,
  createRuntime,
  type Json,
  memoryStore,
  type Runtime,
} from '../../src/index.ts'
import { modelOf, repeats, says } from '../../src/testing.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const price = { input: 1, output: 1 }

async function shopWith(more: object = {}, accept: string[] = []) {
  const model = { ...modelOf([repeats(says('Hello.'))]), ...more }
  const scopes = { customer: { steps: 50 } }
  const agent = createAgent({ id: 'shop', model, limits: { scopes }, accept })
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  open.push(runtime)
  const thread = await runtime.start(agent, { goal: 'x' }, { thread: 'one' })
  await thread.result()
  const start = (policy: object) =>
    runtime.start(agent, { goal: 'x' }, { policy: policy as never, drive: false })
  return { thread, start }
}

const LIMITS = [
  [{ usd: 1 }, 'limits.usd'],
  [{ round: { usd: 1 } }, 'limits.round.usd'],
  [{ scopes: { customer: { usd: 1 } } }, 'limits.scopes.customer.usd'],
] as const

test.each(LIMITS)(
  '%j is refused without a price, in a start, a change and a fork',
  async (limits, path) => {
    const { thread, start } = await shopWith()
    const because = `${path}: has no effect, because no model of the graph has a price`
    await expect(start({ limits })).rejects.toThrow(`policy.${because}`)
    const changed = await thread.changePolicy({ limits })
    expect(changed).toMatchObject({ code: 'invalid-policy' })
    expect(JSON.stringify(changed)).toContain(because)
    await expect(thread.fork({ effects: 'refuse', change: { limits } })).rejects.toThrow(because)
  },
)

test.each(LIMITS)(
  '%j is accepted with a price, or if the graph says that it is intended',
  async (limits, path) => {
    for (const { thread, start } of [
      await shopWith({ price }),
      await shopWith({ price: { input: 0, output: 0 } }),
      await shopWith({}, [`unused ${path}`]),
    ]) {
      await start({ limits })
      expect(await thread.changePolicy({ limits })).toEqual({ applied: true })
    }
  },
)

test('a limit of money is removed, and others are set, without a price', async () => {
  const { thread } = await shopWith()
  const changes: Json[] = [{ usd: null }, { scopes: { customer: { steps: 9 } } }, { scopes: null }]
  for (const limits of changes)
    expect(await thread.changePolicy({ limits })).toEqual({ applied: true })
})
