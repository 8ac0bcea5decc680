/** Agents with scripts, for metrics and spans. Their calls take time on a virtual clock. */
import { z } from 'zod'
import { createAgent } from '../../src/host/definition/create-agent.ts'
import { tool } from '../../src/kit/tool.ts'
import { calls, fails, modelOf, repeats, says } from '../../src/testing.ts'

export const usage = { input: 1_000, output: 100, cached: 200 }
export const price = { input: 1, output: 10, cached: 0.5 }
export const looks = repeats({ ...calls('stock', { item: 'clock' }), usage, latency: 2_000 })

const stock = tool({
  name: 'stock',
  description: 'Looks up the stock.',
  inputSchema: z.object({ item: z.string() }),
  effects: 'read',
  execute: async (_, call) => {
    await call.sleep(250)
    return { left: 3 }
  },
})

/** Its model repeats one call. With a smarter model, it escapes to the goal. */
export const looping = (id: string, more: object = {}) =>
  createAgent({
    id,
    model: { ...modelOf([fails(503), looks]), price },
    tools: { stock },
    ...more,
  })

/** Its tool fails until the breaker opens. Then the model answers. */
export const failing = () =>
  createAgent({
    id: 'broken',
    model: modelOf([calls('stock', { item: 'clock' }), says('The shop is closed.')]),
    tools: {
      stock: {
        ...stock,
        parse: stock.parse,
        breaker: { threshold: 2, reset: 60_000 },
        execute: async () => Promise.reject(Object.assign(new Error('busy'), { status: 503 })),
      },
    },
    retry: { attempts: 2, base: '1s' },
  })
