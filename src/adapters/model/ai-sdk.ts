/** Any language model of the AI SDK (`@ai-sdk/provider`) as a model of ours. It is read by its structure: no package is imported. */
import type { Json } from '../../core/watch/data/json.ts'
import {
  argumentsObject,
  brokenOff,
  modelFields,
  type ModelOptions,
  type RawCall,
  toolRequests,
  withheld,
} from '../../kit/model.ts'
import type { Message, ModelReply } from '../../runtime/model-message.ts'
import type { Model, ModelRequest } from '../../runtime/ports.ts'

/** What is used of `LanguageModelV2`, `LanguageModelV3` and `LanguageModelV4`. */
export interface AiSdkModel {
  readonly specificationVersion: string
  readonly modelId: string
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream }>
}

export function isAiSdkModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null) return false
  const { specificationVersion: version, modelId, doStream } = value as Partial<AiSdkModel>
  return (
    typeof version === 'string' &&
    VERSIONS.includes(version) &&
    typeof modelId === 'string' &&
    typeof doStream === 'function'
  )
}

const VERSIONS = ['v2', 'v3', 'v4']

/**
 * The gate owns retries, timeouts and breakers: the model is asked directly, below the retries of `generateText`, and every
 * failure is thrown as it came.
 *
 * @example
 * const model = aiSdkModel(openai('gpt-4o-mini'), { price: { input: 0.15, output: 0.6 } })
 */
export function aiSdkModel(model: AiSdkModel, options: ModelOptions = {}): Model {
  return {
    ...modelFields(options.id ?? model.modelId, options),
    async ask(request, { signal, idempotencyKey: key, onDelta }) {
      try {
        signal.throwIfAborted()
        const { stream } = await model.doStream({
          ...questionOf(request),
          abortSignal: signal,
        } as never)
        let answer = NOTHING_YET
        for await (const part of stream as ReadableStream<Part>) {
          signal.throwIfAborted()
          answer = extended(answer, part)
          if (part.type === 'text-delta' && part.delta) onDelta(part.delta)
        }
        signal.throwIfAborted()
        return replyOf(answer, key)
      } catch (error) {
        throw signal.aborted ? signal.reason : withCode(error)
      }
    },
  }
}

function questionOf({ system, messages, tools }: ModelRequest) {
  return {
    prompt: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.reduce(withMessage, []),
    ],
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            name,
            description,
            inputSchema: parameters,
          })),
          toolChoice: { type: 'auto' },
        }),
  }
}

interface PromptMessage {
  readonly role: Message['role']
  readonly content: readonly object[]
}

/** Providers expect the results of one answer's calls in one message. */
function withMessage(before: readonly PromptMessage[], message: Message): PromptMessage[] {
  const { role } = message
  const last = before.at(-1)
  const content = contentOf(message)
  return role === 'tool' && last?.role === 'tool'
    ? [...before.slice(0, -1), { role, content: [...last.content, ...content] }]
    : [...before, { role, content }]
}

function contentOf(message: Message): readonly object[] {
  const text = message.content === '' ? [] : [{ type: 'text', text: message.content }]
  if (message.role === 'user') return [{ type: 'text', text: message.content }]
  if (message.role === 'tool')
    return [
      {
        type: 'tool-result',
        toolCallId: message.call,
        toolName: message.tool,
        output: { type: message.ok ? 'text' : 'error-text', value: message.content },
      },
    ]
  return [
    ...text,
    ...message.calls.map(({ id, tool, args }) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: tool,
      input: argumentsObject(args),
    })),
  ]
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
  readonly finishReason?: string | { readonly unified: string; readonly raw?: string | undefined }
  readonly error?: unknown
}

/** Version 2 has numbers, later versions have details. */
interface Usage {
  readonly inputTokens?: number | { readonly total?: number; readonly cacheRead?: number }
  readonly outputTokens?: number | { readonly total?: number }
  readonly cachedInputTokens?: number
}

interface Answer {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly RawCall[]
  readonly finish?: string
  readonly usage?: NonNullable<ModelReply['usage']>
}

const NOTHING_YET: Answer = { text: '', reasoning: '', calls: [] }

function extended(answer: Answer, part: Part): Answer {
  switch (part.type) {
    case 'text-delta':
      return { ...answer, text: answer.text + (part.delta ?? '') }
    case 'reasoning-delta':
      return { ...answer, reasoning: answer.reasoning + (part.delta ?? '') }
    case 'tool-call':
      return part.providerExecuted ? answer : { ...answer, calls: [...answer.calls, callOf(part)] }
    case 'finish':
      return { ...answer, ...endOf(part) }
    case 'error':
      throw part.error
    default:
      return answer
  }
}

function callOf({ toolCallId, toolName = '', input = '' }: Part): RawCall {
  return {
    id: toolCallId,
    tool: toolName,
    args: typeof input === 'string' ? input : { parsed: input as Json },
  }
}

function endOf({ finishReason: reason, usage }: Part): Partial<Answer> {
  const finish = typeof reason === 'object' ? reason.unified : reason
  const [input, output] = [totalOf(usage?.inputTokens), totalOf(usage?.outputTokens)]
  const cached =
    typeof usage?.inputTokens === 'object' ? usage.inputTokens.cacheRead : usage?.cachedInputTokens
  return {
    ...(finish === undefined ? {} : { finish }),
    ...(input === undefined && output === undefined
      ? {}
      : { usage: { input: input ?? 0, output: output ?? 0, cached: cached ?? 0 } }),
  }
}

function totalOf(tokens: number | { readonly total?: number } | undefined): number | undefined {
  return typeof tokens === 'object' ? tokens.total : tokens
}

/** Reasons to finish that name no end of the answer: without usage, the stream was cut. */
const NO_END: readonly (string | undefined)[] = [undefined, 'other', 'unknown']

/** @throws where the answer was withheld, or broke off before its end. */
function replyOf({ text, reasoning, calls, finish, usage }: Answer, key: string): ModelReply {
  if (text === '' && calls.length === 0 && finish === 'content-filter') throw withheld()
  if (finish === 'error' || finish === 'interrupted' || (NO_END.includes(finish) && !usage))
    throw brokenOff()
  return {
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    calls: toolRequests(calls, key),
    ...(usage ? { usage } : {}),
  }
}

/** The provider's own code (`insufficient_quota`) stands in the body of the response; the classifier reads it from the error. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error) return error
  const { data } = error as { data?: { error?: { code?: unknown } } }
  const code = data?.error?.code
  return typeof code === 'string' ? Object.assign(error, { code }) : error
}
