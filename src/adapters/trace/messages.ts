/** Messages of OpenAI (chats, the Responses API, the Agents SDK) and of LangGraph (plain, stored or serialized, and checkpoints). */
import type { Act } from '../../core/watch/trace-watcher.ts'
import { agentText, contentText, inside, isMap, locate, mapAt, toolAnswer } from './fields.ts'
import { jsonText, toolCall, userText, parseArgs } from './fields.ts'
import type { Fields, Item, Place, Skip } from './fields.ts'
import type { Conversation, Dialect } from './conversation.ts'

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

const callOf = (item: Item, call?: string): Act =>
  toolCall(call, item.text('name'), parseArgs(item.fields.arguments ?? item.fields.input))

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

/** By the type, the role or the class of a message. */
const ROLES: Readonly<Record<string, 'user' | 'model' | 'tool' | 'none'>> = {
  ...{ HumanMessage: 'user', human: 'user', user: 'user' },
  ...{ AIMessage: 'model', ai: 'model', assistant: 'model' },
  ...{ ToolMessage: 'tool', tool: 'tool' },
  ...{ SystemMessage: 'none', system: 'none', developer: 'none' },
  ...{ RemoveMessage: 'none', remove: 'none' },
}

export const LANGGRAPH: Dialect = {
  lists: ['messages'],
  item: 'a message as {"type", "content"}',
  acts(item, skip) {
    const [kind, message] = unwrapMessage(item)
    const { content, name, status } = message.fields
    const role = ROLES[kind]
    if (role === 'user') return userText(contentText(content))
    if (role === 'model') return [...agentText(contentText(content), name), ...callsIn(message)]
    if (role !== 'tool') return role === 'none' ? [] : skip(kind)
    const ok = status === 'success' || (status === 'error' ? false : null)
    return [toolAnswer(message.text('tool_call_id'), ok, contentText(content))]
  },
  inner(place, value) {
    if (!Array.isArray(value)) return stateIn(place, value)
    const states = locate(place, value).map(one => stateIn(...one))
    const all = states.length > 0 && states.every(([, state], index) => state !== value[index])
    return all ? latestState(value, states) : [place, value]
  },
}

/** The state in a snapshot or a checkpoint of a thread. Any other value stays unchanged. */
function stateIn(place: Place, value: unknown): Conversation {
  if (!isMap(value)) return [place, value]
  const holders = [
    [place, value],
    [inside(place, 'checkpoint'), mapAt(value, 'checkpoint')],
  ] as const
  for (const [at, holder] of holders)
    for (const name of ['values', 'channel_values'])
      if (isMap(holder[name])) return [inside(at, name), holder[name], threadOf(value)]
  return [place, value]
}

function threadOf(value: Fields): string | undefined {
  const { configurable } = mapAt(value, 'config')
  const { thread_id: id } = isMap(configurable) ? configurable : mapAt(value, 'checkpoint')
  return typeof id === 'string' ? id : undefined
}

/** The newest state of a thread contains the most messages. Without times, the newest is the first. */
function latestState(values: readonly unknown[], states: readonly Conversation[]): Conversation {
  const ages = values.map(value => (isMap(value) ? timeOf(value) : ''))
  const newest = ages.reduce((best, age, index) => (age > (ages[best] ?? '') ? index : best), 0)
  return states[newest] as Conversation
}

const timeOf = (state: Fields): string =>
  jsonText(state.created_at ?? state.createdAt ?? mapAt(state, 'checkpoint').ts)

/** The type, role or class name of a message, and the object with its fields. */
function unwrapMessage(item: Item): readonly [kind: string, Item] {
  const { role, type, id, data } = item.fields
  const name = typeof role === 'string' && type === undefined ? role : item.text('type')
  if (name !== 'constructor')
    return [wholeName(name), isMap(data) ? item.item('data', 'a message') : item]
  const path: unknown = Array.isArray(id) ? id.at(-1) : undefined
  if (typeof path !== 'string')
    throw item.expected('a list that ends with the name of a class', 'id')
  return [wholeName(path), item.item('kwargs', 'the fields of a message')]
}

/** A chunk is read as the whole message. */
const wholeName = (name: string): string => name.replace(/Chunk$/, '')

/** Older versions store calls only in the form of the provider. */
function callsIn(message: Item): readonly Act[] {
  const calls = message.items('tool_calls', 'a call')
  const older = calls.length === 0 && isMap(message.fields.additional_kwargs)
  const all = older ? message.item('additional_kwargs', '').items('tool_calls', 'a call') : calls
  return all.map(call =>
    isMap(call.fields.function)
      ? messageCall(call)
      : toolCall(call.optional('id'), call.text('name'), call.fields.args),
  )
}
