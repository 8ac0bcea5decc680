/** A child process of the load: the service, a bare Hono app, or `drive` alone. It sends its address or its time to the parent. */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { createApp } from '../../src/http.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { ticking, waiting } from './graph.ts'

const [kind = '', file = '', steps = '0'] = process.argv.slice(2)

process.on('message', () => {
  gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed, rss: process.memoryUsage().rss })
})

if (kind === 'alone') {
  const store = sqliteStore({ file })
  const start = { input: { steps: Number(steps), pace: 0 }, seed: 1 }
  await drive(nodePorts({ graph: ticking(), store }), 'alone', { start })
  const rows = await store.rows('alone')
  process.send?.({ ms: (rows.at(-1)?.event.at ?? 0) - (rows[0]?.event.at ?? 0) })
  await store.close()
  process.disconnect()
} else {
  const server = serve({ fetch: appOf(), port: 0, hostname: '127.0.0.1' })
  server.once('listening', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
}

function appOf() {
  if (kind === 'bare') {
    const app = new Hono()
    app.post('/v1/threads', async c => c.json(await c.req.json(), 201))
    return app.fetch
  }
  const runtime = createRuntime({ store: sqliteStore({ file }), graphs: [ticking(), waiting()] })
  void runtime.work({ concurrency: 1_000 })
  const limits = { rate: 10_000, burst: 10_000, streams: 5_000 }
  return createApp(runtime, { anonymous: 'admin', limits }).fetch
}
