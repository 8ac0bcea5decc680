/** What a handler receives and returns. Handlers parse, call the runtime, and render. */
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { Runtime } from '../../../host/runtime.ts'
import type { ThreadHandle } from '../../../host/thread/thread.ts'
import type { Access, Caller } from '../access/access.ts'
import type { CONTRACT } from '../contract/contract.ts'
import type { Problem } from '../contract/endpoint.ts'
import type { StreamPlace } from '../stream/open-streams.ts'

/** What all handlers of an app share. */
export interface Service {
  readonly runtime: Runtime
  readonly access: Access
  readonly version: string
  /** Aborted when the service shuts down: streams end. */
  readonly closing: AbortSignal
  /** The problem of an error, for a client. An internal error is logged. */
  readonly report: (error: unknown) => Problem
  /** Drives a thread in the background. A failure is logged. */
  readonly drive: (handle: ThreadHandle) => void
}

/** What a request has done, for the audit log. */
export type Audit = (fields: Readonly<Record<string, string | number | undefined>>) => void

export interface Call<Query, Body> extends Service {
  /** The place of the stream that an endpoint returns. */
  readonly place: StreamPlace
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Query
  readonly body: Body
  /** The body of an endpoint that accepts other types than JSON. */
  readonly bytes: Buffer
  readonly request: Request
  readonly caller: Caller | undefined
  /** Adds what the request has done to its line of the audit log. */
  readonly audit: Audit
  readonly now: number
}

/** A response, or the value to send as JSON. */
export type Handler<Query, Body> = (call: Call<Query, Body>) => Promise<unknown>

type Contract = typeof CONTRACT
export type Handlers<Names extends keyof Contract = keyof Contract> = {
  readonly [K in Names]: Handler<OutputOf<Contract[K], 'query'>, OutputOf<Contract[K], 'body'>>
}

/** What a schema of an endpoint produces. */
type OutputOf<E, Field extends string> =
  E extends Readonly<Record<Field, z.ZodType<infer Value>>> ? Value : undefined

/** Characters that are sent together: a write for each line would cost more than the line. */
const CHUNK = 65_536

/** Sends lines that are ready, in chunks. The source is read as fast as the client reads. */
export function lines(source: AsyncIterable<string>): Response {
  const iterator = source[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk: string[] = []
      for (let size = 0; size < CHUNK; ) {
        const { done, value } = await iterator.next()
        if (done) break
        chunk.push(value)
        size += value.length
      }
      if (chunk.length === 0) controller.close()
      else controller.enqueue(encoder.encode(chunk.join('')))
      // Rows in memory take no time to read: without a pause, other requests would wait for the whole journal.
      await setImmediate()
    },
    async cancel() {
      await iterator.return?.()
    },
  })
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } })
}
