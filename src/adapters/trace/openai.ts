/** Chat messages of OpenAI and of endpoints with its API; items of its Responses API and of its Agents SDK. */
import type { Act } from '../../core/watch/normalize/act.ts'
import { answered, called, contentText, parseArgs, saidByPerson, spokenBy } from './acts.ts'
import type { Dialect } from './conversation.ts'
import { isMap, type Item, type Passed } from './fields.ts'

export const OPENAI: Dialect = {
  // Chats, requests and answers of the Responses API, and pages of stored items.
  lists: ['messages', 'input', 'output', 'items', 'data'],
  item: 'a message as {"role", "content"}',
  acts(item, passed) {
    const { type = 'message', output } = item.fields
    switch (type) {
      case 'message':
        return message(item, passed)
      case 'function_call':
      case 'custom_tool_call':
        return [callIn(item, callId(item))]
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'function_call_result':
        return [answered(callId(item), null, contentText(isMap(output) ? [output] : output))]
      case 'mcp_call':
        return mcp(item)
      case 'reasoning':
      case 'item_reference':
        return []
      default:
        passed(item.text('type'))
        return []
    }
  },
}

function message(item: Item, passed: Passed): readonly Act[] {
  const role = item.text('role')
  const { content, name, function_call } = item.fields
  switch (role) {
    case 'user':
      return saidByPerson(contentText(content))
    case 'assistant':
      return [
        ...spokenBy(contentText(content) || (item.optional('refusal') ?? ''), name),
        ...item.items('tool_calls', 'a call').map(toolCall),
        ...(isMap(function_call) ? [callIn(item.item('function_call', 'a call'))] : []),
      ]
    case 'tool':
      return [answered(item.text('tool_call_id'), null, contentText(content))]
    case 'function':
      return [answered(undefined, null, contentText(content))]
    case 'system':
    case 'developer':
      return []
    default:
      passed(role)
      return []
  }
}

/** One call as a message of the assistant holds it. @throws InvalidTrace */
export function toolCall(call: Item): Act {
  const kind = call.fields.type === 'custom' ? 'custom' : 'function'
  return callIn(call.item(kind, 'a call with its name'), call.text('id'))
}

function callIn(item: Item, call?: string): Act {
  return called(call, item.text('name'), parseArgs(item.fields.arguments ?? item.fields.input))
}

/** A call that the provider makes itself; it keeps the answer beside the call. */
function mcp(item: Item): readonly Act[] {
  const call = item.text('id')
  const { error, output } = item.fields
  const made = callIn(item, call)
  if (error !== undefined && error !== null) {
    const text = contentText(isMap(error) ? (error.message ?? error.content ?? error) : error)
    return [made, answered(call, false, text)]
  }
  return typeof output === 'string' ? [made, answered(call, null, output)] : [made]
}

function callId(item: Item): string | undefined {
  return item.optional('call_id') ?? item.optional('callId')
}
