/** Mail over real SMTP: what a recipient gets, and what is never sent. */
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { mail } from '../../src/adapters/notify/mail.ts'
import { type MailSpec, notifier } from '../../src/core/graph/spec/resource.ts'
import type { Review } from '../../src/core/review/review.ts'
import { FAILURE_RULES } from '../../src/core/watch/failure/failure-rules.ts'
import { classify, factsOf } from '../../src/core/watch/failure/failure.ts'
import type { Json } from '../../src/core/watch/data/json.ts'
import { checkSecrets, notifiersIn } from '../../src/host/drive/notifiers.ts'
import { notice } from './notice.ts'

interface Received {
  readonly recipients: readonly string[]
  readonly text: string
}

const servers: SMTPServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A local mail server. */
async function mailServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    async onData(stream, { envelope }, done) {
      const text = Buffer.concat(await stream.toArray()).toString('utf8')
      received.push({ recipients: envelope.rcptTo.map(({ address }) => address), text })
      done()
    },
    ...options,
  })
  server.on('error', () => {})
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { received, url: `smtp://127.0.0.1:${port}` }
}

const specOf = (server: string, over: Record<string, unknown> = {}): MailSpec =>
  notifier.parse({
    mail: ['desk@example.com', 'lead@example.com'],
    from: 'agent@example.com',
    server,
    insecure: true,
    ...over,
  }) as MailSpec

interface Sending {
  readonly password?: string
  readonly review?: Partial<Review>
}

function send(spec: MailSpec, { password, review }: Sending = {}): Promise<string> {
  const { send } = mail({ name: 'desk', spec, ...(password !== undefined && { password }) })
  return send(notice(review), {
    id: 't/review#1/0/mail',
    attempt: 1,
    signal: new AbortController().signal,
  })
}

const classOf = (error: unknown) => classify(factsOf(error), FAILURE_RULES).class

describe('a recipient', () => {
  it('gets the question, the reason, the state, the latest events and the command', async () => {
    const { received, url } = await mailServer()
    const review: Partial<Review> = {
      question: 'How to continue?',
      to: 'oncall',
      deadline: Date.UTC(2026, 0, 2),
      channels: { goal: '"refund"' },
      lately: [{ seq: 7, text: 'search {"q":"refund"} → []' }],
    }
    expect(await send(specOf(url), { review })).toMatch(/^250 /)
    const [{ recipients, text }] = received as [Received]
    expect(recipients).toEqual(['desk@example.com', 'lead@example.com'])
    const plain = text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
    for (const line of [
      'Subject: [t] How to continue?',
      'From: agent@example.com',
      'Auto-Submitted: auto-generated',
      'State:\r\n  goal: "refund"',
      'Thread t of g, for oncall.',
      'Answer before 2026-01-02T00:00:00.000Z.',
      'escapement show t --store FILE prints the evidence',
      'filename=notice.json',
    ])
      expect(plain).toContain(line)
    expect(plain).toMatch(/Latest events:\r\n {2}7 search \{"q":"refund"\}/)
  })

  it('can recognize the mail of a second attempt by its id', async () => {
    const { received, url } = await mailServer()
    await send(specOf(url))
    await send(specOf(url))
    const ids = received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1])
    expect(ids).toEqual([ids[0], ids[0]])
    expect(ids[0]).toContain('t%2Freview%231%2F0%2Fmail')
  })

  it('gets no header or recipient that a question contains', async () => {
    const { received, url } = await mailServer()
    const question = 'Continue?\r\nBcc: thief@example.com\r\n\r\nHello'
    await send(specOf(url), { review: { question } })
    const [{ recipients, text }] = received as [Received]
    expect(recipients).not.toContain('thief@example.com')
    const [head = ''] = text.split('\r\n\r\n')
    expect(head).not.toMatch(/^Bcc/m)
  })

  it('gets no line of its own that a question contains', async () => {
    const { received, url } = await mailServer()
    const question = 'Continue?\n\nWhy:\r\n  all is well\u009b2J'
    await send(specOf(url), { review: { question } })
    const [{ text }] = received as [Received]
    expect(text).toContain('Continue?')
    expect(text).not.toMatch(/^Why:\s+all is well/m)
    expect(text).toContain('all is well\\u009b2J')
  })
})

