/** Webhooks over real HTTP: what a receiver gets and can verify, and the addresses that are blocked. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { isLoopback, isPublic } from '../../src/adapters/notify/webhook.ts'
import { webhook, type WebhookParts } from '../../src/adapters/notify/webhook.ts'
import {
  notifier,
  type NotifierSpec,
  type WebhookSpec,
} from '../../src/core/graph/spec/resource.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { checkSecrets, notifiersIn } from '../../src/host/drive/notifiers.ts'
import { notice, review } from './notice.ts'

const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'
/** `täglich.1/review#1/0/webhook`, as a header can say it. */
const ID = 't%C3%A4glich%2E1%2Freview%231%2F0%2Fwebhook'
const NOW = 1_700_000_000_123

interface Got {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A local receiver with the given answers. */
async function receiver(
  answer: (response: ServerResponse, nth: number) => void = response =>
    response.writeHead(204).end(),
) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
      answer(response, got.length)
    })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { got, port: (server.address() as AddressInfo).port }
}

function specOf(url: string, over: Record<string, unknown> = {}): WebhookSpec {
  return notifier.parse({
    webhook: url,
    secretFrom: 'HOOK_SECRET',
    allow: [new URL(url).hostname],
    insecure: true,
    ...over,
  }) as WebhookSpec
}

function send(
  spec: WebhookSpec,
  over: Partial<WebhookParts> = {},
  what = notice(),
): Promise<string> {
  const made = webhook({ name: 'webhook', spec, secret: SECRET, now: () => NOW, ...over })
  return made.send(what, {
    id: 'täglich.1/review#1/0/webhook',
    attempt: 1,
    signal: new AbortController().signal,
  })
}

describe('a receiver', () => {
  it('gets the review, and can verify who sent it and when', async () => {
    const { got, port } = await receiver()
    expect(await send(specOf(`http://127.0.0.1:${port}/hook`))).toBe('HTTP 204')
    const [{ headers, body }] = got as [Got]
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const expected = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(signed)
      .digest()
    const [version, signature = ''] = String(headers['webhook-signature']).split(',')
    expect(version).toBe('v1')
    expect(timingSafeEqual(Buffer.from(signature, 'base64'), expected)).toBe(true)
    expect(headers).toMatchObject({
      'webhook-id': ID,
      'idempotency-key': ID,
      'webhook-timestamp': '1700000000',
    })
    expect(JSON.parse(body)).toEqual({
      type: 'question.opened',
      timestamp: '2023-11-14T22:13:20.123Z',
      data: { thread: 't', graph: 'g', step: 0, review: { ...review() } },
    })
  })

  it('gets a shortened review if it is too long, and never more than 64 KiB', async () => {
    const { got, port } = await receiver()
    const big = { text: 'x'.repeat(3_000), seq: 1 }
    const laps = {
      shown: Array.from({ length: 40 }, () => ({ events: [big], leftOut: 0 })),
      leftOut: 0,
      differing: [],
    }
    await send(specOf(`http://127.0.0.1:${port}/`), {}, notice({ laps }))
    await send(
      specOf(`http://127.0.0.1:${port}/`),
      {},
      notice({
        lessons: Array.from(
          { length: 40 },
          () => ({ code: 'text', params: { text: 'x'.repeat(3_000) } }) as const,
        ),
        deadline: 9,
      }),
    )
    const [first, second] = got.map(({ body }) => JSON.parse(body).data.review)
    expect(first).toMatchObject({ id: 'review#1', tried: [], shortened: true })
    expect(first.laps).toBeUndefined()
    expect(second).toEqual({
      id: 'review#1',
      question: 'Größer? 日本',
      about: 'escape',
      deadline: 9,
      shortened: true,
    })
  })

  it.each([
    [503, {}, { status: 503 }],
    [
      429,
      { 'retry-after': '7' },
      { status: 429, headers: expect.objectContaining({ 'retry-after': '7' }) },
    ],
    [400, {}, { status: 400 }],
  ])('that answers %i has rejected it', async (status, headers, error) => {
    const { port } = await receiver(response => response.writeHead(status, headers).end('no'))
    await expect(send(specOf(`http://127.0.0.1:${port}/`))).rejects.toMatchObject({
      name: 'NotTaken',
      ...error,
    })
  })

  it('that redirects is not followed', async () => {
    const other = await receiver()
    const { got, port } = await receiver(response =>
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/` }).end(),
    )
    await expect(send(specOf(`http://127.0.0.1:${port}/`))).rejects.toThrow(
      'HTTP 307: redirects are not followed',
    )
    expect([got.length, other.got.length]).toEqual([1, 0])
  })

  it('with an endless response body counts as answered', async () => {
    const { port } = await receiver(response => {
      response.writeHead(200)
      const flood = setInterval(() => response.write('x'.repeat(10_000)), 1)
      response.on('close', () => clearInterval(flood))
    })
    expect(await send(specOf(`http://127.0.0.1:${port}/`))).toBe('HTTP 200')
  })

  it('that never answers is abandoned', async () => {
    const { port } = await receiver(() => {})
    await expect(send(specOf(`http://127.0.0.1:${port}/`, { timeout: 50 }))).rejects.toMatchObject({
      code: 'ETIMEDOUT',
    })
  })
})

