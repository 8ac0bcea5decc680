/** What a model is told of its calls: the result as JSON, or the failure and what to make of it. */
import { type FailureClass, failureMessage } from '../core/watch/failure/failure.ts'
import type { Json } from '../core/watch/data/json.ts'
import type { ToolRequest } from '../core/watch/event/call-event.ts'
import type { Message } from '../runtime/model-message.ts'
import type { Answer } from '../runtime/ports.ts'

type Result = Extract<Message, { role: 'tool' }>

/** Characters of a result that a model gets to see, about four thousand tokens. */
const SHOWN_MAX = 16_000

const ADVICE: Readonly<Record<FailureClass, string>> = {
  transient:
    'It has been tried as often as makes sense. Take another way, or come back to it later.',
  persistent: 'The same call will fail again. Change the arguments, or take another way.',
  business: 'The tool works; this is its answer. Do not repeat the call.',
  indeterminate:
    'Nobody knows whether it took effect. Find out before you do anything that depends on it.',
  cancelled: 'It was stopped on purpose. Do not repeat the call.',
  unknown: 'Do not repeat the call unchanged. Take another way.',
}

export function feedback({ id, tool }: ToolRequest, answer: Answer<Json>): Result {
  const result = { role: 'tool', call: id, tool } as const
  if (answer.ok) return { ...result, content: shown(answer.value), ok: true }
  const { class: kind } = answer.failure
  const message = failureMessage(answer.failure)
  return {
    ...result,
    content: shown({ error: { class: kind, message, advice: ADVICE[kind] } }),
    ok: false,
  }
}

/** The result of a call that was left before it had one. */
export function abandonedResult(call: string, tool: string): Result {
  const error = {
    class: 'cancelled',
    message: 'the call was given up before it had a result',
    advice: 'Do not repeat it. Take another way.',
  }
  return { role: 'tool', call, tool, content: JSON.stringify({ error }), ok: false }
}

/** A text as it is, anything else as JSON; where that is long its head and tail, with a note on what is missing. */
export function shown(value: Json, max = SHOWN_MAX): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= max) return text
  const head = Math.floor(max * 0.6)
  const tail = Math.floor(max * 0.2)
  const note = `${text.length - head - tail} of ${text.length} characters are left out between head and tail; ask for less at once`
  return JSON.stringify({ cut: note, head: text.slice(0, head), tail: text.slice(-tail) })
}
