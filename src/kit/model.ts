/** What all models share: their fields, the tool requests in their answers, and the ways an answer fails. */
import { setImmediate } from 'node:timers/promises'
import type { ToolRequest, Price } from '../core/watch/event/call-event.ts'
import { type EndpointCounts, usageOfCounts } from '../core/watch/event/endpoint-usage.ts'
import { type Json, defined, isMap, jsonLength, jsonOrText } from '../core/watch/data/json.ts'
import type { ModelReply } from '../runtime/model-message.ts'
import type { Guarded, Model } from '../runtime/ports.ts'
import { YIELD_AFTER } from '../runtime/time/yield.ts'
import { brokenAnswer, emptyAnswer } from './no-answer.ts'
import { protectionOf } from './tool.ts'

/** The settings of a model of another library. */
export interface ModelOptions extends Partial<Guarded> {
  /** Replaces the id that the model reports. */
  readonly id?: string
  /** US dollars per million tokens. Without a price, the cost of its calls is not counted. */
  readonly price?: Price
}

const TIMEOUT = 120_000

/** All fields of a model except `ask`. */
export function modelFields(id: string, options: ModelOptions): Omit<Model, 'ask'> {
  const { price, timeout = TIMEOUT } = options
  return { id, ...protectionOf(options), timeout, ...defined({ price }) }
}

/** A tool request of a model. `args` is parsed JSON, or the text that the model wrote. */
export interface RawCall {
  readonly id: string | undefined
  readonly tool: string
  readonly args: string | { readonly parsed: Json }
}

/** The tool requests of one answer. Endpoints reject two calls with the same id: the key of the call replaces a missing or repeated id. */
export function toolRequests(calls: readonly RawCall[], key: string): readonly ToolRequest[] {
  // `thread/plan#2/1` as an id of letters, digits, _ and -: `plan-2-1`.
  const prefix = key
    .split('/')
    .slice(-2)
    .join('-')
    .replace(/[^\w-]/g, '-')
  const first = new Map(calls.map(({ id }, index) => [id, index] as const).reverse())
  return calls.map(({ id, tool, args }, index) => ({
    id: id && first.get(id) === index ? id : `${prefix}-${index + 1}`,
    tool,
    args: typeof args === 'string' ? argumentsIn(args) : args.parsed,
  }))
}

/** Text that is not JSON stays text, and the tool reports it to the model. Repairing it is unsafe: half a path is another path. */
const argumentsIn = (text: string): Json => (text.trim() === '' ? {} : jsonOrText(text))

/** The arguments of an earlier call as endpoints accept them: an object. Invalid JSON is wrapped in one. */
export const argumentsObject = (args: Json): Record<string, Json> =>
  isMap(args) ? { ...args } : { arguments: args }

/** The part of a reply that has arrived. `finish` is the provider's reason for the end. */
export interface PartialReply {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly RawCall[]
  /** The calls, or parts of calls, in the latest part. Too many of them need not be joined. */
  readonly pieces?: number
  /** The characters of the arguments of calls that arrived in pieces. */
  readonly drafted?: number
  /** The characters of the arguments of calls that the provider has executed itself. */
  readonly executed?: number
  /** The characters of reasoning and refusals in the raw response. Not every library passes their text on. */
  readonly thought?: number
  /** The characters of parts that are not known. */
  readonly unread?: number
  /** The files that the model has generated, in the characters that cost as much. */
  readonly files?: number
  readonly usage?: NonNullable<ModelReply['usage']>
  /** What the endpoint itself has reported so far. It counts until the library reports a usage. */
  readonly counts?: EndpointCounts
  readonly finish?: string
}

/** The most tool calls of one answer. More take time that grows with the square of their number. */
export const CALLS_MAX = 256

/** @throws TooLarge */
function checkCalls({ calls, pieces = 0 }: PartialReply): void {
  if (Math.max(calls.length, pieces) <= CALLS_MAX) return
  const message = `the answer has more than ${CALLS_MAX} tool calls; expected at most that`
  throw Object.assign(new Error(message), { name: 'TooLarge' })
}

