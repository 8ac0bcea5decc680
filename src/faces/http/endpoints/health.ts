/** Whether the service lives and is ready, and its figures in the text format of Prometheus. */
import type { Runtime } from '../../../host/runtime.ts'

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

/** Threads by graph, status and outcome, and breakers by state. Prometheus derives rates from them. */
export async function metrics(runtime: Runtime, openStreams: number): Promise<Response> {
  const [counts, breakers] = [await runtime.threadCounts(), await runtime.breakers()]
  const lines = [
    ...head('escapement_threads', 'Threads by graph, status and outcome.'),
    ...counts.map(({ graph, status, outcome = '', count }) => {
      return sample('escapement_threads', { graph, status, outcome }, count)
    }),
    ...head('escapement_breaker_open', 'Whether a breaker refuses calls (1) or not (0).'),
    ...breakers.map(({ resource, state }) => {
      return sample('escapement_breaker_open', { resource, state }, state === 'closed' ? 0 : 1)
    }),
    ...head('escapement_streams', 'Open event streams of this process.'),
    sample('escapement_streams', {}, openStreams),
  ]
  return new Response(`${lines.join('\n')}\n`, { headers: TEXT })
}

const head = (name: string, help: string) => [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`]

function sample(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`
}

const escaped = (text: string): string =>
  text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')
