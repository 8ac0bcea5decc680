/** Notifications: over real HTTP, from the command line, and by the next driver. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { expectRefused, newDesks, spec } from './desk.ts'
import { escapement, start } from '../durability/process.ts'

const newDesk = newDesks()
const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function receiver(statuses: readonly number[]) {
  const got: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    got.push(request.headers)
    request.resume().on('end', () => response.writeHead(statuses[got.length - 1] ?? 204).end())
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { got, port: (server.address() as AddressInfo).port }
}

function asking(port: number): string {
  return spec(`
nodes:
  ask: { use: human, question: Shall it be sent?, deadline: 1h, on: { human.approved: E, human.rejected: E, human.expired: E } }
  E: { final: success }
notify:
  - log
  - { webhook: 'http://127.0.0.1:${port}/hook', secretFrom: HOOK_SECRET, allow: [127.0.0.1], insecure: true }
`).replace('start: A', 'start: ask')
}

it('by a log line and a webhook, which retries under the same id, only once', async () => {
  const { got, port } = await receiver([503])
  const desk = newDesk()
  const options = { cwd: desk.folder, env: SECRET }
  const ran = await escapement(
    ['run', desk.file('asking.yaml', asking(port)), '--thread', 't'],
    options,
  )
  expect(ran).toMatchObject({
    code: 3,
    err: expect.stringMatching(
      /^t asks: Shall it be sent\? until \S+Z; escapement show t has the evidence, --question ask#1 answers\n$/,
    ),
  })
  expect(got.map(headers => headers['webhook-id'])).toEqual(
    Array(2).fill(`t%2Fask%231%2F0%2Fwebhook%20127%2E0%2E0%2E1%3A${port}`),
  )
  expect(await escapement(['tick'], options)).toMatchObject({ code: 0, err: '' })
  expect(await escapement(['resume', 't'], options)).toMatchObject({ code: 3, err: '' })
  expect(got).toHaveLength(2)
  const rows = (await desk.type('export', 't')).out.split('\n').filter(Boolean)
  expect(rows.map(row => JSON.parse(row).event).filter(({ type }) => type === 'notified')).toEqual([
    expect.objectContaining({ effect: 'ask#1', notifier: 'log', step: 0, ok: true, attempts: 1 }),
    expect.objectContaining({
      effect: 'ask#1',
      notifier: `webhook 127.0.0.1:${port}`,
      step: 0,
      ok: true,
      attempts: 2,
      detail: 'HTTP 204',
    }),
  ])
})

/** Begins the thread and exits at the first notification. */
const DYING = `import { drive, loadSpec, bindGraph, nodePorts, sqliteStore } from '${new URL('../../src/index.ts', import.meta.url)}'
const { spec } = await loadSpec('asking.yaml')
const graph = { ...bindGraph(spec, { workspace: '.', model: () => {} }), source: { file: process.cwd() + '/asking.yaml', spec, workspace: process.cwd() } }
const store = sqliteStore({ file: '.escapement/threads.db' })
const notifier = { name: 'log', timeout: 1000, attempts: 1, send: () => process.exit(7) }
await drive(nodePorts({ graph, store, notifiers: [notifier] }), 't', { start: { input: {}, seed: 1 } })`

const SECRET = { HOOK_SECRET: 'a secret that is long enough' }

async function abandoned() {
  const { got, port } = await receiver([])
  const desk = newDesk()
  desk.file('asking.yaml', asking(port))
  // Makes the folder of the store.
  await desk.type('threads')
  expect(await start([desk.file('dying.mjs', DYING)], { cwd: desk.folder }).ended).toMatchObject({
    code: 7,
  })
  expect(got).toHaveLength(0)
  return { got, desk }
}

it('later by `tick`, if the process died before', async () => {
  const { got, desk } = await abandoned()
  expect(await escapement(['tick'], { cwd: desk.folder, env: SECRET })).toMatchObject({
    code: 0,
    err: expect.stringMatching(/^t asks: /),
  })
  expect(got).toHaveLength(1)
})

it('as far as possible: without the secret, a process can answer but not start a thread, and leaves notifications to others', async () => {
  const { got, desk } = await abandoned()
  expectRefused(
    await desk.type('run', 'asking.yaml', '--thread', 'other'),
    /notify\[1\]\.secretFrom: the environment has no HOOK_SECRET/,
  )
  expect(await desk.type('policy', 't', '--set', 'limits.steps=9')).toMatchObject({
    code: 3,
    err: expect.stringMatching(/^t asks: /),
  })
  expect(got).toHaveLength(0)
  expect(await escapement(['resume', 't'], { cwd: desk.folder, env: SECRET })).toMatchObject({
    code: 3,
    err: '',
  })
  expect(got).toHaveLength(1)
  expect(await desk.type('resume', 't', '--decision', 'approved')).toMatchObject({
    code: 0,
    err: '',
  })
})
