/** A key with a prefix sees and commands only the threads whose names begin with it, by each protocol. */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { type ApiKey, createApp, hashKey } from '../../src/http.ts'
import { createRuntime, memoryStore } from '../../src/index.ts'
import { asking, parentOf } from '../host/graphs.ts'
import { newFolders } from '../durability/folders.ts'
import { messages, type Served, service } from './service.ts'
import { KEY, serveIn } from './serving.ts'

const newFolder = newFolders()

const SPEC = `escapement: 1
id: ask
start: ask
nodes:
  ask: { use: human, question: Go on?, on: { human.approved: end, human.rejected: end } }
  end: { final: success }
`

const keys = ['acme', 'beta'].map(name => {
  return { name, role: 'admin', hash: hashKey(`key-${name}`), threads: `${name}/` } as const
})
const desk = { name: 'desk', role: 'admin', hash: hashKey('key-admin') } as const

/** A service with a thread of each tenant, which waits for an answer. */
async function tenants(graphs = [asking()]) {
  const of = await service({ graphs, keys: [...keys, desk], mcp: { allowWrites: true } })
  const [graph = asking()] = of.runtime.graphs
  for (const thread of ['acme/one', 'beta/one']) {
    const handle = await of.runtime.start(graph, { goal: 'g' } as never, { thread })
    for await (const _ of handle.events({ until: 'waiting' }));
  }
  const send = (method: string, path: string, body?: unknown, more: object = {}) =>
    of.send(method, path, body, { role: 'acme', ...more })
  return { ...of, send }
}

/** An edited archive with the checksum of its lines. */
function sealed(archive: string): string {
  const lines = archive.slice(0, archive.lastIndexOf('{"sha256"'))
  return `${lines}${JSON.stringify({ sha256: createHash('sha256').update(lines).digest('hex') })}\n`
}

const start = { graph: 'asking', input: { goal: 'g' } }
const path = (thread: string) => `/v1/threads/${encodeURIComponent(thread)}`
const foreign = [403, 'foreign-thread']

async function refusalOf(of: Served, method: string, where: string, body?: unknown) {
  const { status, body: problem } = await of.send(method, where, body)
  return [status, problem?.code]
}