describe('a notification is never sent', () => {
  const resolving =
    (...addresses: string[]) =>
    async () =>
      addresses

  it.each([
    ['127.0.0.1'],
    ['10.1.2.3'],
    ['192.168.0.7'],
    ['172.31.255.255'],
    ['169.254.169.254'],
    ['100.100.100.200'],
    ['0.0.0.0'],
    ['224.0.0.1'],
    ['255.255.255.255'],
    ['::1'],
    ['::'],
    ['fe80::1'],
    ['fd00:ec2::254'],
    ['::ffff:169.254.169.254'],
    ['::ffff:7f00:1'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::'],
    ['2001:db8::1'],
  ])('to %s, although the name is allowed', async address => {
    const spec = specOf('https://hooks.example.com/x', { insecure: undefined })
    await expect(send(spec, { resolve: resolving(address) })).rejects.toMatchObject({
      name: 'AddressRefused',
      message: expect.stringContaining(address),
    })
    // Nor where one of several is of that kind.
    await expect(
      send(spec, { resolve: resolving('93.184.215.14', address) }),
    ).rejects.toMatchObject({ name: 'AddressRefused' })
    expect(isPublic(address)).toBe(false)
  })

  it('to such an address in any notation, without a name', async () => {
    for (const host of ['2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '10.0.0.1', '[fe80::1]'])
      await expect(send(specOf(`https://${host}/`, { insecure: undefined }))).rejects.toMatchObject(
        { name: 'AddressRefused' },
      )
  })

  it('by http except to localhost, whatever the spec says', async () => {
    await expect(
      send(specOf('http://hooks.example.com/'), { resolve: resolving('93.184.215.14') }),
    ).rejects.toThrow('http: is not allowed to hooks.example.com')
    await expect(
      send(specOf('http://hooks.example.com/'), { resolve: resolving('10.0.0.1') }),
    ).rejects.toMatchObject({ name: 'AddressRefused' })
  })

  it('to a host that is not allowed or has no address', async () => {
    const spec = { ...specOf('https://hooks.example.com/'), allow: ['other.example.com'] }
    await expect(send(spec, { resolve: resolving('93.184.215.14') })).rejects.toThrow(
      'the host hooks.example.com is not allowed',
    )
    await expect(
      send(specOf('https://hooks.example.com/'), { resolve: resolving() }),
    ).rejects.toThrow('has no address')
  })

  it('to any address except the checked one, without resolving the name again', async () => {
    const { got, port } = await receiver()
    let asked = 0
    const resolve = async () => {
      asked++
      return ['127.0.0.1']
    }
    // No resolver knows this name: only the address that was checked leads anywhere.
    expect(await send(specOf(`http://rebinding.invalid:${port}/`), { resolve })).toBe('HTTP 204')
    expect([asked, got[0]?.headers.host]).toEqual([1, `rebinding.invalid:${port}`])
  })

  it('to private addresses of both families', () => {
    expect(
      ['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::200e'].map(isPublic),
    ).toEqual([true, true, true, true])
    expect(['nonsense', '', '1.2.3', '127.0.0.1.example'].map(isPublic)).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(['127.8.8.8', '::1', '128.0.0.1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('in a spec', () => {
  const fault = (over: Record<string, unknown>) =>
    notifier
      .safeParse({
        webhook: 'https://hooks.example.com/x',
        secretFrom: 'S',
        allow: ['hooks.example.com'],
        ...over,
      })
      .error?.issues.flatMap(issue => JSON.stringify(issue))

  it('a webhook requires https, an allowed host and a secret in the environment', () => {
    expect(fault({})).toBeUndefined()
    expect(String(fault({ webhook: 'http://hooks.example.com/x' }))).toMatch(/expected https/)
    expect(String(fault({ webhook: 'ftp://hooks.example.com/x', insecure: true }))).toMatch(
      /expected https/,
    )
    expect(String(fault({ webhook: 'https://other.example.com/' }))).toMatch(
      /'other\.example\.com' is not in/,
    )
    expect(String(fault({ webhook: 'https://me:secret@hooks.example.com/' }))).toMatch(
      /contains a user name or a password/,
    )
    expect(String(fault({ webhook: 'hooks.example.com' }))).toMatch(/expected a URL/)
    expect(String(fault({ secretFrom: 'not a name' }))).toMatch(/environment variable/)
    expect(String(fault({ allow: [] }))).toMatch(/Too small/)
  })

  it('each has a unique name, and is skipped by processes without its secret', () => {
    const hook = specOf('https://hooks.example.com/T0/secret', { insecure: undefined })
    const environment = { HOOK_SECRET: 'x' }
    const names = (notify: readonly NotifierSpec[], of: Readonly<Record<string, string>>) =>
      notifiersIn({ source: { notify } as unknown as Json }, () => {}, undefined, of).map(
        ({ name }) => name,
      )
    expect(names(['log', hook, hook], environment)).toEqual([
      'log',
      'webhook hooks.example.com',
      'webhook hooks.example.com 2',
    ])
    expect(names(['log', hook], {})).toEqual(['log'])
    expect(() => checkSecrets(['log', hook], {})).toThrow(
      'notify[1].secretFrom: the environment has no HOOK_SECRET',
    )
    expect(() => checkSecrets(['log', hook], environment)).not.toThrow()
  })
})
