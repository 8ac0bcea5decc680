/** Who may call: API keys, the session of a browser, and the hosts and origins that are accepted. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type Role, ROLES } from '../contract/endpoint.ts'
import { Refused } from '../contract/problem.ts'
import { ANONYMOUS, type ApiKey, checkCallers, hashKey, SESSION } from './api-key.ts'

/** Who may call the service, and from where. */
export interface AccessOptions {
  readonly keys?: readonly ApiKey[]
  /** A one-time token. `POST /v1/session` exchanges it for a cookie with the role `admin`. */
  readonly token?: string
  /** The role of callers without a key. Absent: they are refused. */
  readonly anonymous?: Role
  /** Accepted host names. Default: `localhost`, `127.0.0.1` and `[::1]`. */
  readonly hosts?: readonly string[]
  /** Accepted origins of pages, besides the origin of the service itself. */
  readonly origins?: readonly string[]
}

export type Caller = Readonly<Pick<ApiKey, 'name' | 'role' | 'threads' | 'keys'>>

/** Whether a caller has a role. A role includes those before it. */
export const hasRole = (caller: Caller | undefined, role: Role): boolean =>
  caller !== undefined && ROLES.indexOf(caller.role) >= ROLES.indexOf(role)

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const SESSION_SECONDS = 8 * 3_600
/** The oldest session ends when there are more. */
const SESSIONS_MAX = 100
const COOKIE = 'escapement'

const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

export class Access {
  readonly #options: AccessOptions
  /** The ends of the sessions in ms, by the hashes of their secrets. */
  readonly #sessions = new Map<string, number>()
  #token: string | undefined

  /** @throws InvalidKey */
  constructor(options: AccessOptions) {
    checkCallers(options)
    this.#options = options
    this.#token = options.token
  }

  /** Protects a service on loopback from pages of other sites (DNS rebinding and cross-site requests). @throws Refused */
  checkSource(request: Request): void {
    const { hosts = LOOPBACK, origins = [] } = this.#options
    const url = new URL(request.url)
    const host = request.headers.get('host') ?? url.host
    const hostname = host.replace(/:\d+$/, '').toLowerCase()
    if (!hosts.includes(hostname)) {
      const detail = 'this host name is not accepted; the option `hosts` lists the accepted ones'
      throw new Refused(403, 'wrong-host', detail)
    }
    const origin = request.headers.get('origin')
    if (origin === null || origins.includes(origin)) return
    if (origin === `http://${host}` || origin === `https://${host}`) return
    throw new Refused(403, 'foreign-origin', 'requests from pages of this origin are not accepted')
  }

  /** The caller of a request. Every key is compared, in constant time. */
  callerOf(request: Request, now: number): Caller | undefined {
    const { keys = [], anonymous } = this.#options
    const given = /^Bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
    if (given !== undefined) {
      const hash = hashKey(given)
      return keys.filter(key => isEqual(key.hash, hash))[0]
    }
    const secret = cookieOf(request)
    if (secret !== undefined && (this.#sessions.get(hashKey(secret)) ?? 0) > now)
      return { name: SESSION, role: 'admin' }
    return anonymous && { name: ANONYMOUS, role: anonymous }
  }

  /** @throws Refused */
  static check(caller: Caller | undefined, role: Role): Caller {
    if (!caller)
      throw new Refused(401, 'not-authenticated', 'a valid API key or session is required')
    if (hasRole(caller, role)) return caller
    throw new Refused(
      403,
      'role-too-low',
      `this needs the role '${role}'; yours is '${caller.role}'`,
    )
  }

  /** Exchanges the one-time token for a cookie. @throws Refused */
  openSession(token: string, now: number, isSecure: boolean): string {
    if (this.#token === undefined || !isEqual(this.#token, token))
      throw new Refused(401, 'wrong-token', 'the token is wrong or was used before')
    this.#token = undefined
    const secret = randomBytes(32).toString('base64url')
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size >= SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest)
    this.#sessions.set(hashKey(secret), now + SESSION_SECONDS * 1_000)
    const secure = isSecure ? '; Secure' : ''
    return `${COOKIE}=${secret}; Path=/; Max-Age=${SESSION_SECONDS}; HttpOnly; SameSite=Strict${secure}`
  }
}

const cookieOf = (request: Request): string | undefined =>
  /(?:^|;\s*)escapement=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1]
