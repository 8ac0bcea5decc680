/** What a page costs, measured in the page itself. */
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

/** Has all pages of a context hold the measurements. */
export const addMeasurements = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript({ path: join(import.meta.dirname, 'in-page.js') })

/** The times from key presses to their painted frames, in ms. */
export const pressed = (page: Page, key: string, times: number): Promise<readonly number[]> =>
  measured(page, 'pressed', { key, times })

/** The time until the page shows anything, in ms. */
export const firstPaint = (page: Page): Promise<number> => measured(page, 'firstPaint')

/** The time from the navigation until all events up to `end` are shown, and the end of the thread, in ms. */
export const openedIn = (page: Page, end: number): Promise<number> =>
  measured(page, 'opened', { end })

interface Commits {
  readonly commits: number
  readonly frames: number
  /** The last event that the page shows. */
  readonly shown: number
}

/** How often the page changed, and the frames in which it could, until the run has ended. */
export const commitsUntilEnd = (page: Page): Promise<Commits> => measured(page, 'commits')

function measured<R>(page: Page, name: string, of: object = {}): Promise<R> {
  return page.evaluate(
    ([name, of]) => {
      const { measurements } = globalThis as unknown as Measuring
      return measurements[name as string]?.(of as object) as Promise<R>
    },
    [name, of] as const,
  )
}

interface Measuring {
  readonly measurements: Readonly<Record<string, (of: object) => Promise<unknown>>>
}

/** The bytes of live objects in the page, after a collection of garbage. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}
