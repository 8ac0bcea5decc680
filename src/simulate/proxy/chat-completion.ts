/** Chat completions as OpenAI-compatible endpoints send them: one JSON object, or a stream of chunks. */
import { type Json, isMap } from '../../core/watch/data/json.ts'
import type { ToolRequest } from '../../core/watch/event/call-event.ts'
import { toolRequests } from '../../kit/model.ts'
import type { ModelReply } from '../../runtime/model-message.ts'

type Fields = { readonly [key: string]: Json | undefined }

/** The used part of a request. */
export interface ChatRequest {
  readonly model: string
  readonly stream: boolean
  readonly withUsage: boolean
}

/** @throws TypeError for a body that is not a request */
export function chatRequestIn(body: Json): ChatRequest {
  const { model, stream, stream_options: options, n } = fieldsOf(body)
  if (typeof model !== 'string') throw new TypeError('model: expected the name of a model')
  if (n !== undefined && n !== null && n !== 1) throw new TypeError('n: expected 1')
  return { model, stream: stream === true, withUsage: fieldsOf(options).include_usage === true }
}

/** A complete answer of an endpoint, and what it says. */
export interface Completion {
  /** A `chat.completion`. */
  readonly raw: Fields
  readonly reply: ModelReply
}

/** The answer in the body of a response. @throws SyntaxError */
export function completionIn(text: string, key: string): Completion {
  const isStream = /^(data|event|id|retry)?:/m.test(
    text.slice(0, 100).trimStart().split('\n')[0] ?? '',
  )
  const raw = isStream ? joined(chunksIn(text)) : fieldsOf(JSON.parse(text))
  return { raw, reply: replyOf(raw, key) }
}

function chunksIn(text: string): readonly Fields[] {
  const lines = text.split(/\r?\n/).flatMap(line => /^data: ?(.*)$/.exec(line)?.[1] ?? [])
  return lines.filter(line => line !== '[DONE]').map(line => fieldsOf(JSON.parse(line)))
}

/** The chunks of a stream as one completion. */
function joined(chunks: readonly Fields[]): Fields {
  const deltas = chunks.map(chunk => fieldsOf(choiceOf(chunk).delta))
  const calls = new Map<Json | undefined, { id: Json; name: string; arguments: string }>()
  for (const part of deltas.flatMap(({ tool_calls: parts }) => listOf(parts))) {
    const { index, id, function: of } = fieldsOf(part)
    const { name, arguments: args } = fieldsOf(of)
    const known = calls.get(index) ?? { id: id ?? '', name: '', arguments: '' }
    const next = { ...known, name: known.name + textOf(name) }
    calls.set(index, { ...next, arguments: known.arguments + textOf(args) })
  }
  const message = {
    role: 'assistant',
    content: deltas.map(({ content }) => textOf(content)).join(''),
    tool_calls: [...calls.values()].map(({ id, ...of }) => ({
      id,
      type: 'function',
      function: of,
    })),
  }
  const finish = chunks.findLast(chunk => choiceOf(chunk).finish_reason)
  const { usage } = chunks.findLast(({ usage }) => isMap(usage)) ?? {}
  const choice = {
    index: 0,
    message,
    finish_reason: (finish && choiceOf(finish).finish_reason) ?? 'stop',
  }
  const { choices: _, ...head } = chunks[0] ?? {}
  return { ...head, object: 'chat.completion', choices: [choice], ...(usage && { usage }) }
}

function replyOf(raw: Fields, key: string): ModelReply {
  const { content, tool_calls: parts } = fieldsOf(choiceOf(raw).message)
  const calls = listOf(parts).map(part => {
    const { id, function: of } = fieldsOf(part)
    const { name, arguments: args } = fieldsOf(of)
    return { id: textOf(id), tool: textOf(name), args: textOf(args) }
  })
  return { text: textOf(content), calls: toolRequests(calls, key) }
}

/** The completion with another reply. Its other fields stay. */
export function withReply(raw: Fields, { text, calls }: ModelReply): Fields {
  const { message, ...choice } = choiceOf(raw)
  const { tool_calls: _, ...others } = fieldsOf(message)
  const changed = {
    ...others,
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls.map(toolCallOf) }),
  }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  return { ...raw, choices: [{ index: 0, ...choice, message: changed, finish_reason: finish }] }
}

const toolCallOf = ({ id, tool, args }: ToolRequest) => {
  const text = typeof args === 'string' ? args : JSON.stringify(args)
  return { id, type: 'function', function: { name: tool, arguments: text } }
}

/** A completion without an endpoint: it spends no tokens. */
export const emptyCompletion = (model: string, id: string): Fields => ({
  id,
  object: 'chat.completion',
  created: 0,
  model,
  choices: [{}],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
})

/** The body of a response: the completion, or a stream of it. */
export function completionText(raw: Fields, { stream, withUsage }: ChatRequest): string {
  if (!stream) return JSON.stringify(raw)
  const { choices: _, usage, ...others } = raw
  const { message, finish_reason: finish } = choiceOf(raw)
  const { tool_calls: calls, ...delta } = fieldsOf(message)
  const numbered = listOf(calls).map((call, index) => ({ index, ...fieldsOf(call) }))
  const head = { ...others, object: 'chat.completion.chunk' }
  const said = { ...delta, ...(numbered.length > 0 && { tool_calls: numbered }) }
  const chunks = [
    { ...head, choices: [{ index: 0, delta: said, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    ...(withUsage && usage ? [{ ...head, choices: [], usage }] : []),
  ]
  const lines = [...chunks.map(chunk => JSON.stringify(chunk)), '[DONE]']
  return lines.map(line => `data: ${line}\n\n`).join('')
}

const choiceOf = ({ choices }: Fields): Fields => fieldsOf(listOf(choices)[0])
const fieldsOf = (value: Json | undefined): Fields => (isMap(value) ? value : {})
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
