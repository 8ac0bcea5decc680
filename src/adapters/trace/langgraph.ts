/** The message history of LangGraph: LangChain messages, plain, stored (`data`), or serialised (`constructor`). */
import type { Act } from '../../core/watch/act.ts'
import type { Json } from '../../core/watch/json.ts'
import { type Conversing, contentText, said, saidByPerson } from './conversation.ts'
import { expected, type Fields, inside, isMap, listIn, mapAt, optionalIn, type Place, textIn } from './fields.ts'

export const LANGGRAPH: Conversing = {
  list: 'messages',
  item: 'a message as {"type", "content"}',
  acts(place, given) {
    const [at, kind, message] = plain(place, given)
    switch (kind) {
      case 'human':
        return saidByPerson(contentText(message.content))
      case 'ai':
        return [...said(contentText(message.content), message.name), ...listIn(at, message, 'tool_calls').map(([where, call]) => calledAt(where, mapAt(where, call, 'a call')))]
      case 'tool':
        return [{ act: 'answered', call: textIn(at, message, 'tool_call_id'), ok: okOf(message.status), text: contentText(message.content) }]
      default:
        return []
    }
  },
}

function plain(place: Place, message: Fields): readonly [Place, string, Fields] {
  const type = textIn(place, message, 'type')
  if (type === 'constructor') {
    const name = Array.isArray(message.id) ? message.id.at(-1) : undefined
    if (typeof name !== 'string') throw expected(inside(place, 'id'), 'a list that ends with the name of a class', message.id)
    const at = inside(place, 'kwargs')
    return [at, KINDS[name.replace(/Chunk$/, '')] ?? name, mapAt(at, message.kwargs, 'the fields of a message')]
  }
  return isMap(message.data) ? [inside(place, 'data'), type, message.data] : [place, type, message]
}

/** By the names of their classes. */
const KINDS: Readonly<Record<string, string>> = { HumanMessage: 'human', AIMessage: 'ai', ToolMessage: 'tool' }

function calledAt(place: Place, call: Fields): Act {
  const id = optionalIn(place, call, 'id')
  return { act: 'called', tool: textIn(place, call, 'name'), args: (call.args ?? null) as Json, ...(id === undefined ? {} : { call: id }) }
}

function okOf(status: unknown): boolean | null {
  return status === 'error' ? false : status === 'success' ? true : null
}
