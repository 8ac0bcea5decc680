/**
 * The message history of LangGraph: LangChain messages, plain, by their roles, stored (`data`), or serialized (`constructor`);
 * and the checkpoints that keep them.
 */
import type { Act } from '../../core/watch/normalize/act.ts'
import { answered, called, contentText, saidByPerson, spokenBy } from './acts.ts'
import type { Conversation, Dialect } from './conversation.ts'
import { type Fields, inside, isMap, type Item, located, type Place } from './fields.ts'
import { toolCall } from './openai.ts'

export const LANGGRAPH: Dialect = {
  lists: ['messages'],
  item: 'a message as {"type", "content"}',
  acts(item, passed) {
    const [kind, message] = unwrapped(item)
    const { content, name, status } = message.fields
    switch (kind) {
      case 'human':
        return saidByPerson(contentText(content))
      case 'ai':
        return [...spokenBy(contentText(content), name), ...callsIn(message)]
      case 'tool': {
        const ok = status === 'success' || (status === 'error' ? false : null)
        return [answered(message.text('tool_call_id'), ok, contentText(content))]
      }
      case 'system':
      case 'remove':
        return []
      default:
        passed(kind)
        return []
    }
  },
  inner(place, value) {
    if (!Array.isArray(value)) return stateIn(place, value)
    const states = located(place, value).map(one => stateIn(...one))
    return states.length > 0 && states.every(([, state], index) => state !== value[index])
      ? latest(value, states)
      : [place, value]
  },
}

/** What a snapshot or a checkpoint of a thread keeps; anything else as it is. */
function stateIn(place: Place, value: unknown): Conversation {
  if (!isMap(value)) return [place, value]
  const holders = [
    [place, value],
    [inside(place, 'checkpoint'), value.checkpoint],
  ] as const
  for (const [at, holder] of holders)
    for (const name of ['values', 'channel_values'])
      if (isMap(holder) && isMap(holder[name]))
        return [inside(at, name), holder[name], threadOf(value)]
  return [place, value]
}

function threadOf({ config, checkpoint }: Fields): string | undefined {
  const configurable =
    isMap(config) && isMap(config.configurable) ? config.configurable : checkpoint
  const id = isMap(configurable) ? configurable.thread_id : undefined
  return typeof id === 'string' ? id : undefined
}

/** Of one thread's states the newest, which holds the most. Without times that is the first. */
function latest(values: readonly unknown[], states: readonly Conversation[]): Conversation {
  const ages = values.map(value => (isMap(value) ? timeOf(value) : ''))
  const newest = ages.reduce((best, age, index) => (age > (ages[best] ?? '') ? index : best), 0)
  return states[newest] as Conversation
}

function timeOf({ created_at, createdAt, checkpoint }: Fields): string {
  return String(created_at ?? createdAt ?? (isMap(checkpoint) ? checkpoint.ts : undefined) ?? '')
}

/** The kind of a message, and the object with its fields. */
function unwrapped(item: Item): readonly [kind: string, Item] {
  const { role, type, id, data } = item.fields
  const name = typeof role === 'string' && type === undefined ? role : item.text('type')
  if (name !== 'constructor')
    return [kindOf(name), isMap(data) ? item.item('data', 'a message') : item]
  const path: unknown = Array.isArray(id) ? id.at(-1) : undefined
  if (typeof path !== 'string')
    throw item.expected('a list that ends with the name of a class', 'id')
  return [kindOf(path), item.item('kwargs', 'the fields of a message')]
}

/** By the names of their classes, and by their roles. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['HumanMessage', 'human'],
  ['AIMessage', 'ai'],
  ['ToolMessage', 'tool'],
  ['SystemMessage', 'system'],
  ['RemoveMessage', 'remove'],
  ['user', 'human'],
  ['assistant', 'ai'],
  ['developer', 'system'],
])

function kindOf(name: string): string {
  const whole = name.replace(/Chunk$/, '')
  return KINDS.get(whole) ?? whole
}

/** Older versions keep calls only as the provider sent them. */
function callsIn(message: Item): readonly Act[] {
  const calls = message.items('tool_calls', 'a call')
  const older = calls.length === 0 && isMap(message.fields.additional_kwargs)
  const all = older ? message.item('additional_kwargs', '').items('tool_calls', 'a call') : calls
  return all.map(call =>
    isMap(call.fields.function)
      ? toolCall(call)
      : called(call.optional('id'), call.text('name'), call.fields.args),
  )
}
