/** Sends requests to a service. A refusal is a `ServiceError`. */
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

/** Sends requests with the key of the client. */
export class Requests {
  readonly options: ClientOptions
  readonly #url: string

  /** @throws TypeError for an address that `fetch` refuses, which a loop around each request would not notice */
  constructor(url: string, options: ClientOptions) {
    checkAddress(url)
    this.#url = url.replace(/\/$/, '')
    this.options = options
  }

  /** @throws ServiceError, and the error of `fetch` for a broken connection */
  async send(path: string, { method, query = {}, body, type, id, signal }: Sent) {
    const { key, fetch: send = fetch } = this.options
    const response = await send(`${this.#url}${path}${queryOf(query)}`, {
      method,
      headers: defined({
        authorization: key === undefined ? undefined : `Bearer ${key}`,
        'content-type': type,
        'idempotency-key': id,
      }),
      ...defined({ body, signal }),
    })
    if (response.ok) return response
    throw new ServiceError(await problemIn(response))
  }
}

function checkAddress(url: string): void {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new TypeError(
      `createClient: expected the address of a service (http or https), got ${JSON.stringify(url)}`,
    )
  if (parsed.username === '' && parsed.password === '') return
  parsed.username = parsed.password = ''
  throw new TypeError(
    `createClient: expected an address without a user and a password: ${JSON.stringify(parsed.href)}. Set \`key\``,
  )
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
