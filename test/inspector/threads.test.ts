/** The screen of all threads in a real browser, on a real service. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import type { FindingSignature } from '../../src/core/run/tally.ts'
import type { FindingKind } from '../../src/core/watch/event/event.ts'
import type { ThreadTally } from '../../src/runtime/store/tally.ts'
import { newFolders } from '../durability/folders.ts'
import { begun } from '../store/batches.ts'
import { hasBrowser } from './browser.ts'
import { type Opened, openInspector, rowsOf, violationsOn } from './open.ts'

const newFolder = newFolders()

const signatureOf = (kind: FindingKind, member: string): FindingSignature => {
  return { kind, code: kind === 'loop' ? 'repeated-sequence' : 'repeated-error', members: [member] }
}
const SEARCH = signatureOf('loop', 'search_docs')
const FETCH = signatureOf('stall', 'fetch')

interface Stored {
  readonly thread: string
  readonly outcome: string
  readonly usd: number
  readonly signature?: FindingSignature
}

const tallyOf = ({ signature, usd }: Stored): ThreadTally => {
  const spent = { steps: 9, tokens: 400, usd }
  if (!signature) return { findings: 0, escapes: 0, rungs: [], spent }
  const finding = { signature, period: 2, repeats: 5 }
  return { findings: 3, finding, escapes: 3, rungs: ['rethink', 'rethink', 'stop'], spent }
}

/** 14 threads in one loop, three in another, and others without. */
function storedThreads(others: number): readonly Stored[] {
  const named = (name: string, count: number, of: Omit<Stored, 'thread'>) =>
    Array.from({ length: count }, (_, index) => {
      return { thread: `${name}-${String(index).padStart(3, '0')}`, ...of }
    })
  return [
    ...named('docs', 11, { outcome: 'stopped', usd: 0.5, signature: SEARCH }),
    ...named('late', 3, { outcome: 'success', usd: 0.25, signature: SEARCH }),
    ...named('fetch', 3, { outcome: 'failure', usd: 2, signature: FETCH }),
    ...named('other', others, { outcome: 'success', usd: 0.01 }),
  ]
}

/** A service on a store with these threads. */
async function opened(others: number, options: Parameters<typeof openInspector>[0] = {}) {
  const folder = newFolder()
  const store = sqliteStore(join(folder, 'threads.db'))
  for (const of of storedThreads(others)) {
    const { thread, outcome } = of
    const summary = { graph: 'agent', status: 'ended', outcome, detail: 'end', tally: tallyOf(of) }
    await store.release(await begun(store, thread, 1, { summary: summary as never }))
  }
  await store.close()
  return openInspector({ folder, ...options })
}

const rowsIn = ({ page }: Opened) => page.getByRole('region', { name: 'Threads' }).getByRole('row')

const choose = (page: Opened['page'], name: string, option: string) =>
  page.getByRole('combobox', { name, exact: true }).selectOption(option)

const firstNames = async (of: Opened, count: number) => {
  const names = await of.page.locator('tr[data-row] th').allTextContents()
  return names.slice(0, count)
}

