/** A support agent for a shop: the graph, its tools and its model. */
import { createOpenAI } from '@ai-sdk/openai'
import { createAgent, tool } from 'escapement'
import { z } from 'zod'

// OPENAI_API_KEY is the key; OPENAI_BASE_URL selects any compatible endpoint.
const openai = createOpenAI({
  apiKey: process.env.OPENAI_API_KEY ?? 'none',
  ...(process.env.OPENAI_BASE_URL ? { baseURL: process.env.OPENAI_BASE_URL } : {}),
})

const find_order = tool({
  description: 'Finds an order by its number.',
  inputSchema: z.object({ order: z.string() }),
  outputSchema: z.object({
    order: z.string(),
    item: z.string(),
    price: z.number(),
    status: z.string(),
  }),
  effects: 'read',
  execute: async ({ order }) => ({ order, item: 'clock', price: 450, status: 'delivered' }),
})

const refund = tool({
  description: 'Refunds an order.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  outputSchema: z.object({ order: z.string(), refunded: z.number() }),
  effects: 'write',
  // The key stays the same at every attempt: pass it to your payment service, which then pays once.
  idempotent: true,
  // A refund above 100 waits until a person approves it.
  confirm: ({ order, amount }) => amount > 100 && `Refund ${amount} for order ${order}?`,
  execute: async ({ order, amount }, { idempotencyKey }) => ({
    order,
    refunded: amount,
    idempotencyKey,
  }),
})

export const agent = createAgent({
  id: 'support',
  model: openai.chat(process.env.MODEL ?? 'gpt-4o-mini'),
  instructions: 'You are the support agent of a shop for clocks.',
  tools: { find_order, refund },
  limits: { modelCalls: 20 },
})
