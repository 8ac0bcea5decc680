/** A model's answer, put together from what streams in. */
import type { ToolRequest } from '../../../core/watch/event.ts'
import type { Json } from '../../../core/watch/json.ts'
import type { ModelReply } from '../../../runtime/ports.ts'

/** What is read of a streamed chunk. */
export interface Chunk {
  readonly content: unknown
  readonly additional_kwargs?: Readonly<Record<string, unknown>>
  readonly tool_call_chunks?: readonly CallChunk[]
  readonly usage_metadata?: {
    readonly input_tokens: number
    readonly output_tokens: number
    readonly input_token_details?: { readonly cache_read?: number }
  }
  readonly response_metadata?: Readonly<Record<string, unknown>>
}

interface CallChunk {
  readonly index?: number
  readonly id?: string
  readonly name?: string
  readonly args?: string
}

interface Call {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string
  readonly text: string
}

/** An answer so far. */
export interface Partial {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly Call[]
  readonly usage?: ModelReply['usage']
  readonly finish?: string
}

export const NOTHING_YET: Partial = { text: '', reasoning: '', calls: [] }

export function addChunk(partial: Partial, chunk: Chunk): Partial {
  const { reasoning_content: reasoning } = chunk.additional_kwargs ?? {}
  const { finish_reason: finish } = chunk.response_metadata ?? {}
  return {
    ...partial,
    text: partial.text + textIn(chunk.content),
    reasoning: partial.reasoning + (typeof reasoning === 'string' ? reasoning : ''),
    calls: (chunk.tool_call_chunks ?? []).reduce(withCall, partial.calls),
    ...(chunk.usage_metadata ? { usage: usageIn(chunk.usage_metadata) } : {}),
    ...(typeof finish === 'string' ? { finish } : {}),
  }
}

export function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return Array.isArray(content)
    ? content.map(part => (typeof part?.text === 'string' ? part.text : '')).join('')
    : ''
}

/** Pieces of one call share their index; endpoints that send none begin a new call with a new id. */
function withCall(
  calls: readonly Call[],
  { index, id, name = '', args = '' }: CallChunk,
): readonly Call[] {
  const at = calls.findLastIndex(call => (index === undefined ? true : call.index === index))
  const call = calls[at]
  if (!call || (id && call.id && id !== call.id))
    return [...calls, { index, id: id || undefined, name, text: args }]
  // Some endpoints repeat the whole name with every piece.
  return calls.with(at, {
    ...call,
    id: call.id ?? (id || undefined),
    name: call.name === name ? name : call.name + name,
    text: call.text + args,
  })
}

function usageIn({
  input_tokens: input,
  output_tokens: output,
  input_token_details: details,
}: NonNullable<Chunk['usage_metadata']>): ModelReply['usage'] {
  return { input: input ?? 0, output: output ?? 0, cached: details?.cache_read ?? 0 }
}

/** The whole answer. `fallbackId` names calls to which the endpoint gave no id, or that of another: endpoints refuse two of one name when they are sent back. */
export function replyOf(
  { text, reasoning, calls, usage }: Partial,
  fallbackId: string,
): ModelReply {
  const first = new Map(calls.map(({ id }, index) => [id, index] as const).reverse())
  return {
    text,
    ...(reasoning === '' ? {} : { reasoning }),
    calls: calls.map(
      (call, index): ToolRequest => ({
        id:
          call.id !== undefined && first.get(call.id) === index
            ? call.id
            : `${fallbackId}-${index + 1}`,
        tool: call.name,
        args: argumentsIn(call.text),
      }),
    ),
    ...(usage ? { usage } : {}),
  }
}

/** What is not JSON stays text: the tool's own check tells the model so. Nothing is repaired, for half a path is another path. */
function argumentsIn(text: string): Json {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
