/** Adapts any chat model of LangChain. It reads the model by its structure and imports no package. */
import { type Json, defined } from '../../../core/watch/data/json.ts'
import { countsIn } from '../../../core/watch/event/endpoint-usage.ts'
import { type Content, contentOf } from '../../../core/watch/event/langchain-content.ts'
import { argumentsObject, modelFields, type ModelOptions } from '../../../kit/model.ts'
import { CALLS_MAX, type PartialReply, type RawCall, readReply } from '../../../kit/model.ts'
import type { Message, ModelReply } from '../../../runtime/model-message.ts'
import type { Model, ModelRequest } from '../../../runtime/ports.ts'

/** The used part of LangChain's `BaseChatModel`. */
export interface LangChainModel {
  _llmType(): string
  _modelType(): string
  stream(input: never, options?: never): Promise<AsyncIterable<unknown>>
  bindTools?(tools: never): unknown
}

/** The tag keeps LangGraph from streaming the text: a graph that runs in LangGraph streams it, once for each attempt that counts. */
const OPTIONS = { maxRetries: 0, tags: ['nostream'] } as const

type Options = typeof OPTIONS & { readonly signal: AbortSignal }

interface Streaming {
  stream(messages: readonly object[], options: Options): Promise<AsyncIterable<Chunk>>
}

export function isLangChainModel(value: unknown): value is LangChainModel {
  if (typeof value !== 'object' || value === null) return false
  const { stream, _modelType: type } = value as Partial<LangChainModel>
  if (typeof stream !== 'function' || typeof type !== 'function') return false
  return type.call(value) === 'base_chat_model'
}

/**
 * Makes a model of a chat model of LangChain. The gate applies retries, timeouts and breakers: LangChain's own retries are off,
 * and every failure is thrown unchanged.
 * @example
 * const model = langchainModel(new ChatOpenAI({ model: 'gpt-4o-mini' }), { price: { input: 0.15, output: 0.6 } })
 */
export function langchainModel(model: LangChainModel, options: ModelOptions = {}): Model {
  const { model: id, modelName = id } = model as { model?: unknown; modelName?: unknown }
  const name = typeof modelName === 'string' ? modelName : model._llmType()
  return {
    ...modelFields(options.id ?? name, options),
    ask: (request, call) => askChatModel(model, request, call),
  }
}

export function askChatModel(
  model: LangChainModel,
  request: ModelRequest,
  call: Parameters<Model['ask']>[1],
): Promise<ModelReply> {
  const options = { ...OPTIONS, signal: call.signal }
  const open = async () => withTools(model, request).stream(promptOf(request), options)
  return readReply({ open, add: withChunk, isCut, explain: withoutPointer }, call)
}

function withTools(model: LangChainModel, { tools }: ModelRequest): Streaming {
  if (tools.length === 0) return model as unknown as Streaming
  if (!model.bindTools)
    throw new TypeError(
      `the chat model ${model._llmType()} cannot call tools: it has no bindTools. Use a model that calls tools, or a node without tools`,
    )
  const definitions = tools.map(({ name, description, parameters }) => {
    return { type: 'function', function: { name, description, parameters } }
  })
  return model.bindTools(definitions as never) as Streaming
}

const POINTER = 'Troubleshooting URL: '

/** Removes LangChain's link to its own documentation. Status, code and headers stay. */
function withoutPointer(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // Not by a pattern that begins with blanks: an endpoint may send many of them.
  const at = error.message.lastIndexOf(POINTER)
  const isLast = at >= 0 && !/\s/.test(error.message.slice(at + POINTER.length).trim())
  if (isLast) error.message = error.message.slice(0, at).trimEnd()
  return error
}

function promptOf({ system, messages }: ModelRequest): readonly object[] {
  const prompt = messages.map(messageOf)
  return system === '' ? prompt : [{ role: 'system', content: system }, ...prompt]
}

function messageOf(message: Message): object {
  const { role, content } = message
  if (role === 'user') return { role, content }
  if (role === 'tool') {
    const status = message.ok ? 'success' : 'error'
    return { role, content, tool_call_id: message.call, name: message.tool, status }
  }
  const calls = message.calls.map(({ id, tool: name, args }) => {
    return { id, type: 'tool_call', name, args: argumentsObject(args) }
  })
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}

