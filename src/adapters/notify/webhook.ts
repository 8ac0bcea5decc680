/**
 * Notices by webhook, signed as Standard Webhooks asks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` and
 * `webhook-signature` over `id.timestamp.body`. A name is resolved once, every address of it must be public, and the one that was
 * checked is the one that is used. Redirects are not followed.
 */
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import {
  type ClientRequest,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP } from 'node:net'
import type { WebhookSpec } from '../../core/graph/spec/resource.ts'
import type { Notice, Notifier } from '../../runtime/ports.ts'
import { isLoopback, isPublic } from './address.ts'

/** What a webhook is made of: its part of the spec, and the secret itself. */
export interface WebhookParts {
  /** How the journal names it. */
  readonly name: string
  readonly spec: WebhookSpec
  readonly secret: string
  /** All addresses of a host. Default: the resolver of the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** The time notices are signed with, in ms. Default: the wall clock. */
  readonly now?: () => number
}

/** Characters of a body. */
const BODY_MAX = 65_536

/** The address of a webhook is not allowed. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** The receiver rejected the notice. */
class NotTaken extends Error {
  override readonly name = 'NotTaken'
  readonly status: number
  readonly headers: IncomingMessage['headers']
  constructor(status: number, headers: IncomingMessage['headers']) {
    super(
      status >= 300 && status < 400
        ? `HTTP ${status}: redirects are not followed`
        : `HTTP ${status}`,
    )
    this.status = status
    this.headers = headers
  }
}

/**
 * A notifier that sends notices by POST. What is not taken is thrown, with its status; where a notice must not go, it is refused before anything is sent.
 *
 * @example const hook = webhook({ name: 'desk', secret, spec: { webhook: url, secretFrom: 'HOOK_SECRET', timeout: 5_000, attempts: 3 } })
 */
export function webhook({
  name,
  spec,
  secret,
  resolve = resolveHost,
  now = Date.now,
}: WebhookParts): Notifier {
  const { webhook: url, allow, insecure = false, to, timeout, attempts } = spec
  return {
    name,
    ...(to ? { to } : {}),
    timeout,
    attempts,
    async send(notice, { id, signal }) {
      const target = new URL(url)
      const address = await addressOf(target, { allow, insecure, resolve })
      const at = now()
      const body = bodyOf(notice, at)
      // A name of a thread may hold anything; a header may not, and a dot ends the id in what is signed.
      const safe = encodeURIComponent(id.toWellFormed()).replaceAll('.', '%2E')
      const seconds = String(Math.floor(at / 1_000))
      const headers = {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': 'escapement',
        'idempotency-key': safe,
        'webhook-id': safe,
        'webhook-timestamp': seconds,
        'webhook-signature': `v1,${signatureOf(secret, `${safe}.${seconds}.${body}`)}`,
      }
      return post(target, { address, body, options: { method: 'POST', headers, signal, timeout } })
    },
  }
}

/** A secret written as Standard Webhooks does (`whsec_` and base64) counts by its bytes, any other by its text. */
function signatureOf(secret: string, content: string): string {
  const key = secret.startsWith('whsec_')
    ? Buffer.from(secret.slice(6), 'base64')
    : Buffer.from(secret, 'utf8')
  return createHmac('sha256', key).update(content).digest('base64')
}

interface AddressRules {
  readonly allow: readonly string[]
  readonly insecure: boolean
  readonly resolve: (host: string) => Promise<readonly string[]>
}

/** The address to use. @throws AddressRefused */
async function addressOf(
  { protocol, hostname }: URL,
  { allow, insecure, resolve }: AddressRules,
): Promise<string> {
  if (!allow.includes(hostname)) throw new AddressRefused(`the host ${hostname} is not allowed`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  const [address] = addresses
  if (address === undefined) throw new AddressRefused(`the host ${hostname} has no address`)
  const here = addresses.every(isLoopback)
  const fault = insecure && here ? undefined : addresses.find(each => !isPublic(each))
  if (fault !== undefined)
    throw new AddressRefused(
      `the host ${hostname} has the address ${fault}, which is not allowed: it is not public`,
    )
  if (protocol !== 'https:' && !(insecure && here))
    throw new AddressRefused(`${protocol} is not allowed to ${hostname}`)
  return address
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** What does not fit is left out: first the laps, then all but what the question is. The thread has it all. */
function bodyOf(notice: Notice, at: number): string {
  const { type, review, ...data } = notice
  const bodyWith = (shown: object) =>
    JSON.stringify({
      type,
      timestamp: new Date(at).toISOString(),
      data: { ...data, review: shown },
    })
  const { laps: _, effects: __, ...brief } = review
  const { id, question, about, to, deadline } = review
  const bodies = [
    () => bodyWith(review),
    () => bodyWith({ ...brief, shortened: true }),
    () =>
      bodyWith({ id, question: question.slice(0, 1_000), about, to, deadline, shortened: true }),
  ]
  return bodies.map(make => make()).find(body => body.length <= BODY_MAX) ?? ''
}

interface Post {
  readonly address: string
  readonly body: string
  readonly options: RequestOptions
}

/** Sends it to this very address, whatever the name resolves to by now. */
function post(url: URL, { address, body, options }: Post): Promise<string> {
  return new Promise((done, failed) => {
    const pinned: RequestOptions['lookup'] = (_host, { all }, answer) => {
      const family = isIP(address)
      if (all) answer(null, [{ address, family }])
      else answer(null, address, family)
    }
    const onResponse = (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response
      // Only the status counts: a body without end is not read.
      response.destroy()
      if (status >= 200 && status < 300) done(`HTTP ${status}`)
      else failed(new NotTaken(status, headers))
    }
    const made: ClientRequest = (url.protocol === 'https:' ? overHttps : overHttp)(
      url,
      { ...options, agent: false, lookup: pinned },
      onResponse,
    )
    made.on('timeout', () =>
      made.destroy(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
    )
    made.on('error', failed)
    made.end(body)
  })
}
