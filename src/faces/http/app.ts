/** The service: `createApp` serves a runtime over HTTP, in any server that takes a `fetch` function. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { checkOptionNames } from '../../core/watch/data/fault.ts'
import { escapeControls } from '../../core/watch/data/invisible.ts'
import { defined } from '../../core/watch/data/json.ts'
import { VERSION } from '../../core/watch/parts.ts'
import type { Runtime } from '../../host/runtime.ts'
import type { ThreadHandle } from '../../host/thread/thread.ts'
import { withYields } from '../../host/drive/yielding.ts'
import { isConflict } from '../../runtime/store/store.ts'
import { APP_OPTIONS, type AppOptions, type LogLine } from './app-options.ts'
import { Access } from './access/access.ts'
import { ANONYMOUS } from './access/api-key.ts'
import { type LimitOptions, parseBody, RateLimit, readBody } from './access/limits.ts'
import { runtimeFor } from './access/caller-runtime.ts'
import { checkScopes } from './access/scope-keys.ts'
import { checkShared } from './access/tenant.ts'
import { CONTRACT, SSE } from './contract/contract.ts'
import type { Endpoint } from './contract/endpoint.ts'
import { openapi } from './contract/openapi.ts'
import { parseAs, problemOf, Refused } from './contract/problem.ts'
import { commands } from './endpoints/commands.ts'
import { graphs } from './endpoints/graphs.ts'
import type { Audit, Call, Handler, Handlers, Service } from './endpoints/handler.ts'
import { checkKey } from './endpoints/idempotency.ts'
import { metricsOf, metricsResponse, readinessOf } from './endpoints/health.ts'
import { queries } from './endpoints/query.ts'
import { store } from './endpoints/store.ts'
import { streams } from './endpoints/streams.ts'
import { threads } from './endpoints/threads.ts'
import { agUi } from './protocols/ag-ui/ag-ui.ts'
import { mcp } from './protocols/mcp/mcp.ts'
import { chat } from './protocols/chat/chat.ts'
import { langGraph } from './protocols/langgraph/langgraph.ts'
import { LiveLog } from './stream/live-log.ts'
import { NO_STREAM, OpenStreams } from './stream/open-streams.ts'
import { closingRuntime } from './closing-runtime.ts'
import { inspector } from './page/page.ts'
import { unknownPath } from './unknown-path.ts'

/** A service that any server can mount. */
export interface App {
  readonly fetch: (request: Request, env?: unknown) => Promise<Response>
}

/**
 * Creates the service of a runtime. It drives the threads that it starts; `runtime.work()` drives the others.
 * Callers need an API key or a session, unless `anonymous` gives them a role.
 * @throws InvalidKey
 * @example serve({ fetch: createApp(runtime, { anonymous: 'operate' }).fetch, port: 4100, hostname: '127.0.0.1' })
 */
