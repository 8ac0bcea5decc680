/** The support agent with escapement behind HTTP. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { converse, runtime } from './escapement.ts'

const Turn = z.object({
  message: z.string().default(''),
  answer: z.enum(['approved', 'rejected']).optional(),
})
const app = new Hono()
app.get('/threads/:thread', async c => c.json(await runtime.thread(c.req.param('thread')).state()))
app.post('/threads/:thread', async c => {
  const thread = c.req.param('thread')
  const { message, answer } = Turn.parse(await c.req.json())
  if (answer) await runtime.thread(thread).state() // An unknown thread has nothing to answer.
  return stream(c, async out => {
    for await (const text of converse(thread, message, answer)) await out.write(text)
  })
})
app.onError((error, c) =>
  c.json({ error: error.message }, error.name === 'UnknownThread' ? 404 : 400),
)
serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4100), hostname: '127.0.0.1' })

// Continues threads whose process died, and applies deadlines.
await runtime.work()
