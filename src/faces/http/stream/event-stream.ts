/** Responses of server-sent events. A slow client holds its own stream back, and no thread. */
import type { Problem } from '../contract/endpoint.ts'
import { Refused } from '../contract/problem.ts'

/** Renders one message. */
export type Send = (event: string, data: unknown, id?: string | number) => string

/** What a service shares with its streams. */
interface Streams {
  /** Aborted when the service shuts down: streams end. */
  readonly closing: AbortSignal
  readonly openStreams: { count: number; readonly max: number }
  readonly report: (error: unknown) => Problem
}

/** How a protocol differs from the streams of the service. */
interface StreamFormat {
  readonly headers?: Readonly<Record<string, string>>
  /** Renders the error that ends the stream. */
  readonly failed?: (problem: Problem) => string
}

const failedMessage = ({ code, detail }: Problem): string => messageOf('error', { code, detail })

/** A request that changes something checks the place of its stream before. @throws Refused */
export function checkPlace({ count, max }: Streams['openStreams']): void {
  if (count >= max)
    throw new Refused(503, 'too-many-streams', 'the service has no place for another stream')
}

/** A response that sends messages as fast as its client reads them. */
export function eventStream(
  { openStreams, closing, report }: Streams,
  gone: AbortSignal,
  messages: (send: Send, signal: AbortSignal) => AsyncGenerator<string>,
  { headers, failed = failedMessage }: StreamFormat = {},
): Response {
  checkPlace(openStreams)
  openStreams.count++
  const left = new AbortController()
  const signal = AbortSignal.any([gone, closing, left.signal])
  const source = messages(messageOf, signal)
  const encoder = new TextEncoder()
  let isOpen = true
  const close = () => {
    if (isOpen) openStreams.count--
    isOpen = false
    left.abort()
    // A generator that waits for its reader ends only when it is told.
    void source.return(undefined).catch(() => {})
  }
  if (gone.aborted) close()
  else gone.addEventListener('abort', close, { once: true })
  const body = new ReadableStream<Uint8Array>(
    {
      start: controller => controller.enqueue(encoder.encode('retry: 2000\n\n')),
      async pull(controller) {
        const { done, value } = await source.next().catch(error => {
          return { done: false as const, value: failed(report(error)) }
        })
        if (done) close()
        if (done) return controller.close()
        controller.enqueue(encoder.encode(value))
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', ...headers },
  })
}

const messageOf: Send = (event, data, id) => {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`
}
