/** Hostile requests: each is refused with a problem, and changes nothing. */
import { connect } from 'node:net'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Access } from '../../src/faces/http/access/access.ts'
import { createApp } from '../../src/http.ts'
import { asking } from '../host/graphs.ts'
import { askingThread, messages, type Served, service } from './service.ts'

/** A request with headers that `fetch` does not send. */
function raw(
  of: Served,
  path: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
  body = '',
) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    text: string
    headers: object
  }>()
  const { hostname, port } = new URL(of.url)
  const sent = request({ hostname, port, path, method, headers }, async response => {
    let text = ''
    for await (const chunk of response.setEncoding('utf8')) text += chunk
    resolve({ status: response.statusCode ?? 0, text, headers: response.headers })
  })
  sent.on('error', reject).end(body)
  return promise
}

const start = { graph: 'asking', input: { goal: 'g' } }
const admin = { authorization: 'Bearer key-admin' }

describe('source', () => {
  test('a wrong Host is refused, which stops DNS rebinding', async () => {
    const of = await service()
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80'])
      expect(JSON.parse((await raw(of, '/v1/threads', { ...admin, host })).text).code).toBe(
        'wrong-host',
      )
    expect((await raw(of, '/v1/threads', { ...admin, host: 'evil@localhost' })).status).toBe(400)
    expect((await raw(of, '/v1/threads', { ...admin, host: 'localhost:1' })).status).toBe(200)
  })

  test('a foreign Origin is refused, even with a valid key', async () => {
    const of = await service({ origins: ['https://desk.example'] })
    const codes = []
    for (const origin of [
      'https://evil.example',
      'null',
      `${of.url}0`,
      'https://desk.example',
      of.url,
    ])
      codes.push((await raw(of, '/v1/threads', { ...admin, origin })).status)
    expect(codes).toEqual([403, 403, 403, 200, 200])
  })
})