describe.skipIf(!hasBrowser)('the screen of threads', { timeout: 180_000 }, () => {
  test('names the loop, the escapes, the cost, the steps and the time of a real thread', async () => {
    const { page, url, post, faults } = await openInspector()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo`)
    await page.getByText('ENDED success').waitFor()
    const rows = await rowsOf(page, 'demo')
    const [finding] = rows.flatMap(({ findings }) => findings)
    const rungs = rows.flatMap(({ verdict }) =>
      verdict.kind === 'escape' ? [verdict.route.rung] : [],
    )
    await page.goto(`${url}/#/threads`)
    const cells = page.getByRole('row', { name: 'demo' }).getByRole('cell')
    await page.getByText('search_docs,').waitFor()
    const texts = await cells.allTextContents()
    const loop = `${finding?.period} × ${finding?.repeats}`
    expect(texts[4]).toMatch(new RegExp(`^${loop} search_docs, same `))
    expect([texts[5], texts[6]]).toEqual([rungs.join(' → '), expect.stringMatching(/^\$/)])
    expect(Number(texts[7])).toBeGreaterThan(3)
    expect(texts[9]).toMatch(/ (ms|s)$/)
    expect(faults).toEqual([])
  })

  test('groups the threads by their loop: how many died in the same one', async () => {
    const of = await opened(110)
    const { page, url } = of
    await choose(page, 'Group by', 'loop')
    const titles = page.locator('.group-title')
    // The first hundred threads are shown, and all are counted after the answer of the service.
    await expect
      .poll(() => titles.allTextContents())
      .toEqual([
        'search_docs, same arguments: 14 threads 11 stopped, 3 success · $6.25',
        expect.stringMatching(/^fetch, same error: 3 threads 3 failure · \$6/),
        expect.stringMatching(/^No loop: 110 threads .* · 83 shown$/),
      ])
    expect(page.url()).toBe(`${url}/#/threads?group=loop`)
    await choose(page, 'Group by', 'outcome')
    await expect.poll(() => titles.first().textContent()).toMatch(/^success: 113 threads/)
    await choose(page, 'Group by', 'none')
    expect(page.url()).toBe(`${url}/#/threads`)
    await expect.poll(() => titles.count()).toBe(0)
  })

  test('filters by outcome, loop and cost, and the address holds the filters', async () => {
    const of = await opened(5)
    const { page, url } = of
    const shown = () => firstNames(of, 99)
    await choose(page, 'Outcome', 'success')
    await choose(page, 'Loop', 'any')
    await expect.poll(shown).toEqual(['late-000', 'late-001', 'late-002'])
    expect(page.url()).toBe(`${url}/#/threads?outcome=success&loop=any`)
    await choose(page, 'Outcome', '')
    await choose(page, 'Loop', 'stall')
    await expect.poll(shown).toEqual(['fetch-000', 'fetch-001', 'fetch-002'])
    await choose(page, 'Loop', '')
    await page.getByLabel('Cost from $').fill('0.5')
    await expect.poll(async () => (await shown()).length).toBe(14)
    await page.reload()
    await expect.poll(async () => (await shown()).length).toBe(14)
    await page.getByLabel('Cost from $').fill('50')
    await page.getByText('No thread matches').waitFor()
  })

  test('shows more than a hundred threads on request', async () => {
    const of = await opened(203)
    const { page, url } = of
    const shown = async () => (await rowsIn(of).count()) - 1
    await expect.poll(shown).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(shown).toBe(200)
    expect(page.url()).toBe(`${url}/#/threads?show=200`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(shown).toBe(220)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    // Another filter begins with its first threads.
    await choose(page, 'Loop', 'loop')
    await expect.poll(shown).toBe(14)
    expect(page.url()).toBe(`${url}/#/threads?loop=loop`)
  })

  test('moves between rows by j and k, selects by x, and opens by Enter', async () => {
    const of = await opened(0)
    const { page, url } = of
    await page.getByRole('link', { name: 'docs-000' }).waitFor()
    const focused = () => page.evaluate('document.activeElement.textContent')
    const [first, second, third] = await firstNames(of, 3)
    await page.keyboard.press('j')
    expect(await focused()).toBe(first)
    await page.keyboard.press('x')
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
    expect(await focused()).toBe(second)
    await page.keyboard.press('x')
    const box = (name = '') => page.getByRole('checkbox', { name: `Select ${name} to compare` })
    expect([await box(first).isChecked(), await box(second).isChecked()]).toEqual([true, true])
    expect(page.url()).toBe(`${url}/#/threads?a=${first}&b=${second}`)
    // Letters that a person types are text.
    await page.getByLabel('Name begins with').fill('')
    await page.keyboard.type('xj')
    await page.getByText('No thread matches').waitFor()
    await page.getByLabel('Name begins with').fill('')
    await box(third).focus()
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toBe(`${url}/#/threads/${second}`)
    await page.goto(`${url}/#/threads?a=${first}&b=${second}`)
    await page.getByRole('button', { name: 'Compare two' }).click()
    await expect.poll(() => page.url()).toBe(`${url}/#/compare/${first}/${second}`)
  })

  test.each(['light', 'dark'] as const)(
    'is a list of cards on a phone, without violations of WCAG 2.2 AA (%s)',
    async colorScheme => {
      const of = await opened(5, { viewport: { width: 390, height: 844 }, colorScheme })
      const { page, url } = of
      await page.goto(`${url}/#/threads?group=loop`)
      await page.getByText('14 threads').waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      const region = page.getByRole('region', { name: 'Threads' })
      expect(await region.evaluate(of => of.scrollWidth - of.clientWidth)).toBe(0)
      // All figures of a row are visible.
      const row = page.getByRole('row', { name: 'docs-000' })
      for (const text of ['2 × 5', 'rethink ×2 → stop', '$0.50'])
        expect(await row.getByText(text).isVisible()).toBe(true)
      expect(of.faults).toEqual([])
    },
  )

  test('says that a thread of an earlier version has no tally', async () => {
    const folder = newFolder()
    const store = sqliteStore(join(folder, 'threads.db'))
    await begun(store, 'old')
    await store.close()
    const { page } = await openInspector({ folder })
    const cells = page.getByRole('row', { name: 'old' }).getByRole('cell')
    await expect
      .poll(async () => (await cells.allTextContents()).slice(4, 8))
      .toEqual(Array(4).fill('unknown'))
  })
})
