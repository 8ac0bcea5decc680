/** Faults between an agent and a server of the Model Context Protocol, over any transport. */
import { defined, isMap, type Json, jsonOrText } from '../../core/watch/data/json.ts'
import type { Injector } from '../inject/injector.ts'
import { type Earlier, executeWith } from '../inject/tool-effects.ts'
import { ConnectionLost, losesConnection } from './connection-lost.ts'
import { PROXIED } from './proxy-faults.ts'

/** A message of JSON-RPC. */
export type Message = { readonly [key: string]: Json }

/** A request whose answer faults can change, or from whose answer they learn. */
export const isTouched = ({ method, id }: Message): boolean =>
  id !== undefined && (method === 'tools/call' || method === 'tools/list')

/** What the faults need for one request. */
export interface McpRelay {
  readonly sleep: (ms: number) => Promise<void>
  /** Sends the request, and returns the response. A second call sends it again. */
  readonly forward: () => Promise<Message>
}

/** A failure that the server reported itself. It passes unchanged. */
class Reported extends Error {
  override readonly name = 'Reported'
  readonly response: Message
  constructor(response: Message) {
    super('the server reported a failure')
    this.response = response
  }
}

export class McpFaults {
  readonly #injector: Injector
  /** The tools that read only, according to their server. */
  readonly #reads = new Set<string>()
  /** Tools whose results are structured. */
  readonly #structured = new Set<string>()
  readonly #earlier = new Map<string, Earlier>()

  constructor(injector: Injector) {
    this.#injector = injector
  }

  /** The response to a request. @throws ConnectionLost */
  async answer(request: Message, relay: McpRelay): Promise<Message> {
    if (request.method === 'tools/call') return this.#call(request, relay)
    const response = await relay.forward()
    this.#learn(response)
    return response
  }

  #learn({ result }: Message): void {
    const tools = isMap(result) && Array.isArray(result.tools) ? result.tools : []
    for (const tool of tools) {
      if (!isMap(tool) || typeof tool.name !== 'string') continue
      if (isMap(tool.annotations) && tool.annotations.readOnlyHint === true)
        this.#reads.add(tool.name)
    }
  }

  async #call({ id = null, params = {} }: Message, { sleep, forward }: McpRelay): Promise<Message> {
    const { name: tool = '', arguments: args = {} } = isMap(params) ? params : {}
    // The server refuses such a name.
    if (typeof tool !== 'string') return forward()
    const effects = this.#reads.has(tool) ? 'read' : 'write'
    const met = this.#injector.meet('tool', tool, { ...PROXIED, effects })
    const earlier: Earlier = this.#earlier.get(tool) ?? new Map()
    this.#earlier.set(tool, earlier)
    let passed: Passed | undefined
    try {
      const value = await executeWith(met, { args, call: { sleep }, earlier }, async () => {
        const response = await forward()
        const { result } = response
        if (!isMap(result) || result.isError === true) throw new Reported(response)
        if (result.structuredContent !== undefined) this.#structured.add(tool)
        passed = { response, value: valueOf(result) }
        return passed.value
      })
      if (passed && value === passed.value) return passed.response
      const result = resultOf(value as Json, this.#structured.has(tool))
      return { jsonrpc: '2.0', id, result }
    } catch (error) {
      return failedResponse(error, id)
    }
  }
}

type Passed = Readonly<{ response: Message; value: Json }>

/** What a result says: its structured content, or its text. */
function valueOf({ structuredContent, content }: Message): Json {
  if (structuredContent !== undefined) return structuredContent
  const parts = Array.isArray(content) ? content : []
  const texts = parts.flatMap(part =>
    isMap(part) && typeof part.text === 'string' ? part.text : [],
  )
  return texts.length === parts.length ? jsonOrText(texts.join('\n')) : parts
}

/** Structured content is an object: any other value is sent without it, as a server that breaks its contract would. */
function resultOf(value: Json, isStructured: boolean): Message {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const content = [{ type: 'text', text }]
  return isStructured && isMap(value) ? { content, structuredContent: value } : { content }
}

/** JSON-RPC: the server failed internally. */
const INTERNAL = -32_603

/** @throws ConnectionLost, and errors that are not of a fault */
function failedResponse(error: unknown, id: Json): Message {
  if (error instanceof Reported) return error.response
  const { name, message, code, status, retryAfter } = error as Error & {
    readonly code?: string
    readonly status?: number
    readonly retryAfter?: number
  }
  if (name === 'BusinessError')
    return {
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: message }], isError: true },
    }
  if (losesConnection({ name, ...defined({ code }) })) throw new ConnectionLost(message)
  if (name !== 'ServiceError' && name !== 'Error') throw error
  const data = defined({ code, status, retryAfter }) as Message
  return { jsonrpc: '2.0', id, error: { code: INTERNAL, message, data } }
}
