/** Whether the service lives and is ready, and its metrics. */
import { Metrics } from '../../../adapters/telemetry/metrics.ts'
import type { Runtime } from '../../../host/runtime.ts'
import { Breaker } from '../contract/shared-state.ts'

const TEXT = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
}

/** How long an answer of the store counts, in ms. */
const READY_FOR = 1_000

/** Ready: the store answers, and the service does not shut down. */
export function readinessOf(runtime: Runtime, closing: AbortSignal): () => Promise<Response> {
  let asked: { readonly at: number; readonly isReady: Promise<boolean> } | undefined
  const isReady = () => {
    const now = Date.now()
    if (!asked || now - asked.at >= READY_FOR) {
      const answer = runtime.breakers().then(
        () => true,
        () => false,
      )
      asked = { at: now, isReady: answer }
    }
    return asked.isReady
  }
  return async () => {
    if (closing.aborted) return textResponse(503, 'closing')
    return (await isReady())
      ? textResponse(200, 'ready')
      : textResponse(503, 'the store does not answer')
  }
}

const textResponse = (status: number, text: string): Response =>
  new Response(`${text}\n`, { status, headers: TEXT })

/** The metrics of a runtime and its service. Threads and breakers are read from the store, which other processes change. */
export function metricsOf(runtime: Runtime, openStreams: () => number, closing: AbortSignal) {
  const metrics = new Metrics()
  const end = runtime.observe(update => {
    if (update.kind === 'rows') metrics.observe(update)
    if (update.kind === 'stuck') metrics.observeStuck(update.graph, update.reason.code)
  })
  closing.addEventListener('abort', end, { once: true })
  metrics.gauge('threads', 'Stored threads.', ['graph', 'status', 'outcome'], async () =>
    (await runtime.threadCounts()).map(({ graph, status, outcome = '', count }) => {
      return { labels: { graph, status, outcome }, value: count }
    }),
  )
  metrics.gauge(
    'breaker_state',
    'The state of a circuit breaker.',
    ['resource', 'state'],
    async () =>
      (await runtime.breakers()).flatMap(({ resource, state }) =>
        Breaker.shape.state.options.map(each => ({
          labels: { resource, state: each },
          value: Number(each === state),
        })),
      ),
  )
  metrics.gauge('streams', 'Open event streams of this process.', [], async () => [
    { labels: {}, value: openStreams() },
  ])
  return metrics.registry
}

export async function metricsResponse(registry: ReturnType<typeof metricsOf>): Promise<Response> {
  const headers = { 'content-type': registry.contentType, 'cache-control': 'no-store' }
  return new Response(await registry.metrics(), { headers })
}
