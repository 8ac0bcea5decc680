/** Chat messages of OpenAI and of compatible endpoints, and items of the Responses API and of the Agents SDK. */
import type { Act } from '../../core/watch/trace-watcher.ts'
import type { Item, Skip } from './fields.ts'
import { agentText, contentText, isMap, parseArgs } from './fields.ts'
import { toolAnswer, toolCall, userText } from './fields.ts'
import type { Dialect } from './conversation.ts'

export const OPENAI: Dialect = {
  // Chats, requests and responses of the Responses API, and pages of stored items.
  lists: ['messages', 'input', 'output', 'items', 'data'],
  item: 'a message as {"role", "content"}',
  acts(item, skip) {
    const { type = 'message', output } = item.fields
    const call = () => item.optional('call_id') ?? item.optional('callId')
    switch (type) {
      case 'message':
        return messageActs(item, skip)
      case 'function_call':
      case 'custom_tool_call':
        return [callOf(item, call())]
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'function_call_result':
        return [toolAnswer(call(), null, contentText(isMap(output) ? [output] : output))]
      case 'mcp_call':
        return mcpActs(item)
      case 'reasoning':
      case 'item_reference':
        return []
      default:
        return skip(item.text('type'))
    }
  },
}

function messageActs(item: Item, skip: Skip): readonly Act[] {
  const role = item.text('role')
  const { content, name, function_call } = item.fields
  switch (role) {
    case 'user':
      return userText(contentText(content))
    case 'assistant':
      return [
        ...agentText(contentText(content) || (item.optional('refusal') ?? ''), name),
        ...item.items('tool_calls', 'a call').map(messageCall),
        ...(isMap(function_call) ? [callOf(item.item('function_call', 'a call'))] : []),
      ]
    case 'tool':
      return [toolAnswer(item.text('tool_call_id'), null, contentText(content))]
    case 'function':
      return [toolAnswer(undefined, null, contentText(content))]
    case 'system':
    case 'developer':
      return []
    default:
      return skip(role)
  }
}

/** A call in a message of the assistant. @throws InvalidTrace */
export function messageCall(call: Item): Act {
  const kind = call.fields.type === 'custom' ? 'custom' : 'function'
  return callOf(call.item(kind, 'a call with its name'), call.text('id'))
}

function callOf(item: Item, call?: string): Act {
  return toolCall(call, item.text('name'), parseArgs(item.fields.arguments ?? item.fields.input))
}

/** The provider makes this call itself and keeps the answer beside it. */
function mcpActs(item: Item): readonly Act[] {
  const { error, output } = item.fields
  const id = item.text('id')
  const call = callOf(item, id)
  if (error !== undefined && error !== null) {
    const text = contentText(isMap(error) ? (error.message ?? error.content ?? error) : error)
    return [call, toolAnswer(id, false, text)]
  }
  return typeof output === 'string' ? [call, toolAnswer(id, null, output)] : [call]
}