describe('pages of other origins', () => {
  const preflight = (of: Served, origin: string) =>
    raw(of, '/chat', { origin, 'access-control-request-method': 'POST' }, 'OPTIONS')

  test('that the service accepts get an answer to their preflight, and may read responses', async () => {
    const of = await service({ origins: ['https://desk.example'] })
    const { status, headers } = await preflight(of, 'https://desk.example')
    expect(status).toBe(204)
    expect(headers).toMatchObject({
      'access-control-allow-origin': 'https://desk.example',
      'access-control-allow-headers': expect.stringContaining('authorization'),
      'access-control-allow-methods': expect.stringContaining('POST'),
    })
    const answer = await raw(of, '/v1/meta', { ...admin, origin: 'https://desk.example' })
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': 'https://desk.example' })
  })

  test('that it does not accept get none', async () => {
    for (const options of [{ origins: ['https://desk.example'] }, {}]) {
      const { status, headers } = await preflight(await service(options), 'https://evil.example')
      expect(status).toBe(403)
      expect(headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

describe('methods', () => {
  test.each([
    ['DELETE', '/v1/threads', 'GET, POST'],
    ['PUT', '/v1/threads/one', 'GET'],
    ['GET', '/mcp', 'POST'],
    ['GET', '/v1/threads/one/commands', 'POST'],
  ])('%s %s is refused with the allowed ones', async (method, path, allowed) => {
    const { status, headers, body } = await (await service()).send(method, path)
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'wrong-method', allowed])
  })
})

describe('keys and sessions', () => {
  test('a missing or wrong key is refused', async () => {
    const of = await service()
    for (const authorization of [
      '',
      'Bearer no',
      'Bearer ',
      'Basic a2V5',
      'Bearer key-admin extra',
    ])
      expect(
        (await of.send('GET', '/v1/threads', undefined, { headers: { authorization } })).body.code,
      ).toBe('not-authenticated')
  })

  test('a breaker of an unknown tool is refused, and not created', async () => {
    const of = await service()
    for (const resource of ['none/tool:work', 'asking/tool:none', 'nonsense']) {
      const path = `/v1/breakers/${encodeURIComponent(resource)}/commands`
      const { status, body } = await of.send('POST', path, { do: 'open' }, { role: 'admin' })
      expect([status, body.code]).toEqual([404, 'unknown-breaker'])
      expect(body.detail).toContain('known breakers: asking/')
    }
    expect((await of.send('GET', '/v1/breakers')).body).toEqual({ breakers: [] })
  })

  test('a role that is too low is refused, and the command is not applied', async () => {
    const of = await service()
    const { state } = await askingThread(of)
    const codes = [
      await of.send('POST', '/v1/threads', start, { role: 'view' }),
      await of.send('POST', '/v1/threads/one/commands', { do: 'cancel' }, { role: 'view' }),
      await of.send(
        'POST',
        `/v1/breakers/${encodeURIComponent('asking/tool:work')}/commands`,
        { do: 'open' },
        { role: 'operate' },
      ),
      await of.send('POST', '/v1/import', '', { role: 'operate' }),
    ]
    expect(codes.map(({ body }) => body.code)).toEqual(Array(4).fill('role-too-low'))
    expect((await of.runtime.thread('one').state()).seq).toBe(state.seq)
  })

  test('the one-time token opens one session, whose cookie is HttpOnly and SameSite=Strict', async () => {
    const of = await service({ token: 'secret', keys: [] })
    const open = (token: string) =>
      of.send('POST', '/v1/session', { token }, { headers: { authorization: '' } })
    expect((await open('wrong')).body.code).toBe('wrong-token')
    const opened = await open('secret')
    const cookie = opened.headers.get('set-cookie') ?? ''
    expect(opened.status).toBe(204)
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
    expect((await open('secret')).body.code).toBe('wrong-token')
    const [pair = ''] = cookie.split(';')
    const as = (sent: string) =>
      of.send('GET', '/v1/meta', undefined, { headers: { authorization: '', cookie: sent } })
    expect((await as(pair)).body.role).toBe('admin')
    expect((await as(`${pair}x`)).status).toBe(401)
  })

  test('the cookie of a session over HTTPS is for HTTPS only', async () => {
    const of = await service()
    const cookieOver = async (protocol: string) => {
      const { fetch: handle } = createApp(of.runtime, { token: 'secret' })
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ token: 'secret' })
      const url = `${protocol}://localhost/v1/session`
      const response = await handle(new Request(url, { method: 'POST', headers, body }))
      return response.headers.get('set-cookie')
    }
    expect(await cookieOver('https')).toMatch(/; Secure$/)
    expect(await cookieOver('http')).not.toContain('Secure')
  })

  test('a session ends after eight hours', () => {
    const access = new Access({ token: 'secret' })
    const [cookie = ''] = access.openSession('secret', 1_000, false).split(';')
    const of = new Request('http://localhost/v1/meta', { headers: { cookie } })
    const end = 1_000 + 8 * 3_600_000
    expect(access.callerOf(of, end - 1)).toEqual({ name: 'session', role: 'admin' })
    expect(access.callerOf(of, end)).toBeUndefined()
  })
})

describe('limits', () => {
  test('an oversized body is refused, with and without a length', async () => {
    const of = await service({ limits: { bodyBytes: 1_000 } })
    const body = JSON.stringify({ ...start, input: { goal: 'x'.repeat(2_000) } })
    const headers = { ...admin, 'content-type': 'application/json' }
    expect(
      (
        await raw(
          of,
          '/v1/threads',
          { ...headers, 'content-length': String(body.length) },
          'POST',
          body,
        )
      ).status,
    ).toBe(413)
    expect(
      (await raw(of, '/v1/threads', { ...headers, 'transfer-encoding': 'chunked' }, 'POST', body))
        .status,
    ).toBe(413)
  })

  test('a string of 10 MB is refused', async () => {
    const of = await service()
    const { status, body } = await of.send('POST', '/v1/threads', {
      ...start,
      input: { goal: 'x'.repeat(10_000_000) },
    })
    expect([status, body.code]).toEqual([413, 'body-too-large'])
  })

  test('a body that arrives too slowly is refused', async () => {
    const of = await service({ limits: { bodyTime: 50 } })
    const { hostname, port } = new URL(of.url)
    const socket = connect(Number(port), hostname)
    socket.write(
      'POST /v1/threads HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer key-admin\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{',
    )
    const text = await new Promise<string>(resolve =>
      socket.once('data', data => resolve(String(data))),
    )
    expect(text).toContain('408')
    socket.destroy()
  })

  test('a caller above the rate is refused', async () => {
    const of = await service({ limits: { rate: 1, burst: 3 } })
    const codes = []
    for (let index = 0; index < 5; index++) codes.push((await of.send('GET', '/v1/meta')).status)
    expect(codes).toEqual([200, 200, 200, 429, 429])
    expect((await of.send('GET', '/v1/meta', undefined, { role: 'view' })).status).toBe(200)
  })

  test('streams above the limit are refused, and a stream that is left makes room', async () => {
    const of = await service({ limits: { streams: 1, streamsPerCaller: 1, heartbeat: 10 } })
    await askingThread(of)
    const url = `${of.url}/v1/threads/one/stream`
    const first = messages(url)
    await first.next()
    await expect(messages(url).next()).rejects.toThrow('too-many-streams')
    await first.return(undefined)
    await expect
      .poll(
        () =>
          messages(url)
            .next()
            .then(
              () => true,
              () => false,
            ),
        { timeout: 5_000 },
      )
      .toBe(true)
  })
})

describe('a place for a stream', () => {
  test('is reserved first: a refused chat starts no thread', async () => {
    const of = await service({ limits: { streams: 1, streamsPerCaller: 1, heartbeat: 10 } })
    await askingThread(of)
    const first = messages(`${of.url}/v1/threads/one/stream`, {
      authorization: 'Bearer key-operate',
    })
    await first.next()
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }
    const { status, headers } = await of.send('POST', '/chat', { id: 'two', messages: [message] })
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    expect((await of.send('GET', '/v1/threads/two')).status).toBe(404)
    await first.return(undefined)
  })

  test('is not all taken by one caller', async () => {
    const of = await service({ limits: { streams: 4, heartbeat: 10 } })
    await askingThread(of)
    const open = async (role: string) => {
      const stream = messages(`${of.url}/v1/threads/one/stream`, {
        authorization: `Bearer key-${role}`,
      })
      await stream.next()
      return stream
    }
    const kept = [await open('view'), await open('view')]
    await expect(open('view')).rejects.toThrow('too-many-streams')
    kept.push(await open('admin'))
    for (const stream of kept) await stream.return(undefined)
  })

  test('is free again after a request that opens no stream', async () => {
    const of = await service({ limits: { streams: 1, streamsPerCaller: 1 } })
    for (let index = 0; index < 3; index++)
      expect((await of.send('GET', '/chat/none/stream')).status).toBe(204)
  })
})

describe('content', () => {
  test('prototype keys are refused and pollute nothing', async () => {
    const of = await service()
    for (const body of [
      '{"graph":"asking","input":{"__proto__":{"a":1}}}',
      '{"graph":"asking","input":{"goal":"g","constructor":{}}}',
      '{"graph":"asking","\\u005f_proto__":{}}',
    ])
      expect((await of.send('POST', '/v1/threads', body)).body.code).toBe('prototype-key')
    expect(({} as { a?: number }).a).toBeUndefined()
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect((await of.send('GET', `/v1/threads/${name}`)).status).toBe(404)
      expect((await of.send('GET', `/v1/graphs/${name}`)).status).toBe(404)
    }
  })

  test('deep, truncated and foreign bodies are refused', async () => {
    const of = await service()
    const deep = `{"graph":"asking","input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await of.send('POST', '/v1/threads', deep)).body.code).toBe('too-deep')
    expect((await of.send('POST', '/v1/threads', '{"graph":')).body.code).toBe('not-json')
    const plain = { headers: { 'content-type': 'text/plain' } }
    expect((await of.send('POST', '/v1/threads', start, plain)).status).toBe(415)
  })

  test('paths reach no file', async () => {
    const of = await service()
    for (const path of [
      '/../../etc/passwd',
      '/v1/graphs/..%2f..%2fetc%2fpasswd',
      '/v1/threads/%2e%2e%2f%2e%2e%2fpackage.json',
      '/v1/threads/%00',
      '/v1/threads/%ff',
    ]) {
      const { status, text } = await raw(of, path, { ...admin, host: 'localhost' })
      expect([path, status]).toEqual([path, 404])
      expect(text).not.toContain('root:')
    }
  })

  test('an archive cannot name modules to load', async () => {
    const of = await service()
    await askingThread(of)
    const { text } = await of.send('GET', '/v1/threads/one/export')
    const other = await service({ graphs: [] })
    const sent = await other.send('POST', '/v1/import', text, {
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect([sent.status, sent.body.detail]).toEqual([
      422,
      expect.stringContaining('pass the graph to createRuntime'),
    ])
  })

  test('text of a caller adds no header and no line of the log', async () => {
    const lines: string[] = []
    const of = await service({ log: line => void lines.push(JSON.stringify(line)) })
    const name = 'a\r\nset-cookie: x=1\r\n\r\n{"audit":"forged"}'
    const { status, headers } = await of.send(
      'POST',
      `/v1/threads/${encodeURIComponent(name)}/commands`,
      { do: 'cancel' },
    )
    expect([status, headers.get('set-cookie')]).toEqual([404, null])
    expect((await of.send('POST', '/v1/threads', { ...start, thread: name })).body.code).toBe(
      'reserved-name',
    )
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line).not.toMatch(/[\r\n]/)
  })

  test('the audit log says who commanded what, when, and with which result', async () => {
    const lines: object[] = []
    const of = await service({ log: line => void lines.push(line) })
    await of.send('POST', '/v1/threads', { ...start, thread: 'one' }, { role: 'operate' })
    await of.send('POST', '/v1/threads/one/commands', { do: 'cancel' }, { role: 'view' })
    await of.send('POST', '/v1/threads/one/commands', { do: 'cancel' })
    expect(lines).toMatchObject([
      {
        at: expect.any(Number),
        audit: 'startThread',
        who: 'the operate',
        role: 'operate',
        status: 201,
      },
      { audit: 'command', who: 'the view', thread: 'one', status: 403 },
      { audit: 'command', who: 'the admin', do: 'cancel', thread: 'one', status: 200 },
    ])
  })

  test('every answer has security headers', async () => {
    const of = await service()
    const { headers } = await of.send('GET', '/v1/meta')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect([headers.get('x-content-type-options'), headers.get('x-frame-options')]).toEqual([
      'nosniff',
      'SAMEORIGIN',
    ])
  })
})

describe('webhooks', () => {
  const targets = (port: number) => [
    `https://127.0.0.1:${port}/`,
    `https://2130706433:${port}/`,
    `https://0x7f.1:${port}/`,
    `https://localhost:${port}/`,
    `https://[::1]:${port}/`,
    `https://[::ffff:127.0.0.1]:${port}/`,
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://0.0.0.0/',
  ]

  test('of a graph reach no private address, whatever its notation', async () => {
    process.env.SSRF_SECRET = 'secret'
    let reached = 0
    const inside = createServer((_, response) => {
      reached++
      response.end()
    })
    inside.on('connection', () => void reached++)
    await new Promise<void>(resolve => inside.listen(0, '127.0.0.1', resolve))
    try {
      const urls = targets((inside.address() as AddressInfo).port)
      const notify = urls.map(webhook => ({
        webhook,
        secretFrom: 'SSRF_SECRET',
        allow: [new URL(webhook).hostname],
        attempts: 1,
      }))
      const of = await service({ graphs: [asking(undefined, { notify })] })
      await askingThread(of)
      const details = async () =>
        (await of.runtime.thread('one').rows()).flatMap(({ event }) =>
          event.type === 'notified' ? [[event.ok, event.detail]] : [],
        )
      while ((await details()).length < urls.length)
        await new Promise(resolve => setTimeout(resolve, 10))
      for (const [ok, detail] of await details()) {
        expect(ok).toBe(false)
        expect(detail).toMatch(/is not public/)
      }
      expect(reached).toBe(0)
    } finally {
      delete process.env.SSRF_SECRET
      inside.close()
    }
  })

  test('come from the spec alone: no request names an address', async () => {
    const of = await service()
    await askingThread(of)
    const hook = [{ webhook: 'https://evil.example/', secretFrom: 'PATH', allow: ['evil.example'] }]
    const requests = [
      ['/v1/threads', { ...start, notify: hook }],
      ['/v1/threads', { ...start, graph: 'https://evil.example/graph.yaml' }],
      ['/v1/threads/one/commands', { do: 'patch-policy', change: { notify: hook } }],
      ['/v1/threads/one/commands', { do: 'fork', effects: 'live', change: { notify: hook } }],
    ] as const
    const codes = []
    for (const [path, body] of requests) codes.push((await of.send('POST', path, body)).body.code)
    expect(codes).toEqual(['invalid-request', 'unknown-graph', 'invalid-policy', 'invalid-fork'])
  })
})

test('HEAD requests of streams leave no stream open', async () => {
  const of = await service()
  await askingThread(of)
  for (let count = 0; count < 5; count++)
    expect((await of.send('HEAD', '/v1/threads/one/stream')).status).toBe(200)
  const { text } = await of.send('GET', '/metrics')
  expect(text).toContain('escapement_streams 0')
})

test('null is not the number of an event', async () => {
  const of = await service()
  await askingThread(of)
  const path = '/v1/threads/one/commands'
  for (const body of [
    { do: 'fork', effects: 'refuse', at: null },
    { do: 'pause', expectSeq: null },
  ])
    expect((await of.send('POST', path, body)).status).toBe(422)
})

test('an internal error in a stream is logged, and shows nothing of itself', async () => {
  const lines: string[] = []
  const of = await service({ log: line => void lines.push(JSON.stringify(line)) })
  await askingThread(of)
  const secret = new Error('disk failed at /srv/secret')
  const handle = of.runtime.thread('one')
  const broken = { ...of.runtime, thread: () => ({ ...handle, events: () => failing(secret) }) }
  const app = createApp(broken as never, {
    anonymous: 'view',
    log: line => void lines.push(JSON.stringify(line)),
  })
  const response = await app.fetch(new Request('http://localhost/v1/threads/one/stream'))
  expect(await response.text()).toContain('"code":"internal-error"')
  expect(lines.join()).toContain('/srv/secret')
})

// biome-ignore lint/correctness/useYield: the source fails at once.
async function* failing(error: Error): AsyncGenerator<never> {
  throw error
}

describe('a body with a long wrong list', () => {
  const wrong = Array(300_000).fill(1)
  const listed = () => {
    const goal = { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } }
    return asking(undefined, { id: 'listed', channels: { goal, found: { type: 'string' } } })
  }

  test('is refused with its first faults, as an input and as a message', async () => {
    const of = await service({ graphs: [listed()] })
    const started = await of.send('POST', '/v1/threads', {
      graph: 'listed',
      thread: 'ticket',
      input: { goal: wrong },
    })
    expect(started).toMatchObject({ status: 422, body: { code: 'invalid-input' } })
    expect(started.body.detail).toMatch(
      /^input\.goal\[0\] expected string.*goal\[19\].*; and more$/,
    )
    const thread = { graph: 'listed', thread: 'ticket', input: { goal: [] } }
    expect((await of.send('POST', '/v1/threads', thread)).status).toBe(201)
    const sent = await of.send('POST', '/v1/threads/ticket/events', {
      type: 'message',
      input: { goal: wrong },
    })
    expect(sent.text.length).toBeLessThan(4_000)
  })

  test('is refused with at most twenty faults where the service itself checks it', async () => {
    const of = await service()
    const odd = Object.fromEntries(wrong.slice(0, 50_000).map((_, index) => [`k${index}`, 1]))
    const answer = await of.send('POST', '/v1/threads', { graph: 'asking', ...odd })
    expect(answer.status).toBe(422)
    expect(answer.text.length).toBeLessThan(4_000)
  })
})
