/** A server of a fetch function on one address. */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'

/** Connections of all clients. */
const CONNECTIONS_MAX = 4_000

export interface Listening {
  readonly url: string
  /** Ends all connections. */
  readonly close: () => Promise<void>
}

type Fetch = Parameters<typeof serve>[0]['fetch']

/** Rejects with the error of the system if the address is taken. `port: 0` is any free port. */
export async function listen(
  fetch: Fetch,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<Listening> {
  const serverOptions = { requestTimeout: 60_000, headersTimeout: 10_000 }
  const server = serve({ fetch, hostname: host, port, serverOptions })
  if ('maxConnections' in server) server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve).once('error', reject)
  })
  const { port: actual } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    async close() {
      const closed = new Promise(resolve => server.close(resolve))
      if ('closeAllConnections' in server) server.closeAllConnections()
      await closed
    },
  }
}
