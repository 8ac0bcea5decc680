/** The client of the service: threads of another process, with the interface of a handle. */
import type { Breakpoint } from '../../core/control.ts'
import { guardOf } from '../../core/watch/data/fault.ts'
import { defined, type Json } from '../../core/watch/data/json.ts'
import type { CommandOptions } from '../../host/command.ts'
import type { BreakpointChange, InboxQuestion, NamedBreaker } from '../../host/overview.ts'
import type { ThreadFilter, ThreadPage } from '../../host/overview.ts'
import type { ForkOptions, ThreadEvent, ThreadHandle, ThreadResult } from '../../host/thread.ts'
import type { StartOptions } from '../../host/runtime.ts'
import type { ThreadCommands } from '../../host/thread-commands.ts'
import type { Migration } from '../../runtime/drive/migrate.ts'
import type { Command } from './contract/command.ts'
import type { Problem } from './contract/endpoint.ts'

/** The service refused a request. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** `stale-seq`, `unknown-thread`, and so on. */
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
}

type Remote = 'id' | 'events' | 'result' | 'state' | 'rows' | 'checkpoints'

/** A thread of the service. Its commands reject with `ServiceError` if they are refused. */
export interface ClientThread extends Pick<ThreadHandle, Remote>, ThreadCommands {
  /** Lifts a pause, and has the service drive the thread. Resolves once the pause is lifted. */
  resume(options?: CommandOptions): Promise<void>
  fork(options: ForkOptions): Promise<ClientThread>
}

/** The threads of a service. */
export interface Client {
  /** Starts a thread of the graph with this id. Resolves once its first event is stored. */
  start(
    graph: string,
    input: Json,
    options?: Pick<StartOptions, 'thread' | 'keys' | 'seed'>,
  ): Promise<ClientThread>
  thread(id: string): ClientThread
  threads(filter?: ThreadFilter): Promise<ThreadPage>
  questions(): Promise<readonly InboxQuestion[]>
  breakers(): Promise<readonly NamedBreaker[]>
  breakpoints(): Promise<readonly Breakpoint[]>
  changeBreakpoint(of: Breakpoint, change?: BreakpointChange): Promise<void>
}

/**
 * Creates a client of `escapement serve` or `createApp`.
 * @example const { outcome } = await createClient('http://localhost:4100', { key }).thread('ticket-44').result()
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const wire = new Wire(url, options)
  return {
    async start(graph, input, given = {}) {
      const { thread } = await wire.post<{ thread: string }>('/v1/threads', {
        graph,
        input,
        ...given,
      })
      return threadOf(wire, thread)
    },
    thread: id => threadOf(wire, id),
    threads: (filter = {}) => wire.get(`/v1/threads${queryOf(filter)}`),
    questions: async () =>
      (await wire.get<{ questions: readonly InboxQuestion[] }>('/v1/inbox')).questions,
    breakpoints: async () => (await wire.get<Listed>('/v1/breakpoints')).breakpoints,
    async changeBreakpoint(of, change = 'set') {
      await wire.post('/v1/breakpoints', { ...of, do: change })
    },
    breakers: async () =>
      (await wire.get<{ breakers: readonly NamedBreaker[] }>('/v1/breakers')).breakers,
  }
}

type Listed = { readonly breakpoints: readonly Breakpoint[] }

function threadOf(wire: Wire, id: string): ClientThread {
  const path = `/v1/threads/${encodeURIComponent(id)}`
  const perform = (command: Command, { id: key, signal }: CommandOptions = {}) =>
    wire.post<{ thread: string; migration?: Migration }>(
      `${path}/commands`,
      command,
      defined({ key, signal }),
    )
  const apply = async (command: Command, options: CommandOptions = {}) => {
    const { expectSeq } = options
    await perform({ ...command, ...defined({ expectSeq }) }, options)
    return { applied: true } as const
  }
  const thread: ClientThread = {
    id,
    events: options => eventsOf(wire, path, options),
    async result({ signal } = {}) {
      for await (const event of eventsOf(wire, path, defined({ signal })))
        if (event.type === 'ended') {
          const { type: _, thread: __, seq: ___, row: ____, ...result } = event
          return result as ThreadResult
        }
      signal?.throwIfAborted()
      throw new Error('the stream ended before the thread')
    },
    state: at => wire.get(`${path}${queryOf(defined({ at }))}`),
    async rows(options = {}) {
      const text = await (await wire.send(`${path}/rows${queryOf(options)}`)).text()
      return text.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line)]))
    },
    checkpoints: async (options = {}) =>
      (await wire.get<{ checkpoints: number[] }>(`${path}/checkpoints${queryOf(options)}`))
        .checkpoints,
    answer(question, answer, options) {
      const request = typeof answer === 'string' ? { decision: answer } : answer
      return apply({ do: 'answer', question, ...request } as Command, options)
    },
    send: (input, options) => apply({ do: 'send', input } as Command, options),
    cancel: (reason, options) => apply({ do: 'cancel', ...defined({ reason }) }, options),
    changePolicy: (change, options) => apply({ do: 'patch-policy', change } as Command, options),
    stop: (reason, options) => apply({ do: 'stop', ...defined({ reason }) }, options),
    pause: (reason, options) => apply({ do: 'pause', ...defined({ reason }) }, options),
    step: options => apply({ do: 'step' }, options),
    escape: (choice, options) => apply({ do: 'escape', ...choice }, options),
    rollback: options => apply({ do: 'rollback' }, options),
    dismiss: (finding, options) => apply({ do: 'dismiss', ...defined({ finding }) }, options),
    inject: (fault, options) => apply({ do: 'inject', ...fault }, options),
    async migrate({ graph, preview, ...options } = {}) {
      const { expectSeq } = options
      const command = { do: 'migrate', ...defined({ graph, preview, expectSeq }) } as const
      const { migration } = await perform(command, options)
      return { applied: true, ...defined({ migration }) }
    },
    continue: options => apply({ do: 'resume' }, options),
    async resume(options) {
      await apply({ do: 'resume' }, options)
    },
    async fork(request) {
      return threadOf(wire, (await perform({ do: 'fork', ...request } as Command)).thread)
    },
  }
  return thread
}

/** The delay in ms before a broken stream is opened again. */
const RETRY = 500

