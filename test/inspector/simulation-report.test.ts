/** The report of a simulation in a real browser: accessible, offline, and each listed run opens in the inspector. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { escapement } from '../durability/process.ts'
import { hasBrowser } from './browser.ts'
import { newPage, openInspector, violationsOn } from './open.ts'

const newFolder = newFolders()

const GRAPH = `escapement: 1
id: lookup
start: look
nodes:
  look: { use: tool, tool: search, args: {}, on: { done: found, error: apologize } }
  found: { final: success }
  apologize: { final: failure }
tools: { search: { use: flaky, with: { p: 0 } } }
`
const SCENARIO = `scenario: 1
name: lookup
graph: ./lookup.yaml
seeds: 8
policies: { default: {}, once: { retry: { attempts: 1 } } }
faults: [{ id: storm, on: tool:search, how: { p: 0.7 }, what: { error: transient } }]
gates: [default.goal.low >= 0.99]
`

async function reportIn(folder: string, ...args: readonly string[]): Promise<string> {
  writeFileSync(join(folder, 'lookup.yaml'), GRAPH)
  writeFileSync(join(folder, 'lookup.scenario.yaml'), SCENARIO)
  const monte = ['sim', 'monte', 'lookup.scenario.yaml', '--workers', '1', '--report', 'out.html']
  const { code, err } = await escapement([...monte, ...args], { cwd: folder })
  expect({ code, err }).toEqual({ code: 1, err: '' })
  return pathToFileURL(join(folder, 'out.html')).href
}

describe.skipIf(!hasBrowser)('the report', { timeout: 180_000 }, () => {
  test('has no violation of WCAG 2.2 AA in light and dark, on a desktop and a phone, and makes no request', async () => {
    const url = await reportIn(
      newFolder(),
      '--inspector',
      'http://127.0.0.1:4100',
      '--store',
      'r.db',
    )
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 390]) {
        const page = await newPage({ colorScheme, viewport: { width, height: 900 } })
        const requests: string[] = []
        page.on('request', request => requests.push(request.url()))
        await page.goto(url)
        const seen = [colorScheme, width, await violationsOn(page)]
        expect(seen).toEqual([colorScheme, width, []])
        expect(requests).toEqual([url])
        const overflows = 'document.documentElement.scrollWidth > innerWidth'
        expect([width, await page.evaluate(overflows)]).toEqual([width, false])
      }
  })

  test('each listed run is a link to its thread in the inspector', async () => {
    const { page, url, folder, faults } = await openInspector()
    const report = await reportIn(folder, '--inspector', `${url}/`, '--store', 'threads.db')
    const offline = await newPage({})
    await offline.goto(report)
    const links = await offline
      .getByRole('region', { name: 'The worst runs of each policy' })
      .getByRole('link')
      .evaluateAll(found => found.map(link => (link as unknown as { href: string }).href))
    expect(links.length).toBeGreaterThan(3)
    expect(new Set(links).size).toBe(links.length)
    for (const link of links.slice(0, 3)) {
      const [, thread = ''] = /#\/threads\/([^?]+)/.exec(link) ?? []
      expect(thread).toMatch(/^lookup-(default|once)-\d-\w{8}$/)
      await page.goto(link)
      // The link leads to the event that began the trouble.
      await expect
        .poll(() => page.locator('body').innerText(), { timeout: 60_000 })
        .toMatch(new RegExp(`^${thread}\\s+lookup\\s+REPLAY \\d+`, 'm'))
    }
    expect(faults).toEqual([])
  })
})
