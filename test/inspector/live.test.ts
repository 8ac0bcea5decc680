/** The page and its service over time: keys, reviews in another process, lost connections, two tabs, hostile content. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { newFolders } from '../durability/folders.ts'
import { KEY, serveIn } from '../http/serving.ts'
import { hasBrowser } from './browser.ts'
import { openInspector, rowsOf } from './open.ts'

const newFolder = newFolders()

/** Two questions in a row, each with a deadline that takes a default. */
const ASKING = `escapement: 1
id: ask
start: first
nodes:
  first: { use: human, question: Go on?, deadline: 1h, on: { human.approved: work, human.rejected: no, human.expired: no } }
  work: { use: pass, on: { done: second } }
  second: { use: human, question: Publish it?, deadline: 3s, on: { human.approved: end, human.rejected: no, human.expired: no } }
  end: { final: success }
  no: { final: failure }
`

/** A cycle whose turns differ. */
const CIRCLE = `escapement: 1
id: circle
start: a
channels: { n: { default: 0 } }
nodes:
  a: { use: ./nodes.ts#work, out: { n: n }, on: { done: b } }
  b: { use: pass, on: { done: a } }
  end: { final: success }
limits: { steps: 2000 }
accept: ['*']
`

/** A model that asks for two calls at once, each of which needs approval. */
const BATCH = `escapement: 1
id: batch
start: plan
channels: { messages: { default: [], reducer: append } }
nodes:
  plan: { use: model, model: fast, prompt: Read the files., tools: [list_dir, read_file], in: [messages], out: { messages: message }, on: { done.command: act, done.answer: end } }
  act: { use: tools, in: [messages], out: { messages: messages }, on: { done: plan } }
  end: { final: success }
tools: { list_dir: { use: list_dir }, read_file: { use: read_file } }
models: { fast: { id: gpt-4o-mini, offline: ./batch.script.yaml } }
confirm: { list_dir: always, read_file: always }
`

const BATCH_SCRIPT = `- calls:
    - { tool: list_dir, args: { path: . } }
    - { tool: read_file, args: { path: two.txt } }
- say: Done.
`