export const EMPTY_REPLY: PartialReply = { text: '', reasoning: '', calls: [] }

/** How an adapter reads a streamed answer. `isCut`: whether the answer ended without an end marker. */
export interface ReplyReader<Part, Reply extends PartialReply> {
  readonly open: () => PromiseLike<AsyncIterable<Part>>
  /** Adds a part. The text of the reply is empty before. */
  readonly add: (reply: Reply, part: Part) => Reply
  readonly isCut: (reply: Reply) => boolean
  readonly explain: (error: unknown) => unknown
}

/** Reads an answer. An abort throws the reason of the signal, however the library describes it. */
export async function readReply<Part, Reply extends PartialReply>(
  { open, add, isCut, explain }: ReplyReader<Part, Reply>,
  { signal, idempotencyKey, onDelta }: Parameters<Model['ask']>[1],
): Promise<ModelReply> {
  let reply = EMPTY_REPLY as Reply
  let text = ''
  try {
    signal.throwIfAborted()
    const parts = await open()
    // The response began: its input is charged, also if it ends without a part.
    onDelta('', 0)
    let turnAt = performance.now()
    for await (const part of parts) {
      const before = reply
      // Only the text of this part: to find it in the whole text, V8 would copy the whole at each part.
      reply = add({ ...before, text: '' }, part)
      text += reply.text
      const usage = reply.usage ?? usageOfCounts(reply.counts ?? {})
      // An abandoned answer shows no more text. What it reports has been charged.
      if (signal.aborted) onDelta('', 0, usage)
      signal.throwIfAborted()
      onDelta(reply.text, hiddenIn(reply) - hiddenIn(before), usage)
      checkCalls(reply)
      // A stream that never waits would keep timeouts and signals from their turn.
      if (performance.now() - turnAt < YIELD_AFTER) continue
      await setImmediate()
      turnAt = performance.now()
    }
    signal.throwIfAborted()
    return replyOf({ ...reply, text }, isCut(reply), idempotencyKey)
  } catch (error) {
    throw signal.aborted ? signal.reason : explain(error)
  }
}

/** The lengths of arguments that a library has parsed. A reply is counted at each of its parts, and each value is measured once. */
const LENGTHS = new WeakMap<object, number>()

function parsedLength(parsed: unknown): number {
  if (typeof parsed !== 'object' || parsed === null) return jsonLength(parsed)
  const length = LENGTHS.get(parsed) ?? jsonLength(parsed)
  LENGTHS.set(parsed, length)
  return length
}

/** The received characters that are not text: a broken answer has cost them, too. */
function hiddenIn(reply: PartialReply): number {
  const { reasoning, calls, drafted = 0, executed = 0, thought = 0, unread = 0, files = 0 } = reply
  const length = ({ args }: RawCall) =>
    typeof args === 'string' ? args.length : parsedLength(args.parsed)
  const known = calls.reduce((sum, call) => sum + length(call), executed)
  return Math.max(reasoning.length, thought) + Math.max(known, drafted) + unread + files
}

/** The whole reply. @throws if the provider withheld it (persistent), or it may be incomplete (transient) */
export function replyOf(reply: PartialReply, isCut: boolean, key: string): ModelReply {
  const { text, reasoning, calls, usage, finish = '' } = reply
  if (text === '' && calls.length === 0 && /^content[-_]filter$/.test(finish)) {
    const message = 'the provider withheld the answer (content filter)'
    throw Object.assign(new Error(message), { code: 'content_filter' })
  }
  if (isCut && hiddenIn(reply) === 0 && text === '' && !usage) throw emptyAnswer()
  if (isCut) throw brokenAnswer()
  const thoughts = reasoning === '' ? {} : { reasoning }
  return { text, ...thoughts, calls: toolRequests(calls, key), ...defined({ usage }) }
}
