/** Our messages and tools in the words of the chat completions API. */
import type { Json } from '../../../core/watch/json.ts'
import type { Message, ModelRequest, Tool } from '../../../runtime/ports.ts'

export function conversationOf({ system, messages }: ModelRequest) {
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
    }
  const calls = message.calls.map(({ id, tool, args }) => ({
    id,
    type: 'tool_call' as const,
    name: tool,
    args: objectOf(args),
  }))
  return {
    role: 'assistant' as const,
    content: message.content,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

/** Servers parse the arguments of earlier calls again, and some fail on what is no object: a model's broken JSON goes back wrapped. */
function objectOf(args: Json): Record<string, Json> {
  return typeof args === 'object' && args !== null && !Array.isArray(args)
    ? (args as Record<string, Json>)
    : { arguments: args }
}

export function definitionOf({ name, description, parameters }: Tool) {
  return {
    type: 'function' as const,
    function: { name, description, parameters: parameters as Record<string, unknown> },
  }
}
