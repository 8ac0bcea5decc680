/** The message history of LangGraph: LangChain messages, plain, by their roles, stored (`data`), or serialised (`constructor`); and the checkpoints that keep them. */
import type { Act } from '../../core/watch/normalize/act.ts'
import type { Json } from '../../core/watch/json.ts'
import {
  type Conversation,
  type Dialect,
  contentText,
  spokenBy,
  saidByPerson,
} from './conversation.ts'
import {
  expected,
  type Fields,
  inside,
  isMap,
  listIn,
  mapAt,
  optionalIn,
  type Place,
  textIn,
} from './fields.ts'
import { calledAt as calledByOpenAI } from './openai.ts'

export const LANGGRAPH: Dialect = {
  lists: ['messages'],
  item: 'a message as {"type", "content"}',
  acts(place, given, passed) {
    const [at, kind, message] = plain(place, given)
    switch (kind) {
      case 'human':
        return saidByPerson(contentText(message.content))
      case 'ai':
        return [...spokenBy(contentText(message.content), message.name), ...callsIn(at, message)]
      case 'tool':
        return [
          {
            act: 'answered',
            call: textIn(at, message, 'tool_call_id'),
            ok: okOf(message.status),
            text: contentText(message.content),
          },
        ]
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
    const states = value.map((one, index) => stateIn(inside(place, index), one))
    return states.length > 0 && states.every(([, state], index) => state !== value[index])
      ? latest(value, states)
      : [place, value]
  },
}

/** What a snapshot or a checkpoint of a thread keeps; anything else as it is. */
function stateIn(place: Place, value: unknown): Conversation {
  if (!isMap(value)) return [place, value]
  for (const [at, holder] of [
    [place, value] as const,
    [inside(place, 'checkpoint'), value.checkpoint] as const,
  ]) {
    for (const name of ['values', 'channel_values']) {
      if (isMap(holder) && isMap(holder[name]))
        return [inside(at, name), holder[name], threadOf(value)]
    }
  }
  return [place, value]
}

function threadOf({ config, checkpoint }: Fields): string | undefined {
  const configurable =
    isMap(config) && isMap(config.configurable)
      ? config.configurable
      : isMap(checkpoint)
        ? checkpoint
        : {}
  return typeof configurable.thread_id === 'string' ? configurable.thread_id : undefined
}

/** Of one thread's states the one that knows most; they stand with the newest first, where nothing else says so. */
function latest(values: readonly unknown[], states: readonly Conversation[]): Conversation {
  const ages = values.map(value => (isMap(value) ? timeOf(value) : ''))
  const newest = ages.reduce((best, age, index) => (age > (ages[best] ?? '') ? index : best), 0)
  return states[newest] as Conversation
}

function timeOf({ created_at, createdAt, checkpoint }: Fields): string {
  return String(created_at ?? createdAt ?? (isMap(checkpoint) ? checkpoint.ts : undefined) ?? '')
}

function plain(place: Place, message: Fields): readonly [Place, string, Fields] {
  const type =
    typeof message.role === 'string' && message.type === undefined
      ? message.role
      : textIn(place, message, 'type')
  if (type === 'constructor') {
    const name = Array.isArray(message.id) ? message.id.at(-1) : undefined
    if (typeof name !== 'string')
      throw expected(inside(place, 'id'), 'a list that ends with the name of a class', message.id)
    const at = inside(place, 'kwargs')
    return [at, kindOf(name), mapAt(at, message.kwargs, 'the fields of a message')]
  }
  return isMap(message.data)
    ? [inside(place, 'data'), kindOf(type), message.data]
    : [place, kindOf(type), message]
}

/** By the names of their classes, and by their roles. */
const KINDS: Readonly<Record<string, string>> = {
  HumanMessage: 'human',
  AIMessage: 'ai',
  ToolMessage: 'tool',
  SystemMessage: 'system',
  RemoveMessage: 'remove',
  user: 'human',
  assistant: 'ai',
  developer: 'system',
}

function kindOf(name: string): string {
  const whole = name.replace(/Chunk$/, '')
  return Object.hasOwn(KINDS, whole) ? (KINDS[whole] as string) : whole
}

/** Older ones have kept what the provider sent, and nothing else. */
function callsIn(place: Place, message: Fields): readonly Act[] {
  const calls = listIn(place, message, 'tool_calls')
  const extra = message.additional_kwargs
  const all =
    calls.length === 0 && isMap(extra)
      ? listIn(inside(place, 'additional_kwargs'), extra, 'tool_calls')
      : calls
  return all.map(([at, call]) => calledAt(at, mapAt(at, call, 'a call')))
}

function calledAt(place: Place, call: Fields): Act {
  if (isMap(call.function)) return calledByOpenAI(place, call)
  const id = optionalIn(place, call, 'id')
  return {
    act: 'called',
    tool: textIn(place, call, 'name'),
    args: (call.args ?? null) as Json,
    ...(id === undefined ? {} : { call: id }),
  }
}

function okOf(status: unknown): boolean | null {
  return status === 'error' ? false : status === 'success' ? true : null
}
