/** `<escapement-indicator>` in a real browser: the example of its document on a real service, and every look. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { build, type Rolldown } from 'vite'
import type { IndicatorState } from '../../src/faces/indicator/shown.ts'
import { hasBrowser } from './browser.ts'
import { newPage, openInspector, violationsOn } from './open.ts'

const ROOT = join(import.meta.dirname, '../..')

let script = ''

beforeAll(async () => {
  const entry = join(ROOT, 'src/indicator.ts')
  const lib = { entry, formats: ['es' as const], fileName: 'indicator' }
  const built = await build({ logLevel: 'error', build: { write: false, lib } })
  const [output] = [built].flat() as Rolldown.RolldownOutput[]
  script = output?.output[0].code ?? ''
}, 60_000)

/** The example of the document, for this thread. */
function example(thread: string): string {
  const text = readFileSync(join(ROOT, 'docs/indicator.md'), 'utf8')
  const [, html = ''] = /```html\n([\s\S]*?)```/.exec(text) ?? []
  expect(html).toContain('ticket-44')
  const own = html.replace('ticket-44', thread).replace('escapement/indicator', '/indicator.js')
  return pageOf(`<main><h1>Chat</h1>${own}</main>`)
}

const pageOf = (body: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Chat</title><style>:root { color-scheme: light dark }</style>${body}</html>`

/** Serves the page and the script at an origin, beside what is there. */
async function chatAt(page: Page, origin: string, html: string): Promise<void> {
  await page.route(`${origin}/indicator.js`, route =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  await page.route(`${origin}/chat`, route =>
    route.fulfill({ contentType: 'text/html', body: html }),
  )
  await page.goto(`${origin}/chat`)
}

const styleOf = (element: Locator, name: string): Promise<string> =>
  element.evaluate(
    (node, key) => String(Object(node).ownerDocument.defaultView.getComputedStyle(node)[key]),
    name,
  )

const RUNNING: IndicatorState = {
  status: 'active',
  progress: { steps: 12, stepsMax: 80, failedRounds: 0 },
}

/** A page with the element alone, and a function that sets its state. */
async function openAlone(options: Parameters<typeof newPage>[0] = {}, attributes = '') {
  const page = await newPage({ viewport: { width: 800, height: 600 }, ...options })
  const html = `<main><h1>Chat</h1><escapement-indicator ${attributes}></escapement-indicator></main><script type="module" src="/indicator.js"></script>`
  await chatAt(page, 'http://chat.test', pageOf(html))
  const element = page.locator('escapement-indicator')
  const show = (state: IndicatorState) =>
    element.evaluate(
      (node, value) => Object.assign(node, { state: value as unknown }),
      state as object,
    )
  return { page, element, show }
}

const ENDED: IndicatorState = {
  status: 'ended',
  progress: {
    ...{ steps: 17, stepsMax: 80, failedRounds: 0 },
    completed: { result: 'The clock is repaired.', command: 'open clock.html' },
  },
  ended: { outcome: 'success', reason: 'goal', because: { code: 'goal-reached' }, result: null },
}

describe.skipIf(!hasBrowser)('the indicator', { timeout: 120_000 }, () => {
  test('shows the steps of a thread and its end, as its document says', async () => {
    const { page, url, post, get, faults } = await openInspector()
    await chatAt(page, url, example('demo'))
    const element = page.locator('escapement-indicator')
    await element.getByText('The service refuses (404)').waitFor()
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await element.evaluate(node => Object.assign(node).refresh())
    await element.getByText('Done', { exact: true }).waitFor()
    const { progress } = (await get('/v1/threads/demo')).body
    expect(progress).toMatchObject({ stepsMax: 80, failedRounds: 0 })
    const { steps, completed } = progress
    expect(await element.getByText(/of 80 steps/).textContent()).toBe(`${steps} of 80 steps`)
    expect(await element.locator('.summary').textContent()).toBe(completed.result)
    await element.waitFor({ state: 'hidden' })
    expect(faults).toEqual([])
  })

  test('shows each look with its own color, icon and words', async () => {
    const { element, show } = await openAlone({}, 'linger="never"')
    const failing = { ...RUNNING, progress: { ...RUNNING.progress, failedRounds: 2 } }
    const states: Readonly<Record<string, readonly [IndicatorState, string]>> = {
      working: [RUNNING, 'Working'],
      failing: [failing, 'Trying again'],
      waiting: [{ ...RUNNING, status: 'waiting', waitsFor: 'person' }, 'Waiting for an answer'],
      paused: [{ ...RUNNING, paused: { by: 'person' } as never }, 'Paused'],
      done: [ENDED, 'Done'],
      failed: [{ ...ENDED, ended: { ...ENDED.ended, outcome: 'failure' } as never }, 'Failed'],
    }
    const seen = new Set<string>()
    for (const [look, [state, title]] of Object.entries(states)) {
      await show(state)
      await element.getByText(title, { exact: true }).waitFor()
      expect(await element.getAttribute('look')).toBe(look)
      const icon = element.locator('svg')
      const color = await styleOf(icon, 'stroke')
      const shape = await icon.locator('path').getAttribute('d')
      for (const sign of [color, shape ?? '']) expect(seen).not.toContain(sign)
      seen.add(color).add(shape ?? '')
    }
    await show(failing)
    await element.getByText('2 failed rounds in a row').waitFor()
    await element.getByText('12 of 80 steps').waitFor()
    const bar = element.getByRole('progressbar', { name: 'Steps' })
    expect(
      await bar.evaluate(node => [Object.assign(node).value, Object.assign(node).max]),
    ).toEqual([12, 80])
  })

  test('shows a summary and the suggested command, and disappears two seconds after the end', async () => {
    const { page, element, show } = await openAlone()
    await page.clock.install()
    await show(RUNNING)
    await show(ENDED)
    await element.getByText('The clock is repaired.').waitFor()
    await element.getByText('open clock.html').waitFor()
    await page.clock.runFor(1_900)
    expect(await element.isVisible()).toBe(true)
    await page.clock.runFor(200)
    expect(await element.isVisible()).toBe(false)
    await show(RUNNING)
    expect(await element.isVisible()).toBe(true)
  })

  test('stays while a person is about to copy the command', async () => {
    const { page, element, show } = await openAlone()
    await page.clock.install()
    await show(ENDED)
    await element.getByRole('button', { name: 'Copy' }).focus()
    await page.clock.runFor(10_000)
    expect(await element.isVisible()).toBe(true)
    await element.getByRole('button', { name: 'Copy' }).evaluate(node => node.blur())
    await page.clock.runFor(2_100)
    expect(await element.isVisible()).toBe(false)
  })

  test.each([
    ['dark', 'rgb(21, 26, 33)', 1_000],
    ['light', 'rgb(255, 255, 255)', 320],
  ] as const)(
    'is %s with its page, fits on a phone, and has no violation of WCAG 2.2 AA',
    async (colorScheme, background, width) => {
      const { page, element, show } = await openAlone(
        { colorScheme, viewport: { width, height: 600 } },
        'linger="never"',
      )
      for (const state of [
        RUNNING,
        { ...RUNNING, progress: { ...RUNNING.progress, failedRounds: 3 } },
        ENDED,
      ]) {
        await show(state)
        expect(await violationsOn(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      }
      expect(await styleOf(element, 'backgroundColor')).toBe(background)
    },
  )

  test('turns its icon only where motion is allowed', async () => {
    for (const [reducedMotion, name] of [
      ['reduce', 'none'],
      ['no-preference', 'turn'],
    ] as const) {
      const { element, show } = await openAlone({ reducedMotion })
      await show(RUNNING)
      expect(await styleOf(element.locator('svg'), 'animationName')).toBe(name)
    }
  })

  test('shows hostile text as text', async () => {
    const { page, element, show } = await openAlone()
    const evil = '<img src=x onerror="globalThis.hit=1">'
    await show({
      ...RUNNING,
      status: 'waiting',
      questions: [{ id: 'q', question: evil, options: [], asked: 1, at: 0 }],
    })
    await element.getByText(evil).waitFor()
    expect(await page.evaluate('globalThis.hit')).toBeUndefined()
  })
})
