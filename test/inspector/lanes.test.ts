/** The heat of the states, the axis of the timeline and its chosen lanes, in a real browser. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { openInspector, rowsOf, violationsOn } from './open.ts'

async function openDemo() {
  const opened = await openInspector()
  const { page, url, post } = opened
  await post('/v1/threads', { graph: 'agent', thread: 'demo' })
  await page.goto(`${url}/#/threads/demo`)
  await page.getByText('ENDED success').waitFor()
  return opened
}

const playheadAt = (page: Page): Promise<number> =>
  page.locator('.playhead').evaluate(element => Number.parseFloat(element.style.left))

describe.skipIf(!hasBrowser)('the run screen', { timeout: 180_000 }, () => {
  test('colors the states by visits, time, cost or errors, also in the outline', async () => {
    const { page, faults } = await openDemo()
    const plan = page.locator('.react-flow__node').filter({ hasText: 'plan' }).first()
    const act = page.locator('.react-flow__node').filter({ hasText: 'act' }).first()
    await plan.getByText('×3').waitFor()
    const failed = (await rowsOf(page, 'demo')).filter(
      ({ event }) =>
        (event.type === 'tool.failed' || event.type === 'circuit.refused') &&
        event.effect.startsWith('act#'),
    ).length
    await page.keyboard.press('h')
    await act.getByText(/^[\d.]+ m?s$/).waitFor()
    expect(await act.locator('.state.heat-4').count()).toBe(1)
    await page.keyboard.press('h')
    await plan.getByText(/^\$0\.\d+$/).waitFor()
    await act.getByText('$0', { exact: true }).waitFor()
    expect(await act.locator('.state.heat-0').count()).toBe(1)
    await page.keyboard.press('h')
    await act.getByText(`${failed} failed`).waitFor()
    expect(page.url()).toContain('heat=errors')
    await page.keyboard.press('2')
    await page.getByRole('treeitem', { name: /^act/ }).getByText(`${failed} failed`).waitFor()
    await page.getByLabel('Heat').selectOption('visits')
    expect(page.url()).not.toContain('heat')
    expect(faults).toEqual([])
  })

  test('places events by the clock, and shows a part of the run in full width', async () => {
    const { page, faults } = await openDemo()
    const rows = await rowsOf(page, 'demo')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.getByText(/REPLAY 1 /).waitFor()
    const byEvent = await playheadAt(page)
    expect(byEvent).toBeCloseTo((1.5 / rows.length) * 100, 1)
    await page.keyboard.press('t')
    await page.getByRole('button', { name: 'By time', pressed: true }).waitFor()
    const [first, second] = rows.map(({ event }) => event.at)
    const whole = (rows.at(-1)?.event.at ?? 0) - (first ?? 0)
    await page.getByRole('button', { name: 'Fold idle time' }).click()
    await expect
      .poll(() => playheadAt(page))
      .toBeCloseTo((((second ?? 0) - (first ?? 0)) / whole) * 100, 1)
    await page.keyboard.press('t')
    // The second half, by the keyboard.
    const start = page.getByRole('slider', { name: 'Start of the shown part' })
    await start.focus()
    for (let times = 0; times < 25; times++) await page.keyboard.press('ArrowRight')
    await expect.poll(() => start.getAttribute('aria-valuenow')).toBe('50')
    await expect.poll(() => page.locator('.playhead').count()).toBe(0)
    await expect.poll(() => page.url()).toContain('part=0.5-1')
    await page.reload()
    await page.getByRole('button', { name: 'Whole run' }).click()
    await page.locator('.playhead').waitFor()
    await expect.poll(() => page.url()).not.toContain('part=')
    expect(faults).toEqual([])
  })

  test('folds the time in which a question waited, names its length, and unfolds it', async () => {
    const { page, url, post, faults } = await openInspector()
    const input = { topic: 'a release' }
    await post('/v1/threads', { graph: 'approval', thread: 'asked', input })
    await page.goto(`${url}/#/threads/asked?axis=time`)
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    await approve.waitFor()
    const idle = page.getByRole('button', { name: /^\d+\.\d s$/ })
    expect(await idle.count()).toBe(0)
    await page.waitForTimeout(2_000)
    await approve.click()
    await page.getByText('ENDED success').waitFor()
    await idle.waitFor()
    const box = await idle.boundingBox()
    expect(box?.width).toBeLessThan(80)
    await idle.click()
    await expect.poll(() => idle.count()).toBe(0)
    expect(page.url()).toContain('idle=shown')
    expect(await violationsOn(page)).toEqual([])
    expect(faults).toEqual([])
  })

  test('zooms with the wheel around the pointer, moves with Shift, and shows all again', async () => {
    const { page } = await openDemo()
    const start = page.getByRole('slider', { name: 'Start of the shown part' })
    const end = page.getByRole('slider', { name: 'End of the shown part' })
    const valueOf = async (of: typeof start) => Number(await of.getAttribute('aria-valuenow'))
    const lanes = page.locator('.lane-canvas')
    const { x, y, width } = (await lanes.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + width / 2, y + 30)
    for (let times = 0; times < 4; times++) await page.mouse.wheel(0, -100)
    await expect.poll(() => valueOf(start)).toBeGreaterThan(20)
    expect((await valueOf(start)) + (await valueOf(end))).toBeCloseTo(100, -1)
    const before = await valueOf(start)
    await page.keyboard.down('Shift')
    await page.mouse.wheel(0, 100)
    await page.keyboard.up('Shift')
    await expect.poll(() => valueOf(start)).toBeGreaterThan(before)
    // A click looks at the event under the pointer.
    await page.mouse.click(x + 1, y + 30)
    const part = (await valueOf(start)) / 100
    const rows = await rowsOf(page, 'demo')
    const at = Number(/REPLAY (\d+)/.exec((await page.textContent('body')) ?? '')?.[1])
    expect(at / rows.length).toBeCloseTo(part, 1)
    await page.mouse.dblclick(x + 20, y + 30)
    await expect.poll(() => valueOf(start)).toBe(0)
  })

  test('shows the budget and the values of a channel as lanes, and in words at each event', async () => {
    const { page, get, faults } = await openDemo()
    await page.getByRole('button', { name: 'Budget' }).click()
    const { spent } = (await get('/v1/threads/demo')).body
    const [started] = await rowsOf(page, 'demo')
    const limits = started?.event.type === 'thread.started' ? started.event.policy.limits : {}
    const used = Object.entries(limits).flatMap(([unit, limit]) =>
      unit in spent && typeof limit === 'number' ? [[spent[unit] / limit, unit] as const] : [],
    )
    const [[part, unit] = [0, '']] = used.toSorted(([a], [b]) => b - a)
    await page.getByText(`Event 64: ${Math.round(part * 100)} % of limits.${unit}`).waitFor()
    await page.getByRole('tab', { name: 'State' }).click()
    const channel = page.locator('details.channel').filter({ hasText: 'thought' })
    await channel.locator('summary').click()
    await channel.getByRole('button', { name: 'Watch on the timeline' }).click()
    await page.locator('.lane-names').getByText('thought').waitFor()
    const first = (await rowsOf(page, 'demo')).find(({ event }) => event.type === 'node.done')
    await page.keyboard.press('Home')
    await page.getByText('thought = ""').waitFor()
    for (let seq = 0; seq < (first?.seq ?? 0); seq++) await page.keyboard.press('ArrowRight')
    await page.getByText('thought = I search the documentation.').waitFor()
    expect(await violationsOn(page)).toEqual([])
    await page.reload()
    await page.locator('.lane-names').getByText('budget').waitFor()
    await page.locator('.lane-names').getByText('thought').waitFor()
    expect(faults).toEqual([])
  })
})