const WORK = `export const work = async () => {
  await new Promise(resolve => setTimeout(resolve, 60))
  return { n: Date.now() }
}
`

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe.skipIf(!hasBrowser)('the inspector', { timeout: 180_000 }, () => {
  test('follows a thread in a browser without iterators of streams, such as Safari', async () => {
    const { page, url, post, faults } = await openInspector()
    await page.addInitScript(() => {
      const { ReadableStream } = globalThis as unknown as { ReadableStream: { prototype: object } }
      for (const key of [Symbol.asyncIterator, 'values'])
        Reflect.deleteProperty(ReadableStream.prototype, key)
    })
    await page.reload()
    await post('/v1/threads', { graph: 'approval', thread: 'ask', input: { topic: 'a release' } })
    await page.goto(`${url}/#/threads/ask`)
    await page.getByText('WAITING for person').waitFor()
    const before = (await rowsOf(page, 'ask')).length
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('ENDED success').waitFor()
    const { length } = await rowsOf(page, 'ask')
    expect(length).toBeGreaterThan(before)
    await page.getByText(`${length - 1} / ${length - 1}`).waitFor()
    expect(faults).toEqual([])
  })

  test('pauses, steps, laps, forks and decides a review by the keyboard alone', async () => {
    const { page, url, post, get } = await openInspector({ graphs: graphsOf(ASKING) })
    await post('/v1/threads', { graph: 'ask', thread: 'one' })
    await page.goto(`${url}/#/threads/one`)
    await page.getByText('WAITING for person').waitFor()
    const status = page.getByRole('status')
    await page.keyboard.press('p')
    await page.getByText('PAUSED').waitFor()
    await page.keyboard.press('s')
    await status.getByText('Step: done').waitFor()
    await page.keyboard.press('l')
    await status.getByText('Lap: done').waitFor()
    // A lap lifts the pause until its state is entered again.
    await page.getByText('WAITING for person').waitFor()
    await page.keyboard.press('p')
    await page.getByText('PAUSED').waitFor()
    await page.keyboard.press('o')
    await status.getByText('Over: done').waitFor()
    // A review: the keyboard reaches its button, and answers.
    await tabTo(page, 'Approve')
    await page.keyboard.press('Enter')
    await status.getByText('Answer: done').waitFor()
    await page.keyboard.press('f')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, 'recorded')
    await page.keyboard.press('Space')
    await tabTo(page, 'Fork', 'submit')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'fork of one: compare' }).waitFor()
    const { body } = await get('/v1/threads')
    expect(body.threads).toHaveLength(2)
  })

  test('answers a review once, also for a double click, and another process continues the run', async () => {
    const graphs = graphsOf(ASKING)
    const { page, url, post, get, folder } = await openInspector({ graphs })
    const other = serveIn(folder, ['--graphs', graphs, '--store', 'threads.db'])
    await other.ready
    await post('/v1/threads', { graph: 'ask', thread: 'one' })
    await page.goto(`${url}/#/threads/one`)
    await page.getByRole('button', { name: 'Approve' }).dblclick()
    await page.getByText('Publish it?').waitFor()
    const types = async () => (await rowsOf(page, 'one')).map(({ event }) => event.type)
    expect((await types()).filter(type => type === 'resume')).toHaveLength(1)
    // The deadline of the second question passes: the default is taken once.
    await page.getByText('ENDED failure').waitFor()
    expect((await types()).filter(type => type === 'tick')).toHaveLength(1)
    expect((await get('/v1/threads/one')).body.ended.outcome).toBe('failure')
  })

  test('starts a thread with a limit of steps', async () => {
    const { page, url, get } = await openInspector({ graphs: graphsOf(ASKING) })
    await page.goto(`${url}/#/graphs/ask`)
    await page.getByRole('spinbutton', { name: 'Steps' }).fill('41')
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText('WAITING for person').waitFor()
    await page.getByText(/^\d+ of 41 steps/).waitFor()
    const { body } = await get('/v1/threads')
    const state = await get(`/v1/threads/${body.threads[0].thread}`)
    expect(state.body.progress.stepsMax).toBe(41)
  })

  test('changes how many steps a thread may make', async () => {
    const { page, url, post, get } = await openInspector({ graphs: graphsOf(ASKING) })
    await post('/v1/threads', { graph: 'ask', thread: 'one' })
    await page.goto(`${url}/#/threads/one`)
    await page.getByText('WAITING for person').waitFor()
    await page.getByRole('button', { name: 'Limit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('spinbutton', { name: 'Steps' }).fill('41')
    await dialog.getByRole('button', { name: 'Set the limit' }).click()
    await page.getByText(/^\d+ of 41 steps/).waitFor()
    expect((await get('/v1/threads/one')).body.progress.stepsMax).toBe(41)
  })

  test('rejects one call of a batch, and runs the other', async () => {
    const graphs = folderWith({ 'batch.yaml': BATCH, 'batch.script.yaml': BATCH_SCRIPT })
    const { page, url, post, get } = await openInspector({ graphs })
    await post('/v1/threads', { graph: 'batch', thread: 'two' })
    await page.goto(`${url}/#/threads/two`)
    const question = (file: string) => page.getByRole('article').filter({ hasText: file })
    await question('read_file').getByRole('button', { name: 'Reject' }).click()
    await question('list_dir').getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('ENDED success').waitFor()
    const calls = (await rowsOf(page, 'two')).flatMap(({ event }) =>
      event.type === 'tool.called' ? [event.subject] : [],
    )
    expect(calls).toEqual(['list_dir'])
    expect((await get('/v1/threads/two')).body.ended.outcome).toBe('success')
  })

  test('takes an answer although the thread has moved on, and one answer to a question', async () => {
    const graphs = graphsOf(ASKING.replace('3s', '1h'))
    const { page, url, post } = await openInspector({ graphs })
    await post('/v1/threads', { graph: 'ask', thread: 'one' })
    await page.goto(`${url}/#/threads/one`)
    // Another person acts between the look and the click.
    const first = (body: object) => meanwhile(page, `${url}/v1/threads/one/commands`, body)
    await first({ do: 'answer', question: 'first#1', decision: 'approved' })
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Answer: Another person has answered the question').waitFor()
    await page.getByText('Publish it?').waitFor()
    await page.getByText('Go on? Approved by ci, at event 1.').waitFor()
    await first({ do: 'patch-policy', change: { limits: { steps: 90 } } })
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('ENDED success').waitFor()
  })

  test('says that a thread has moved on when its next round is started twice', async () => {
    const spec = ASKING.replace('start: first', 'start: work').replace('done: second', 'done: end')
    const { page, url, post, get } = await openInspector({ graphs: graphsOf(spec) })
    await post('/v1/threads', { graph: 'ask', thread: 'one' })
    await page.goto(`${url}/#/threads/one`)
    await page.getByText('ENDED success').waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await meanwhile(page, `${url}/v1/threads/one/commands`, { do: 'send', input: {} })
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('dialog').getByText('The thread has moved on since you looked.').waitFor()
    expect((await get('/v1/threads/one')).body.round).toBe(2)
  })

  test('resumes without a hole after its service was killed and started again, in two tabs', async () => {
    const graphs = folderWith({
      'circle.yaml': CIRCLE,
      'nodes.ts': WORK,
    })
    const { page, url, post, serving, folder } = await openInspector({ graphs })
    await post('/v1/threads', { graph: 'circle', thread: 'round' })
    const second = await page.context().newPage()
    for (const tab of [page, second]) {
      await tab.goto(`${url}/#/threads/round?tab=event`)
      await tab.getByText('LIVE').waitFor()
    }
    const port = new URL(url).port
    await expect.poll(() => eventOn(page), { timeout: 60_000 }).toBeGreaterThan(10)
    serving.child.kill('SIGKILL')
    await page.getByText('The service has not answered').waitFor()
    await page.getByText('DISCONNECTED', { exact: true }).waitFor()
    const killed = await eventOn(page)
    // The session of a browser ends with its service: the key of the test opens the new one.
    await page.context().setExtraHTTPHeaders({ authorization: 'Bearer k' })
    const next = serveIn(folder, ['--graphs', graphs, '--store', 'threads.db', '--port', port])
    await next.ready
    for (const tab of [page, second]) {
      await tab.getByText('LIVE').waitFor()
      await expect.poll(() => eventOn(tab), { timeout: 60_000 }).toBeGreaterThan(killed + 3)
      await expectNoHole(tab, 'round', killed)
      // A tab in the background draws its arrows too.
      expect(await tab.locator('.react-flow__edge').count()).toBe(4)
    }
  })

  test('shows hostile content as text', async () => {
    const evil = `<img src=x onerror="globalThis.hit=1"><script>globalThis.hit=1</script><svg onload="globalThis.hit=1"> [x](javascript:globalThis.hit=1) \u202Egpj.exe \u001b[31mred ${'A'.repeat(200_000)}`
    const nodes = `export const work = async () => (${JSON.stringify({ text: evil })})\n`
    const spec = CIRCLE.replace('id: circle', 'id: hostile')
      .replace('n: n }, on: { done: b }', 'n: text }, on: { done: end }')
      .replace('  b: { use: pass, on: { done: a } }\n', '')
    const graphs = folderWith({ 'hostile.yaml': spec, 'nodes.ts': nodes })
    const { page, url, post, faults } = await openInspector({ graphs })
    await post('/v1/threads', { graph: 'hostile', thread: '<b>bold</b>' })
    // A runtime cuts such a text; another sender does not.
    let longest = 0
    await page.route('**/v1/threads/*/rows*', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replaceAll(/A{1000,}/g, 'A'.repeat(10_000_000))
      longest = Math.max(longest, body.length)
      await route.fulfill({ response, body })
    })
    for (const tab of ['loop', 'state', 'messages', 'event']) {
      await page.goto(`${url}/#/threads/${encodeURIComponent('<b>bold</b>')}?tab=${tab}`)
      await page.getByText('ENDED success').waitFor()
    }
    await page.goto(`${url}/#/threads`)
    await page.getByRole('link', { name: '<b>bold</b>' }).waitFor()
    expect(longest).toBeGreaterThan(10_000_000)
    expect(await page.evaluate('globalThis.hit')).toBeUndefined()
    expect(await page.locator('main img, main script, main b:text("bold")').count()).toBe(0)
    expect(faults).toEqual([])
  })
})

