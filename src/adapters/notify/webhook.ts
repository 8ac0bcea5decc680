/**
 * Sends notices by webhook, signed as specified by Standard Webhooks (standardwebhooks.com): `webhook-id`, `webhook-timestamp` and
 * `webhook-signature` over `id.timestamp.body`. A host is resolved once, every address of it must be public, and the request goes
 * to the checked address. Redirects are not followed.
 */
import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { WebhookSpec } from '../../core/graph/spec/resource.ts'
import { defined } from '../../core/watch/data/json.ts'
import type { Notice, Notifier } from '../../runtime/notifier.ts'

/** The parts of a webhook: its entry in the spec, and the secret itself. */
export interface WebhookParts {
  /** The name in the journal. */
  readonly name: string
  readonly spec: WebhookSpec
  readonly secret: string
  /** Returns all addresses of a host. Default: the resolver of the system. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
  /** The time of the signature, in ms. Default: the wall clock. */
  readonly now?: () => number
}

/** Characters of a body. */
const BODY_MAX = 65_536

/** The address of a webhook is not allowed. */
class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** The receiver rejected the notice. */
function notTaken(status: number, headers: IncomingMessage['headers']): Error {
  const redirect = status >= 300 && status < 400 ? ': redirects are not followed' : ''
  return Object.assign(new Error(`HTTP ${status}${redirect}`), {
    name: 'NotTaken',
    status,
    headers,
  })
}

/**
 * A notifier that sends notices by POST. It rejects a forbidden address before it sends anything. If the receiver rejects the
 * notice, the error has its status.
 * @example const hook = webhook({ name: 'desk', secret, spec: { webhook: url, secretFrom: 'HOOK_SECRET', timeout: 5_000, attempts: 3 } })
 */
export function webhook(parts: WebhookParts): Notifier {
  const { name, spec, secret, resolve = resolveHost, now = Date.now } = parts
  const { webhook: url, to, timeout, attempts } = spec
  return {
    name,
    ...defined({ to: to || undefined }),
    timeout,
    attempts,
    async send(notice, { id, signal }) {
      const target = new URL(url)
      const address = await addressOf(target, spec, resolve)
      const at = now()
      const body = bodyOf(notice, at)
      // Thread names allow characters that headers forbid. A dot would end the id in the signed text.
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
      return post(target, address, body, { method: 'POST', headers, signal, timeout })
    },
  }
}

/** A secret in the notation of Standard Webhooks (`whsec_` and base64) is decoded. Any other secret is used as text. */
function signatureOf(secret: string, content: string): string {
  const encoded = secret.startsWith('whsec_')
  const key = encoded ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8')
  return createHmac('sha256', key).update(content).digest('base64')
}

/** The address to use. @throws AddressRefused */
async function addressOf(
  { protocol, hostname }: URL,
  { allow, insecure }: WebhookSpec,
  resolve: NonNullable<WebhookParts['resolve']>,
): Promise<string> {
  if (!allow.includes(hostname)) throw new AddressRefused(`the host ${hostname} is not allowed`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host)
  const [address] = addresses
  if (address === undefined) throw new AddressRefused(`the host ${hostname} has no address`)
  const isLocalTest = insecure === true && addresses.every(isLoopback)
  const refused = isLocalTest ? undefined : addresses.find(each => !isPublic(each))
  const wrong = `the host ${hostname} has the address ${refused}, which is not allowed: it is not public`
  if (refused !== undefined) throw new AddressRefused(wrong)
  if (protocol !== 'https:' && !isLocalTest)
    throw new AddressRefused(`${protocol} is not allowed to ${hostname}`)
  return address
}

async function resolveHost(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** Shortens a large notice: first without the laps and effects, then with the question only. The thread contains the rest. */
function bodyOf(notice: Notice, at: number): string {
  const { type, review, ...data } = notice
  const timestamp = new Date(at).toISOString()
  const { laps: _, effects: __, ...brief } = review
  const { id, about, to, deadline, judged } = review
  const core = { id, question: review.question.slice(0, 1_000), about, judged, to, deadline }
  for (const each of [review, { ...brief, shortened: true }, { ...core, shortened: true }]) {
    const body = JSON.stringify({ type, timestamp, data: { ...data, review: each } })
    if (body.length <= BODY_MAX) return body
  }
  return ''
}

/** Sends the body to this address, even if the host now resolves to another one. */
function post(url: URL, address: string, body: string, options: RequestOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const pinned: RequestOptions['lookup'] = (_host, { all }, answer) => {
      const family = isIP(address)
      if (all) answer(null, [{ address, family }])
      else answer(null, address, family)
    }
    const onResponse = (response: IncomingMessage) => {
      const { statusCode: status = 0, headers } = response
      // Only the status counts. The body may be endless.
      response.destroy()
      if (status >= 200 && status < 300) resolve(`HTTP ${status}`)
      else reject(notTaken(status, headers))
    }
    const send = url.protocol === 'https:' ? overHttps : overHttp
    const request = send(url, { ...options, agent: false, lookup: pinned }, onResponse)
    const timeout = Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })
    request.on('timeout', () => request.destroy(timeout))
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * Ranges by RFC 6890 and its successors: loopback, private, link-local (metadata services of clouds), carrier, documentation,
 * multicast and reserved.
 */
const closedV4 = blockList(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24',
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
)
/** Only 2000::/3 is public. It contains tunnels to any IPv4 address (Teredo, 6to4), and documentation. */
const openV6 = blockList('ipv6', '2000::/3')
const closedV6 = blockList('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20')

function blockList(family: 'ipv4' | 'ipv6', ...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges.join(' ').split(' ')) {
    const [network = '', prefix = '0'] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  return list
}

/** An IPv4 address in IPv6 notation (`::ffff:10.0.0.1`) is not public: no public name resolves to it. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !closedV4.check(address, 'ipv4')
  return isIPv6(address) && openV6.check(address, 'ipv6') && !closedV6.check(address, 'ipv6')
}

export const isLoopback = (address: string): boolean =>
  isIPv4(address) ? address.startsWith('127.') : address === '::1'