describe('threads', () => {
  test('of others are refused for reading, streaming, commands and archives, stored or not', async () => {
    const of = await tenants()
    for (const thread of ['beta/one', 'beta/none', 'acme', 'acme/child#1/1']) {
      const of1 = path(thread)
      for (const [method, where, body] of [
        ['GET', of1],
        ['GET', `${of1}/rows`],
        ['GET', `${of1}/checkpoints`],
        ['GET', `${of1}/export`],
        ['GET', `${of1}/stream`],
        ['POST', `${of1}/commands`, { do: 'cancel' }],
      ] as const)
        expect([where, ...(await refusalOf(of, method, where, body))]).toEqual([where, ...foreign])
    }
    expect((await of.runtime.thread('beta/one').state()).status).toBe('waiting')
    expect((await of.send('GET', path('acme/one'))).body.status).toBe('waiting')
  })

  test('start, fork and import only under the prefix', async () => {
    const of = await tenants()
    expect(await refusalOf(of, 'POST', '/v1/threads', { ...start, thread: 'beta/two' })).toEqual(
      foreign,
    )
    const named = await of.send('POST', '/v1/threads', start)
    expect(named.body.thread).toMatch(/^acme\/asking-/)
    const headers = { 'idempotency-key': 'k' }
    const keyed = await of.send('POST', '/v1/threads', start, { headers })
    expect(keyed.body.thread).toMatch(/^acme\/asking-/)
    const fork = { do: 'fork', effects: 'refuse' }
    const commands = `${path('acme/one')}/commands`
    expect(await refusalOf(of, 'POST', commands, { ...fork, as: 'beta/two' })).toEqual(foreign)
    expect((await of.send('POST', commands, fork)).body.thread).toMatch(/^acme\/one-/)
    const { text } = await of.send('GET', `${path('acme/one')}/export`)
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
    expect((await of.send('POST', '/v1/import?as=beta%2Fthree', text, ndjson)).status).toBe(403)
    expect((await of.send('POST', '/v1/import', text, ndjson)).status).toBe(403)
    const imported = await of.send('POST', '/v1/import?as=acme%2Fthree', text, ndjson)
    expect(imported.body).toEqual({ thread: 'acme/three' })
  })

  test('of others do not answer the calls of an imported fork that names one as its parent', async () => {
    let result = 'of beta'
    const of = await tenants([asking(async () => result)])
    const graph = asking()
    const machine = createRuntime({ store: memoryStore(), graphs: [graph] })
    const forged = await machine.start(graph, { goal: 'g' }, { thread: 'beta/one' })
    for await (const _ of forged.events({ until: 'waiting' }));
    const at = (await forged.rows()).find(({ event }) => event.type === 'turn.started')?.seq ?? 0
    const input = { goal: 'h' }
    await forged.fork({ as: 'acme/at', effects: 'recorded', at })
    await forged.fork({ as: 'acme/start', effects: 'recorded', at: 0, input })
    result = 'of acme'
    for (const thread of ['acme/at', 'acme/start']) {
      const lines: string[] = []
      for await (const line of machine.thread(thread).archive()) lines.push(line)
      const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
      const where = `/v1/import?as=${encodeURIComponent(thread)}`
      expect((await of.send('POST', where, lines.join(''), ndjson)).status).toBe(201)
      await of.send('POST', `${path(thread)}/commands`, { do: 'resume' })
      for await (const _ of of.runtime.thread(thread).events({ until: 'waiting' }));
      const { text } = await of.send('GET', `${path(thread)}/rows`)
      expect([text.includes('of acme'), text.includes('of beta')]).toEqual([true, false])
    }
    await machine.close()
  })

  test('are the only ones in lists and in the inbox', async () => {
    const of = await tenants()
    const names = async (query: string) =>
      (await of.send('GET', `/v1/threads?${query}`)).body.threads.map(
        ({ thread }: { thread: string }) => thread,
      )
    for (const query of ['', 'prefix=acme', 'prefix=acme%2Fo', 'status=waiting', 'limit=1'])
      expect(await names(query)).toEqual(['acme/one'])
    expect(await names('prefix=beta')).toEqual([])
    expect(await names('stale=true')).toEqual([])
    const asked = async (query: string) =>
      (await of.send('GET', `/v1/inbox?${query}`)).body.questions.map(
        ({ thread }: { thread: string }) => thread,
      )
    for (const query of ['', 'prefix=', 'prefix=ac', 'prefix=acme%2Fo'])
      expect(await asked(query)).toEqual(['acme/one'])
    for (const query of ['prefix=beta', 'prefix=acme%2Ft']) expect(await asked(query)).toEqual([])
    expect((await of.send('GET', '/v1/meta')).body).toMatchObject({ threads: 'acme/' })
  })

  test('are all on the pages of a list, and `next` names none of others', async () => {
    const child = asking()
    const parent = parentOf(child)
    const of = await tenants([child, parent])
    // `acme/child#1/1` belongs to `acme`, and lies between the threads of the tenant.
    for (const thread of ['acme', 'acme/a', 'acme/two']) {
      const handle = await of.runtime.start(parent, { goal: 'g' } as never, { thread })
      for await (const _ of handle.events({ until: 'waiting' }));
    }
    const own = ['acme/a', 'acme/a/child#1/1', 'acme/one', 'acme/two', 'acme/two/child#1/1']
    for (const limit of [1, 2, 3, 5, 50]) {
      const pages: string[][] = []
      for (let after: string | undefined = ''; after !== undefined; ) {
        const query = `limit=${limit}&after=${encodeURIComponent(after)}`
        const { body } = await of.send('GET', `/v1/threads?${query}`)
        pages.push(body.threads.map(({ thread }: { thread: string }) => thread))
        if (body.next !== undefined) expect(own).toContain(body.next)
        after = body.next
      }
      expect(pages).not.toContainEqual([])
      expect(pages.flat()).toEqual(own)
    }
  })

  test('are the only ones among the answered questions', async () => {
    const of = await tenants()
    for (const thread of ['acme/one', 'beta/one'])
      await of.runtime.thread(thread).answer('ask#1', 'approved')
    const { answered } = (await of.send('GET', '/v1/inbox/answered')).body
    expect(answered.map(({ thread }: { thread: string }) => thread)).toEqual(['acme/one'])
  })

  test('of an import show no name of who answered, unless this service has written it', async () => {
    const of = await tenants()
    const commands = `${path('acme/one')}/commands`
    const answer = { do: 'answer', question: 'ask#1', decision: 'approved' }
    await of.send('POST', commands, answer)
    await of.runtime.thread('acme/one').result()
    const { text } = await of.send('GET', `${path('acme/one')}/export`)
    const forged = sealed(text.replaceAll('"by":"acme"', '"by":"desk"'))
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } }
    const { status } = await of.send('POST', '/v1/import?as=acme%2Fforged', forged, ndjson)
    expect(status).toBe(201)
    const { answered } = (await of.send('GET', '/v1/inbox/answered')).body
    expect(
      new Map(answered.map(({ thread, by }: { thread: string; by?: string }) => [thread, by])),
    ).toEqual(
      new Map([
        ['acme/forged', undefined],
        ['acme/one', 'acme'],
      ]),
    )
    // The journal itself stays as it was imported.
    expect((await of.send('GET', `${path('acme/forged')}/export`)).text).toBe(
      sealed(forged.replaceAll('"acme/one"', '"acme/forged"')),
    )
  })

  test('are the only ones in the stream of all threads', async () => {
    const of = await tenants()
    const stream = messages(`${of.url}/v1/stream`, { authorization: 'Bearer key-acme' })
    const { value: snapshot } = await stream.next()
    expect(snapshot?.data.threads).toMatchObject([{ thread: 'acme/one' }])
    await of.runtime.thread('beta/one').answer('ask#1', 'approved')
    await of.runtime.thread('acme/one').answer('ask#1', 'approved')
    const seen = new Set<string>()
    for await (const { event, data } of stream) {
      for (const { thread } of event === 'batch' ? data.events : []) seen.add(thread)
      if (seen.has('acme/one')) break
    }
    expect([...seen]).toEqual(['acme/one'])
  })
})

