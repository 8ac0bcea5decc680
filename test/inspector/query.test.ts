/** The screen of queries in a real browser, on a real service. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { csvOf } from '../../visualizer/src/data/query-file.ts'
import { hasBrowser } from './browser.ts'
import { openInspector } from './open.ts'

describe.skipIf(!hasBrowser)('the screen of queries', { timeout: 180_000 }, () => {
  test('runs a named query from the palette, links its threads, and saves its rows', async () => {
    const { page, post, faults } = await openInspector()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.getByRole('link', { name: 'demo' }).click()
    await page.getByText('ENDED success').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('looped')
    await page.getByRole('option', { name: 'Threads that looped' }).waitFor()
    await page.keyboard.press('Enter')
    const result = page.getByRole('region', { name: 'Result', exact: true })
    await result.waitFor()
    expect(await result.getByRole('row').allTextContents()).toEqual([
      'threadoutcomefindingsrepeatsfirst_event',
      expect.stringMatching(/^demosuccess13\d+$/),
    ])
    await page.getByRole('status').getByText('1 row').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('query.csv')
    expect(readFileSync(await download.path(), 'utf8')).toMatch(
      /^thread,outcome,findings,repeats,first_event\r\ndemo,success,1,3,\d+\r\n$/,
    )
    // The address holds the query.
    await page.reload()
    await result.getByRole('link', { name: 'demo' }).click()
    await page.getByText('ENDED success').waitFor()
    expect(faults).toEqual([])
  })

  test('shows the error rate of each tool and model over all threads, beside the breakers', async () => {
    const { page, url, post } = await openInspector()
    for (const thread of ['one', 'two'])
      await post('/v1/threads', { graph: 'agent', thread, input: {} })
    for (const thread of ['one', 'two']) {
      await page.goto(`${url}/#/threads/${thread}`)
      await page.getByText('ENDED success').waitFor()
    }
    await page.goto(`${url}/#/breakers`)
    const rates = page.getByRole('region', { name: 'Error rates', exact: true })
    const row = rates.getByRole('row', { name: /^search_docs/ })
    const threads = await page.evaluate(async () => {
      const body = JSON.stringify({
        sql: "SELECT count(*), sum(1 - ok) FROM calls WHERE subject = 'search_docs'",
      })
      const headers = { 'content-type': 'application/json' }
      return (await fetch('/v1/query', { method: 'POST', headers, body })).json()
    })
    const [[attempts, failed]] = (threads as { rows: [[number, number]] }).rows
    expect([attempts > 2, failed > 2]).toEqual([true, true])
    const percent = Math.round((1_000 * failed) / attempts) / 10
    expect(await row.textContent()).toBe(`search_docstool${attempts}${failed} ${percent} %`)
  })

  test('reads the journals of all threads once for the error rates, and again on request', async () => {
    const { page, url, post } = await openInspector()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo`)
    await page.getByText('ENDED success').waitFor()
    let queries = 0
    page.on('request', request => {
      if (request.url().endsWith('/v1/query')) queries += 1
    })
    await page.clock.install()
    await page.goto(`${url}/#/breakers`)
    const again = page.getByRole('button', { name: 'Read again' })
    await again.waitFor()
    const before = queries
    for (let minutes = 0; minutes < 3; minutes += 1) await page.clock.runFor(60_000)
    expect(queries).toBe(before)
    await again.click()
    await expect.poll(() => queries).toBe(before + 1)
  })

  test('runs what is typed, links events, and says what is wrong, empty or left out', async () => {
    const { page, url, post, faults } = await openInspector()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/query`)
    await page.getByText('Choose a query, or write one').waitFor()
    await page.getByText('findings', { exact: true }).click()
    await page.getByText('what the detectors found').waitFor()
    const run = async (sql: string) => {
      await page.getByLabel('SQL').fill(sql)
      await page.keyboard.press('Control+Enter')
    }
    await run('SELECT thread, seq, NULL AS absent FROM events ORDER BY seq LIMIT 3')
    await page.getByRole('link', { name: '2', exact: true }).waitFor()
    await page.getByText('null').first().waitFor()
    expect(await page.getByRole('link', { name: '2', exact: true }).getAttribute('href')).toBe(
      '#/threads/demo?at=2',
    )
    await run("SELECT 1 AS one FROM threads WHERE thread = 'none'")
    await page.getByRole('heading', { name: 'No rows' }).waitFor()
    await run('SELECT tread FROM threads')
    await page.getByRole('alert').getByText('no such column: tread').waitFor()
    await run('DELETE FROM threads')
    await page.getByRole('alert').getByText("expected one SELECT, not 'delete'").waitFor()
    await run(
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1001) SELECT i FROM n',
    )
    await page.getByText('The first 1000 rows. The query has more.').waitFor()
    expect(faults).toEqual([])
  })
})

test('a file for spreadsheets quotes texts, and has no formulas', () => {
  const rows = [
    ['a,"b"\n', null, -1.5],
    ['=HYPERLINK("x")', true, '@sum'],
  ]
  expect(csvOf({ columns: ['x', 'y', 'z'], rows, truncated: false })).toBe(
    `x,y,z\r\n"a,""b""\n",,-1.5\r\n"'=HYPERLINK(""x"")",true,'@sum\r\n`,
  )
})
