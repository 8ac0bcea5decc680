/** The service as a process: `escapement serve` listens, drives due threads, and shuts down without losing a turn. */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Runtime } from '../../host/runtime.ts'
import type { AccessOptions } from './access/access.ts'
import { createApp, type LogLine } from './app.ts'

export interface ServiceOptions extends Pick<AccessOptions, 'keys' | 'hosts'> {
  readonly host: string
  readonly port: number
  /** Ends the service: its threads are left, and can be resumed. */
  readonly signal: AbortSignal
  readonly log: (line: LogLine) => void
  /** Whether MCP clients may change threads. */
  readonly allowWrites?: boolean
  /** Called with the address once the service listens. `token`: the one-time token of a browser session. */
  readonly listening: (url: string, token: string) => void
}

/** Connections of all clients. */
const CONNECTIONS_MAX = 4_000

/** Serves until the signal is aborted. */
export async function serveRuntime(runtime: Runtime, options: ServiceOptions): Promise<void> {
  const { host, port, signal, log, listening, keys, hosts, allowWrites = false } = options
  const token = randomBytes(24).toString('base64url')
  const access = { token, ...(keys && { keys }), ...(hosts && { hosts }) }
  const app = createApp(runtime, { ...access, signal, log, mcp: { allowWrites } })
  const serverOptions = { requestTimeout: 60_000, headersTimeout: 10_000 }
  const server = serve({ fetch: app.fetch, hostname: host, port, serverOptions })
  if ('maxConnections' in server) server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject)
  })
  const { port: actual } = server.address() as AddressInfo
  listening(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`, token)
  const onError = (error: unknown, thread: string) =>
    log({ at: Date.now(), thread, error: String((error as Error)?.message ?? error) })
  await runtime.work({ signal, onError })
  const closed = new Promise(resolve => server.close(resolve))
  await runtime.close()
  if ('closeAllConnections' in server) server.closeAllConnections()
  await closed
}
