/** Responses of server-sent events. A slow client holds its own stream back, and no thread. */
import type { Problem } from '../contract/endpoint.ts'
import { within } from './batches.ts'
import type { StreamPlace } from './open-streams.ts'

/** Renders one message. */
export type Send = (event: string, data: unknown, id?: string | number) => string

/** What a stream needs of its service. */
interface StreamContext {
  /** Aborted when the service shuts down: streams end. */
  readonly closing: AbortSignal
  readonly place: StreamPlace
  readonly report: (error: unknown) => Problem
}

/** How a protocol differs from the streams of the service. */
interface StreamFormat {
  readonly headers?: Readonly<Record<string, string>>
  /** Renders the error that ends the stream. */
  readonly failed?: (problem: Problem) => string
  /** Called when the stream has ended. */
  readonly ended?: () => void
}

const failedMessage = ({ code, detail }: Problem): string => messageOf('error', { code, detail })

/** A comment: proxies close a connection without traffic. */
const HEARTBEAT = ': \n\n'

const HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  // nginx would collect the messages.
  'x-accel-buffering': 'no',
}

/** A response that sends messages as fast as its client reads them. */
export function eventStream(
  { place, closing, report }: StreamContext,
  gone: AbortSignal,
  messages: (send: Send, signal: AbortSignal) => AsyncGenerator<string>,
  { headers, failed = failedMessage, ended = () => {} }: StreamFormat = {},
): Response {
  const end = place.keep()
  const left = new AbortController()
  const signal = AbortSignal.any([gone, closing, left.signal])
  const source = messages(messageOf, signal)
  const encoder = new TextEncoder()
  const close = () => {
    end()
    ended()
    left.abort()
    // A generator that waits for its reader ends only when it is told.
    void source.return(undefined).catch(() => {})
  }
  if (gone.aborted) close()
  else gone.addEventListener('abort', close, { once: true })
  const read = () =>
    source.next().catch(error => ({ done: false as const, value: failed(report(error)) }))
  let next: ReturnType<typeof read> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start: controller => controller.enqueue(encoder.encode('retry: 2000\n\n')),
      async pull(controller) {
        next ??= read()
        const result = await within(next, place.heartbeat)
        if (!result) return controller.enqueue(encoder.encode(HEARTBEAT))
        next = undefined
        if (result.done) close()
        if (result.done) return controller.close()
        controller.enqueue(encoder.encode(result.value))
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  )
  return new Response(body, { headers: { ...HEADERS, ...headers } })
}

const messageOf: Send = (event, data, id) => {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${text}\n\n`
}
