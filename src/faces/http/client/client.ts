/** The client of the service: threads of another process, with the interface of a runtime and its handles. */
import { defined, type Json } from '../../../core/watch/data/json.ts'
import type { Overview } from '../../../host/overview.ts'
import type { Runtime, StartOptions } from '../../../host/runtime.ts'
import { type Calls, callsOf } from './calls.ts'
import { type ClientOptions, isServiceError, type RequestOptions, Requests } from './requests.ts'
import { type ClientThread, threadOf } from './thread.ts'

type OfRuntime = Pick<Runtime, 'unreachable'> &
  Omit<Overview, 'graphs' | 'threadCounts' | 'follow' | 'isSameRequest' | 'join'>

/** The threads of a service, and what they share. */
export interface Client extends OfRuntime {
  /** Every endpoint of the service, by its id in OpenAPI. */
  readonly calls: Calls
  /** Starts a thread of the graph with this id. Resolves once its first event is stored. */
  start(
    graph: string,
    input: Json,
    options?: Pick<StartOptions, 'thread' | 'keys' | 'policy' | 'seed'> & RequestOptions,
  ): Promise<ClientThread>
  thread(id: string): ClientThread
  /** The graphs of the service. */
  graphs: () => Promise<Awaited<ReturnType<Calls['graphs']>>['graphs']>
  /** The spec of a graph, its lint findings, and the most it can spend. */
  graph: (graph: string) => ReturnType<Calls['graph']>
  /** A drawing of a graph. Default: as text. */
  drawing(graph: string, as?: 'text' | 'mermaid' | 'dot' | 'json'): Promise<string>
  /** The version of the service, and the role of the caller. */
  meta: () => ReturnType<Calls['meta']>
}

/**
 * Creates a client of `escapement serve` or `createApp`.
 * @throws TypeError for an address that is not one of http or https, or that contains a password
 * @example const { outcome } = await createClient('http://localhost:4100', { key }).thread('ticket-44').result()
 */
export function createClient(url: string, options: ClientOptions = {}): Client {
  const calls = callsOf(new Requests(url, options))
  const thread = (id: string) => threadOf(calls, id, options.retries)
  return {
    calls,
    async start(graph, input, { id, signal, ...given } = {}) {
      const { policy, ...names } = given
      const changed = policy && { policy: policy as never }
      const body = { graph, input: input as never, ...names, ...changed }
      return thread((await calls.startThread({ body }, defined({ id, signal }))).thread)
    },
    thread,
    ...sharedOf(calls),
    graphs: async () => (await calls.graphs()).graphs,
    graph: graph => calls.graph({ params: { graph } }),
    drawing: async (graph, as) =>
      (await calls.drawing({ params: { graph }, query: { as } })).text(),
    meta: () => calls.meta(),
  }
}

/** What threads share. The contract describes the values of a runtime. */
function sharedOf(calls: Calls): OfRuntime {
  return {
    threads: async (filter = {}) => (await calls.listThreads({ query: filter })) as never,
    tallies: async (query = {}) => (await calls.tallies({ query })).tallies as never,
    unreachable: async () =>
      (await calls.listThreads({ query: { stale: 'true' } })).threads as never,
    questions: async (options = {}) => (await calls.inbox({ query: options })).questions as never,
    answered: async (options = {}) => (await calls.answered({ query: options })).answered as never,
    breakers: async () => (await calls.breakers()).breakers as never,
    changeBreaker: async (resource, change, ms) =>
      (await calls.breaker({ params: { resource }, body: { do: change, ms } })) as never,
    breakpoints: async () => (await calls.breakpoints()).breakpoints as never,
    async changeBreakpoint(of, change = 'set') {
      await calls.changeBreakpoint({ body: { ...of, do: change } })
    },
    scopes: async () => (await calls.scopes()).scopes as never,
    async releaseScope(of) {
      const released = calls.releaseScope({ body: of })
      return released.then(
        () => true,
        error => {
          if (isServiceError(error) && error.code === 'unknown-scope') return false
          throw error
        },
      )
    },
    // The service has limits of its own for the time and the size.
    query: (sql, { rows } = {}) => calls.query({ body: { sql, ...defined({ rows }) } }),
    async importThread(lines, as) {
      const all: string[] = []
      for await (const line of lines) all.push(`${line}\n`)
      return (await calls.importThread({ text: all.join(''), query: { as } })).thread
    },
  }
}