export function createApp(runtime: Runtime, options: AppOptions = {}): App {
  checkOptionNames(options, APP_OPTIONS)
  const { limits = {}, signal = new AbortController().signal, log = () => {} } = options
  const openStreams = new OpenStreams(limits)
  const access = new Access(options)
  checkScopes(options.keys ?? [], runtime.graphs)
  const report = (error: unknown) => {
    const problem = problemOf(error)
    if (problem.status === 500) log(errorLine(error))
    return problem
  }
  const drive = (handle: ThreadHandle) =>
    void handle.drive().catch(error => {
      if (isConflict(error) || signal.aborted) return
      log({ ...errorLine(error), thread: handle.id })
    })
  const shared = { version: VERSION, closing: signal, report, drive }
  const service: Service = { runtime: closingRuntime(runtime, signal), access, ...shared }
  const handlers: Handlers = {
    ...threads,
    ...commands,
    ...store,
    ...queries(),
    ...graphs,
    ...chat,
    ...agUi,
    ...langGraph,
    ...mcp(options.mcp ?? {}),
    ...streams(new LiveLog(runtime, signal), options.batches ?? {}),
  }
  const requests = { service, limits, log, openStreams, rate: new RateLimit(limits) }
  const app = new Hono()
  const apiHeaders = secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  })
  const page = options.inspector ? inspector() : undefined
  app.use((c, next) => (page?.has(c.req.path) ? page.headers(c, next) : apiHeaders(c, next)))
  if (page) app.get('*', (c, next) => page.fileAt(c.req.path) ?? next())
  if (options.origins) app.use(corsOf(options.origins))
  for (const [id, endpoint] of Object.entries<Endpoint>(CONTRACT)) {
    const handler = handlers[id as keyof Handlers] as Handler<unknown, unknown>
    app[endpoint.method](routeOf(endpoint), c => {
      const address = addressIn(c.env)
      return respond(requests, {
        id,
        endpoint,
        handler,
        address,
        request: c.req.raw,
        params: c.req.param(),
      })
    })
  }
  addOperations(app, requests)
  for (const [path, methods] of methodsByPath()) app.all(path, () => methodRefused(methods))
  app.notFound(c => problemResponse(unknownPath(c.req.path)))
  app.onError(error => problemResponse(error, log))
  const fetch = async (request: Request, env?: unknown) => {
    try {
      if (!PROBES.has(new URL(request.url).pathname)) access.checkSource(request)
    } catch (error) {
      return problemResponse(error)
    }
    return app.fetch(request, env as object)
  }
  // Many requests are answered without a call of the runtime.
  return withYields({ fetch }, [])
}

/** Routes for those who operate the service. */
function addOperations(app: Hono, { service, openStreams, rate }: Shared): void {
  const { runtime, closing, access } = service
  const description = JSON.stringify(openapi(VERSION))
  const registry = metricsOf(runtime, () => openStreams.count, closing)
  app.get('/openapi.json', c => {
    rate.take(addressIn(c.env), Date.now())
    return new Response(description, { headers: { 'content-type': 'application/json' } })
  })
  app.get('/healthz', () => new Response('ok\n'))
  app.get('/readyz', readinessOf(runtime, closing))
  app.get('/metrics', async c => {
    rate.take(addressIn(c.env), Date.now())
    checkShared(Access.check(access.callerOf(c.req.raw, Date.now()), 'view'))
    return metricsResponse(registry)
  })
}

/** The path of an endpoint as the router writes it. */
const routeOf = ({ path }: Endpoint): string => path.replace(/\{(\w+)\}/g, ':$1')

function methodsByPath(): ReadonlyMap<string, readonly string[]> {
  const byPath = Map.groupBy(Object.values<Endpoint>(CONTRACT), routeOf)
  return new Map(
    [...byPath].map(([path, of]) => [path, of.map(({ method }) => method.toUpperCase())]),
  )
}

function methodRefused(methods: readonly string[]): Response {
  const allow = methods.join(', ')
  const response = problemResponse(new Refused(405, 'wrong-method', `expected ${allow}`))
  response.headers.set('allow', allow)
  return response
}

/** Lets the pages of other origins call the service. The answers to their preflights are kept for ten minutes. */
const corsOf = (origins: readonly string[]) =>
  cors({
    origin: [...origins],
    allowHeaders: ['authorization', 'content-type', 'idempotency-key', 'last-event-id'],
    exposeHeaders: ['retry-after', 'x-vercel-ai-ui-message-stream'],
    maxAge: 600,
  })

