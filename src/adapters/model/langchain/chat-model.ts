/** Any chat model of LangChain as a model. It is used by its structure: no package is imported. */
import { argumentsObject, modelFields, type ModelOptions } from '../../../kit/model.ts'
import type { Message, ModelReply } from '../../../runtime/model-message.ts'
import type { Model, ModelRequest, Tool } from '../../../runtime/ports.ts'
import { type Chunk, extended, NOTHING_YET, replyOf, textIn } from './reply.ts'

/** What is used of LangChain's `BaseChatModel`. */
export interface LangChainModel {
  _llmType(): string
  _modelType(): string
  stream(input: never, options?: never): Promise<AsyncIterable<unknown>>
  bindTools?(tools: never): unknown
}

type Stream = (
  messages: ReturnType<typeof conversationOf>,
  options: { readonly signal: AbortSignal; readonly maxRetries: 0 },
) => Promise<AsyncIterable<Chunk>>

export function isLangChainModel(value: unknown): value is LangChainModel {
  if (typeof value !== 'object' || value === null) return false
  const { stream, _modelType: type } = value as Partial<LangChainModel>
  return (
    typeof stream === 'function' && typeof type === 'function' && type.call(value) === CHAT_MODEL
  )
}

const CHAT_MODEL = 'base_chat_model'

/**
 * The gate owns retries, timeouts and breakers: LangChain's retries are switched off for each call, and every failure is
 * thrown as it came.
 *
 * @example
 * const model = langchainModel(new ChatOpenAI({ model: 'gpt-4o-mini' }), { price: { input: 0.15, output: 0.6 } })
 */
export function langchainModel(model: LangChainModel, options: ModelOptions = {}): Model {
  const { model: id, modelName = id } = model as { model?: unknown; modelName?: unknown }
  return {
    ...modelFields(
      options.id ?? (typeof modelName === 'string' ? modelName : model._llmType()),
      options,
    ),
    ask: (request, call) => answer(model, request, call),
  }
}

type Call = Parameters<Model['ask']>[1]

export async function answer(
  model: LangChainModel,
  request: ModelRequest,
  { signal, idempotencyKey: key, onDelta }: Call,
): Promise<ModelReply> {
  try {
    signal.throwIfAborted()
    const bound = withTools(model, request.tools)
    let partial = NOTHING_YET
    for await (const chunk of await bound.stream(conversationOf(request), {
      signal,
      maxRetries: 0,
    })) {
      signal.throwIfAborted()
      partial = extended(partial, chunk)
      const delta = textIn(chunk.content)
      if (delta !== '') onDelta(delta)
    }
    signal.throwIfAborted()
    return replyOf(partial, key)
  } catch (error) {
    // LangChain words an abort in several ways; the reason of the signal is what happened.
    throw signal.aborted ? signal.reason : plain(error)
  }
}

function withTools(model: LangChainModel, tools: ModelRequest['tools']): { stream: Stream } {
  if (tools.length === 0) return model as unknown as { stream: Stream }
  if (!model.bindTools)
    throw new TypeError(
      `the chat model ${model._llmType()} cannot call tools: it has no bindTools. Use a model that calls tools, or a node without tools`,
    )
  return model.bindTools(tools.map(definitionOf) as never) as { stream: Stream }
}

/** The error without LangChain's pointer to its own documentation. Status, code and headers stay. */
function plain(error: unknown): unknown {
  if (error instanceof Error)
    error.message = error.message.replace(/\s*Troubleshooting URL: \S+\s*$/, '')
  return error
}

function conversationOf({ system, messages }: ModelRequest) {
  return [
    ...(system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map(messageOf),
  ]
}

function messageOf(message: Message) {
  if (message.role === 'user') return { role: 'user' as const, content: message.content }
  if (message.role === 'tool')
    return {
      role: 'tool' as const,
      content: message.content,
      tool_call_id: message.call,
      name: message.tool,
      status: message.ok ? ('success' as const) : ('error' as const),
    }
  const calls = message.calls.map(({ id, tool, args }) => ({
    id,
    type: 'tool_call' as const,
    name: tool,
    args: argumentsObject(args),
  }))
  return {
    role: 'assistant' as const,
    content: message.content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function definitionOf({ name, description, parameters }: Tool) {
  return {
    type: 'function' as const,
    function: { name, description, parameters: parameters as Record<string, unknown> },
  }
}