test('what all threads share is not changed, and scopes and metrics are not shown', async () => {
  const of = await tenants()
  const breakpoint = { do: 'set', graph: 'asking', node: 'work' }
  const shared = [
    await refusalOf(of, 'POST', '/v1/breakers/asking%2Ftool:work/commands', { do: 'open' }),
    await refusalOf(of, 'POST', '/v1/scopes/release', { scope: 'job', key: '1' }),
    await refusalOf(of, 'GET', '/v1/scopes'),
    await refusalOf(of, 'POST', '/v1/breakpoints', breakpoint),
    await refusalOf(of, 'GET', '/metrics'),
    await refusalOf(of, 'GET', '/v1/tallies'),
  ]
  expect(shared).toEqual(Array(6).fill([403, 'shared-state']))
  expect(
    await refusalOf(of, 'POST', '/v1/breakpoints', { ...breakpoint, thread: 'beta/one' }),
  ).toEqual(foreign)
  const own = { ...breakpoint, thread: 'acme/one' }
  expect((await of.send('POST', '/v1/breakpoints', own)).status).toBe(200)
  await of.runtime.changeBreakpoint({ graph: 'asking', node: 'work', thread: 'beta/one' })
  expect((await of.send('GET', '/v1/breakpoints')).body.breakpoints).toEqual([
    { graph: 'asking', node: 'work', thread: 'acme/one' },
  ])
})

