/** The messages sent to a model: the goal, the latest messages, and each call with its result. */
import type { View } from '../core/graph/channels.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Remaining } from '../core/run/remaining.ts'
import type { Edited, ToolRequest, Spent } from '../core/watch/event/call-event.ts'
import { type FailureClass, failureMessage } from '../core/watch/failure/failure.ts'
import type { Message } from '../runtime/model-message.ts'
import type { Answer } from '../runtime/ports.ts'

type Messages = readonly Message[]
type Assistant = Extract<Message, { role: 'assistant' }>
type Result = Extract<Message, { role: 'tool' }>

/** A single message, or a request for calls with all its results. A unit is never split. */
type Unit = readonly [Message, ...Result[]]

/** The messages of a node's input. Other values in the list are left out. */
export const messagesIn = ({ messages }: View): readonly Message[] =>
  Array.isArray(messages) ? messages.filter(isMessage) : []

export const lastMessageIn = ({ messages }: View): Message | undefined =>
  Array.isArray(messages) ? messages.findLast(isMessage) : undefined

function isMessage(value: Json): value is Json & Message {
  if (typeof value !== 'object' || value === null || !('role' in value)) return false
  const { role, content, calls } = value as Readonly<Record<string, Json>>
  if (typeof content !== 'string') return false
  return role === 'user' || role === 'tool' || (role === 'assistant' && Array.isArray(calls))
}

/** How far back the latest question is searched: the cost of a turn must not grow with the conversation. */
const LOOKBACK = 1_000

/**
 * At most `history` of the messages, in whole units: the first user message, the latest question, and the latest others.
 * The last unit always stays, even if it is longer than `history`.
 */
export function truncated(messages: Messages, history: number): Messages {
  const recent = messages.slice(-LOOKBACK)
  const isUser = ({ role }: Message) => role === 'user'
  const question = recent.findLast((message, index) => {
    return isUser(message) && recent[index - 1]?.role === 'assistant'
  })
  const goal = messages.find(isUser)
  const pinned = new Set([goal, question].filter(message => message !== undefined))
  const latest: Unit[] = []
  let room = history - pinned.size
  let others = 0
  for (const unit of unitsOf(messages)) {
    if (!pinned.delete(unit[0])) {
      if (unit.length > room && others > 0) break
      room -= unit.length
      others++
    }
    latest.push(unit)
  }
  return [...pinned, ...latest.reverse().flat()]
}

/** The messages without the given answers (by their calls) and the reads that they requested. Writes stay: a model that does not see a write repeats it. */
export function withoutDropped(
  messages: Messages,
  forgotten: readonly string[],
  isWrite: (tool: string) => boolean,
): Messages {
  if (forgotten.length === 0) return messages
  const dropped = new Set<string>()
  return messages.flatMap<Message>(message => {
    if (message.role === 'tool') return dropped.has(message.call) ? [] : [message]
    if (message.role === 'user' || !forgotten.includes(message.answer ?? '')) return [message]
    const writes = message.calls.filter(({ tool }) => isWrite(tool))
    for (const { id } of message.calls) if (!writes.some(call => call.id === id)) dropped.add(id)
    return writes.length > 0 ? [{ ...message, content: '', calls: writes }] : []
  })
}

/** The units of the messages, the latest first; lazy, because most of a long conversation is not sent. */
function* unitsOf(messages: readonly Message[]): Generator<Unit> {
  let results: Result[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    const following = results
    results = message.role === 'tool' ? [...following, message] : []
    if (message.role === 'user') yield [message]
    if (message.role === 'assistant' && (message.content !== '' || message.calls.length > 0))
      yield [message, ...resultsOf(message, following)]
  }
}

/** Endpoints reject a call without its result and a result without its call. An escape can leave either behind. */
function resultsOf({ calls }: Assistant, following: readonly Result[]): readonly Result[] {
  // `following` is in reverse order: of two results of one call, the earlier one wins.
  const results = new Map(following.map(result => [result.call, result]))
  return calls.map(call => results.get(call.id) ?? errorResult(call, ABANDONED))
}

