/** Parts of a conversation as events of AG-UI 1.0. */
import type { Json } from '../../../../core/watch/data/json.ts'
import type { Part, RoundResult } from '../parts.ts'

/** An event of the protocol. */
export type AgUiEvent = { readonly type: string } & Readonly<Record<string, unknown>>

/** A message of the conversation, for the snapshot before an interrupt. */
interface Message extends Readonly<Record<string, unknown>> {
  readonly id: string
  readonly role: string
  readonly toolCalls?: readonly object[]
}

type TextPart = Extract<Part, { type: 'reset' | 'reasoning' | 'text-start' | 'text' | 'text-end' }>

export class AgUiEvents {
  /** The messages of this run. */
  readonly messages: Message[] = []
  /** Texts that another attempt has replaced: a message id is used once. */
  readonly #attempts = new Map<string, number>()
  #text = ''
  /** The message of the assistant to which the next call belongs. */
  #parent: string | undefined
  #steps = 0
  #isOpen = false;

  *take(part: Part): Generator<AgUiEvent> {
    switch (part.type) {
      case 'step':
        yield* this.finishStep()
        this.#isOpen = true
        this.#parent = undefined
        this.#steps++
        yield { type: 'STEP_STARTED', stepName: `step ${this.#steps}` }
        return
      case 'escape': {
        const { type: name, ...value } = part
        const text = `escaping: rung ${part.rung}`
        yield { type: 'CUSTOM', name, value: { ...value, text } }
        return
      }
      case 'finding':
      case 'answered': {
        const { type: name, ...value } = part
        yield { type: 'CUSTOM', name, value }
        return
      }
      case 'call':
      case 'result':
      case 'failed':
        yield* this.#call(part)
        return
      case 'question':
      case 'ended':
        return
      default:
        yield* this.#textOf(part)
    }
  }

  /** The client expects that each step is finished before the run. */
  *finishStep(): Generator<AgUiEvent> {
    if (this.#isOpen) yield { type: 'STEP_FINISHED', stepName: `step ${this.#steps}` }
    this.#isOpen = false
  }

  *#textOf(part: TextPart): Generator<AgUiEvent> {
    if (part.type === 'reset') {
      const replaced = this.messages.pop()
      this.#parent = undefined
      if (replaced) yield { type: 'CUSTOM', name: 'reset', value: { messageId: replaced.id } }
      return
    }
    if (part.type === 'reasoning') {
      yield* reasoningOf(`${part.id}-reasoning`, part.text)
      return
    }
    if (part.type === 'text-start') this.#attempts.set(part.id, this.#attemptsOf(part.id) + 1)
    const attempt = this.#attemptsOf(part.id)
    const messageId = attempt > 1 ? `${part.id}-${attempt}` : part.id
    if (part.type === 'text-start') {
      this.#text = ''
      yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
    } else if (part.type === 'text') {
      this.#text += part.text
      yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: part.text }
    } else {
      this.messages.push({ id: messageId, role: 'assistant', content: this.#text })
      this.#parent = messageId
      yield { type: 'TEXT_MESSAGE_END', messageId }
    }
  }

  #attemptsOf(id: string): number {
    return this.#attempts.get(id) ?? 0
  }

  *#call(part: Extract<Part, { type: 'call' | 'result' | 'failed' }>): Generator<AgUiEvent> {
    const toolCallId = part.id
    if (part.type === 'call') {
      const args = JSON.stringify(part.args)
      const parentMessageId = this.#parentOf(part, args)
      yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: part.tool, parentMessageId }
      yield { type: 'TOOL_CALL_ARGS', toolCallId, delta: args }
      yield { type: 'TOOL_CALL_END', toolCallId }
      return
    }
    const content = part.type === 'result' ? textOf(part.output) : `error: ${part.message}`
    this.#parent = undefined
    const messageId = `${toolCallId}-result`
    this.messages.push({ id: messageId, role: 'tool', toolCallId, content })
    yield { type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role: 'tool' }
  }

  /** Adds a call to the message of the model that requested it. */
  #parentOf({ id, tool }: Extract<Part, { type: 'call' }>, args: string): string {
    const call = { id, type: 'function', function: { name: tool, arguments: args } }
    const last = this.messages.at(-1)
    if (last && last.id === this.#parent) {
      this.messages.pop()
      this.messages.push({ ...last, toolCalls: [...(last.toolCalls ?? []), call] })
      return last.id
    }
    this.#parent = `${id}-call`
    this.messages.push({ id: this.#parent, role: 'assistant', toolCalls: [call] })
    return this.#parent
  }
}

const textOf = (output: Json): string =>
  typeof output === 'string' ? output : JSON.stringify(output)

function* reasoningOf(messageId: string, delta: string): Generator<AgUiEvent> {
  yield { type: 'REASONING_START', messageId }
  yield { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' }
  yield { type: 'REASONING_MESSAGE_CONTENT', messageId, delta }
  yield { type: 'REASONING_MESSAGE_END', messageId }
  yield { type: 'REASONING_END', messageId }
}

/** The last event of a run whose thread has ended. */
export function endOf(run: object, { outcome, output, reason, because }: RoundResult): AgUiEvent {
  const finished = { type: 'RUN_FINISHED', ...run }
  if (outcome === 'success') return { ...finished, result: output, outcome: { type: 'success' } }
  if (outcome === 'cancelled') return { ...finished, outcome: { type: 'cancelled' } }
  return { type: 'RUN_ERROR', message: because, code: reason }
}
