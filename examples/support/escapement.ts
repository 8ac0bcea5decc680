/** The support agent with escapement. */
import { openai } from '@ai-sdk/openai'
import { createAgent, createRuntime, sqliteStore, tool } from 'escapement'
import { z } from 'zod'
import { findOrder, payBack, searchFaq } from './shop.ts'

const search_faq = tool({
  description: 'Searches the FAQ.',
  inputSchema: z.object({ query: z.string() }),
  effects: 'read',
  execute: ({ query }) => searchFaq(query),
})
const find_order = tool({
  description: 'Finds an order by its number.',
  inputSchema: z.object({ order: z.string() }),
  effects: 'read',
  execute: ({ order }, { signal }) => findOrder(order, signal),
})
const refund = tool({
  description: 'Refunds an order.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  effects: 'write',
  idempotent: true,
  confirm: ({ order, amount }) => amount > 100 && `Refund ${amount} for order ${order}?`,
  execute: ({ order, amount }, { idempotencyKey }) => payBack(order, amount, idempotencyKey),
})
export const support = createAgent({
  id: 'support',
  model: openai.chat('gpt-4o-mini'),
  instructions: 'You are the support agent of a shop for clocks.',
  tools: { search_faq, find_order, refund },
})
export const runtime = createRuntime({ store: sqliteStore('threads.db'), graphs: [support] })

/** Sends a message or an answer to a conversation, and yields text as it streams. The first message starts it. */
export async function* converse(id: string, goal: string, answer?: 'approved' | 'rejected') {
  const thread = runtime.thread(id, support)
  const [open] = answer ? (await thread.state()).questions : []
  const sent = await (answer ? thread.answer(`${open?.id}`, answer) : thread.send({ goal }))
  if (!sent.applied) yield `(${sent.because})\n`
  for await (const event of thread.events({ until: 'waiting' }))
    if (event.type === 'token') yield event.text
  for (const { question } of (await thread.state()).questions) yield `\n? ${question}\n`
}
