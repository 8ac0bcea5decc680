/** An answer of a LangChain chat model, assembled from the chunks that stream in. */
import type { Json } from '../../../core/watch/data/json.ts'
import { brokenOff, type RawCall, toolRequests, withheld } from '../../../kit/model.ts'
import type { ModelReply } from '../../../runtime/model-message.ts'

/** The fields of a chunk that are read. A model that does not stream sends one whole message, with `tool_calls`. */
export interface Chunk {
  readonly content: unknown
  readonly additional_kwargs?: Readonly<Record<string, unknown>>
  readonly tool_call_chunks?: readonly CallChunk[]
  readonly tool_calls?: readonly { id?: string; name: string; args: unknown }[]
  readonly invalid_tool_calls?: readonly CallChunk[]
  readonly usage_metadata?: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly input_token_details?: { readonly cache_read?: number }
  }
  readonly response_metadata?: Readonly<Record<string, unknown>>
}

interface CallChunk {
  readonly index?: number | undefined
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly args?: string | undefined
}

interface Call extends RawCall {
  readonly index: number | undefined
}

/** An answer so far. */
export interface Partial {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly Call[]
  readonly usage?: ModelReply['usage']
  readonly finish?: string
  /** A provider's package has stamped its name on the chunks: it also sends how an answer ends. */
  readonly provider?: true
}

export const NOTHING_YET: Partial = { text: '', reasoning: '', calls: [] }

/** Providers differ in the name of the reason for which an answer ends. */
const FINISH = ['finish_reason', 'stop_reason', 'finishReason', 'done_reason']

export function extended(partial: Partial, chunk: Chunk): Partial {
  const { reasoning_content: reasoning } = chunk.additional_kwargs ?? {}
  const metadata = chunk.response_metadata ?? {}
  const finish = FINISH.map(name => metadata[name]).find(value => typeof value === 'string')
  return {
    ...partial,
    text: partial.text + textIn(chunk.content),
    reasoning:
      partial.reasoning + (typeof reasoning === 'string' ? reasoning : reasoningIn(chunk.content)),
    calls: chunk.tool_call_chunks
      ? chunk.tool_call_chunks.reduce(withCall, partial.calls)
      : [...partial.calls, ...wholeCalls(chunk)],
    ...(chunk.usage_metadata ? { usage: usageIn(chunk.usage_metadata) } : {}),
    ...(typeof finish === 'string' ? { finish } : {}),
    ...(typeof metadata.model_provider === 'string' ? { provider: true } : {}),
  }
}

function wholeCalls({ tool_calls = [], invalid_tool_calls = [] }: Chunk): readonly Call[] {
  return [
    ...tool_calls.map(({ id, name, args }) => ({
      index: undefined,
      id,
      tool: name,
      args: { parsed: args as Json },
    })),
    ...invalid_tool_calls.reduce(withCall, []),
  ]
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return partsIn(content, 'text', 'text')
}

/** Reasoning as LangChain's own blocks hold it, or Anthropic's. */
function reasoningIn(content: unknown): string {
  return partsIn(content, 'reasoning', 'reasoning') + partsIn(content, 'thinking', 'thinking')
}

function partsIn(content: unknown, type: string, field: string): string {
  return Array.isArray(content)
    ? content
        .map(part => (part?.type === type && typeof part[field] === 'string' ? part[field] : ''))
        .join('')
    : ''
}

/** Pieces of one call share their index; endpoints that send no index start a new call with a new id. */
function withCall(
  calls: readonly Call[],
  { index, id, name = '', args = '' }: CallChunk,
): readonly Call[] {
  const at = calls.findLastIndex(call => (index === undefined ? true : call.index === index))
  const call = calls[at]
  if (!call || (id && call.id && id !== call.id))
    return [...calls, { index, id: id || undefined, tool: name, args }]
  // Some endpoints repeat the whole name with every piece.
  return calls.with(at, {
    ...call,
    id: call.id ?? (id || undefined),
    tool: call.tool === name ? name : call.tool + name,
    args: `${call.args}${args}`,
  })
}

function usageIn({
  input_tokens: input,
  output_tokens: output,
  input_token_details: details,
}: NonNullable<Chunk['usage_metadata']>): ModelReply['usage'] {
  return { input: input ?? 0, output: output ?? 0, cached: details?.cache_read ?? 0 }
}

/** The whole answer. @throws where it was withheld, or broke off before its end. */
export function replyOf(
  { text, reasoning, calls, usage, finish, provider }: Partial,
  key: string,
): ModelReply {
  if (text === '' && calls.length === 0 && finish === 'content_filter') throw withheld()
  if (provider && finish === undefined && !usage) throw brokenOff()
  return {
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    calls: toolRequests(calls, key),
    ...(usage ? { usage } : {}),
  }
}