test('chats, AG-UI and LangGraph reach no thread of others', async () => {
  const of = await tenants()
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'g' }] }
  for (const id of ['beta/one', 'beta/new'])
    expect(await refusalOf(of, 'POST', '/chat', { id, messages: [message] })).toEqual(foreign)
  expect(await refusalOf(of, 'GET', '/chat/beta%2Fone/stream')).toEqual(foreign)
  // An approval names the thread of a child.
  const approval = { id: 'beta/one ask#1', approved: true }
  const part = { type: 'tool-question', state: 'approval-responded', approval }
  const answer = { id: 'a', role: 'assistant', parts: [part] }
  expect(await refusalOf(of, 'POST', '/chat', { id: 'acme/one', messages: [answer] })).toEqual(
    foreign,
  )
  const run = { runId: 'r', tools: [], context: [], messages: [{ ...message, content: 'g' }] }
  const agUi = await of.send('POST', '/ag-ui', { ...run, threadId: 'beta/one' })
  expect(agUi.text).toContain('"code":"foreign-thread"')
  const langGraph = '/langgraph/threads/beta%2Fone'
  for (const [method, where, body] of [
    ['GET', langGraph],
    ['GET', `${langGraph}/state`],
    ['POST', `${langGraph}/history`, { limit: 1 }],
    ['POST', `${langGraph}/runs/0/cancel`, {}],
    ['POST', `${langGraph}/stream/events`, { channels: ['values'] }],
  ] as const)
    expect([where, ...(await refusalOf(of, method, where, body))]).toEqual([where, ...foreign])
  const params = { assistant_id: 'asking', input: { goal: 'g' } }
  const command = { id: 1, method: 'run.start', params }
  const { body } = await of.send('POST', `${langGraph}/commands`, command)
  expect(body).toMatchObject({ type: 'error', message: expect.stringContaining('acme/') })
  const created = await of.send('POST', '/langgraph/threads', {})
  expect(created.body.thread_id).toMatch(/^acme\//)
  expect((await of.runtime.thread('beta/one').state()).status).toBe('waiting')
  const own = await of.send('POST', '/chat', { id: 'acme/new', messages: [message] })
  expect(own.status).toBe(200)
})

test('MCP lists and reads only its own threads', async () => {
  const of = await tenants()
  const client = new Client({ name: 'coder', version: '1' })
  const requestInit = { headers: { authorization: 'Bearer key-acme' } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${of.url}/mcp`), { requestInit }))
  const call = async (name: string, args: Record<string, unknown>) =>
    JSON.stringify(await client.callTool({ name, arguments: args }))
  expect(await call('threads', {})).not.toContain('beta')
  const foreignThread = { thread: 'beta/one' }
  for (const name of ['show', 'why_stuck', 'loops'])
    expect(await call(name, foreignThread)).toContain('foreign-thread')
  const answer = { ...foreignThread, question: 'ask#1', decision: 'approved' }
  expect(await call('answer', answer)).toContain('foreign-thread')
  expect(await call('fork', { ...foreignThread, effects: 'refuse' })).toContain('foreign-thread')
  const { resources } = await client.listResources()
  expect(resources.map(({ name }) => name)).toEqual(['acme/one (waiting)'])
  const uri = `escapement://threads/${encodeURIComponent('beta/one')}/journal`
  await expect(client.readResource({ uri })).rejects.toThrow()
  await client.close()
})

const ADMIN = { name: 'acme', role: 'admin', hash: hashKey('k') }

test.each([
  ['a prefix without a slash', { threads: 'acme' }, 'threads: expected a prefix that ends with'],
  ['the name session', { name: 'session' }, 'name: is reserved'],
  ['the name anonymous', { name: 'anonymous' }, 'name: is reserved'],
  ['a mistyped prefix', { prefix: 'acme/' }, 'prefix: is unknown; expected one of: name, role'],
  ['an unknown role', { role: 'root' }, 'role: expected one of "view"|"operate"|"admin"'],
  ['no hash', { hash: undefined }, 'hash: is missing'],
  ['a key in place of its hash', { hash: 'my-key' }, 'hash: expected the text that hashKey(key)'],
  ['an empty scope key', { keys: { customer: '' } }, 'keys.customer: expected a text from 1'],
])('an API key with %s is refused', async (_, change, message) => {
  const { runtime } = await service()
  const wrong = [ADMIN, { ...ADMIN, ...change }] as unknown as readonly ApiKey[]
  const refused = () => createApp(runtime, { keys: wrong })
  expect(refused).toThrow(`keys[1].${message}`)
  expect(refused).not.toThrow('my-key')
})

test('an unknown role of callers without a key is refused', async () => {
  const { runtime } = await service()
  const wrong = { anonymous: 'root' as 'view' }
  expect(() => createApp(runtime, wrong)).toThrow('anonymous: expected one of "view"')
})

test('escapement serve reads the prefix of a key', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'ask.yaml'), SPEC)
  const environment = { ESCAPEMENT_KEYS: `ci:admin:${hashKey('k')}:acme/` }
  const { url } = await serveIn(folder, ['--graphs', '.'], environment).ready
  const response = await fetch(`${url}/v1/meta`, { headers: KEY })
  expect(await response.json()).toMatchObject({ role: 'admin', threads: 'acme/' })
})
