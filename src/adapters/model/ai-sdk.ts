/** Adapts any language model of the AI SDK (`@ai-sdk/provider`). It reads the model by its structure and imports no package. */
import { type Json, defined } from '../../core/watch/data/json.ts'
import { countsIn, countsInMetadata, withCaches } from '../../core/watch/event/endpoint-usage.ts'
import type { EndpointCounts } from '../../core/watch/event/endpoint-usage.ts'
import { lengthOfFile, lengthOfTexts, textBeside } from '../../core/watch/event/written-length.ts'
import { fieldOf } from '../../core/watch/data/foreign-field.ts'
import { argumentsObject, modelFields, type ModelOptions } from '../../kit/model.ts'
import { type PartialReply, type RawCall, readReply } from '../../kit/model.ts'
import { foreignBody } from '../../kit/no-answer.ts'
import type { Message } from '../../runtime/model-message.ts'
import type { Model, ModelRequest } from '../../runtime/ports.ts'

/** The used part of `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4`. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{
    readonly stream: ReadableStream
    readonly response?: { readonly headers?: Readonly<Record<string, string>> } | undefined
  }>
}

export function isAiSdkModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null) return false
  const { specificationVersion: version = '', modelId, doStream } = value as Partial<AiSdkModel>
  const supported = ['v2', 'v3', 'v4'].includes(version)
  return supported && typeof modelId === 'string' && typeof doStream === 'function'
}

/**
 * Makes a model of a language model of the AI SDK. The gate applies retries, timeouts and breakers: the calls bypass the retries
 * of `generateText`, and every failure is thrown unchanged.
 * @example
 * const model = aiSdkModel(openai('gpt-4o-mini'), { price: { input: 0.15, output: 0.6 } })
 */
export function aiSdkModel(model: AiSdkModel, options: ModelOptions = {}): Model {
  return {
    ...modelFields(options.id ?? model.modelId, options),
    ask: (request, call) => {
      const prompt = { ...promptOf(request), abortSignal: call.signal, includeRawChunks: true }
      let type = ''
      const open = async () => {
        const { stream, response } = await model.doStream(prompt as never)
        type = String(fieldOf(response?.headers, 'content-type') ?? '')
        return stream as ReadableStream<Part>
      }
      const explain = (error: unknown) => withCode(withPage(error, { type, model }))
      return readReply({ open, add: withPart, isCut, explain }, call)
    },
  }
}

function promptOf({ system, messages, tools }: ModelRequest) {
  const prompt = messages.reduce(withMessage, [])
  const definitions = tools.map(({ name, description, parameters: inputSchema }) => {
    return { type: 'function', name, description, inputSchema }
  })
  return {
    prompt: system === '' ? prompt : [{ role: 'system', content: system }, ...prompt],
    ...(tools.length === 0 ? {} : { tools: definitions, toolChoice: { type: 'auto' } }),
  }
}

type PromptMessage = Readonly<{ role: Message['role']; content: readonly object[] }>

/** Providers expect the results of all calls of one answer in one message. */
function withMessage(before: readonly PromptMessage[], message: Message): PromptMessage[] {
  const { role } = message
  const last = before.at(-1)
  const content = contentOf(message)
  return role === 'tool' && last?.role === 'tool'
    ? [...before.slice(0, -1), { role, content: [...last.content, ...content] }]
    : [...before, { role, content }]
}

function contentOf(message: Message): readonly object[] {
  const text = { type: 'text', text: message.content }
  if (message.role === 'user') return [text]
  if (message.role === 'tool') {
    const output = { type: message.ok ? 'text' : 'error-text', value: message.content }
    return [{ type: 'tool-result', toolCallId: message.call, toolName: message.tool, output }]
  }
  const calls = message.calls.map(({ id: toolCallId, tool: toolName, args }) => {
    return { type: 'tool-call', toolCallId, toolName, input: argumentsObject(args) }
  })
  return message.content === '' ? calls : [text, ...calls]
}

/** The fields of a part of the stream that are read, over all versions. */
interface Part {
  readonly type: string
  readonly delta?: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly input?: string
  readonly providerExecuted?: boolean
  readonly usage?: Usage
  readonly providerMetadata?: Readonly<Record<string, unknown>>
  readonly finishReason?: string | { readonly unified: string; readonly raw?: string | undefined }
  readonly error?: unknown
  readonly rawValue?: unknown
  readonly data?: unknown
}

/** Parts of the input and the output, and their totals. */
type Tokens = Readonly<Partial<Record<'total' | (typeof TOKEN_PARTS)[number], number>>>

const TOKEN_PARTS = ['noCache', 'cacheRead', 'cacheWrite', 'text', 'reasoning'] as const

/** Numbers in version 2, details in later versions. */
interface Usage {
  readonly inputTokens?: number | Tokens
  readonly outputTokens?: number | Tokens
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
  readonly totalTokens?: number
}

