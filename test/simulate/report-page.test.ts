/** The reports of simulations in a real browser: accessible in both themes and on a phone, and without a request. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadScenario } from '../../src/host/simulation/load-scenario.ts'
import { monteCarlo } from '../../src/simulate/monte/monte.ts'
import { gridReport } from '../../src/simulate/report/grid.ts'
import { htmlReport } from '../../src/simulate/report/html.ts'
import { newFolders } from '../durability/folders.ts'
import { newPage, violationsOn } from '../inspector/open.ts'

const newFolder = newFolders()

/** A report with all its parts: several policies, bad runs, the heat map and the chart of success and cost. */
const files: Record<string, string> = {}

beforeAll(async () => {
  const { scenario, subjects } = await loadScenario('graphs/ring.scenario.yaml')
  const report = await monteCarlo(scenario, subjects, { seeds: { from: 1, count: 10 } })
  const cells = ['p = 0.1', 'p = 0.5'].map(cell => ({ cell, report }))
  files.report = htmlReport(
    report,
    ({ policy, seed }) => `http://127.0.0.1:4100/#/${policy}-${seed}`,
  )
  files.grid = gridReport(cells)
})

describe.each(['report', 'grid'])('the %s', name => {
  test.each([
    ['on a desktop, light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
    ['on a desktop, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
    ['on a phone, dark', { viewport: { width: 390, height: 800 }, colorScheme: 'dark' }],
  ] as const)('has no violation and makes no request %s', async (_, options) => {
    const page = await newPage({ ...options, offline: true })
    const faults: string[] = []
    page.on('request', request => faults.push(request.url()))
    page.on('console', message => faults.push(message.text()))
    const file = join(newFolder(), 'out.html')
    writeFileSync(file, files[name] ?? '')
    const { href } = pathToFileURL(file)
    await page.goto(href)
    expect(await violationsOn(page)).toEqual([])
    expect(faults).toEqual([href])
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect(isWide).toBe(false)
  })
})
