/** The format in which a file was recorded, as its first value shows it. */
import { type Fields, isMap } from './fields.ts'

/** The most specific formats come first: in a list with items of several formats, the first of these decides. */
export const FORMATS = ['trace', 'otel', 'ai-sdk', 'langgraph', 'openai'] as const

export type Format = (typeof FORMATS)[number]

/** The deepest list is one of conversations, each with its list of messages. */
const DEPTH_MAX = 3

const SPANS = ['resourceSpans', 'resourceLogs', 'resourceMetrics', 'traceId', 'trace_id']
const STEP = ['toolCalls', 'toolResults', 'finishReason']
const LISTS = ['messages', 'input', 'output', 'items', 'data']
const LANGCHAIN = /^(constructor|human|ai|tool|system|remove)$|Message(Chunk)?$/
const ITEM = /^(message|reasoning|item_reference)$|_call(_output|_result)?$/

export function formatOf(value: unknown, depth = 0): Format | undefined {
  if (!Array.isArray(value)) return isMap(value) ? formatOfOne(value, depth) : undefined
  if (depth === DEPTH_MAX) return undefined
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
  const states = [value, value.checkpoint].filter(isMap)
  if (states.some(state => isMap(state.values) || isMap(state.channel_values))) return 'langgraph'
  const inner = LISTS.flatMap(name => value[name] ?? [])
  return formatOf(inner, depth + 1)
}

/** A message with a role alone fits all three formats, and is read as one of OpenAI. */
function formatOfMessage({ type, parts, content, tool_calls: calls }: Fields): Format | undefined {
  const inner = [parts, content].flatMap(list => (Array.isArray(list) ? list : [])).filter(isMap)
  if (Array.isArray(parts) || inner.some(part => 'toolCallId' in part)) return 'ai-sdk'
  const parsed = Array.isArray(calls) && calls.some(call => isMap(call) && 'args' in call)
  if (LANGCHAIN.test(String(type)) || parsed) return 'langgraph'
  return type === undefined || ITEM.test(String(type)) ? 'openai' : undefined
}