/** Paths that tell only whether the service works. A probe names the address of a container as the host. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

interface Requested {
  readonly id: string
  readonly endpoint: Endpoint
  readonly handler: Handler<unknown, unknown>
  readonly address: string
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
}

interface Shared {
  readonly service: Service
  readonly limits: LimitOptions
  readonly log: NonNullable<AppOptions['log']>
  readonly rate: RateLimit
  readonly openStreams: OpenStreams
}

/** Checks a request, calls its handler, and renders the result. */
async function respond(shared: Shared, of: Requested): Promise<Response> {
  const { service, log } = shared
  const { id, endpoint, request, params } = of
  const now = Date.now()
  const caller = service.access.callerOf(request, now)
  const action: Record<string, string | number> = {}
  const audit: Audit = fields => void Object.assign(action, defined(fields))
  const response = await callHandler(shared, of, { caller, now, audit }).catch(error => {
    audit({ code: problemOf(error).code })
    return problemResponse(error, log)
  })
  // A handler of a reader's endpoint that changes something says so.
  const isChange = endpoint.method === 'post' && endpoint.role !== 'view'
  if (isChange || action.do !== undefined) {
    const who = caller?.name ?? 'unknown'
    log({
      at: now,
      audit: id,
      who,
      role: caller?.role,
      address: of.address,
      status: response.status,
      ...params,
      ...action,
    })
  }
  // Only a body that is read or cancelled frees its stream.
  if (request.method === 'HEAD') await response.body?.cancel()
  return response
}

async function callHandler(
  { service, limits, rate, openStreams }: Shared,
  { endpoint, handler, request, params, address }: Requested,
  { caller, now, audit }: Pick<Call<unknown, unknown>, 'caller' | 'now' | 'audit'>,
): Promise<Response> {
  const payer = caller && caller.name !== ANONYMOUS ? `caller ${caller.name}` : address
  rate.take(payer, now)
  if (endpoint.role) Access.check(caller, endpoint.role)
  checkKey(endpoint, request)
  const { bodyBytes = 1_048_576, archiveBytes = 67_108_864, bodyTime = 10_000 } = limits
  const hasBody = endpoint.body !== undefined || endpoint.accepts !== undefined
  const most = endpoint.accepts ? archiveBytes : bodyBytes
  if (hasBody) checkType(request, endpoint.accepts ?? ['application/json'])
  const bytes = hasBody ? await readBody(request, most, bodyTime) : Buffer.alloc(0)
  const { body: bodySchema, query: querySchema } = endpoint
  const body = bodySchema && parseAs(bodySchema, parseBody(bytes.toString('utf8')), 'body')
  const all = [...new URL(request.url).searchParams]
  const given = Object.fromEntries(all.filter(([, value]) => value !== ''))
  const query = querySchema && parseAs(querySchema, given, 'query')
  const place = endpoint.returns === SSE ? openStreams.reserve(payer) : NO_STREAM
  const of = { params, query, body, bytes, request, caller, now, audit, place }
  const runtime = runtimeFor(service.runtime, caller)
  const result = await handler({ ...service, runtime, ...of }).finally(() => place.giveBack())
  if (result instanceof Response) return result
  return Response.json(result, {
    status: endpoint.status,
    headers: { 'cache-control': 'no-store' },
  })
}

/** @throws Refused */
function checkType({ headers }: Request, expected: readonly string[]): void {
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  if (!expected.includes(type.trim().toLowerCase()))
    throw new Refused(
      415,
      'wrong-type',
      `the body must have content-type: ${expected.join(' or ')}`,
    )
}

function problemResponse(error: unknown, log?: AppOptions['log']): Response {
  const problem = problemOf(error)
  if (problem.status === 500) log?.(errorLine(error))
  const headers = new Headers({
    'content-type': 'application/problem+json',
    'cache-control': 'no-store',
  })
  if (problem.status === 429 || problem.status === 503) headers.set('retry-after', '1')
  if (problem.status === 401) headers.set('www-authenticate', 'Bearer')
  // A client may print it: names of the request are in it.
  return new Response(escapeControls(JSON.stringify(problem)), { status: problem.status, headers })
}

const errorLine = (error: unknown): LogLine => {
  return { at: Date.now(), error: String((error as Error)?.stack ?? error) }
}

/** The address of the client, if the server passes it. */
function addressIn(env: unknown): string {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress ?? 'unknown'
}
