/** Our messages and tools as LangChain takes them: messages by role, tools as OpenAI defines functions. */
import { argumentsObject } from '../../../kit/model.ts'
import type { Message } from '../../../runtime/model-message.ts'
import type { ModelRequest, Tool } from '../../../runtime/ports.ts'

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

export function definitionOf({ name, description, parameters }: Tool) {
  return {
    type: 'function' as const,
    function: { name, description, parameters: parameters as Record<string, unknown> },
  }
}
