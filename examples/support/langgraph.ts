/** The support agent with LangChain's agent on LangGraph: `node langgraph.ts THREAD MESSAGE`, then `node langgraph.ts THREAD --answer approve`. */
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { Command, interrupt } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, tool } from 'langchain'
import { z } from 'zod'
import { findOrder, payBack, searchFaq } from './shop.ts'

const faq = tool(async ({ query }) => JSON.stringify(await searchFaq(query)), {
  name: 'search_faq',
  description: 'Searches the FAQ.',
  schema: z.object({ query: z.string() }),
})
const order = tool(async ({ order }) => JSON.stringify(await findOrder(order)), {
  name: 'find_order',
  description: 'Finds an order by its number.',
  schema: z.object({ order: z.string() }),
})
const refund = tool(
  async ({ order, amount }, { toolCall }) => {
    const question = `Refund ${amount} for ${order}?`
    const answer = amount > 100 ? interrupt<object, string>({ question }) : 'approved'
    return answer === 'approved'
      ? payBack(order, amount, toolCall.id)
      : 'A person has refused the refund.'
  },
  {
    name: 'refund',
    description: 'Refunds an order.',
    schema: z.object({ order: z.string(), amount: z.number() }),
  },
)
export const checkpointer = SqliteSaver.fromConnString('threads.db')
export const agent = createAgent({
  model: new ChatOpenAI({ model: 'gpt-4o-mini' }),
  tools: [faq, order, refund],
  systemPrompt: 'You are the support agent of a shop for clocks.',
  checkpointer,
})

/** Starts or continues a thread, answers its open question, and yields text as it streams. */
export async function* converse(thread: string, message: string, answer?: string) {
  const config = { configurable: { thread_id: thread } }
  const { next, values } = await agent.graph.getState(config)
  const begun = next.length > 0 || values.messages?.length > 0
  const input = answer
    ? new Command({ resume: answer })
    : next.length > 0 || (begun && !message)
      ? null
      : { messages: [{ role: 'user', content: message }] }
  for await (const [chunk] of await agent.graph.stream(input, {
    ...config,
    streamMode: 'messages',
  }))
    if (chunk.getType() === 'ai' && chunk.text) yield chunk.text
  const open = (await agent.graph.getState(config)).tasks.flatMap(task => task.interrupts)
  for (const { value } of open) yield `\n? ${value.question}\n`
}
