/** Chat messages of OpenAI, and of all who speak as it does; items of its Responses API, and of its Agents SDK. */
import type { Act } from '../../core/watch/normalize/act.ts'
import { type Dialect, contentText, spokenBy, saidByPerson, parseArgs } from './conversation.ts'
import {
  type Fields,
  inside,
  isMap,
  listIn,
  mapAt,
  optionalIn,
  type Passed,
  type Place,
  textIn,
} from './fields.ts'

export const OPENAI: Dialect = {
  // Chats, requests and answers of the Responses API, and pages of stored items.
  lists: ['messages', 'input', 'output', 'items', 'data'],
  item: 'a message as {"role", "content"}',
  acts(place, item, passed) {
    const { type = 'message' } = item
    switch (type) {
      case 'message':
        return message(place, item, passed)
      case 'function_call':
      case 'custom_tool_call':
        return [
          {
            act: 'called',
            ...pair(place, item),
            tool: textIn(place, item, 'name'),
            args: parseArgs(item.arguments ?? item.input),
          },
        ]
      case 'function_call_output':
      case 'custom_tool_call_output':
      case 'function_call_result':
        return [
          {
            act: 'answered',
            ...pair(place, item),
            ok: null,
            text: contentText(isMap(item.output) ? [item.output] : item.output),
          },
        ]
      case 'mcp_call':
        return mcp(place, item)
      case 'reasoning':
      case 'item_reference':
        return []
      default:
        passed(textIn(place, item, 'type'))
        return []
    }
  },
}

function message(place: Place, item: Fields, passed: Passed): readonly Act[] {
  const role = textIn(place, item, 'role')
  switch (role) {
    case 'user':
      return saidByPerson(contentText(item.content))
    case 'assistant':
      return [
        ...spokenBy(
          contentText(item.content) || (optionalIn(place, item, 'refusal') ?? ''),
          item.name,
        ),
        ...listIn(place, item, 'tool_calls').map(([at, call]) =>
          calledAt(at, mapAt(at, call, 'a call')),
        ),
        ...(isMap(item.function_call)
          ? [asked(inside(place, 'function_call'), item.function_call)]
          : []),
      ]
    case 'tool':
      return [
        {
          act: 'answered',
          call: textIn(place, item, 'tool_call_id'),
          ok: null,
          text: contentText(item.content),
        },
      ]
    case 'function':
      return [{ act: 'answered', ok: null, text: contentText(item.content) }]
    case 'system':
    case 'developer':
      return []
    default:
      passed(role)
      return []
  }
}

/** One call as a message of the assistant holds it. @throws InvalidTrace */
export function calledAt(place: Place, call: Fields): Act {
  const kind = call.type === 'custom' ? 'custom' : 'function'
  const at = inside(place, kind)
  return {
    ...asked(at, mapAt(at, call[kind], 'a call with its name')),
    call: textIn(place, call, 'id'),
  }
}

function asked(place: Place, call: Fields): Act & { readonly act: 'called' } {
  return {
    act: 'called',
    tool: textIn(place, call, 'name'),
    args: parseArgs(call.arguments ?? call.input),
  }
}

/** A call that was made by the provider, which keeps its answer beside it. */
function mcp(place: Place, item: Fields): readonly Act[] {
  const call = textIn(place, item, 'id')
  const { error, output } = item
  const made = { ...asked(place, item), call }
  if (error !== undefined && error !== null)
    return [
      made,
      {
        act: 'answered',
        call,
        ok: false,
        text: contentText(isMap(error) ? (error.message ?? error.content ?? error) : error),
      },
    ]
  return typeof output === 'string'
    ? [made, { act: 'answered', call, ok: null, text: output }]
    : [made]
}

function pair(place: Place, item: Fields): { readonly call?: string } {
  const call = optionalIn(place, item, 'call_id') ?? optionalIn(place, item, 'callId')
  return call === undefined ? {} : { call }
}
