/** The support agent with escapement behind HTTP. */
import { serve } from '@hono/node-server'
import { createApp } from 'escapement/http'
import { runtime } from './escapement.ts'

// Callers need no API key: only this machine reaches the service.
const { fetch } = createApp(runtime, { anonymous: 'operate' })
serve({ fetch, port: Number(process.env.PORT ?? 4100), hostname: '127.0.0.1' })

// Otherwise each stop counts as a crash, and two of them in one call end the thread.
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => runtime.close({ drain: 5_000 }).then(() => process.exit(143)))

// Continues threads whose process died, and applies deadlines.
await runtime.work()
