/** The support agent with LangGraph behind HTTP. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { agent, checkpointer, converse } from './langgraph.ts'

const said = z.object({ message: z.string().optional(), answer: z.string().optional() })
const busy = new Set<string>()
const stateOf = (thread: string) => agent.graph.getState({ configurable: { thread_id: thread } })
const app = new Hono()
app.get('/threads/:thread', async c => {
  const { tasks, next } = await stateOf(c.req.param('thread'))
  const questions = tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value.question))
  const status = questions.length > 0 ? 'waiting' : next.length > 0 ? 'active' : 'ended'
  return c.json({ status, questions })
})
app.post('/threads/:thread', async c => {
  const thread = c.req.param('thread')
  const body = said.parse(await c.req.json())
  if (busy.has(thread)) return c.json({ error: 'the thread is busy' }, 409)
  busy.add(thread)
  return stream(c, async out => {
    try {
      for await (const text of converse(thread, body.message ?? '', body.answer))
        await out.write(text)
    } finally {
      busy.delete(thread)
    }
  })
})
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4100), hostname: '127.0.0.1' })

// Continues threads whose process died.
const threads = new Set<string>()
for await (const { config } of checkpointer.list({})) threads.add(config.configurable?.thread_id)
for (const thread of threads) {
  const { next, tasks } = await stateOf(thread)
  if (next.length === 0 || tasks.some(({ interrupts }) => interrupts.length > 0)) continue
  busy.add(thread)
  for await (const _ of converse(thread, ''));
  busy.delete(thread)
}
