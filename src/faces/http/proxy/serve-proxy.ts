/** The proxy as a process: it listens on loopback until it is stopped. */
import { listen } from '../listen.ts'
import { createProxy, type ProxyOptions } from './proxy.ts'

export interface ServedProxy extends ProxyOptions {
  readonly port: number
  readonly signal: AbortSignal
  /** Called with the address once the proxy listens. */
  readonly listening: (url: string) => void
}

/** Serves until the signal is aborted. */
export async function serveProxy({
  port,
  signal,
  listening,
  ...proxy
}: ServedProxy): Promise<void> {
  const { url, close } = await listen(createProxy(proxy), { host: '127.0.0.1', port })
  listening(url)
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await aborted
  await close()
}
