/** The inspector of a real service in a real browser, for tests. */
import { join } from 'node:path'
import axe from 'axe-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import type { Row } from '../../src/core/run/run.ts'
import { newFolders } from '../durability/folders.ts'
import { serveIn, type Serving } from '../http/serving.ts'
import { launchBrowser } from './browser.ts'

const newFolder = newFolders()
const GRAPHS = join(import.meta.dirname, '../../graphs')

let browser: Promise<Browser> | undefined
const contexts: BrowserContext[] = []

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close()
})

afterAll(async () => {
  await (await browser)?.close()
})

export interface Opened {
  readonly page: Page
  readonly url: string
  readonly serving: Serving
  readonly folder: string
  /** Requests to other origins, and messages of the console that are faults. */
  readonly faults: readonly string[]
  /** Sends JSON to the service with the session of the page. */
  post(path: string, body: unknown): Promise<Answer>
  get(path: string): Promise<Answer>
}

// biome-ignore lint/suspicious/noExplicitAny: a body is any JSON, and the tests compare it.
type Answer = Readonly<{ status: number; body: any }>

interface Options extends BrowserContextOptions {
  readonly graphs?: string
  readonly folder?: string
  readonly args?: readonly string[]
}

/** Starts the service, and opens the page with its one-time token. */
export async function openInspector(options: Options = {}): Promise<Opened> {
  const { graphs = GRAPHS, folder = newFolder(), args = [], ...context } = options
  const serving = serveIn(folder, ['--graphs', graphs, '--store', 'threads.db', ...args])
  const { url, token } = await serving.ready
  const page = await newPage({ viewport: { width: 1440, height: 900 }, ...context })
  const faults: string[] = []
  await watchFaults(page, url, faults)
  await page.goto(`${url}/#/threads?token=${token}`)
  await page.getByRole('heading', { name: 'Threads', exact: true }).waitFor()
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    page.evaluate(
      async ([method, path, text]) => {
        const headers = { 'content-type': 'application/json' }
        const init = text === undefined ? { method } : { method, headers, body: text }
        const response = await fetch(path as string, init as RequestInit)
        const answer = await response.text()
        return { status: response.status, body: answer === '' ? undefined : JSON.parse(answer) }
      },
      [method, path, body === undefined ? undefined : JSON.stringify(body)],
    )
  return {
    ...{ page, url, serving, folder, faults },
    post: (path, body) => call('POST', path, body),
    get: path => call('GET', path),
  }
}

export async function newPage(options: BrowserContextOptions): Promise<Page> {
  browser ??= launchBrowser()
  const context = await (await browser).newContext(options)
  contexts.push(context)
  // A busy machine starts a service and a browser slowly.
  context.setDefaultTimeout(60_000)
  return context.newPage()
}

/** Tests make requests that the service refuses. */
const EXPECTED = /Failed to load resource/

/** A violation of the policy of the page is a fault, also where the script catches the error. */
const reportViolations = () => {
  const { addEventListener, console } = globalThis as unknown as Globals
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error(`policy: ${violatedDirective} ${blockedURI}`),
  )
}

interface Globals {
  readonly console: Pick<Console, 'error'>
  addEventListener(
    type: 'securitypolicyviolation',
    listener: (violation: Readonly<Record<'violatedDirective' | 'blockedURI', string>>) => void,
  ): void
}

async function watchFaults(page: Page, url: string, faults: string[]): Promise<void> {
  await page.addInitScript(reportViolations)
  page.on('request', request => {
    const { origin, protocol } = new URL(request.url())
    const isOwn = origin === url || protocol === 'data:' || protocol === 'blob:'
    if (!isOwn) faults.push(`request to ${request.url()}`)
  })
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text())
  })
}

/** The journal of a thread, as the service has it. */
export async function rowsOf(page: Page, thread: string): Promise<readonly Row[]> {
  const text = await page.evaluate(
    async thread => (await fetch(`/v1/threads/${thread}/rows`)).text(),
    thread,
  )
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The violations of WCAG 2.2 AA on the screen. */
export async function violationsOn(page: Page): Promise<readonly object[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async tags => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const result = await axe.run({ runOnly: { type: 'tag', values: tags } })
    return result.violations.map(({ id, nodes }) => ({
      id,
      nodes: nodes
        .slice(0, 4)
        .map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
    }))
  }, TAGS)
}
