/** Sends requests to a service. A refusal is a `ServiceError`. */
import { oneLine } from '../../../core/watch/data/invisible.ts'
import { guardOf } from '../../../core/watch/data/fault.ts'
import { defined } from '../../../core/watch/data/json.ts'
import type { Problem } from '../contract/endpoint.ts'

/** The service refused a request. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** `stale-seq`, `unknown-thread`, and so on. `http-502` and so on for a response that is not from the service. */
  readonly code: string
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail)
    this.code = problem.code
    this.problem = problem
  }
}

/** Whether an error is a `ServiceError`. */
export const isServiceError = guardOf(ServiceError)

/** The options of `createClient`. */
export interface ClientOptions {
  /** An API key. */
  readonly key?: string
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch
  /** How often a broken stream is opened again before it has news. Default: 10, in about three minutes. */
  readonly retries?: number
}

/** The options of one request. */
export interface RequestOptions {
  /** The `Idempotency-Key` of a start or a command. */
  readonly id?: string
  readonly signal?: AbortSignal
}

interface Sent extends RequestOptions {
  readonly method: string
  readonly query?: object
  readonly body?: string
  /** The media type of the body. */
  readonly type?: string
}

/** A file with a key often ends with a line break, which `fetch` removes. */
const KEY = /^\s*[\x21-\x7e]+\s*$/

/** Sends requests with the key of the client. */
export class Requests {
  readonly options: ClientOptions
  readonly #url: string

  /** @throws TypeError for an address that is not one of a service, and for a key that no header takes */
  constructor(url: string, options: ClientOptions) {
    // `fetch` would show it in its error.
    if (options.key !== undefined && !KEY.test(options.key))
      throw new TypeError('createClient: key: expected ASCII characters without blanks')
    this.#url = addressOf(url)
    this.options = options
  }

  /** @throws ServiceError, and an error that names the address for a broken connection */
  async send(path: string, sent: Sent) {
    const response = await this.#fetch(this.#url + path, sent)
    if (response.ok) return response
    throw new ServiceError(await problemIn(response))
  }

  async #fetch(address: string, { method, query = {}, body, type, id, signal }: Sent) {
    const { key, fetch: send = fetch } = this.options
    const headers = defined({
      authorization: key === undefined ? undefined : `Bearer ${key}`,
      'content-type': type,
      'idempotency-key': id,
    })
    try {
      return await send(address + queryOf(query), { method, headers, ...defined({ body, signal }) })
    } catch (error) {
      // Some requests are refused at once: a loop that ignores errors would let no timer run.
      await new Promise(resolve => setTimeout(resolve))
      throw signal?.aborted ? error : unreachable(address, error as Error)
    }
  }
}

/** An address without a slash at its end. */
function addressOf(url: string): string {
  const { protocol = '', origin, pathname, search, hash, username, password } = URL.parse(url) ?? {}
  const refuse = (expected: string, shown: string): never => {
    throw new TypeError(`createClient: expected ${expected}${oneLine(shown)}`)
  }
  const address = `${origin}${pathname}`
  if (!/^https?:$/.test(protocol))
    return refuse(
      'the address of a service (http or https)',
      // A password, a query and a fragment may be secrets.
      /[@?#]/.test(url) ? '' : `, got ${JSON.stringify(url)}`,
    )
  if (username || password)
    return refuse('an address without a user and a password', `: ${address}. Set \`key\``)
  if (search || hash) return refuse('an address without a query and a fragment', `: ${address}`)
  return address.replace(/\/$/, '')
}

/** The error of `fetch`, a `TypeError`, says neither the address nor, in most systems, what has happened. */
function unreachable(address: string, error: Error): Error {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = cause?.message || cause?.code || error.message
  const message = `the request to ${address} failed: ${why}`
  return Object.assign(new TypeError(message, { cause: error }), defined({ code: cause?.code }))
}

/** The problem of a response. A proxy answers with another body. */
async function problemIn(response: Response): Promise<Problem> {
  const { status } = response
  const isProblem = /^application\/problem\+json/.test(response.headers.get('content-type') ?? '')
  const text = await response.text().catch(() => '')
  if (isProblem) return JSON.parse(text) as Problem
  const detail = `status ${status} instead of a response of the service`
  return { title: response.statusText, status, code: `http-${status}`, detail }
}

function queryOf(query: object): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) pairs.set(name, String(value))
  return pairs.size > 0 ? `?${pairs}` : ''
}
