/** The results of writes whose node was left, as far as they are known: without them, the model may make the writes again. */
import type { RequestedWrite } from '../core/run/requested-writes.ts'
import { callKey } from '../core/watch/data/json.ts'
import type { ToolRequest } from '../core/watch/event/call-event.ts'
import type { Message } from '../runtime/model-message.ts'
import { errorResult, shown, withEdit } from './messages.ts'

type Assistant = Extract<Message, { role: 'assistant' }>

/** The messages with these results behind the answers that requested the writes. */
export function withKnownWrites(
  messages: readonly Message[],
  writes: readonly RequestedWrite[],
): readonly Message[] {
  if (!writes.some(({ applied }) => applied !== undefined)) return messages
  return messages.flatMap((message, index) =>
    // A node that was entered again has handed over the results.
    message.role === 'assistant' && messages[index + 1]?.role !== 'tool'
      ? [message, ...knownResults(message, writes)]
      : [message],
  )
}

function knownResults({ calls, answer }: Assistant, writes: readonly RequestedWrite[]) {
  const left = writes.filter(write => write.answer === answer)
  return calls.flatMap((request): readonly Message[] => {
    const key = callKey(request.tool, request.args)
    const at = left.findIndex(write => write.tool === request.tool && write.key === key)
    // Of two equal calls, each has its own outcome.
    const [write] = at < 0 ? [] : left.splice(at, 1)
    return write?.applied === undefined ? [] : [resultOf(request, write)]
  })
}

const APPLIED = 'The call took effect. Its result was not handed over. Do not repeat the call.'
const NOT_APPLIED = {
  class: 'cancelled',
  message: 'the call had no effect',
  advice: 'Make it again if it is still needed.',
} as const

function resultOf(request: ToolRequest, { applied, result, edited }: RequestedWrite): Message {
  if (!applied) return withEdit(errorResult(request, NOT_APPLIED), edited)
  const content = result === undefined ? APPLIED : shown(result)
  const { id: call, tool } = request
  return withEdit({ role: 'tool', call, tool, content, ok: true }, edited)
}