/** The fields of a chunk that are read. A model that does not stream sends one whole message, with `tool_calls`. A field may be `null`. */
interface Chunk extends Content {
  readonly tool_call_chunks?: readonly CallChunk[] | null
  readonly tool_calls?: readonly { id?: string; name: string; args: unknown }[] | null
  readonly invalid_tool_calls?: readonly CallChunk[] | null
  readonly usage_metadata?: UsageMetadata | null
  readonly response_metadata?: Readonly<Record<string, unknown>> | null
}

interface UsageMetadata {
  readonly input_tokens?: number
  readonly output_tokens?: number
  readonly total_tokens?: number
  readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number }
}

interface CallChunk {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly args?: string | undefined
}

type Call = RawCall & Pick<CallChunk, 'index'>

/** The package of a `provider` sets its name on the chunks. Such a package also sends the reason for the end. */
type StreamedReply = PartialReply & Readonly<{ calls: readonly Call[]; provider?: true }>

/** Providers use different names for the reason for which an answer ends. */
const FINISH = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason']

/** Some endpoints send an empty reason before the end. */
const isReason = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value !== 'null'

export function withChunk(reply: StreamedReply, chunk: Chunk): StreamedReply {
  const { tool_call_chunks, invalid_tool_calls, usage_metadata } = chunk
  const metadata = chunk.response_metadata ?? {}
  const finish = FINISH.map(name => metadata[name]).find(isReason)
  const usage = usage_metadata ? addUsage(reply.usage, usage_metadata) : undefined
  const provider = typeof metadata.model_provider === 'string' || undefined
  const pieces = Math.max(tool_call_chunks?.length ?? 0, invalid_tool_calls?.length ?? 0)
  const calls = pieces + (chunk.tool_calls?.length ?? 0)
  const { text, reasoning, files, unread } = contentOf(chunk, calls)
  return {
    ...reply,
    text: reply.text + text,
    reasoning: reply.reasoning + reasoning,
    files: (reply.files ?? 0) + files,
    unread: (reply.unread ?? 0) + unread,
    // ChatOpenAI reports the usage only at the end, and passes on what each chunk reports.
    counts: { ...reply.counts, ...countsIn(metadata) },
    pieces,
    calls: pieces > CALLS_MAX ? reply.calls : withCalls(reply.calls, chunk),
    ...defined({ usage, finish: finish as string | undefined, provider }),
  }
}

/** Chunks add up, as in `AIMessageChunk.concat`: providers report the input first, and only the rest later. */
function addUsage(before: PartialReply['usage'], more: UsageMetadata): PartialReply['usage'] {
  const { input = 0, output = 0, cached = 0, total = input + output } = before ?? {}
  const { input_tokens = 0, output_tokens = 0, input_token_details: details } = more
  const known = input_tokens + output_tokens
  const beyond = Math.max(0, (more.total_tokens ?? known) - known)
  // Tokens that were written into a cache are input, also if only the total contains them.
  const written = Math.min(beyond, details?.cache_creation ?? 0)
  const sum = {
    input: input + input_tokens + written,
    output: output + output_tokens,
    cached: cached + (details?.cache_read ?? 0),
  }
  const all = total + known + beyond
  return all > sum.input + sum.output ? { ...sum, total: all } : sum
}

function withCalls(
  before: readonly Call[],
  { tool_call_chunks: pieces, tool_calls: whole, invalid_tool_calls: invalid }: Chunk,
): readonly Call[] {
  if (pieces) return pieces.reduce(withCall, before)
  const valid = (whole ?? []).map(({ id, name: tool, args }) => {
    return { id, tool, args: { parsed: args as Json } }
  })
  return [...before, ...valid, ...(invalid ?? []).reduce(withCall, [])]
}

/** The pieces of one call share their index. Without an index, a new id starts a new call. */
function withCall(calls: readonly Call[], piece: CallChunk): readonly Call[] {
  const { index, id, name = '', args = '' } = piece
  const at = calls.findLastIndex(call => index === undefined || call.index === index)
  const call = calls[at]
  if (!call || (id && call.id && id !== call.id))
    return [...calls, { index, id: id || undefined, tool: name, args }]
  // Some endpoints repeat the whole name in every piece.
  return calls.with(at, {
    ...call,
    id: call.id ?? (id || undefined),
    tool: call.tool === name ? name : call.tool + name,
    args: `${call.args}${args}`,
  })
}

/** Without a single chunk, nothing has ended. */
const isCut = ({ provider, finish, usage, pieces }: StreamedReply): boolean =>
  pieces === undefined || (provider === true && finish === undefined && !usage)
