/** The screens of graphs in a real browser, on a real service: cycles, coverage, and what the threads did. */
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { type Opened, openInspector, rowsOf } from './open.ts'

/** A thread of the graph `agent`, up to its end. */
async function withDemo(): Promise<Opened> {
  const of = await openInspector()
  await of.post('/v1/threads', { graph: 'agent', thread: 'demo' })
  await of.page.goto(`${of.url}/#/threads/demo`)
  await of.page.getByText('ENDED success').waitFor()
  return of
}

describe.skipIf(!hasBrowser)('the screen of a graph', { timeout: 180_000 }, () => {
  test('lists every cycle with its bound and its escape, or a warning, and selects its states', async () => {
    const { page, url, faults } = await openInspector()
    await page.goto(`${url}/#/graphs/agent`)
    const cycles = page.getByRole('region', { name: 'Static analysis' }).locator('.cycles > li')
    await cycles.first().waitFor()
    const facts = async (nth: number) =>
      (await cycles.nth(nth).getByRole('listitem').allTextContents()).map(text => text.trim())
    expect(await facts(0)).toEqual([
      'Bound: 80 steps (limits.steps: 80)',
      'Exit: check done.goal → finished',
      'Escape: alternative → replan',
    ])
    expect((await facts(1)).at(-1)).toBe('No escape: the watchdog can only stop the thread')
    expect(await cycles.nth(1).getByRole('img', { name: 'warning' }).count()).toBe(1)
    await cycles.first().getByRole('button', { name: 'observe' }).click()
    await expect.poll(() => page.url()).toBe(`${url}/#/graphs/agent?sel=observe`)
    await page.locator('.state.is-selected').getByText('observe').waitFor()
    expect(faults).toEqual([])
  })

  test('counts what all threads reached, and names what none did', async () => {
    const { page, url } = await withDemo()
    const rows = await rowsOf(page, 'demo')
    const taken = new Set(rows.flatMap(({ edges }) => edges))
    await page.goto(`${url}/#/graphs/agent`)
    const coverage = page.getByRole('region', { name: 'Coverage' })
    await coverage.getByText('In 1 thread:').waitFor()
    const items = coverage.getByRole('listitem')
    expect(await items.locator('b').allTextContents()).toEqual([
      'states 7/10',
      expect.stringMatching(/^edges \d+\/13$/),
      'escapes 1/2',
    ])
    const missing = await items.nth(0).getByRole('button').allTextContents()
    expect(missing).toEqual(['check', 'stopped', 'cancelled'])
    expect(taken.has('check:done.goal>finished')).toBe(false)
    await items.nth(1).getByRole('button', { name: 'check done.goal → finished' }).click()
    await expect.poll(() => page.url()).toBe(`${url}/#/graphs/agent?sel=check`)
    // Another thread is counted when a person reads again.
    await page.getByRole('link', { name: 'As a query' }).click()
    await page.getByRole('region', { name: 'Result', exact: true }).waitFor()
  })
})

describe.skipIf(!hasBrowser)('the cards of the graphs', { timeout: 180_000 }, () => {
  test('have the threads by outcome, their loops and escapes, and the verdict of lint', async () => {
    const { page, url, faults } = await withDemo()
    await page.goto(`${url}/#/graphs`)
    const card = (name: string) =>
      page.locator('.card').filter({ has: page.getByRole('link', { name, exact: true }) })
    await card('agent').getByText('1 success').waitFor()
    await card('agent').getByText('lint: no findings').waitFor()
    await card('night').getByText('lint: 1 warning').waitFor()
    expect(await card('agent').locator('p').allTextContents()).toEqual([
      '1 thread1 success',
      expect.stringMatching(/^loops in 1 thread · 1 escape · \$0\.00/),
      'lint: no findings',
      expect.stringContaining('Its threads'),
    ])
    await card('ring').getByText('no threads').waitFor()
    await page.getByRole('combobox', { name: 'Threads of' }).selectOption('all times')
    expect(page.url()).toBe(`${url}/#/graphs?period=all`)
    await card('agent').getByText('1 success').waitFor()
    expect(faults).toEqual([])
  })

  test('count only the last day at first', async () => {
    const { page, url } = await withDemo()
    const tomorrow = Date.now() + 2 * 86_400_000
    await page.goto(`${url}/?now=${tomorrow}#/graphs`)
    const card = page.locator('.card').filter({ hasText: 'agent' }).first()
    await card.getByText('no threads').waitFor()
    await page.getByRole('combobox', { name: 'Threads of' }).selectOption('all times')
    await card.getByText('1 success').waitFor()
  })
})
