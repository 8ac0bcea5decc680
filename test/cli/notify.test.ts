/** People are told: over real HTTP, from the command line, and by whoever drives next. */
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

it('by a line and a webhook, which is tried again under the same id; and only once', async () => {
  const { got, port } = await receiver([503])
  const desk = newDesk()
  const options = { cwd: desk.folder, env: { HOOK_SECRET: 'a secret that is long enough' } }
  const ran = await escapement(['run', desk.file('asking.yaml', asking(port)), '--thread', 't'], options)
  expect(ran).toMatchObject({ code: 3, err: expect.stringMatching(/^t asks: Shall it be sent\? until \S+Z; escapement show t has the evidence, --question ask#1 answers\n$/) })
  expect(got.map(headers => headers['webhook-id'])).toEqual(Array(2).fill(`t/ask#1/0/webhook 127.0.0.1:${port}`))
  expect(await escapement(['tick'], options)).toMatchObject({ code: 0, err: '' })
  expect(await escapement(['resume', 't'], options)).toMatchObject({ code: 3, err: '' })
  expect(got).toHaveLength(2)
  const rows = (await desk.type('export', 't')).out.split('\n').filter(Boolean)
  expect(rows.map(row => JSON.parse(row).event).filter(({ type }) => type === 'notified')).toEqual([
    expect.objectContaining({ effect: 'ask#1', notifier: 'log', step: 0, ok: true, attempts: 1 }),
    expect.objectContaining({ effect: 'ask#1', notifier: `webhook 127.0.0.1:${port}`, step: 0, ok: true, attempts: 2, detail: 'HTTP 204' }),
  ])
})

it('later by `tick`, where the process was gone before it could', async () => {
  const { got, port } = await receiver([])
  const desk = newDesk()
  const file = desk.file('asking.yaml', asking(port))
  expectRefused(await desk.type('run', file, '--thread', 't'), /notify\[1\]\.secretFrom: the environment has no HOOK_SECRET/)
  const options = { cwd: desk.folder, env: { HOOK_SECRET: 'a secret that is long enough' } }
  // A process that begins the thread and tells nobody: its spec is the same, and it has no notifiers.
  const silent = `import { drive, loadSpec, bindGraph, nodePorts, sqliteStore } from '${new URL('../../src/index.ts', import.meta.url)}'
const { spec } = await loadSpec('asking.yaml')
const graph = { ...bindGraph(spec, { workspace: '.', model: () => {} }), source: { file: process.cwd() + '/asking.yaml', spec, workspace: process.cwd() } }
const store = sqliteStore({ file: '.escapement/threads.db' })
const dying = { name: 'log', timeout: 1000, attempts: 1, send: () => process.exit(7) }
await drive(nodePorts({ graph, store, notifiers: [dying] }), 't', { start: { input: {}, seed: 1 } })`
  // Makes the folder of the store.
  await desk.type('threads')
  expect(await start([desk.file('silent.mjs', silent)], { cwd: desk.folder }).ended).toMatchObject({ code: 7 })
  expect(got).toHaveLength(0)
  const ticked = await escapement(['tick'], options)
  expect(ticked).toMatchObject({ code: 0, err: expect.stringMatching(/^t asks: /) })
  expect(got).toHaveLength(1)
})
