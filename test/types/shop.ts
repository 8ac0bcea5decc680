/** The parts of the fixtures and tests of types. */
import { z } from 'zod'
import { done, type Model, node, tool } from '../../src/index.ts'

export const stock = tool({
  name: 'stock',
  description: 'How many of an article are left.',
  inputSchema: z.object({ article: z.string() }),
  effects: 'read',
  execute: async ({ article }) => ({ article, left: 3 }),
})

export const refund = tool({
  name: 'refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  effects: 'write',
  execute: async ({ amount }) => ({ paid: amount }),
})

export const check = node(
  { input: z.object({ article: z.string() }), tools: { stock } },
  async ({ input, call }) => {
    const { left } = await call.stock({ article: input.article })
    return left > 0 ? { left } : done('empty', { left })
  },
)

export const fast: Model = {
  id: 'fast',
  timeout: 1_000,
  ask: async () => ({ text: 'ok', calls: [] }),
}

export const INPUT = z.object({ article: z.string() })
export const OUTPUT = z.object({ left: z.number().nullable() })
export const END = { final: 'success' } as const
