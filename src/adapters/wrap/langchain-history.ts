/** Reads the turns of an agent from its messages. */
import { AIMessage, type BaseMessage, ToolMessage } from 'langchain'
import { contentOf } from '../../core/watch/event/langchain-content.ts'
import { lengthOfTexts } from '../../core/watch/event/written-length.ts'
import { type CallOutcome, foreignOutcome, type Turn } from '../../core/watch/wrapped/turn.ts'

type Messages = readonly BaseMessage[]

/** The field of a tool message with the outcome of its call. */
const OUTCOME = 'escapement'

/** The prefix of the framework's own tool for structured answers. */
const STRUCTURED = 'extract-'

/** Replaces the id of a message before the first answer of the model. */
const NONE = ''

const lastAnswer = (messages: Messages): AIMessage | undefined =>
  messages.findLast(message => AIMessage.isInstance(message))

export const lastAnswerId = (messages: Messages): string => lastAnswer(messages)?.id ?? NONE

/** Whether the model has answered since the message with the id `known`. */
export const hasAnswered = (messages: Messages, known: string | undefined): boolean =>
  lastAnswer(messages) !== undefined && lastAnswerId(messages) !== known

/**
 * The completed turns after the message with the id `known`, oldest first. If the history does not contain it: the last turn.
 * There can be several: a call that a person rejects, and an invalid structured answer, lead straight back to the model.
 */
export function turnsSince(messages: Messages, known: string | undefined, at: number): Turn[] {
  const last = messages.findLastIndex(message => AIMessage.isInstance(message))
  const place = messages.findLastIndex(({ id }) => id === known)
  const first = known === NONE ? 0 : place < 0 ? last : place + 1
  return messages.flatMap((message, index) =>
    index >= first && AIMessage.isInstance(message)
      ? (turnAt(messages, index, message, at) ?? [])
      : [],
  )
}

function turnAt(
  messages: Messages,
  index: number,
  message: AIMessage,
  at: number,
): Turn | undefined {
  const { text, tool_calls = [], usage_metadata } = message
  const usage = usage_metadata && {
    input: usage_metadata.input_tokens,
    output: usage_metadata.output_tokens,
    total: usage_metadata.total_tokens,
    cached: usage_metadata.input_token_details?.cache_read ?? 0,
  }
  const turn = { text, hidden: hiddenIn(message), ...(usage ? { usage } : {}) }
  if (tool_calls.length === 0) {
    const isLast = index === messages.length - 1 && !isStructured(messages)
    return isLast ? { ...turn, calls: [], at } : undefined
  }
  const after = messages.slice(index + 1)
  const next = after.findIndex(message => AIMessage.isInstance(message))
  const answers = after
    .slice(0, next < 0 ? undefined : next)
    .filter(message => ToolMessage.isInstance(message))
  if (answers.length === 0) return undefined
  const calls = tool_calls.map(({ id, name, args }) => {
    const answer = answers.find(({ tool_call_id }) => tool_call_id === id)
    return { tool: name, args, outcome: outcomeOf(answer, at), result: resultOf(answer) }
  })
  return { ...turn, calls, at: Math.min(at, ...calls.map(({ outcome }) => outcome.began)) }
}

/** The text of an answer that is only text, otherwise all of its blocks: images and files differ only in theirs. */
function resultOf(answer: ToolMessage | undefined): unknown {
  if (!Array.isArray(answer?.content)) return answer?.text
  return answer.content.every(({ type }) => type === 'text') ? answer.text : answer.content
}

/** The characters beside the text and the arguments of valid calls. */
function hiddenIn(message: AIMessage): number {
  const { tool_calls = [], invalid_tool_calls: invalid = [] } = message
  const { reasoning, files, unread } = contentOf(message, tool_calls.length + invalid.length)
  return reasoning.length + files + unread + lengthOfTexts(invalid.map(({ args }) => args))
}

/** The last message is the framework's own, after a structured answer. */
export function isStructured(messages: Messages): boolean {
  const before = messages.at(-2)
  return ToolMessage.isInstance(before) && before.name?.startsWith(STRUCTURED) === true
}

/** A message without an outcome is the answer of a person who rejected the call, or of another middleware. */
function outcomeOf(answer: ToolMessage | undefined, at: number): CallOutcome {
  const stored = answer?.additional_kwargs[OUTCOME] as CallOutcome | undefined
  if (stored) return stored
  const isFailed = answer === undefined || answer.status === 'error'
  return foreignOutcome(at, isFailed ? (answer?.text ?? 'no answer') : undefined)
}

/** Stores the outcome of a call in the message of the tool. */
export function withOutcome(message: ToolMessage, outcome: CallOutcome): ToolMessage {
  message.additional_kwargs = { ...message.additional_kwargs, [OUTCOME]: outcome }
  return message
}

/** The number of earlier calls in the same turn. */
export function placeOf(messages: Messages, id: string): number {
  const calls = lastAnswer(messages)?.tool_calls ?? []
  const place = calls.findIndex(call => call.id === id)
  return Math.max(0, place)
}

/**
 * An answer that LangGraph appends to the messages. Some endpoints repeat the id of a completion, and LangGraph replaces a message by
 * one with the same id: the history would hold one answer for all turns, and the calls of the others would not be observed.
 */
export function withNewId<A>(answer: A, messages: Messages): A {
  if (!AIMessage.isInstance(answer) || !messages.some(({ id }) => id && id === answer.id))
    return answer
  // A model may return the same message again, which is then part of the history.
  const own = messages.includes(answer) ? copyOf(answer) : answer
  const id = crypto.randomUUID()
  own.lc_kwargs = { ...own.lc_kwargs, id }
  own.id = id
  return own
}

const copyOf = <M extends object>(message: M): M =>
  Object.assign(Object.create(Object.getPrototypeOf(message)), message)
