/** Forms of JSON Schemas: where the page expects JSON whose schema is known. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { DESK, openDesk } from './desk.ts'
import { rowsOf, violationsOn } from './open.ts'

/** The faults beside a field, which describe it. */
async function faultOf(page: Page, field: string): Promise<string> {
  const control = page.getByLabel(field)
  await expect.poll(() => control.getAttribute('aria-invalid')).toBe('true')
  const ids = (await control.getAttribute('aria-describedby')) ?? ''
  const texts = ids.split(' ').map(id => page.locator(`[id="${id}"]`).textContent())
  return (await Promise.all(texts)).join(' ')
}

const asJson = (page: Page) => page.getByText('JSON', { exact: true }).click()
const asForm = (page: Page) => page.getByText('Form', { exact: true }).click()

describe.skipIf(!hasBrowser)('forms', { timeout: 180_000 }, () => {
  test('take the arguments of a proposed call, and say what is wrong at its field before anything is sent', async () => {
    const { page, url, stateOf, faults } = await openDesk(['one'])
    const loaded = () =>
      page.evaluate("performance.getEntriesByType('resource').map(({ name }) => name).join(' ')")
    expect(await loaded()).not.toMatch(/schema/)
    await page.goto(`${url}/#/inbox`)
    const amount = page.getByLabel('amount (required)')
    expect(await amount.inputValue()).toBe('240')
    await amount.fill('900')
    await page.getByRole('button', { name: 'Edit and approve' }).click()
    expect(await faultOf(page, 'amount (required)')).toBe('In US dollars. Expected at most 500.')
    expect(await page.evaluate('document.activeElement.value')).toBe('900')
    expect(await violationsOn(page)).toEqual([])
    await amount.fill('12x')
    expect(await faultOf(page, 'amount (required)')).toContain('Expected a number.')
    expect((await rowsOf(page, 'one')).some(({ event }) => event.type === 'resume')).toBe(false)
    await amount.fill('120.5')
    await page.getByRole('button', { name: 'Add to notify' }).click()
    await page.getByLabel('notify 1', { exact: true }).fill('ops')
    await page.getByRole('button', { name: 'Add to notify' }).click()
    await page.getByRole('button', { name: 'Remove notify 2' }).click()
    await page.getByRole('button', { name: 'Edit and approve' }).click()
    await expect.poll(async () => (await stateOf('one')).channels.receipt).toEqual({ paid: 240 })
    const called = (await rowsOf(page, 'one')).find(({ event }) => event.type === 'tool.called')
    expect(called?.event).toMatchObject({
      args: { order: 'A-17', amount: 120.5, notify: ['ops'] },
    })
    expect(faults).toEqual([])
  })

  test('take the result of a call that took effect', async () => {
    const spec = DESK.replace('confirm: always', '').replace('p: 0', 'p: 1\n      status: 504')
    const { page, url, stateOf, faults } = await openDesk(['one'], { spec })
    await page.goto(`${url}/#/inbox`)
    const card = page.getByRole('article', { name: 'Open question' })
    expect(await card.locator('.judged').textContent()).toMatch(/^toolrefundarguments\{"order":/)
    const leads = (await card.locator('.answers').textContent()) ?? ''
    expect(leads).toMatch(/It took effectnext: \w+; the call counts as made/)
    expect(leads).toMatch(/It did not take effectnext: \w+; the call is made again/)
    expect(await page.getByLabel('paid (required)').inputValue()).toBe('')
    await page.getByLabel('paid (required)').fill('240')
    await page.getByRole('button', { name: 'It took effect' }).click()
    await expect.poll(async () => (await stateOf('one')).channels.receipt).toEqual({ paid: 240 })
    expect(faults).toEqual([])
  })

  test('and the JSON edit one value, which keeps what the form does not show', async () => {
    const { page, url, get } = await openDesk()
    await page.goto(`${url}/#/graphs/desk`)
    const start = page.getByRole('button', { name: 'Start' })
    // A channel that a node writes is left out. One of any type is JSON.
    expect(await page.getByLabel('summary').count()).toBe(0)
    await page.getByLabel('anything').fill('{"a": ')
    await page.getByLabel('amount').fill('0')
    await start.click()
    expect(await faultOf(page, 'order (required)')).toMatch(/This field is required\.$/)
    expect(await faultOf(page, 'amount')).toBe('In US dollars. Default: 240 Expected at least 1.')
    expect(await faultOf(page, 'anything')).toBe('Expected JSON.')
    await page.getByLabel('order (required)').fill('B-2')
    await page.getByLabel('amount').fill('')
    await page.getByLabel('anything').fill('{"a": [1]}')
    await page.getByLabel('urgent').selectOption('true')
    await page.getByLabel('reason').selectOption('wrong item')
    await page.getByLabel('name (required)').fill('Ada')
    await page.getByLabel('visits').fill('3')
    await asJson(page)
    const json = page.getByRole('textbox', { name: 'Input' })
    const given = {
      ...{ order: 'B-2', anything: { a: [1] }, urgent: true, reason: 'wrong item' },
      customer: { name: 'Ada', visits: 3 },
    }
    expect(JSON.parse(await json.inputValue())).toEqual(given)
    await json.fill('{')
    await asForm(page)
    await page.getByText('The JSON has a fault. Correct it there first.').waitFor()
    await asJson(page)
    await json.fill(JSON.stringify({ ...given, summary: 7 }))
    await asForm(page)
    await start.click()
    await page.getByText('summary Expected a text.').waitFor()
    await asJson(page)
    await json.fill(JSON.stringify({ ...given, summary: 'Known.' }))
    await asForm(page)
    await page.getByText('summary Expected a text.').waitFor({ state: 'hidden' })
    await page.getByLabel('visits').fill('4')
    await expect.poll(() => page.getByLabel('visits').inputValue()).toBe('4')
    await start.click()
    await page.getByText('WAITING for person').waitFor()
    const { threads } = (await get('/v1/threads')).body
    const [first] = await rowsOf(page, threads[0].thread)
    expect(first?.event).toMatchObject({
      input: { ...given, summary: 'Known.', customer: { name: 'Ada', visits: 4 } },
    })
  })

  test('take the input of a round, and the result of a tool whose spec has its schema', async () => {
    const { page, url, stateOf, answer } = await openDesk(['one', 'two'])
    await answer('one', 'stop')
    await page.goto(`${url}/#/threads/one`)
    await page.getByText('ENDED stopped').waitFor()
    await page.getByRole('button', { name: /^Send/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Send' }).click()
    expect(await faultOf(page, 'order (required)')).toContain('This field is required.')
    await dialog.getByLabel('order (required)').fill('C-3')
    await dialog.getByRole('button', { name: 'Send' }).click()
    await expect.poll(async () => (await stateOf('one')).channels.order).toBe('C-3')
    await page.goto(`${url}/#/threads/two`)
    await page.getByText('WAITING for person').waitFor()
    await page.getByRole('button', { name: /^Inject/ }).click()
    await dialog.getByText('I answer').click()
    await dialog.getByLabel('paid (required)').fill('much')
    await dialog.getByRole('button', { name: 'Inject' }).click()
    await dialog.getByText('Answer: paid: Expected a number.').waitFor()
    await dialog.getByLabel('paid (required)').fill('99')
    await dialog.getByRole('button', { name: 'Inject' }).click()
    await dialog.waitFor({ state: 'detached' })
    await answer('two', 'approved')
    await expect.poll(async () => (await stateOf('two')).channels.receipt).toEqual({ paid: 99 })
  })
})
