/** The end of a service: SIGTERM in the middle of a turn, and what its log contains. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sqliteStore } from '../../src/adapters/store/sqlite/sqlite-store.ts'
import { createLog } from '../../src/adapters/telemetry/log.ts'
import { redactor } from '../../src/runtime/redaction/redact.ts'
import { newFolders } from '../durability/folders.ts'
import { KEY, serveIn } from './serving.ts'

const newFolder = newFolders()
const GRAPH = `${join(import.meta.dirname, 'fixture/slow.ts')}#slow`

async function until<T>(look: () => T | Promise<T>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}

/** A service in a new folder, with its log as values and the lines that the tool wrote. */
function slowService(ms: number, ...args: readonly string[]) {
  const folder = newFolder()
  const file = join(folder, 'work.txt')
  const serve = (time: number, environment: object = {}) =>
    serveIn(folder, ['--graphs', GRAPH, '--store', 'threads.db', ...args], {
      WORK_FILE: file,
      WORK_MS: String(time),
      ...environment,
    })
  const worked = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
  return { serve, worked, first: serve(ms), store: join(folder, 'threads.db') }
}

const linesOf = (err: string) =>
  err
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Readonly<Record<string, unknown>>)

const post = (url: string, body: object, headers: object = {}) =>
  fetch(url, { method: 'POST', headers: { ...KEY, ...headers }, body: JSON.stringify(body) })

// biome-ignore lint/suspicious/noExplicitAny: the answer is any JSON.
const jsonOf = (response: Response): Promise<any> => response.json()

async function typesIn(file: string): Promise<readonly string[]> {
  const store = sqliteStore({ file })
  const rows = await store.rows('one')
  await store.close()
  return rows.map(({ event }) => event.type)
}

test('SIGTERM in the middle of a turn: the turn ends, and the next process takes the next one', async () => {
  const { serve, worked, first, store } = slowService(1_500)
  const { url } = await first.ready
  await post(`${url}/v1/threads`, { graph: 'slow', thread: 'one' })
  await until(() => worked().includes('begin first'))
  first.child.kill('SIGTERM')
  await until(async () => (await fetch(`${url}/readyz`)).status === 503)
  const refused = await post(`${url}/v1/threads`, { graph: 'slow', thread: 'two' })
  expect([refused.status, (await jsonOf(refused)).code]).toEqual([503, 'host-closed'])
  const { code, err } = await first.exit
  expect(code).toBe(0)
  expect(await typesIn(store)).toEqual([
    'thread.started',
    'turn.started',
    'tool.called',
    'tool.done',
    'node.done',
  ])
  const messages = linesOf(err).map(({ msg }) => msg)
  expect(messages).toEqual(['listening', 'command', 'draining', 'command', 'closed'])

  const second = serve(0)
  const again = (await second.ready).url
  await until(async () => {
    const state = await jsonOf(await fetch(`${again}/v1/threads/one`, { headers: KEY }))
    return state.ended?.outcome === 'success'
  })
  expect(worked()).toEqual(['begin first', 'end first', 'begin second', 'end second'])
  second.child.kill('SIGTERM')
  expect((await second.exit).code).toBe(0)
})

test('a turn that takes longer than --drain is left, and does not count as a crash', async () => {
  const { worked, first, store } = slowService(60_000, '--drain', '200ms')
  const { url } = await first.ready
  await post(`${url}/v1/threads`, { graph: 'slow', thread: 'one' })
  await until(() => worked().includes('begin first'))
  first.child.kill('SIGTERM')
  expect((await first.exit).code).toBe(0)
  expect((await typesIn(store)).at(-1)).toBe('turn.left')
})

test('SIGINT during the drain ends it: the turn is left in order', async () => {
  const { worked, first, store } = slowService(60_000, '--drain', '50s')
  const { url } = await first.ready
  await post(`${url}/v1/threads`, { graph: 'slow', thread: 'one' })
  await until(() => worked().includes('begin first'))
  first.child.kill('SIGINT')
  await until(async () => (await fetch(`${url}/readyz`)).status === 503)
  first.child.kill('SIGINT')
  expect((await first.exit).code).toBe(0)
  expect((await typesIn(store)).at(-1)).toBe('turn.left')
})

test('a second SIGTERM ends no service that still drains', { timeout: 60_000 }, async () => {
  const { worked, first, store } = slowService(12_000, '--drain', '30s')
  const { url } = await first.ready
  await post(`${url}/v1/threads`, { graph: 'slow', thread: 'one' })
  await until(() => worked().includes('begin first'))
  first.child.kill('SIGTERM')
  // By then, a command without a drain has ended.
  await new Promise(resolve => setTimeout(resolve, 10_500))
  first.child.kill('SIGTERM')
  expect((await first.exit).code).toBe(0)
  expect((await typesIn(store)).at(-1)).toBe('node.done')
})

test('the log is JSON with levels, names the author of a command, and contains no secret', async () => {
  const secret = 'a-very-secret-password-17'
  const { serve, first } = slowService(0)
  first.child.kill('SIGKILL')
  const { ready, child, exit } = serve(0, { SHOP_PASSWORD: secret })
  const { url, token } = await ready
  await post(`${url}/v1/threads`, { graph: 'slow', thread: secret })
  await post(`${url}/v1/threads/${secret}/commands`, { do: 'cancel' })
  await post(`${url}/v1/session`, { token })
  await until(
    async () =>
      (await jsonOf(await fetch(`${url}/v1/threads`, { headers: KEY }))).threads[0]?.status ===
      'ended',
  )
  child.kill('SIGTERM')
  const { err } = await exit
  for (const hidden of [secret, token, 'Bearer k']) expect(err).not.toContain(hidden)
  const lines = linesOf(err)
  expect(lines.find(({ audit }) => audit === 'command')).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    who: 'ci',
    role: 'admin',
    thread: '[redacted]',
    do: 'cancel',
    msg: 'command',
  })
  expect(lines.find(({ msg }) => msg === 'ended')).toMatchObject({ graph: 'slow' })
})

test('a secret is redacted in messages and nested fields before a line is written', () => {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  const redact = redactor(['hunter2-hunter2'])
  const log = createLog({ level: 'info', write, redact })
  log.debug('not written')
  log.error('failed with hunter2-hunter2', { of: { password: ['hunter2-hunter2'] } })
  expect(lines.map(line => JSON.parse(line))).toEqual([
    {
      level: 'error',
      time: expect.any(String),
      name: 'escapement',
      of: { password: ['[redacted]'] },
      msg: 'failed with [redacted]',
    },
  ])
})
