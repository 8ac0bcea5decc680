/** The client has the interface of a handle, over real HTTP. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Client, createClient, ServiceError } from '../../src/client.ts'
import { CONTRACT } from '../../src/faces/http/contract/contract.ts'
import type { Endpoint } from '../../src/faces/http/contract/endpoint.ts'
import type { ThreadEvent } from '../../src/host/thread/thread.ts'
import { service } from './service.ts'

test('a client starts a thread, answers its question, and waits for the result', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  const events: ThreadEvent[] = []
  for await (const event of thread.events({ until: 'waiting' })) events.push(event)
  const [asked] = events.flatMap(event => (event.type === 'question' ? event.questions : []))
  expect(asked?.question).toBe('Go on?')
  expect(await client.questions()).toMatchObject([{ thread: 'one', id: asked?.id }])

  const { seq } = await thread.state()
  const stale = thread.answer(asked?.id ?? '', 'approved', { expectSeq: seq - 1 })
  await expect(stale).rejects.toMatchObject({ code: 'stale-seq', problem: { seq } })
  const result = thread.result()
  expect(await thread.answer(asked?.id ?? '', 'approved', { expectSeq: seq, id: 'a1' })).toEqual({
    applied: true,
  })
  expect(await result).toEqual(await of.runtime.thread('one').result())

  const rows = await thread.rows({ after: 1 })
  expect(rows).toEqual(await of.runtime.thread('one').rows({ after: 1 }))
  expect((await thread.fork({ effects: 'refuse', at: 0, as: 'two' })).id).toBe('two')
  expect((await client.threads({ limit: 1 })).next).toBe('one')
  await expect(client.thread('none').state()).rejects.toThrow(ServiceError)
})

test('a client controls a thread as a handle does', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  await client.changeBreakpoint({ graph: 'asking', node: 'work' })
  expect(await client.breakpoints()).toEqual([{ graph: 'asking', node: 'work' }])
  const condition = { graph: 'asking', when: "event.type == 'circuit.opened'", thread: 'one' }
  await client.changeBreakpoint(condition)
  expect(await client.breakpoints()).toContainEqual(condition)
  await client.changeBreakpoint(condition, 'clear')
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  while (!(await thread.state()).paused) await new Promise(resolve => setTimeout(resolve, 5))
  expect(await thread.inject({ kind: 'tool', name: 'work' })).toEqual({ applied: true })
  const answer = { kind: 'tool', name: 'work', result: { found: 3 }, times: 2 } as const
  expect(await thread.inject(answer)).toEqual({ applied: true })
  await expect(thread.rollback()).rejects.toMatchObject({ code: 'no-savepoint' })
  await expect(thread.escape({ rung: 'rethink' })).rejects.toMatchObject({
    code: 'no-smarter-model',
  })
  await expect(thread.dismiss()).rejects.toMatchObject({ code: 'unknown-finding' })
  await expect(thread.pause()).rejects.toMatchObject({ code: 'already-paused' })
  const inject = [{ kind: 'tool', name: 'work', result: 'by hand' }] as const
  const terms = { effects: 'live', paused: true, inject, channels: { goal: 'h' } } as const
  const fork = await thread.fork({ as: 'two', ...terms })
  expect(await fork.state()).toMatchObject({ paused: {}, channels: { goal: 'h' } })
  expect(await thread.step()).toEqual({ applied: true })
  expect(await thread.stop('enough')).toEqual({ applied: true })
  expect(await thread.result()).toMatchObject({ outcome: 'stopped', because: 'enough' })
})

test('a result is that of the last round, also for a thread that has ended', async () => {
  const of = await service()
  const thread = createClient(of.url, { key: 'key-admin' }).thread('one')
  const handle = of.runtime.thread('one', of.runtime.graphs[0])
  for (const decision of ['approved', 'rejected'] as const) {
    await handle.send({ goal: 'g' })
    const result = thread.result()
    for await (const _ of handle.events({ until: 'waiting' }));
    const [question] = (await handle.state()).questions
    await thread.answer(question?.id ?? '', decision)
    expect(await result).toEqual(await handle.result())
  }
  expect(await thread.result()).toMatchObject({ outcome: 'failure' })
})

test('starts and forks take the id of a request', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  const names = []
  for (let count = 0; count < 2; count++) {
    const thread = await client.start('asking', { goal: 'g' }, { id: 'start-1' })
    const fork = await thread.fork({ effects: 'refuse', at: 0 }, { id: 'fork-1' })
    names.push([thread.id, fork.id])
  }
  expect(names[0]).toEqual(names[1])
})

test('a client reads and changes what threads share, and moves a thread to another service', async () => {
  const [from, to] = [await service(), await service()]
  const client = createClient(from.url, { key: 'key-admin' })
  const resource = 'asking/tool:work'
  expect(await client.changeBreaker(resource, 'open')).toMatchObject({ resource, state: 'open' })
  expect(await client.breakers()).toMatchObject([{ resource, state: 'open' }])
  await client.changeBreaker(resource, 'close')
  const soon = Date.now() + 60_000
  const opened = await client.changeBreaker(resource, 'open', 5_000)
  expect('retryAt' in opened && opened.retryAt).toBeLessThan(soon)
  await client.changeBreaker(resource, 'close')
  expect(await client.scopes()).toEqual([])
  expect(await client.releaseScope({ scope: 'job', key: '1' })).toBe(false)
  expect(await client.graphs()).toMatchObject([{ graph: 'asking' }])
  expect(await client.graph('asking')).toMatchObject({ spec: { id: 'asking' } })
  expect(await client.drawing('asking', 'mermaid')).toContain('stateDiagram')
  expect(await client.meta()).toMatchObject({ role: 'admin' })
  expect(await client.unreachable()).toEqual([])
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  for await (const _ of thread.events({ until: 'waiting' }));
  const other = createClient(to.url, { key: 'key-admin' })
  const lines = async function* () {
    for await (const line of thread.archive()) yield line.trimEnd()
  }
  expect(await other.importThread(lines(), 'two')).toBe('two')
  expect((await other.thread('two').summary()).seq).toBe((await thread.summary()).seq)
  await expect(other.thread('tw').summary()).rejects.toMatchObject({ code: 'unknown-thread' })
})

test.each(['notaurl', '', '/v1', 'localhost:4100', 'ftp://localhost', 'http://localhost:99999'])(
  'a client of %j is refused at once',
  url => {
    expect(() => createClient(url)).toThrow(TypeError)
    expect(() => createClient(url)).toThrow(JSON.stringify(url))
  },
)

test.each([
  ['http://ada:plain-word@localhost:4100', '.* without a user .*: http://localhost:4100/\\. Set'],
  ['htp://ada:plain-word@localhost:4100', '.*the address of a service \\(http or https\\)$'],
  ['ada:plain-word@localhost:4100', '.*the address of a service \\(http or https\\)$'],
  ['http://localhost:4100/#/threads?token=plain-word', '.*: http://localhost:4100/$'],
  ['127.0.0.1:4100/#token=plain-word', '.*the address of a service \\(http or https\\)$'],
  ['localhost:4100\u202e', '.*, got "localhost:4100\\\\u202e"$'],
])('%s is refused without showing a secret', (url, message) => {
  const create = () => createClient(url)
  expect(create).toThrow(TypeError)
  expect(create).toThrow(new RegExp(`^(?!.*plain-word)${message}`))
})

test.each(['plain-word\u2026', 'plain\nword', 'plain-word\0', ''])('the key %j is refused', key => {
  const create = () => createClient('http://localhost:4100', { key })
  expect(create).toThrow(
    new TypeError('createClient: key: expected ASCII characters without blanks'),
  )
})

test.each([
  ['with blanks around it', ' http://127.0.0.1:4100/esc/ '],
  ['as an object', new URL('http://127.0.0.1:4100/esc') as unknown as string],
])('an address %s', async (_, url) => {
  const sent: string[] = []
  const send = async (address: unknown) => {
    sent.push(`${address}`)
    return Response.json({ graphs: [] })
  }
  await createClient(url, { fetch: send as never }).graphs()
  expect(sent).toEqual(['http://127.0.0.1:4100/esc/v1/graphs'])
})

test('a service that cannot be reached is named', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const failed = createClient(`http://127.0.0.1:${port}`).graphs()
  await expect(failed).rejects.toThrow(TypeError)
  await expect(failed).rejects.toMatchObject({
    message: `the request to http://127.0.0.1:${port}/v1/graphs failed: connect ECONNREFUSED 127.0.0.1:${port}`,
    code: 'ECONNREFUSED',
  })
})

test.each([
  ['a port', 'http://127.0.0.1:6000', {}],
  ['a request', 'http://127.0.0.1:4100', { fetch: () => Promise.reject(new TypeError('refused')) }],
])('a loop around requests with %s that fetch refuses lets timers run', async (_, url, options) => {
  const client = createClient(url, options)
  const passed = AbortSignal.timeout(50)
  for (let turns = 0; !passed.aborted && turns < 20_000; turns++)
    await expect(client.graphs()).rejects.toThrow(/^the request to http\S+ failed: /)
  expect(passed.aborted).toBe(true)
})

test('undefined options are left out', async () => {
  const of = await service()
  const client = createClient(of.url, { key: 'key-admin' })
  const thread = await client.start('asking', { goal: 'g' }, { thread: 'one' })
  const filter = { graph: undefined, after: undefined } as object
  expect((await client.threads(filter)).threads).toHaveLength(1)
  expect(await thread.rows({ after: undefined } as object)).not.toEqual([])
})

/** A client whose requests are answered by `respond`. The last answer repeats. */
function fakeClient(responses: readonly (() => Response)[], retries = 3) {
  const sent: string[] = []
  const send = async (url: unknown, { method = 'GET' }: RequestInit = {}) => {
    const respond = responses[Math.min(sent.length, responses.length - 1)]
    sent.push(`${method} ${new URL(String(url)).pathname}`)
    return respond?.() as Response
  }
  const client = createClient('http://localhost', { fetch: send as never, retries })
  return { client, sent }
}

