/** The shape of an endpoint: what it accepts and returns, as zod schemas. Requests are parseAs by them, and OpenAPI is generated from them. */
import { z } from 'zod'

/** What a caller may do: read, also command threads, also change what threads share. */
export const ROLES = ['view', 'operate', 'admin'] as const
/** A role includes those before it. */
export type Role = (typeof ROLES)[number]

export interface Endpoint {
  readonly method: 'get' | 'post'
  /** With parameters, such as `/v1/threads/{thread}`. */
  readonly path: string
  readonly summary: string
  /** The lowest role of its callers. Absent: everybody. */
  readonly role?: Role
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** A repeated request with the same `Idempotency-Key` has the effect of one. */
  readonly takesKey?: true
  /** The media type of the body. Default: JSON, checked by `body`. */
  readonly accepts?: readonly ('application/x-ndjson' | 'application/gzip')[]
  readonly status: 200 | 201 | 204
  /** Default: JSON. */
  readonly returns?: 'application/x-ndjson' | 'text/event-stream' | 'text/plain'
  readonly response?: z.ZodType
}

/** Keeps the path and the schemas of an endpoint in its type, for handlers and clients. */
export const endpoint = <const E extends Endpoint>(given: E): E => given

/** The common parts of endpoints that read, and of those that change something. */
export const view = { method: 'get', role: 'view', status: 200 } as const
export const change = { method: 'post', status: 200 } as const

/** The name of a thread, a graph, or a part of one. */
export const name = z.string().min(1).max(500)

export const object = z.record(z.string(), z.json())

/** Keys of scopes, by the names of the scopes. */
export const scopeKeys = z
  .record(z.string(), z.string().min(1).max(200))
  .describe('The keys of scopes for a new thread. An API key may set them itself.')

/** A whole number in a query. */
export const count = (most: number) => z.coerce.number().int().min(0).max(most)

/** A point of a journal in a query: the number of an event. `-1`: before the first. */
export const seq = z.coerce.number().int().min(-1).max(Number.MAX_SAFE_INTEGER)

/** The same in a body, where `null` is not a number. */
export const seqInBody = z.int().min(-1)

/** An error, as RFC 9457 describes it. */
export const Problem = z.object({
  title: z.string(),
  status: z.number().int(),
  code: z.string().describe('Stable: see docs/reference/errors.md and codes.md.'),
  detail: z.string(),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('The faults of the request, each with its path.'),
  seq: z.number().int().optional().describe('The last event of the thread, for `stale-seq`.'),
})
export type Problem = z.infer<typeof Problem>