describe('a server', () => {
  it.each([
    [451, 'transient'],
    [550, 'persistent'],
  ])('that replies %i fails as %s', async (responseCode, failureClass) => {
    const { url } = await mailServer({
      onMailFrom: (_address, _session, done) =>
        done(Object.assign(new Error('no'), { responseCode })),
    })
    const error = await send(specOf(url)).catch(error => error)
    expect(error).toMatchObject({ name: 'NotTaken', message: `SMTP ${responseCode}` })
    expect(classOf(error)).toBe(failureClass)
  })

  it('gets the user and the password, and a wrong one is not tried again', async () => {
    const known: unknown[] = []
    const { url, received } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        known.push([username, password])
        done(password === 'right' ? null : new Error('no'), { user: username })
      },
    })
    const spec = specOf(url, { user: 'agent', secretFrom: 'SMTP_PASSWORD' })
    await send(spec, { password: 'right' })
    expect([known, received.length]).toEqual([[['agent', 'right']], 1])
    const error = await send(spec, { password: 'wrong' }).catch(error => error)
    expect(classOf(error)).toBe('persistent')
  })

  it('that never answers is abandoned', async () => {
    const { url } = await mailServer({ onConnect: () => {} })
    const error = await send(specOf(url, { timeout: 50 })).catch(error => error)
    expect(error.code).toBe('ETIMEDOUT')
    expect(classOf(error)).toBe('transient')
  })

  it('without encryption gets neither a password nor a mail', async () => {
    const tried: unknown[] = []
    const { url, received } = await mailServer({
      onAuth: (auth, _session, done) => {
        tried.push(auth)
        done(null, {})
      },
    })
    const spec = specOf(url, { insecure: undefined, user: 'agent', secretFrom: 'SMTP_PASSWORD' })
    await expect(send(spec, { password: 'right' })).rejects.toThrow()
    expect([tried, received]).toEqual([[], []])
  })

  it.each([
    ['smtp', 587],
    ['smtps', 465],
  ])('without a port is called at the port of %s', async (protocol, port) => {
    const error = await send(specOf(`${protocol}://127.0.0.1`)).catch(error => error)
    expect(String(error)).toContain(`127.0.0.1:${port}`)
  })

  it('with a certificate that no authority signed gets no mail', async () => {
    const { url, received } = await mailServer({ disabledCommands: [] })
    await expect(send(specOf(url, { insecure: undefined }))).rejects.toThrow(/certificate/)
    expect(received).toEqual([])
  })
})

describe('in a spec', () => {
  const faults = (over: Record<string, unknown>) =>
    JSON.stringify(
      notifier.safeParse({
        mail: ['desk@example.com'],
        from: 'agent@example.com',
        server: 'smtps://smtp.example.com',
        ...over,
      }).error?.issues ?? 'none',
    )

  it('mail requires addresses, an encrypted server, and a user with a password', () => {
    expect(faults({})).toBe('"none"')
    expect(faults({ mail: ['desk'] })).toContain('email')
    expect(faults({ server: 'smtp.example.com' })).toContain('expected a URL')
    expect(faults({ server: 'https://smtp.example.com' })).toContain('smtps://HOST')
    expect(faults({ server: 'smtps://me:secret@smtp.example.com' })).toContain('use `user`')
    expect(faults({ user: 'agent' })).toContain('expected both `user` and `secretFrom`')
    expect(faults({ insecure: true })).toContain('expected a server on this machine')
  })

  it('is skipped by processes without its password, which `run` requires', () => {
    const spec = specOf('smtp://127.0.0.1', { user: 'agent', secretFrom: 'SMTP_PASSWORD' })
    expect(() => checkSecrets([spec], {})).toThrow(
      'notify[0].secretFrom: the environment has no SMTP_PASSWORD, the password of the mail server',
    )
    const named = (environment: Record<string, string>) =>
      notifiersIn(
        { source: { notify: [spec, spec] } as unknown as Json },
        () => {},
        undefined,
        environment,
      ).map(({ name }) => name)
    expect(named({})).toEqual([])
    expect(named({ SMTP_PASSWORD: 'right' })).toEqual(['mail 127.0.0.1', 'mail 127.0.0.1 2'])
  })
})