/** The first message: the goal, and the other inputs under their names. */
export function openingMessage(input: View, others: readonly string[]): Message | undefined {
  const { goal } = input
  const parts = others.flatMap(name => {
    const value = input[name]
    if (value === undefined || isEmpty(value)) return []
    return [`${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
  })
  if (typeof goal === 'string' && goal !== '') parts.unshift(goal)
  return parts.length > 0 ? { role: 'user', content: parts.join('\n\n') } : undefined
}

const isEmpty = (value: Json) =>
  value === null || value === '' || (Array.isArray(value) && value.length === 0)

type Command = 'required' | 'optional'

const NEXT = {
  required: 'Reply with a tool call. If the task is done, call the tool that reports the result.',
  optional: 'Go on.',
}

/** At most `history` messages that end with a user message or a result: a model answers the user or a tool. */
export function endWithUserTurn(messages: Messages, command: Command, history: number): Messages {
  const last = messages.at(-1)
  if (!last) return [{ role: 'user', content: 'Begin.' }]
  if (last.role !== 'assistant') return truncated(messages, history)
  return [...truncated(messages, history - 1), { role: 'user', content: NEXT[command] }]
}

const UNITS: Readonly<Record<keyof Spent, string>> = {
  steps: 'steps',
  toolCalls: 'tool calls',
  modelCalls: 'model calls',
  tokens: 'tokens',
  usd: 'USD',
  duration: 'seconds',
}

/** The messages with what is left of the budget at their end. They are not stored, and the part that providers cache stays the same. */
export function withRemaining(messages: Messages, remaining: Remaining | undefined): Messages {
  if (!remaining) return messages
  const scarcest = remaining.units.toSorted((a, b) => a.left / a.limit - b.left / b.limit)
  const listed = scarcest.filter(({ left, limit }, index) => index === 0 || left < limit / 2)
  const last =
    ' The budget is spent: this is your last answer. Answer with what you know, and say what is missing.'
  const content = `Budget left: ${listed.map(leftText).join(', ')}.${remaining.isLast ? last : ''}`
  return [...messages, { role: 'user', content }]
}

function leftText({ unit, left, limit }: Remaining['units'][number]): string {
  const [rest, all] = unit === 'duration' ? [left / 1_000, limit / 1_000] : [left, limit]
  const shown = unit === 'usd' ? Number(rest.toFixed(4)) : Math.floor(rest)
  return `${shown} of ${all} ${UNITS[unit]}`
}

/** Whether the message opens the round. */
export const opens = (message: Message, round: number): boolean =>
  message.role === 'user' && message.round === round

/** The conversation with the opening message of the round in its place. The first round starts with it. */
export function withOpening(messages: Messages, opening: Message | undefined, round: number) {
  if (!opening) return messages
  const at = messages.findIndex(message => opens(message, round))
  if (round <= 1) return [opening, ...messages.filter((_, index) => index !== at)]
  return at < 0 ? [...messages, opening] : messages.with(at, opening)
}

const ADVICE: Readonly<Record<FailureClass, string>> = {
  transient:
    'The call was retried as often as is useful. Use another approach, or call it again later.',
  persistent: 'The same call will fail again. Change the arguments, or use another approach.',
  business: 'The tool works; this is its answer. Do not repeat the call.',
  indeterminate:
    'It is unknown whether the call took effect. Find out before you do anything that depends on it.',
  cancelled: 'The call was stopped on purpose. Do not repeat it.',
  unknown: 'Do not repeat the call unchanged. Use another approach.',
}

const CONFIRMED =
  'A person has confirmed that the call took effect. Its result is not known. Do not repeat the call.'

/** The answer to a call as the model reads it: the result as JSON, or the failure with advice. */
export function feedback(request: ToolRequest, answer: Answer<Json>): Result {
  const { id: call, tool } = request
  if (answer.ok) {
    const content = answer.confirmed ? CONFIRMED : shown(answer.value)
    return withEdit({ role: 'tool', call, tool, content, ok: true }, answer.edited)
  }
  const { class: kind, unproven } = answer.failure
  const message = failureMessage(answer.failure)
  const advice = unproven ? ADVICE.indeterminate : ADVICE[kind]
  return withEdit(errorResult(request, { class: kind, message, advice }), answer.edited)
}

/** Characters of edited arguments that a model receives. */
const EDIT_CHARACTERS_MAX = 4_000

/** The result behind what a person changed of its call. Without it, the model believes that the call was made as it asked. */
export function withEdit(result: Result, edited: Partial<Edited> | undefined): Result {
  if (!edited) return result
  const { args, note } = edited
  const to = args === undefined ? '' : `: ${shown(args, EDIT_CHARACTERS_MAX)}`
  const wrote = note === undefined ? '' : ` They wrote: ${note}`
  const content = `A person edited the arguments of this call${to}.${wrote}\n\nIts result:\n${result.content}`
  return { ...result, content }
}

/** The result of a call that was left before it was made, or before it answered. Not "use another approach": a refund may be on its way. */
const ABANDONED = {
  class: 'cancelled',
  message: 'the call was left without a result: it was not made, or its result is not known',
  advice: 'Find out whether it took effect before you repeat it, or do the same in another way.',
} as const

export function errorResult(
  { id: call, tool }: ToolRequest,
  error: Record<string, string>,
): Result {
  return { role: 'tool', call, tool, content: shown({ error }), ok: false }
}

/** Characters of a result that a model receives, about four thousand tokens. */
const RESULT_CHARACTERS_MAX = 16_000

/** A text as it is, anything else as JSON. A long text is reduced to its head and tail, with a note. */
export function shown(value: Json, max = RESULT_CHARACTERS_MAX): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= max) return text
  const head = Math.floor(max * 0.6)
  const tail = Math.floor(max * 0.2)
  const note = `${text.length - head - tail} of ${text.length} characters are left out between head and tail; request less at once`
  return JSON.stringify({ cut: note, head: text.slice(0, head), tail: text.slice(-tail) })
}
