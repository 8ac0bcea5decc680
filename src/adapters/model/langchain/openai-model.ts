/** Models behind endpoints with OpenAI's chat completions API, through LangChain's ChatOpenAI. */
import { codedError, guardOf } from '../../../core/watch/data/fault.ts'
import type { ModelSpec } from '../../../core/graph/spec/resource.ts'
import { defined } from '../../../core/watch/data/json.ts'
import { modelFields } from '../../../kit/model.ts'
import type { Model } from '../../../runtime/ports.ts'
import { useSecret } from '../../../runtime/redact.ts'
import { MissingPackage } from '../../missing-package.ts'
import { askChatModel } from './chat-model.ts'

type LangChain = typeof import('@langchain/openai')
type Environment = Readonly<Record<string, string | undefined>>
type KeyedSpec = Pick<ModelSpec, 'baseURL' | 'keyFrom'>

/** A model has neither an endpoint nor a key. */
export class NoEndpoint extends codedError('NoEndpoint', 'no-endpoint') {
  constructor(id: string, keyFrom: string) {
    const remedy = `set ${keyFrom}, or OPENAI_BASE_URL for another endpoint`
    super(`no endpoint is configured for the model ${id}: ${remedy}`)
  }
}

/** Whether an error says that a model has neither an endpoint nor a key. */
export const isNoEndpoint = guardOf(NoEndpoint)

/** Imports LangChain at the first question: most commands ask no question. */
export function openaiModel(
  spec: ModelSpec,
  env: Environment,
  load: () => Promise<LangChain> = () => import('@langchain/openai'),
): Model {
  let client: ReturnType<typeof clientOf> | undefined
  const connect = async () => {
    const endpoint = endpointOf(spec, env)
    if (!endpoint) throw new NoEndpoint(spec.id, spec.keyFrom)
    client ??= clientOf(spec, endpoint, load)
    return client
  }
  return {
    ...modelFields(spec.id, spec),
    check: async () => void (await connect()),
    ask: async (request, call) => askChatModel(await connect(), request, call),
  }
}

/**
 * Binds the models of a spec to endpoints with OpenAI's chat completions API, as the command line does: at `baseURL` or
 * `OPENAI_BASE_URL`, with the key in the variable `keyFrom`. Needs `@langchain/openai` and `@langchain/core` at the first question.
 * @example
 * bindGraph(spec, { workspace: '.', model: openaiModels() })
 */
export const openaiModels =
  (env: Environment = process.env) =>
  (_: string, spec: ModelSpec): Model =>
    openaiModel(spec, env)

type Endpoint = Readonly<{ baseURL?: string; apiKey: string }>

/** The endpoint of a model, or `undefined` if it is not configured. With a `baseURL` the key is optional. */
export function endpointOf(spec: KeyedSpec, env: Environment): Endpoint | undefined {
  const baseURL = spec.baseURL ?? (env.OPENAI_BASE_URL || undefined)
  const key = useSecret(env[spec.keyFrom] || undefined)
  if (baseURL === undefined && key === undefined) return undefined
  return { ...defined({ baseURL }), apiKey: key ?? 'none' }
}

async function clientOf(spec: ModelSpec, endpoint: Endpoint, load: () => Promise<LangChain>) {
  const { id, temperature, maxTokens } = spec
  const { baseURL, apiKey } = endpoint
  const { ChatOpenAI } = await load().catch(cause => {
    const install = 'npm install @langchain/openai @langchain/core'
    throw new MissingPackage(`models behind an endpoint need two packages: ${install}`, { cause })
  })
  return new ChatOpenAI({
    model: id,
    apiKey,
    maxRetries: 0,
    streamUsage: true,
    useResponsesApi: false,
    ...defined({ temperature, maxTokens }),
    // The client would log an unreadable answer. The error contains the same text.
    configuration: { fetch: fetchStream, logLevel: 'off', ...defined({ baseURL }) },
  })
}

/** Bytes of one answer, events included: many times the longest answer of a model. */
const ANSWER_MAX = 67_108_864

const NO_STREAM = /^(text\/html|application\/(json|xml))/i

/** `fetch` for streamed answers. Rejects the page of a proxy, which also has status 200. */
const fetchStream: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  const { body, ok, status, headers } = response
  if (!body || !ok) return response
  const type = headers.get('content-type') ?? ''
  const fault = NO_STREAM.test(type)
    ? new Error(`the endpoint answered with ${type.slice(0, 60)}; expected a stream of events`)
    : undefined
  return new Response(body.pipeThrough(translator(fault)), { status, headers })
}

function translator(fault: Error | undefined): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let bytes = 0
  let line = ''
  let first = true
  const translate = (text: string) => {
    const matches = text.startsWith('data:') && (first || text.includes('"reasoning"'))
    const event = matches ? translateEvent(text.slice('data:'.length)) : undefined
    if (event !== undefined) first = false
    return event === undefined ? text : `data: ${event}`
  }
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (fault) return controller.error(fault)
      const message = `the answer has more than ${ANSWER_MAX} bytes; expected an end to it`
      if (bytes > ANSWER_MAX)
        return controller.error(Object.assign(new Error(message), { name: 'TooLarge' }))
      // Only the new chunk is split: a line may arrive in very many chunks.
      const [rest = '', ...lines] = decoder.decode(chunk, { stream: true }).split('\n')
      line += rest
      if (lines.length === 0) return
      const whole = [line, ...lines]
      line = whole.pop() ?? ''
      controller.enqueue(encoder.encode(whole.map(text => `${translate(text)}\n`).join('')))
    },
    flush(controller) {
      controller.enqueue(encoder.encode(translate(line + decoder.decode())))
    },
  })
}

/**
 * Adds the role that LangChain needs in the first delta: without it, LangChain loses the calls of the answer. Renames `reasoning`
 * to the one name that LangChain knows. `undefined`: not a delta.
 */
function translateEvent(data: string): string | undefined {
  try {
    const event = JSON.parse(data)
    const delta = event.choices?.[0]?.delta
    if (typeof delta !== 'object' || delta === null) return undefined
    delta.role ??= 'assistant'
    if (typeof delta.reasoning === 'string') delta.reasoning_content ??= delta.reasoning
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}
