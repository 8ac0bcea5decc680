/** A service with the page, in this process, and a browser session on it. */
import type { BrowserContext, Page } from 'playwright-core'
import { serveRuntime } from '../../../src/faces/http/service.ts'
import { createRuntime, type Runtime } from '../../../src/host/runtime.ts'
import type { Graph } from '../../../src/runtime/ports.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { launchBrowser } from '../../inspector/browser.ts'
import { addMeasurements } from './probe.ts'

export interface Serving {
  readonly url: string
  readonly runtime: Runtime
  /** A page with a session, on the list of threads. */
  open(): Promise<Page>
  close(): Promise<void>
}

export async function servePage(store: Store, graphs: readonly Graph[]): Promise<Serving> {
  const end = new AbortController()
  const listening = Promise.withResolvers<{ url: string; token: string }>()
  const runtime = createRuntime({ store, graphs })
  const served = serveRuntime(runtime, {
    ...{ host: '127.0.0.1', port: 0, signal: end.signal, drain: 1_000, logLevel: 'silent' },
    writeLog: () => {},
    listening: (url, token) => listening.resolve({ url, token }),
  })
  const { url, token } = await listening.promise
  const browser = await launchBrowser()
  let session: Promise<Awaited<ReturnType<BrowserContext['storageState']>>> | undefined
  const signIn = async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${url}/#/threads?token=${token}`)
    await page.getByRole('heading', { name: 'Threads', exact: true }).waitFor()
    const state = await context.storageState()
    await context.close()
    return state
  }
  return {
    url,
    runtime,
    async open() {
      session ??= signIn()
      const viewport = { width: 1440, height: 900 }
      const context = await browser.newContext({ viewport, storageState: await session })
      await addMeasurements(context)
      return context.newPage()
    },
    async close() {
      await browser.close()
      end.abort()
      await served
    },
  }
}
