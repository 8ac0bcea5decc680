/** What all models share: their fields, the tool requests in their answers, and the ways an answer fails. */
import type { ToolRequest } from '../core/watch/event/call-event.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Price } from '../core/watch/event/spent.ts'
import type { Guarded, Model } from '../runtime/ports.ts'
import { defined } from '../core/watch/data/defined.ts'
import { protectionOf } from './protection.ts'

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
  const first = new Map(calls.map(({ id }, index) => [id, index] as const).reverse())
  return calls.map(({ id, tool, args }, index) => ({
    id: id && first.get(id) === index ? id : `${callPrefix(key)}-${index + 1}`,
    tool,
    args: typeof args === 'string' ? argumentsIn(args) : args.parsed,
  }))
}

/** `thread/plan#2/1` as an id of letters, digits, _ and -: `plan-2-1`. */
function callPrefix(key: string): string {
  const last = key.split('/').slice(-2)
  return last.join('-').replace(/[^\w-]/g, '-')
}

/** Text that is not JSON stays text, and the tool reports it to the model. Repairing it is unsafe: half a path is another path. */
function argumentsIn(text: string): Json {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The arguments of an earlier call as endpoints accept them: an object. Invalid JSON is wrapped in one. */
export function argumentsObject(args: Json): Record<string, Json> {
  return typeof args === 'object' && args !== null && !Array.isArray(args)
    ? (args as Record<string, Json>)
    : { arguments: args }
}

/** The answer ended without an end marker, and may be incomplete. Transient. */
export function brokenOff(): Error {
  return Object.assign(new Error('the answer broke off'), { code: 'ECONNRESET' })
}

/** The provider's content filter withheld the whole answer. Persistent. */
export function withheld(): Error {
  const message = 'the provider withheld the answer (content filter)'
  return Object.assign(new Error(message), { code: 'content_filter' })
}
