/** `page`: the inspector in a real Chromium, on a service in this process. The drawing is rendered in software. */
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import buildPage from '../inspector/build-page.ts'
import { type Figure, figure } from './figure.ts'
import { liveFigures } from './inspector/live.ts'
import { firstPaint, heapOf, openedIn, pressed } from './inspector/probe.ts'
import { servePage, type Serving } from './inspector/serving.ts'
import { runStages, stagedGraph } from './inspector/stages.ts'
import { LAP, type Length } from './lap.ts'
import { median, quantile } from './measure.ts'
import { graphOf, ourRun, THREAD } from './ours.ts'

/** A lap of the agent is this many events. */
const EVENTS_OF_LAP = 10
const LONG: Length = { laps: 100_000 / EVENTS_OF_LAP, messages: 'each lap' }
const SMALL = 60
const LARGE = 200
const PAINTS = 7
const OPENINGS = 5
const PRESSES = 200
const MB = 1_000_000

export async function inspecting(): Promise<readonly Figure[]> {
  await buildPage()
  const store = memoryStore()
  const staged = [SMALL, LARGE].map(nodes => stagedGraph(nodes, 5))
  for (const graph of staged) await runStages(graph, store)
  await ourRun(store, LONG)
  const serving = await servePage(store, [...staged, graphOf(LONG)])
  try {
    return [
      ...(await routeFigures(serving)),
      ...(await stepFigures(serving)),
      ...(await longFigures(serving, store)),
      ...(await liveFigures()),
    ]
  } finally {
    await serving.close()
  }
}

async function routeFigures(serving: Serving): Promise<readonly Figure[]> {
  const paints: number[] = []
  let bytes = 0
  for (let round = -1; round < PAINTS; round++) {
    const page = await serving.open()
    const bodies: Promise<Buffer>[] = []
    page.on('response', response => bodies.push(response.body()))
    await page.goto(`${serving.url}/#/threads`)
    await page.getByRole('link', { name: THREAD }).first().waitFor()
    const paint = await firstPaint(page)
    if (round >= 0) paints.push(paint)
    bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0)
    await page.context().close()
  }
  return [
    figure({ name: 'page.firstPaint', value: median(paints), unit: 'ms', atMost: 600 }),
    figure({ name: 'page.route.gzip', value: bytes / 1_000, unit: 'KB', atMost: 250 }),
  ]
}

async function stepFigures(serving: Serving): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [nodes, atMost] of [
    [SMALL, 16],
    [LARGE, 50],
  ] as const) {
    const page = await serving.open()
    await openRun(page, serving.url, `stages-${nodes}`)
    await page.keyboard.press('Home')
    await pressed(page, 'ArrowRight', PRESSES)
    const value = quantile(await pressed(page, 'ArrowRight', PRESSES), 0.95)
    figures.push(figure({ name: `page.step.${nodes}nodes.p95`, value, unit: 'ms', atMost }))
    await page.context().close()
  }
  return figures
}

async function longFigures(serving: Serving, store: Store): Promise<readonly Figure[]> {
  const events = (await store.thread(THREAD))?.seq ?? 0
  if (events < LONG.laps * EVENTS_OF_LAP || events < LONG.laps * LAP)
    throw new Error(`the long run has ${events} events`)
  const opened: number[] = []
  for (let round = -1; round < OPENINGS; round++) {
    const page = await serving.open()
    await page.goto(`${serving.url}/#/threads/${THREAD}`, { waitUntil: 'commit' })
    const ms = await openedIn(page, events)
    if (round >= 0) opened.push(ms)
    await page.context().close()
  }
  const page = await serving.open()
  await openRun(page, serving.url, THREAD)
  const seeks: number[] = []
  for (const at of [90_321, 10_007, 55_555, 499, 99_499]) {
    await page.goto(`${serving.url}/#/threads/${THREAD}?at=${at}`)
    await page.getByText(`REPLAY ${at}`).waitFor()
    seeks.push(...(await pressed(page, 'ArrowLeft', PRESSES / 5)))
  }
  const heap = await heapOf(page)
  return [
    figure({ name: 'page.open.100000', value: median(opened), unit: 'ms', atMost: 2_000 }),
    figure({ name: 'page.seek.100000.p95', value: quantile(seeks, 0.95), unit: 'ms', atMost: 10 }),
    figure({ name: 'page.heap.100000', value: heap / MB, unit: 'MB', atMost: 300 }),
  ]
}

/** Opens a thread that has ended, and waits for all its events. */
async function openRun(page: Page, url: string, thread: string): Promise<void> {
  await page.goto(`${url}/#/threads/${thread}`)
  await page.getByText('ENDED success').waitFor({ timeout: 120_000 })
  await page.getByText(/following/).waitFor()
}