const problem = (status: number, code: string) => () => {
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ title: '', status, code, detail: code }), {
    status,
    headers,
  })
}
const html = (status: number) => () => new Response('<html>', { status })
const stream = () => new Response('event: end\ndata: {}\n\n')

async function readAll(client: Client): Promise<void> {
  for await (const _ of client.thread('one').events());
}

test('a response that is not from the service is a ServiceError with its status', async () => {
  const { client } = fakeClient([html(502)])
  await expect(client.thread('one').state()).rejects.toMatchObject({
    name: 'ServiceError',
    code: 'http-502',
    problem: { status: 502 },
  })
})

describe('a stream that breaks', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is opened again with growing delays while the service has no room', async () => {
    const refused = [html(502), problem(503, 'too-many-streams'), problem(429, 'too-many-requests')]
    const { client, sent } = fakeClient([...refused, stream])
    const reading = readAll(client)
    const counts = []
    for (const ms of [0, 500, 1_000, 2_000]) {
      await vi.advanceTimersByTimeAsync(ms)
      counts.push(sent.length)
    }
    await reading
    expect(counts).toEqual([1, 2, 3, 4])
  })

  test('has all its retries again after news', async () => {
    const news = () => new Response('event: heartbeat\ndata: {}\n\n')
    const { client, sent } = fakeClient([html(502), news, html(502), stream], 2)
    const reading = readAll(client)
    await vi.advanceTimersByTimeAsync(60_000)
    await reading
    expect(sent).toHaveLength(4)
  })

  test('fails after its retries, and at once with another refusal', async () => {
    const lost = fakeClient([
      () => {
        throw new TypeError('fetch failed')
      },
    ])
    const failed = expect(readAll(lost.client)).rejects.toThrow('fetch failed')
    await vi.advanceTimersByTimeAsync(60_000)
    await failed
    expect(lost.sent).toHaveLength(4)
    const unknown = fakeClient([problem(404, 'unknown-thread')])
    await expect(readAll(unknown.client)).rejects.toMatchObject({ code: 'unknown-thread' })
    expect(unknown.sent).toHaveLength(1)
  })

  test('ends at once when its signal is aborted during a delay', async () => {
    const { client } = fakeClient([html(503)])
    const stop = new AbortController()
    const read = async () => {
      for await (const _ of client.thread('one').events({ signal: stop.signal }));
    }
    const reading = read()
    await vi.advanceTimersByTimeAsync(10)
    stop.abort()
    await reading
  })
})

