/** The support agent with the AI SDK behind HTTP. */
import { readdirSync } from 'node:fs'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { z } from 'zod'
import { converse, stateOf } from './ai-sdk.ts'

const said = z.object({ message: z.string().optional(), answer: z.string().optional() })
const busy = new Set<string>()
const app = new Hono()
app.get('/threads/:thread', c => c.json(stateOf(c.req.param('thread'))))
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
for (const file of readdirSync('.')) {
  const thread = file.replace(/\.json$/, '')
  if (thread === file || stateOf(thread).status !== 'active') continue
  busy.add(thread)
  for await (const _ of converse(thread, ''));
  busy.delete(thread)
}
