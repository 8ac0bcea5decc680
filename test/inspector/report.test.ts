/** `escapement report`: one file that a browser opens without a service and without a network. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { escapement } from '../durability/process.ts'
import { hasBrowser } from './browser.ts'
import { newPage, violationsOn } from './open.ts'

const newFolder = newFolders()
const GRAPHS = resolve(import.meta.dirname, '../../graphs')

/** Runs a graph, and writes the report of its thread. */
async function reportOf(graph: string, thread = 'demo'): Promise<string> {
  const cwd = newFolder()
  const store = ['--store', 's.db']
  await escapement(['run', graph, '--thread', thread, ...store], { cwd })
  const written = await escapement(['report', thread, ...store, '--out', 'run.html'], { cwd })
  expect(written).toMatchObject({ code: 0, out: '' })
  return join(cwd, 'run.html')
}

/** Opens the file, and notes each request but that for the file itself, and each fault. */
async function openFile(file: string, options: Parameters<typeof newPage>[0] = {}) {
  const page = await newPage({ viewport: { width: 1440, height: 900 }, offline: true, ...options })
  const url = pathToFileURL(file).href
  const faults: string[] = []
  page.on('request', request => {
    const [address = ''] = request.url().split('#')
    if (address !== url && !address.startsWith('blob:')) faults.push(`request to ${address}`)
  })
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') faults.push(message.text())
  })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, faults }
}

let agent: Promise<string> | undefined

/** The report of the demo, which all tests share. */
function agentReport(): Promise<string> {
  agent ??= reportOf(join(GRAPHS, 'agent.yaml'))
  return agent
}

describe.skipIf(!hasBrowser)('a report in a browser', { timeout: 180_000 }, () => {
  test('shows the loop with its laps, steps, scrubs and plays, and asks no server for anything', async () => {
    const { page, faults } = await openFile(await agentReport())
    await page.getByText('the goal is reached').waitFor()
    const loop = page.getByRole('article').filter({ hasText: 'loop 1 × 3' })
    await loop.getByText(/^search_docs failed/).waitFor()
    await loop.getByRole('columnheader', { name: 'Lap 3' }).waitFor()
    await loop.getByRole('button', { name: 'event 32' }).first().click()
    await page.getByText('REPLAY 32 / 64').waitFor()
    await page.getByText('loop · period 1 × 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('REPLAY 31 / 64').waitFor()
    await page.getByRole('slider', { name: 'Event' }).fill('12')
    await page.getByText('REPLAY 12 / 64').waitFor()
    await page.getByRole('tab', { name: 'State' }).click()
    await page.getByText('Channels after event 12').waitFor()
    await page.getByRole('button', { name: /^Play/ }).click()
    await page.getByText('REPLAY 64 / 64').waitFor()
    expect(faults).toEqual([])
  })

  test('opens at the event of its link', async () => {
    const { page } = await openFile(await agentReport())
    await page.goto(`${page.url()}#/threads/demo?at=32&tab=event`)
    await page.getByText('REPLAY 32 / 64').waitFor()
    await page.getByText('Event 32').first().waitFor()
  })

  test('has no command, neither as a button nor as a key', async () => {
    const { page, faults } = await openFile(await agentReport())
    expect(await page.getByRole('toolbar').count()).toBe(0)
    await page.getByRole('radio', { name: 'Outline' }).check({ force: true })
    await page.getByRole('treeitem', { name: /^act/ }).click()
    for (const key of ['p', 'F5', 'b', 'f', 'e', 'i']) await page.keyboard.press(key)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Breakpoint|not a loop/ }).count()).toBe(0)
    expect(await page.locator('.command-result').textContent()).toBe('')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Next event with a finding').waitFor()
    expect(await keys.getByText(/fault/i).count()).toBe(0)
    expect(faults).toEqual([])
  })

  test('holds the child threads of the thread', async () => {
    const { page, faults } = await openFile(await reportOf(join(GRAPHS, 'supervisor.yaml')))
    const threads = page.getByRole('combobox', { name: 'Thread' })
    const names = () => threads.getByRole('option').allTextContents()
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['demo', expect.any(String)])
    const [, child = ''] = await names()
    await threads.selectOption(child)
    await page.getByRole('heading', { level: 1, name: child }).waitFor()
    expect(faults).toEqual([])
  })

  test('shows hostile content as text', async () => {
    const evil = `</script><script>globalThis.hit=1</script><!--<script><img src=x onerror="globalThis.hit=1">\u2028\u202Egpj.exe`
    const folder = newFolder()
    writeFileSync(
      join(folder, 'nodes.ts'),
      `export const work = async () => (${JSON.stringify({ text: evil })})\n`,
    )
    const graph = join(folder, 'hostile.yaml')
    writeFileSync(
      graph,
      `escapement: 1
id: hostile
start: a
channels: { n: { default: 0 } }
nodes:
  a: { use: ./nodes.ts#work, out: { n: text }, on: { done: end } }
  end: { final: success }
`,
    )
    const { page, faults } = await openFile(await reportOf(graph, '<b>bold</b>'))
    await page.getByRole('heading', { name: '<b>bold</b>' }).waitFor()
    await page.getByRole('tab', { name: 'State' }).click()
    await page.getByText('onerror').first().waitFor()
    expect(await page.evaluate('globalThis.hit')).toBeUndefined()
    expect(faults).toEqual([])
  })

  test.each([
    ['dark', { width: 1440, height: 900 }],
    ['light', { width: 390, height: 844 }],
  ] as const)('has no violation of WCAG 2.2 AA (%s, %j)', async (colorScheme, viewport) => {
    const file = await reportOf(join(GRAPHS, 'supervisor.yaml'))
    const { page } = await openFile(file, { colorScheme, viewport, reducedMotion: 'reduce' })
    for (const tab of ['loop', 'state', 'messages', 'event']) {
      await page.goto(`${pathToFileURL(file).href}#/threads/demo?tab=${tab}`)
      await page.getByRole('tab', { selected: true }).first().waitFor()
      expect(await violationsOn(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    }
  })
})

test('the report of an archive holds the same threads, and only its owner may read it', async () => {
  const file = await agentReport()
  const cwd = join(file, '..')
  const archive = 'demo.escapement.gz'
  await escapement(['export', 'demo', '--store', 's.db', '--out', archive], { cwd })
  expect(await escapement(['report', archive, '--out', 'again.html'], { cwd })).toMatchObject({
    code: 0,
  })
  expect(readFileSync(join(cwd, 'again.html'), 'utf8')).toBe(readFileSync(file, 'utf8'))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.each([
  [['report', 'none', '--out', 'x.html'], "thread 'none' does not exist"],
  [['report', 'demo'], "required option '--out <file>' not specified"],
  [['report', 'demo', '--out', 's.db'], 's.db: is also read; expected another file'],
  [['report', 'run.html', '--out', 'x.html'], 'run.html: is not an escapement archive'],
  [['report', 'demo', '--out', 'no/x.html'], 'no/x.html: cannot be written (ENOENT)'],
])('%j is refused', async (args, message) => {
  const cwd = join(await agentReport(), '..')
  const { code, err } = await escapement([...args, '--store', 's.db'], { cwd })
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  expect(err).not.toMatch(/^\s+at /m)
})
