/** The turns of an agent, read from its messages. */
import { AIMessage, type BaseMessage, ToolMessage } from 'langchain'
import type { CallOutcome, CompletedCall, Turn } from '../../core/watch/wrapped/turn.ts'

/** Where a tool message keeps what became of its call. */
const OUTCOME = 'escapement'

/** The framework's own calls and words around an answer that has a form. */
const OF_FORM = 'extract-'

/** Stands for the id of a message where the model has said nothing yet. */
const NONE = ''

export function lastMessageId(messages: readonly BaseMessage[]): string {
  return lastAnswer(messages)?.id ?? NONE
}

/** What the model has said last. */
function lastAnswer(messages: readonly BaseMessage[]): AIMessage | undefined {
  return messages.findLast(message => AIMessage.isInstance(message))
}

/** The model has spoken since `told`. */
export function hasAnswered(messages: readonly BaseMessage[], told: string | undefined): boolean {
  return lastAnswer(messages) !== undefined && lastMessageId(messages) !== told
}

/**
 * The turns that have come to an end after the message with the id `told`, oldest first; of a history that does not hold it, the last one.
 * Mostly there is one. A person who rejects a call, and an answer that does not fit its form, lead straight back to the model.
 */
export function turnsSince(
  messages: readonly BaseMessage[],
  told: string | undefined,
  at: number,
): readonly Turn[] {
  const last = messages.findLastIndex(message => AIMessage.isInstance(message))
  const known = messages.findLastIndex(({ id }) => id === told)
  const turns: Turn[] = []
  for (
    let index = told === NONE ? 0 : known < 0 ? last : known + 1;
    index >= 0 && index <= last;
    index++
  ) {
    const said = messages[index]
    if (!AIMessage.isInstance(said)) continue
    const turn = turnAt(messages, index, said, at)
    if (turn) turns.push(turn)
  }
  return turns
}

function turnAt(
  messages: readonly BaseMessage[],
  index: number,
  said: AIMessage,
  at: number,
): Turn | undefined {
  const calls = said.tool_calls ?? []
  if (calls.length === 0)
    return index === messages.length - 1 && !isOfForm(messages) ? turnOf(said, [], at) : undefined
  const next = messages.findIndex(
    (message, place) => place > index && AIMessage.isInstance(message),
  )
  const answers = messages
    .slice(index + 1, next < 0 ? undefined : next)
    .filter(message => ToolMessage.isInstance(message))
  if (answers.length === 0) return undefined
  const made = calls.map(({ id, name, args }) =>
    completedCall(
      { tool: name, args },
      answers.find(answer => answer.tool_call_id === id),
      at,
    ),
  )
  return turnOf(said, made, Math.min(at, ...made.map(({ outcome }) => outcome.began)))
}

/** The last word is the framework's, after an answer that has the form asked for. */
export function isOfForm(messages: readonly BaseMessage[]): boolean {
  const before = messages.at(-2)
  return ToolMessage.isInstance(before) && before.name?.startsWith(OF_FORM) === true
}

function turnOf(
  { text, usage_metadata: usage }: AIMessage,
  calls: readonly CompletedCall[],
  at: number,
): Turn {
  return {
    at,
    text,
    calls,
    ...(usage
      ? {
          usage: {
            input: usage.input_tokens,
            output: usage.output_tokens,
            cached: usage.input_token_details?.cache_read ?? 0,
          },
        }
      : {}),
  }
}

/** A call that somebody else has answered (a person who rejected it, another middleware) has a message, and no outcome of ours. */
function completedCall(
  call: Pick<CompletedCall, 'tool' | 'args'>,
  answer: ToolMessage | undefined,
  at: number,
): CompletedCall {
  const kept = answer?.additional_kwargs[OUTCOME] as CallOutcome | undefined
  const failure = {
    name: 'Error',
    message: answer?.text ?? 'no answer',
    class: 'business',
    scope: 'request',
    rule: 'message',
  } as const
  return {
    ...call,
    outcome: kept ?? {
      began: at,
      ended: at,
      ...(answer?.status === 'error' || !answer ? { failure } : {}),
    },
    result: answer?.text,
  }
}

/** The message of a tool, with what became of its call. */
export function withOutcome(message: ToolMessage, outcome: CallOutcome): ToolMessage {
  message.additional_kwargs = { ...message.additional_kwargs, [OUTCOME]: outcome }
  return message
}

/** How many calls of the same turn come before this one. */
export function placeIn(messages: readonly BaseMessage[], id: string | undefined): number {
  return Math.max(
    0,
    (lastAnswer(messages)?.tool_calls ?? []).findIndex(call => call.id === id),
  )
}
