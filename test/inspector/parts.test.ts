/** Parts of the page in a real browser: the question with what is judged, the dialogs, the lanes, a phone, and the colors of the system. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { openInspector } from './open.ts'

const PHONE = { width: 390, height: 844 }
const DRAFT = 'We are happy to announce that it is out at last. Try it, and send us your opinion.'

/** The service, with a thread that asks a person. */
async function opened(options: Parameters<typeof openInspector>[0] = {}) {
  const of = await openInspector(options)
  await of.post('/v1/threads', { graph: 'approval', thread: 'ask', input: { topic: 'a release' } })
  return of
}

const topOf = async (page: Page, selector: string): Promise<number> =>
  (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN

describe.skipIf(!hasBrowser)('the page', { timeout: 180_000 }, () => {
  test('shows the draft that a person judges, and takes an edit of it, once it is one', async () => {
    const { page, url, get } = await opened()
    await page.goto(`${url}/#/inbox`)
    const card = page.getByRole('article', { name: 'Open question' })
    expect(await card.locator('.judged').textContent()).toBe(`draft${DRAFT}`)
    const edit = card.getByRole('button', { name: 'Edit and approve' })
    const field = card.getByRole('textbox', { name: 'draft' })
    expect(await field.inputValue()).toBe(DRAFT)
    expect(await edit.isDisabled()).toBe(true)
    await field.fill('It is out.')
    await edit.click()
    const state = async () => (await get('/v1/threads/ask')).body
    await expect.poll(async () => (await state()).status).toBe('ended')
    expect((await state()).channels.draft).toBe('It is out.')
  })

  test('says that a list loads, while it does', async () => {
    const { page, url } = await opened()
    const read = Promise.withResolvers<void>()
    await page.route('**/v1/inbox**', async route => {
      await read.promise
      await route.continue()
    })
    await page.goto(`${url}/#/inbox`)
    // The code of the screen has loaded with its heading.
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('status').getByText('Loading…').waitFor()
    read.resolve()
    await page.getByRole('article', { name: 'Open question' }).waitFor()
    expect(await page.getByRole('status').getByText('Loading…').count()).toBe(0)
  })

  test('asks again for the state of a thread when a request has failed', async () => {
    const { page, url } = await opened()
    let failures = 0
    await page.route('**/v1/threads/ask?channels=false', route => {
      failures += 1
      return failures > 2 ? route.continue() : route.abort()
    })
    await page.goto(`${url}/#/threads/ask`)
    await page.getByText('WAITING for person').waitFor()
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
  })

  test('takes what is typed in a dialog without a click', async () => {
    const { page } = await opened()
    await page.keyboard.press('Control+k')
    await page.getByRole('listbox', { name: 'Matches' }).waitFor()
    await page.keyboard.type('break')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Breakers' }).waitFor()
  })

  test('lists the threads of one graph, whatever their names', async () => {
    const { page, url, post } = await opened()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/graphs`)
    const card = page.getByRole('listitem').filter({ hasText: 'approval' })
    await card.getByRole('link', { name: 'Its threads' }).click()
    const names = () => page.locator('tbody th').allTextContents()
    await expect.poll(names).toEqual(['ask'])
    await page.getByLabel('Name begins with').fill('none')
    await page.getByRole('heading', { name: 'No thread matches' }).waitFor()
    await page.getByRole('link', { name: 'All threads' }).click()
    await page.goBack()
    await page.getByLabel('Name begins with').fill('')
    await page.getByRole('button', { name: 'Only graph approval' }).click()
    await expect.poll(async () => (await names()).toSorted()).toEqual(['ask', 'demo'])
  })

  test('shows a graph also as an outline', async () => {
    const { page, url } = await opened()
    await page.goto(`${url}/#/graphs/approval`)
    await page.getByText('Outline', { exact: true }).click()
    await page.getByRole('treeitem', { name: /^write/ }).waitFor()
  })

  test('has labels that shrink less than a wide drawing', async () => {
    const { page, url, post } = await opened()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo`)
    await page.locator('[data-layout=refined]').waitFor()
    const label = "document.querySelector('.arrow-label')"
    const shrunk = `${label}.getBoundingClientRect().height / ${label}.offsetHeight`
    await expect.poll(() => page.evaluate(shrunk)).toBeLessThan(0.8)
    const text = `Number.parseFloat(getComputedStyle(${label}).fontSize)`
    await expect.poll(() => page.evaluate(`${text} * ${shrunk}`)).toBeGreaterThan(8.5)
  })

  test('has lanes for questions and for the matches of a search where there are some', async () => {
    const { page, url, post } = await opened()
    const lanes = () => page.locator('.lane-names li').allTextContents()
    const always = ['states', 'models', 'tools', 'findings', 'escapes']
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo`)
    await page.getByText('ENDED success').waitFor()
    await expect.poll(lanes).toEqual(always)
    await page.goto(`${url}/#/threads/ask?when=event.type+==+'model.done'`)
    await page.getByText('1 event', { exact: true }).waitFor()
    await expect.poll(lanes).toEqual([...always, 'people', 'matches'])
  })

  test('has a question and the possible commands first on a phone, and each control in its row', async () => {
    const { page, url } = await opened({ viewport: PHONE })
    await page.goto(`${url}/#/threads/ask`)
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    expect(await topOf(page, '.question')).toBeLessThan(await topOf(page, '.chart-panel'))
    expect(await topOf(page, '.chart-panel')).toBeLessThan(await topOf(page, '.transport'))
    const leftOf = async (name: string) =>
      (await page.getByRole('button', { name }).first().boundingBox())?.x ?? Number.NaN
    expect(await leftOf('Fork')).toBeLessThan(await leftOf('Step'))
    const find = await topOf(page, '.transport > .button')
    expect(await topOf(page, '.square .button')).toBe(find)
    expect(await topOf(page, '.scrubber')).toBeGreaterThan(find)
    expect(await topOf(page, '.position')).toBeGreaterThan(await topOf(page, '.scrubber'))
  })

  test('is used by touch: a tap answers, looks at an event, and opens a call', async () => {
    const { page, url, post, faults } = await opened({
      viewport: PHONE,
      hasTouch: true,
      isMobile: true,
    })
    await page.goto(`${url}/#/inbox`)
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    expect((await approve.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await approve.tap()
    await page.getByText('Nothing waits for a person').waitFor()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo`)
    await page.getByText('ENDED success').waitFor()
    const lanes = page.locator('.lane-canvas')
    await lanes.scrollIntoViewIfNeeded()
    const { width = 0 } = (await lanes.boundingBox()) ?? {}
    await lanes.tap({ position: { x: width / 2, y: 20 } })
    await page.getByText(/REPLAY 3\d /).waitFor()
    await page.getByRole('tab', { name: 'Calls' }).tap()
    await page
      .getByRole('button', { name: /^search_docs/ })
      .first()
      .tap()
    await page.getByText(/REPLAY 1\d /).waitFor()
    expect(faults).toEqual([])
  })

  test('writes nothing in the color behind it, with the colors of the system', async () => {
    const { page, url, post } = await opened({ forcedColors: 'active', colorScheme: 'dark' })
    await page.goto(`${url}/#/threads/ask`)
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor()
    const colors = (selector: string) =>
      page.evaluate(
        `(({ color, backgroundColor }) => ({ color, backgroundColor }))(getComputedStyle(document.querySelector('${selector}')))`,
      )
    const system = (color: string) =>
      page.evaluate(
        `(() => { const probe = document.body.appendChild(document.createElement('i')); probe.style.color = '${color}'; const found = getComputedStyle(probe).color; probe.remove(); return found })()`,
      )
    // The system paints its own background behind each text, whatever the page says.
    expect(await colors('.active-mark')).toEqual({
      color: await system('CanvasText'),
      backgroundColor: await system('Canvas'),
    })
    expect(await colors('.button.is-primary')).toEqual({
      color: await system('ButtonText'),
      backgroundColor: await system('ButtonFace'),
    })
    expect(await colors('.button:disabled')).toMatchObject({ color: await system('GrayText') })
    // The light of a closed breaker is a disc, of an open one a ring.
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/breakers`)
    await page
      .getByRole('row', { name: /search_docs/ })
      .getByRole('button', { name: 'Close' })
      .click()
    await page.locator('.breaker-light.is-closed').waitFor()
    const disc =
      "getComputedStyle(document.querySelector('.breaker-light.is-closed'), '::before').backgroundColor"
    expect(await page.evaluate(disc)).toBe(await system('CanvasText'))
  })
})
