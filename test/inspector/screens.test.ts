/** Every screen of the inspector, in both themes and in the colors of the system, on a desktop and on a phone. `REWRITE=1` also takes the pictures of docs/inspector.md. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasBrowser } from './browser.ts'
import { openInspector, violationsOn } from './open.ts'

const PICTURES = join(import.meta.dirname, '../../docs/inspector')

const QUERY = 'SELECT thread, seq, type, subject, body FROM events ORDER BY thread, seq LIMIT 20'

/** The screens, with a text that each shows when it has loaded. */
const SCREENS = [
  { name: 'run', path: 'threads/demo?at=FOUND', text: 'search_docs failed' },
  {
    name: 'state',
    path: 'threads/demo?at=24&tab=state',
    text: 'Channels after event 24',
  },
  {
    name: 'difference',
    path: 'threads/demo?at=24&tab=state&since=4',
    text: 'Changed from event 4',
  },
  {
    name: 'time',
    path: 'threads/demo?axis=time&heat=time&lanes=budget&watch=thought&tab=state',
    text: '% of limits.',
  },
  { name: 'find', path: 'threads/demo?when=findings.size()+>+0', text: '1 event' },
  { name: 'cost', path: 'threads/demo?tab=cost', text: 'By state' },
  { name: 'messages', path: 'threads/demo?tab=messages', text: 'I search the documentation.' },
  {
    name: 'events',
    path: 'threads/demo?at=24&tab=event&view=outline&timeline=list',
    text: 'Event 24',
  },
  { name: 'waiting', path: 'threads/ask', text: 'Approve' },
  { name: 'regions', path: 'threads/incident', text: 'ENDED success' },
  { name: 'threads', path: 'threads?group=loop', text: 'search_docs, same' },
  { name: 'graphs', path: 'graphs', text: 'supervisor' },
  { name: 'graph', path: 'graphs/agent', text: 'never reached' },
  { name: 'inbox', path: 'inbox', text: 'Approve' },
  { name: 'breakers', path: 'breakers', text: 'agent/tool:search_docs' },
  { name: 'query', path: `query?${new URLSearchParams({ sql: QUERY })}`, text: 'Save as CSV' },
  { name: 'wrong query', path: 'query?sql=SELECT', text: 'syntax error' },
  { name: 'compare', path: 'compare/demo/incident', text: 'First difference' },
  { name: 'file', path: 'file', text: 'Choose an archive' },
  { name: 'missing', path: 'threads/none', text: 'does not exist' },
] as const

/** The pictures of the documentation. */
const SHOWN = [
  'run-dark',
  'run-light',
  'run-phone-light',
  'time-dark',
  'regions-dark',
  'events-light',
  'run-forced',
  'graph-light',
  'breakers-dark',
  'waiting-light',
  'waiting-phone-dark',
  'threads-light',
  'inbox-light',
  'query-light',
  'compare-light',
]

const DEVICES = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
}

describe.skipIf(!hasBrowser)('every screen', () => {
  test.each([
    ['dark', 'desktop', 'none'],
    ['light', 'desktop', 'none'],
    ['dark', 'phone', 'none'],
    ['light', 'phone', 'none'],
    ['dark', 'desktop', 'active'],
  ] as const)(
    'has no violation of WCAG 2.2 AA, and stays with its service (%s, %s, forced colors: %s)',
    async (colorScheme, size, forcedColors) => {
      const of = { colorScheme, forcedColors, reducedMotion: 'reduce' } as const
      const context = { ...DEVICES[size], ...of }
      const { page, url, post, faults } = await openInspector(context)
      await post('/v1/threads', { graph: 'agent', thread: 'demo' })
      await post('/v1/threads', { graph: 'incident', thread: 'incident' })
      await post('/v1/threads', { graph: 'approval', thread: 'ask', input: { topic: 'a release' } })
      const seq = await findingIn(page)
      const found: object[] = []
      for (const { name, path, text } of SCREENS) {
        await page.goto(`${url}/#/${path.replace('FOUND', String(seq))}`)
        await page.getByText(text).first().waitFor()
        for (const violation of await violationsOn(page)) found.push({ screen: name, ...violation })
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        if (Number(overflow) > 0) found.push({ screen: name, overflow })
        const colors = forcedColors === 'active' ? 'forced' : colorScheme
        const picture = `${name}-${size === 'phone' ? 'phone-' : ''}${colors}`
        if (!process.env.REWRITE || !SHOWN.includes(picture)) continue
        // The refined layout replaces the quick one, and the drawing moves to its place.
        await page.locator('[data-layout=quick]').waitFor({ state: 'detached' })
        await page.waitForTimeout(500)
        mkdirSync(PICTURES, { recursive: true })
        await page.screenshot({ path: join(PICTURES, `${picture}.png`) })
      }
      expect(found).toEqual([])
      expect(faults).toEqual([])
    },
    240_000,
  )
})

describe.skipIf(!hasBrowser)('the colors of the page', () => {
  test('follow the theme and the contrast of the system, also in the lanes of the timeline', async () => {
    const { page, url, post } = await openInspector({ colorScheme: 'dark' })
    await post('/v1/threads', { graph: 'agent', thread: 'demo' })
    await page.goto(`${url}/#/threads/demo?at=${await findingIn(page)}`)
    await page.getByText('search_docs failed').first().waitFor()
    const body = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const border = () =>
      page.evaluate("getComputedStyle(document.querySelector('.top-bar')).borderBottomColor")
    const lanes = () => page.evaluate("document.querySelector('.lane-canvas canvas').toDataURL()")
    const dark = await lanes()
    expect(await body()).toBe('rgb(14, 17, 22)')
    await page.emulateMedia({ contrast: 'more' })
    // The lines have the color of the text.
    await expect.poll(border).toBe('rgb(230, 235, 241)')
    await page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' })
    await expect.poll(body).toBe('rgb(255, 255, 255)')
    await expect.poll(lanes).not.toBe(dark)
    const light = await lanes()
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await expect.poll(lanes).not.toBe(light)
    // A ring that is a shadow would disappear.
    const ring = "getComputedStyle(document.querySelector('.state.is-active')).outlineStyle"
    await expect.poll(() => page.evaluate(ring)).toBe('solid')
    // The playhead is a background alone.
    const head = "getComputedStyle(document.querySelector('.playhead')).backgroundColor"
    const text = 'getComputedStyle(document.body).color'
    expect(await page.evaluate(head)).toBe(await page.evaluate(text))
    // A failed call differs by its shape.
    await page.getByRole('tab', { name: 'Calls' }).click()
    await page.locator('.span-row').first().waitFor()
    const edge = (outcome: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('.span-row.is-${outcome} i')).borderTopWidth`,
      )
    expect([await edge('ok'), await edge('failed')]).toEqual(['0px', '4px'])
  })
})

/** The event of the finding of the demo, once the demo has ended. */
async function findingIn(page: Awaited<ReturnType<typeof openInspector>>['page']): Promise<number> {
  for (;;) {
    const text = await page.evaluate(async () => (await fetch('/v1/threads/demo/rows')).text())
    const rows = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    if (rows.some(({ ended }) => ended)) return rows.find(({ findings }) => findings.length > 0).seq
    await page.waitForTimeout(100)
  }
}
