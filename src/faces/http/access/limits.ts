/** Limits of requests: their rate, their size, and the time they take to arrive. */
import { Refused } from '../contract/problem.ts'
import type { Json } from '../../../core/watch/data/json.ts'

/** The limits of requests and streams. */
export interface LimitOptions {
  /** Requests of one caller per second on average. Default: 100. */
  readonly rate?: number
  /** Requests of one caller at once. Default: 400. */
  readonly burst?: number
  /** Bytes of a body. Default: 1 MiB; an archive: 64 MiB. */
  readonly bodyBytes?: number
  readonly archiveBytes?: number
  /** Ms in which a body must arrive. Default: 10 s. */
  readonly bodyTime?: number
  /** Open streams. Default: 2,000. */
  readonly streams?: number
  /** Open streams of one caller. Default: half of `streams`. */
  readonly streamsPerCaller?: number
  /** Ms without a message after which a stream sends a comment. Default: 15 s. */
  readonly heartbeat?: number
}

/** The number of callers that are counted. */
const CALLERS_MAX = 10_000

/** A token bucket for each caller. */
export class RateLimit {
  readonly #buckets = new Map<string, { left: number; at: number }>()
  readonly #rate: number
  readonly #burst: number

  constructor({ rate = 100, burst = 400 }: LimitOptions) {
    this.#rate = rate
    this.#burst = burst
  }

  /** @throws Refused */
  take(caller: string, now: number): void {
    const bucket = this.#buckets.get(caller) ?? { left: this.#burst, at: now }
    const left = Math.min(this.#burst, bucket.left + ((now - bucket.at) / 1_000) * this.#rate)
    // The latest caller moves to the end, so that the first one is the oldest.
    this.#buckets.delete(caller)
    this.#buckets.set(caller, { left: left < 1 ? left : left - 1, at: now })
    const [oldest] = this.#buckets.keys()
    if (this.#buckets.size > CALLERS_MAX && oldest !== undefined) this.#buckets.delete(oldest)
    if (left < 1)
      throw new Refused(429, 'too-many-requests', 'the rate limit is reached; try later')
  }
}

/** Reads a body within limits. @throws Refused */
export async function readBody(request: Request, bytes: number, ms: number): Promise<Buffer> {
  const tooLarge = new Refused(413, 'body-too-large', `the body has more than ${bytes} bytes`)
  if (Number(request.headers.get('content-length') ?? 0) > bytes) throw tooLarge
  const reader = request.body?.getReader()
  if (!reader) return Buffer.alloc(0)
  const slow = new Refused(408, 'body-too-slow', `the body did not arrive within ${ms} ms`)
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(slow), ms)
  const chunks: Uint8Array[] = []
  try {
    for (let size = 0; ; ) {
      const { done, value } = await Promise.race([reader.read(), timeout])
      if (done) break
      size += value.byteLength
      if (size > bytes) throw tooLarge
      chunks.push(value)
    }
  } catch (error) {
    void reader.cancel().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks)
}

const LEVELS_MAX = 100
/** Keys that would change the prototype of an object that copies them. */
const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype']

/** Parses a JSON body. @throws Refused */
export function parseBody(text: string): Json {
  const value = parse(text)
  const open: [unknown, number][] = [[value, 0]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, level] = next
    if (typeof item !== 'object' || item === null) continue
    if (level > LEVELS_MAX)
      throw new Refused(422, 'too-deep', `the body has more than ${LEVELS_MAX} levels`)
    const key = PROTOTYPE_KEYS.find(name => !Array.isArray(item) && Object.hasOwn(item, name))
    if (key) throw new Refused(422, 'prototype-key', `the key '${key}' is not accepted`)
    for (const below of Object.values(item)) open.push([below, level + 1])
  }
  return value
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new Refused(400, 'not-json', 'the body is not JSON')
  }
}