/** The events of a thread. A broken connection is opened again after the last event. */
async function* eventsOf(
  wire: Wire,
  path: string,
  { after = -1, until, signal }: Parameters<ThreadHandle['events']>[0] = {},
): AsyncGenerator<ThreadEvent> {
  for (let last = after; !signal?.aborted; ) {
    try {
      const query = queryOf(defined({ after: last, until }))
      const response = await wire.send(`${path}/stream${query}`, defined({ signal }))
      for await (const { event, data } of messagesIn(response)) {
        if (event === 'end') return
        if (event === 'error') throw new ServiceError({ title: '', status: 0, ...JSON.parse(data) })
        if (event !== 'batch') continue
        for (const each of (JSON.parse(data) as { events: ThreadEvent[] }).events) {
          if (each.type !== 'token') last = each.seq
          yield each
        }
      }
    } catch (error) {
      if (error instanceof ServiceError) throw error
    }
    if (!signal?.aborted) await new Promise(resolve => setTimeout(resolve, RETRY))
  }
}

async function* messagesIn({ body }: Response) {
  let buffer = ''
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    buffer += chunk
    const blocks = buffer.split('\n\n')
    buffer = blocks.pop() ?? ''
    for (const block of blocks) {
      const [, event = ''] = /^event: (.*)$/m.exec(block) ?? []
      const [, data = ''] = /^data: (.*)$/m.exec(block) ?? []
      yield { event, data }
    }
  }
}

interface Sent {
  readonly body?: unknown
  readonly key?: string
  readonly signal?: AbortSignal
}

/** Sends requests, and throws problems as errors. */
class Wire {
  readonly #url: string
  readonly #options: ClientOptions

  constructor(url: string, options: ClientOptions) {
    this.#url = url.replace(/\/$/, '')
    this.#options = options
  }

  async send(path: string, { body, key: idempotencyKey, signal }: Sent = {}): Promise<Response> {
    const { key, fetch: send = fetch } = this.#options
    const response = await send(`${this.#url}${path}`, {
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      ...defined({ signal }),
    })
    if (response.ok) return response
    throw new ServiceError((await response.json()) as Problem)
  }

  async get<T>(path: string): Promise<T> {
    return (await this.send(path)).json() as Promise<T>
  }

  async post<T>(path: string, body: unknown, sent: Omit<Sent, 'body'> = {}): Promise<T> {
    return (await this.send(path, { ...sent, body })).json() as Promise<T>
  }
}

function queryOf(request: object): string {
  const pairs = new URLSearchParams()
  for (const [name, value] of Object.entries(request)) pairs.set(name, String(value))
  return pairs.size > 0 ? `?${pairs}` : ''
}
