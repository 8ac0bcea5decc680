/** The inbox: a list beside the selected question, the keys, questions that are put off, and answers of other people. */
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { DESK, openDesk } from './desk.ts'
import { rowsOf, violationsOn } from './open.ts'

const THREADS = ['one', 'two', 'three']

/** The inbox with a question of each thread. */
async function openInbox(options: Parameters<typeof openDesk>[1] = {}) {
  const of = await openDesk(THREADS, options)
  const { page, url } = of
  await page.goto(`${url}/#/inbox`)
  await page.getByRole('article', { name: 'Open question' }).waitFor()
  const lists = page.getByRole('navigation', { name: 'Lists of questions' }).getByRole('link')
  const counts = () => lists.allTextContents()
  const selected = page.getByRole('region', { name: 'Selected question' })
  const row = (thread: string) =>
    page.getByRole('list', { name: /^Questions/ }).getByRole('link', { name: thread })
  /** The thread that the address names. */
  const chosen = () => new URLSearchParams(page.url().split('?')[1]).get('thread')
  return {
    ...of,
    counts,
    selected,
    row,
    chosen,
    list: (name: string) => lists.filter({ hasText: name }),
  }
}

describe.skipIf(!hasBrowser)('the inbox', { timeout: 180_000 }, () => {
  test('has the list beside the selected question, which the address names with its context', async () => {
    const { page, url, counts, selected, row, chosen, questionOf } = await openInbox()
    await expect.poll(counts).toEqual(['waiting 3', 'snoozed 0', 'answered 0'])
    // The earliest deadline comes first.
    expect(chosen()).toBe('one')
    expect(await row('two').textContent()).toMatch(/asked less than a minute ago.*due in 23 h/)
    await row('two').click()
    await selected.getByRole('link', { name: 'two', exact: true }).waitFor()
    expect(await row('two').getAttribute('aria-current')).toBe('true')
    const left = await row('two').boundingBox()
    const right = await selected.boundingBox()
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThan(right?.x ?? 0)
    const { asked } = await questionOf('two')
    const links = selected.getByRole('navigation', { name: 'Context of the question' })
    const hrefs = await links
      .getByRole('link')
      .evaluateAll(all => all.map(a => a.getAttribute('href')))
    expect(hrefs).toEqual(
      ['', '&tab=state', '&tab=messages'].map(tab => `#/threads/two?at=${asked}${tab}`),
    )
    // Another person has the same question on the screen.
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other
      .getByRole('region', { name: 'Selected question' })
      .getByRole('link', { name: 'two', exact: true })
      .waitFor()
    expect(page.url()).toContain(`${url}/#/inbox?`)
  })

  test('decides by the keys J, K, A, E and R, which are off while a person types', async () => {
    const { page, stateOf, selected, chosen } = await openInbox()
    const { keyboard } = page
    const press = async (key: string, thread: string) => {
      await keyboard.press(key)
      await expect.poll(chosen).toBe(thread)
      // The address changes before the page, whose keys follow what it shows.
      await selected.getByRole('link', { name: thread, exact: true }).waitFor()
    }
    await press('j', 'two')
    await press('j', 'three')
    await press('j', 'three')
    // Both come before the page renders again.
    const both = "['k', 'k'].forEach(key => dispatchEvent(new KeyboardEvent('keydown', { key })))"
    await page.evaluate(both)
    await expect.poll(chosen).toBe('one')
    await press('j', 'two')
    await press('j', 'three')
    await keyboard.press('e')
    const focused = () => page.evaluate('document.activeElement.value')
    await expect.poll(focused).toBe('A-17')
    await keyboard.type('ark')
    expect(chosen()).toBe('three')
    expect((await stateOf('three')).status).toBe('waiting')
    expect((await stateOf('three')).questions).toHaveLength(1)
    await page.getByRole('heading', { name: 'Inbox' }).click()
    await keyboard.press('a')
    await selected.getByText('Approved by a person in the inspector').waitFor()
    // The thread asks its next question, whose deadline is the first.
    await page.getByRole('link', { name: 'Is this summary right?' }).waitFor()
    await keyboard.press('j')
    await selected.getByRole('heading', { name: 'Is this summary right?' }).waitFor()
    await keyboard.press('r')
    await selected.getByText('Rejected by a person in the inspector').waitFor()
    expect((await stateOf('three')).ended.outcome).toBe('failure')
    await keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await help.getByText('Next question').waitFor()
    expect(await violationsOn(page)).toEqual([])
    // The keys belong to the dialog while it is open.
    await keyboard.press('k')
    expect(chosen()).toBe('three')
  })

  test('puts a question off in this browser until it wakes, which its thread does not notice', async () => {
    const { page, counts, selected, row, list } = await openInbox()
    const events = (await rowsOf(page, 'two')).length
    await page.clock.install()
    await row('two').click()
    await selected.getByRole('button', { name: '15 min' }).click()
    await selected.getByText(/^Snoozed until .* Its deadline is /).waitFor()
    await expect.poll(counts).toEqual(['waiting 2', 'snoozed 1', 'answered 0'])
    expect(await row('two').count()).toBe(0)
    await page.reload()
    await list('snoozed').click()
    await row('two').waitFor()
    expect(await row('two').textContent()).toMatch(/wakes at \w/)
    await page.clock.fastForward(14 * 60_000)
    await expect.poll(counts).toEqual(['waiting 2', 'snoozed 1', 'answered 0'])
    await page.clock.fastForward(2 * 60_000)
    await expect.poll(counts).toEqual(['waiting 3', 'snoozed 0', 'answered 0'])
    await list('waiting').click()
    await row('two').click()
    await selected.getByRole('button', { name: '1 h', exact: true }).click()
    await page.locator('nav[aria-label=Screens]').getByText('2 open questions').waitFor()
    await selected.getByRole('button', { name: 'Wake' }).click()
    await expect.poll(counts).toEqual(['waiting 3', 'snoozed 0', 'answered 0'])
    expect((await rowsOf(page, 'two')).length).toBe(events)
  })

  test('never puts a question off past its deadline', async () => {
    const { page, answer, selected, row, questionOf } = await openInbox()
    await answer('two', 'approved')
    await expect.poll(async () => (await questionOf('two'))?.id).toBe('check#1')
    const { deadline } = await questionOf('two')
    await row('two').filter({ hasText: 'Is this summary right?' }).click()
    const snooze = selected.getByRole('group', { name: 'Snooze' })
    await expect
      .poll(() => snooze.getByRole('button').allTextContents())
      .toEqual(['15 min', 'Until shortly before the deadline'])
    await snooze.getByRole('button', { name: 'Until shortly' }).click()
    await selected.getByText(/^Snoozed until/).waitFor()
    const stored = await page.evaluate(
      "Object.values(JSON.parse(localStorage['escapement.snoozed']))",
    )
    const minutes = (deadline - Number((stored as number[])[0])) / 60_000
    expect(minutes).toBeGreaterThan(4.9)
    expect(minutes).toBeLessThan(5.1)
  })

  test('keeps a question on the screen that another person decides, with who, what and when', async () => {
    const { page, answer, counts, selected, row, list } = await openInbox()
    await row('two').click()
    await selected.getByRole('article', { name: 'Open question' }).waitFor()
    await answer('two', 'rejected', { note: 'Paid twice.' })
    await selected.getByText('Rejected by a person in the inspector, less than a minute').waitFor()
    await selected.getByText('Paid twice.').waitFor()
    await selected.getByText('ended: failure').waitFor()
    await expect.poll(counts).toEqual(['waiting 2', 'snoozed 0', 'answered 1'])
    await answer('one', 'edited', { output: { order: 'A-17', amount: 7 } })
    await page.reload()
    await list('answered').click()
    await row('one').click()
    await selected.getByText('Edited and approved by').waitFor()
    expect(JSON.parse((await selected.locator('pre').textContent()) ?? '')).toEqual({
      order: 'A-17',
      amount: 7,
    })
    await selected.getByText('waits in check').waitFor()
    expect(await violationsOn(page)).toEqual([])
  })

  test('says that the deadline of a question on the screen has passed', async () => {
    const spec = DESK.replace('deadline: 1h', 'deadline: 6s')
    const { answer, selected, row } = await openInbox({ spec })
    await answer('two', 'approved')
    await row('two').filter({ hasText: 'Is this summary right?' }).click()
    await selected.getByText('It was not answered. Its deadline has passed').waitFor()
  })

  test('is one column on a phone', async () => {
    const { page, selected, row } = await openInbox({ viewport: { width: 390, height: 844 } })
    const list = await row('one').boundingBox()
    const card = await selected.boundingBox()
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThan(card?.y ?? 0)
    expect(card?.width).toBeGreaterThan(340)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    await page.getByRole('button', { name: 'Add to notify' }).click()
    expect(await violationsOn(page)).toEqual([])
  })
})
