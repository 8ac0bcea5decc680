/** The messages a model is sent: every call with its results, the goal always, and never more than is allowed. */
import type { View } from '../core/graph/channels.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { Message } from '../runtime/model-message.ts'
import { abandonedResult } from './feedback.ts'

type Assistant = Extract<Message, { role: 'assistant' }>
type Result = Extract<Message, { role: 'tool' }>

/** A message that stands alone, or a request for calls with all their results: what may not be torn apart. */
type Unit = readonly [Message, ...Result[]]

/** The messages of a node's input; anything else there is no message and is left out. */
export function messagesIn(input: View): readonly Message[] {
  return listIn(input).filter(isMessage)
}

/** The latest of them. */
export function lastMessageIn(input: View): Message | undefined {
  return listIn(input).findLast(isMessage)
}

function listIn({ messages }: View): readonly Json[] {
  return Array.isArray(messages) ? messages : []
}

function isMessage(value: Json): value is Json & Message {
  if (typeof value !== 'object' || value === null || !('role' in value)) return false
  const { role, content } = value as { role?: Json; content?: Json }
  return (
    typeof content === 'string' &&
    (role === 'user' ||
      role === 'tool' ||
      (role === 'assistant' && Array.isArray((value as { calls?: Json }).calls)))
  )
}

/**
 * At most `history` of the messages. The first message of the user is the goal and always stays; of the rest the latest
 * stay, as whole units. One last unit that is longer than `history` stays all the same: without it nothing could go on.
 */
export function truncated(messages: readonly Message[], history: number): readonly Message[] {
  const goal = messages.find(({ role }) => role === 'user')
  const latest: Unit[] = []
  let room = history - (goal ? 1 : 0)
  let others = 0
  for (const unit of unitsOf(messages)) {
    if (unit[0] !== goal) {
      if (unit.length > room && others > 0) break
      room -= unit.length
      others++
    }
    latest.push(unit)
  }
  const sent = latest.reverse().flat()
  return goal && !sent.includes(goal) ? [goal, ...sent] : sent
}

/**
 * The messages without the answers that are to be forgotten (by their calls), and without the reads that came of them. What was
 * written stays: it has happened, and who forgets it does it again.
 */
export function withoutDropped(
  messages: readonly Message[],
  forgotten: readonly string[],
  writes: (tool: string) => boolean,
): readonly Message[] {
  if (forgotten.length === 0) return messages
  const gone = new Set<string>()
  return messages.flatMap<Message>(message => {
    if (message.role === 'tool') return gone.has(message.call) ? [] : [message]
    if (
      message.role === 'user' ||
      message.answer === undefined ||
      !forgotten.includes(message.answer)
    )
      return [message]
    const kept = message.calls.filter(({ tool }) => writes(tool))
    for (const { id } of message.calls) if (!kept.some(call => call.id === id)) gone.add(id)
    return kept.length > 0 ? [{ ...message, content: '', calls: kept }] : []
  })
}

/** The units of these messages, the latest first. Whoever stops has paid for those only that he has taken. */
function* unitsOf(messages: readonly Message[]): Generator<Unit> {
  let results: Result[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    if (message.role === 'user') yield [message]
    else if (message.content !== '' || message.calls.length > 0)
      yield [message, ...resultsOf(message, results)]
    results = []
  }
}

/** Endpoints refuse a call without its result and a result without its call; an escape can leave either behind. */
function resultsOf({ calls }: Assistant, following: readonly Result[]): readonly Result[] {
  // Latest first: of two results of one call the earlier one is set last, and stays.
  const results = new Map(following.map(result => [result.call, result]))
  return calls.map(({ id, tool }) => results.get(id) ?? abandonedResult(id, tool))
}

const BEGIN = 'Begin.'
const GO_ON = 'Go on.'
const COMMAND =
  'That was no command. Call one of your tools now; if the task is done, say so with the tool made for it.'

/** What the model is told first: the goal, and whatever else of the input it is to know, under its name. */
export function openingMessage(input: View, others: readonly string[]): Message | undefined {
  const { goal } = input
  const parts = others.flatMap(name =>
    isNothing(input[name])
      ? []
      : [`${name}: ${typeof input[name] === 'string' ? input[name] : JSON.stringify(input[name])}`],
  )
  if (typeof goal === 'string' && goal !== '') parts.unshift(goal)
  return parts.length > 0 ? { role: 'user', content: parts.join('\n\n') } : undefined
}

function isNothing(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (Array.isArray(value) && value.length === 0)
  )
}

/** A model answers the user or a tool, never itself. */
export function endWithUserTurn(
  messages: readonly Message[],
  command: 'required' | 'optional',
): readonly Message[] {
  const last = messages.at(-1)
  if (!last) return [{ role: 'user', content: BEGIN }]
  return last.role === 'assistant'
    ? [...messages, { role: 'user', content: command === 'required' ? COMMAND : GO_ON }]
    : messages
}