/** Endpoints that are not for programs, or that only `calls` has. */
const OTHERS = ['POST /v1/session', 'GET /v1/stream']

test('every endpoint of the contract is a call, and those of /v1 have a method of the client', async () => {
  const { client, sent } = fakeClient([() => Response.json({ threads: [], questions: [] })])
  expect(Object.keys(client.calls).toSorted()).toEqual(Object.keys(CONTRACT).toSorted())
  const { calls: _, start, thread: __, ...methods } = client
  const handle = client.thread('x')
  const { graph, ...ofClient } = methods
  const { id: ___, events, result, archive, importThread, ...rest } = { ...ofClient, ...handle }
  const read = async (of: AsyncIterable<unknown>) => {
    for await (const _ of of) return
  }
  const lines = (async function* () {})()
  const all = [
    ...Object.values(rest).map(method => (method as (...args: unknown[]) => unknown)('x', 'x')),
    ...[start('g', {}), graph('x'), read(archive()), importThread(lines)],
  ]
  await Promise.allSettled(all)
  const stop = new AbortController()
  await Promise.allSettled([read(events({ signal: stop.signal })), stop.abort()])
  const expected = Object.values<Endpoint>(CONTRACT)
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/, 'x')}`)
  expect(expected.filter(each => !sent.includes(each)).toSorted()).toEqual(OTHERS.toSorted())
})