const graphsOf = (spec: string): string => folderWith({ 'graph.yaml': spec })

type Page = Awaited<ReturnType<typeof openInspector>>['page']

/** Moves the focus with Tab until it is on the control with this text, value or type. */
async function tabTo(page: Page, text: string, type?: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const [label, value, kind] = (await page.evaluate(
      '(({ textContent, value, type }) => [textContent, value, type])(document.activeElement)',
    )) as (string | undefined)[]
    const isNamed = label?.startsWith(text) || value === text
    if (isNamed && (type === undefined || kind === type)) return
  }
  throw new Error(`Tab does not reach '${text}'`)
}

/** Sends a command of another person just before the next command of the page. */
async function meanwhile(page: Page, commands: string, command: object): Promise<void> {
  const other = async (route: Route) => {
    const response = await fetch(commands, {
      ...{ method: 'POST', headers: KEY, body: JSON.stringify(command) },
    })
    expect(response.status).toBe(200)
    await route.continue()
  }
  await page.route('**/commands', other, { times: 1 })
}

/** The event that the page looks at. */
const eventOn = async (page: Page): Promise<number> =>
  Number.parseInt((await page.locator('.position').textContent()) ?? '', 10)

/** The page has every event of the service, also those around the one at which the service was killed. */
async function expectNoHole(page: Page, thread: string, killed: number): Promise<void> {
  const rows = await rowsOf(page, thread)
  for (let seq = Math.max(0, killed - 3); seq <= killed + 3; seq++) {
    await page.goto(`${page.url().replace(/[?].*$/, '')}?tab=event&at=${seq}`)
    const detail = page.getByRole('region', { name: `Event ${seq}`, exact: true })
    expect(await detail.locator('code').first().textContent()).toBe(rows[seq]?.event.type)
    expect(await detail.locator('pre').textContent()).toBe(JSON.stringify(rows[seq], null, 2))
  }
}
