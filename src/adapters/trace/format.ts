/** In which form a file was recorded, as far as its first value shows it. */
import { type Fields, isMap } from './fields.ts'

/** Those that have words of their own come first: of a list with several, the most telling item decides. */
export const FORMATS = ['trace', 'otel', 'ai-sdk', 'langgraph', 'openai'] as const

export type Format = (typeof FORMATS)[number]

/** A list of conversations, each with its list of messages, is as deep as it gets. */
const DEEP = 3

export function formatOf(value: unknown, depth = 0): Format | undefined {
  if (!Array.isArray(value)) return isMap(value) ? formatOfOne(value, depth) : undefined
  if (depth === DEEP) return undefined
  const all = new Set(value.map(one => formatOf(one, depth + 1)))
  return FORMATS.find(format => all.has(format))
}

function formatOfOne(value: Fields, depth: number): Format | undefined {
  if (SPANS.some(name => name in value) || (isMap(value.context) && 'trace_id' in value.context))
    return 'otel'
  if ('events' in value) return 'trace'
  if (typeof value.type === 'string' || typeof value.role === 'string')
    return formatOfMessage(value)
  if (Array.isArray(value.steps) || STEP.some(name => name in value)) return 'ai-sdk'
  if (
    [value, value.checkpoint].some(
      state => isMap(state) && (isMap(state.values) || isMap(state.channel_values)),
    )
  )
    return 'langgraph'
  return formatOf(
    LISTS.flatMap(name => value[name] ?? []),
    depth + 1,
  )
}

const SPANS = ['resourceSpans', 'resourceLogs', 'resourceMetrics', 'traceId', 'trace_id']
const STEP = ['toolCalls', 'toolResults', 'finishReason']
const LISTS = ['messages', 'input', 'output', 'items', 'data']

/** A message by its role alone may be of any of them, and is read as one of OpenAI's. */
function formatOfMessage({ type, parts, content, tool_calls: calls }: Fields): Format | undefined {
  const inner = [parts, content].flatMap(list => (Array.isArray(list) ? list : [])).filter(isMap)
  if (Array.isArray(parts) || inner.some(part => 'toolCallId' in part)) return 'ai-sdk'
  if (
    LANGCHAIN.test(String(type)) ||
    (Array.isArray(calls) && calls.some(call => isMap(call) && 'args' in call))
  )
    return 'langgraph'
  return type === undefined || ITEM.test(String(type)) ? 'openai' : undefined
}

const LANGCHAIN = /^(constructor|human|ai|tool|system|remove)$|Message(Chunk)?$/
const ITEM = /^(message|reasoning|item_reference)$|_call(_output|_result)?$/
