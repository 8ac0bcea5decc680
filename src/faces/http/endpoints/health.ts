/** Whether the service lives and is ready, and its metrics. */
import { Metrics } from '../../../adapters/telemetry/metrics.ts'
import type { Runtime } from '../../../host/runtime.ts'
import { Breaker } from '../contract/contract.ts'

const TEXT = {
  'content-type': 'text/plain; version=0.0.4; charset=utf-8',
  'cache-control': 'no-store',
}

/** Ready: the store answers, and the service does not shut down. */
export async function readiness(runtime: Runtime, closing: AbortSignal): Promise<Response> {
  if (closing.aborted) return new Response('closing\n', { status: 503, headers: TEXT })
  const isReady = await runtime.breakers().then(
    () => true,
    () => false,
  )
  const status = isReady ? 200 : 503
  return new Response(isReady ? 'ready\n' : 'the store does not answer\n', {
    status,
    headers: TEXT,
  })
}

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