function withPart(reply: PartialReply, part: Part): PartialReply {
  switch (part.type) {
    case 'text-delta':
      return { ...reply, text: reply.text + (part.delta ?? '') }
    case 'reasoning-delta':
      return { ...reply, reasoning: reply.reasoning + (part.delta ?? '') }
    case 'tool-input-delta':
      return { ...reply, drafted: (reply.drafted ?? 0) + (part.delta?.length ?? 0) }
    case 'tool-call':
      if (part.providerExecuted)
        return { ...reply, executed: (reply.executed ?? 0) + lengthOfTexts(part.input) }
      return { ...reply, calls: [...reply.calls, callOf(part)] }
    case 'file':
    case 'reasoning-file':
      return {
        ...reply,
        files: (reply.files ?? 0) + lengthOfFile(fieldOf(part.data, 'data') ?? part.data),
      }
    case 'finish':
      return { ...reply, ...endOf(part, reply.counts) }
    case 'raw':
      return withRaw(reply, part.rawValue)
    case 'error':
      throw part.error
    default:
      return reply
  }
}

/** Events of OpenAI's Responses API. */
const THOUGHT = /^response\.(refusal|reasoning\w*)\.delta$/

/**
 * Reads what the provider's own chunk has cost. The libraries report the usage only at the end, which a broken answer does not reach,
 * and drop fields that they do not know.
 */
function withRaw(reply: PartialReply, chunk: unknown): PartialReply {
  const choices = fieldOf(chunk, 'choices')
  const delta = fieldOf(Array.isArray(choices) ? choices[0] : undefined, 'delta')
  const isThought = THOUGHT.test(String(fieldOf(chunk, 'type')))
  const event = isThought ? lengthOfTexts(fieldOf(chunk, 'delta')) : 0
  const thought = typeof delta === 'object' && delta !== null ? textBeside(delta).length : event
  return {
    ...reply,
    thought: (reply.thought ?? 0) + thought,
    counts: { ...reply.counts, ...countsIn(chunk) },
  }
}

function callOf({ toolCallId: id, toolName: tool = '', input = '' }: Part): RawCall {
  return { id, tool, args: typeof input === 'string' ? input : { parsed: input as Json } }
}

function endOf(part: Part, counts: EndpointCounts = {}) {
  const { finishReason: reason, usage: { inputTokens, ...tokens } = {}, providerMetadata } = part
  const finish = typeof reason === 'object' ? reason.unified : reason
  const details = typeof inputTokens === 'object' ? inputTokens : undefined
  const { cacheRead = 0 } = details ?? { cacheRead: tokens.cachedInputTokens }
  const { totalTokens: total, reasoningTokens: reasoning } = tokens
  const [input, output] = [totalOf(inputTokens), totalOf(tokens.outputTokens)]
  if ([input, output, total].every(count => count === undefined)) return defined({ finish })
  const usage = { input, output, cached: cacheRead, ...defined({ total, reasoning }) }
  if (details?.noCache !== undefined) return { ...defined({ finish }), usage }
  const all = { ...counts, ...countsInMetadata(providerMetadata) }
  return { ...defined({ finish }), usage: withCaches(usage, all) }
}

/** Some providers report the parts of a total without the total. */
function totalOf(tokens: number | Tokens | undefined): number | undefined {
  if (typeof tokens !== 'object') return tokens
  const parts = TOKEN_PARTS.flatMap(name => tokens[name] ?? [])
  const sum = parts.length === 0 ? undefined : parts.reduce((all, part) => all + part, 0)
  return tokens.total ?? sum
}

/** Reasons that are not an end of the answer. Without usage, the stream was cut. */
const NO_END: readonly (string | undefined)[] = [undefined, 'other', 'unknown']

const isCut = ({ finish, usage }: PartialReply): boolean =>
  finish === 'error' || finish === 'interrupted' || (NO_END.includes(finish) && !usage)

/** The library reads no event in a page, and drops its text. */
function withPage(error: unknown, { type, model }: { type: string; model: AiSdkModel }): unknown {
  const isPage = fieldOf(error, 'name') === 'NoAnswer' && /^text\/html/i.test(type)
  return isPage ? foreignBody({ type, address: addressOf(model) }, 'HtmlPage') : error
}

/** The address of the models of most providers, without the path of a call. */
function addressOf(model: AiSdkModel): string | undefined {
  const config = fieldOf(model, 'config')
  const [base, url] = [fieldOf(config, 'baseURL'), fieldOf(config, 'url')]
  if (typeof base === 'string') return base
  try {
    return typeof url === 'function' ? String(url({ path: '', modelId: model.modelId })) : undefined
  } catch {
    return undefined
  }
}

/** The body of the response contains the provider's code (`insufficient_quota`). The classifier reads it from the error. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error
  const { data } = error as { data?: { error?: { code?: unknown } } }
  const code = data?.error?.code
  return typeof code === 'string' ? Object.assign(error, { code }) : error
}
