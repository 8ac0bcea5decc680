/** Parts of a conversation as chunks of the UI message stream of the AI SDK. */
import { questionId } from '../chat-thread.ts'
import type { Part } from '../parts.ts'

/** A chunk of the stream, as `UIMessageChunk` of `ai` describes it. */
export type Chunk = { readonly type: string } & Readonly<Record<string, unknown>>

/** The name of the tool as which front ends show a question that is not about a call. */
const QUESTION = 'question'

export class Chunks {
  #isOpen = false

  /** The first chunk. Without an id, the client continues its last message. */
  start(messageId: string | undefined): Chunk {
    return { type: 'start', ...(messageId !== undefined && { messageId }) }
  }

  *take(part: Part): Generator<Chunk> {
    switch (part.type) {
      case 'step':
        yield* this.#finishStep()
        yield* this.#step()
        return
      case 'reset':
        if (this.#isOpen) yield { type: 'reset-step' }
        return
      case 'escape': {
        const { type: _, ...data } = part
        yield { type: 'data-escape', data }
        return
      }
      case 'finding': {
        const { type: _, ...data } = part
        yield { type: 'data-finding', data, transient: true }
        return
      }
      case 'ended':
        yield* this.#end(part)
        return
      default:
        yield* this.#step()
        yield* contentOf(part)
    }
  }

  /** The thread waits for a person, or the stream ends. */
  *finish(): Generator<Chunk> {
    yield* this.#finishStep()
    yield { type: 'finish', finishReason: 'stop' }
  }

  *#end({ result }: Extract<Part, { type: 'ended' }>): Generator<Chunk> {
    yield* this.#finishStep()
    const { outcome, reason, because } = result
    if (outcome === 'cancelled') yield { type: 'abort', reason: because }
    else if (outcome === 'success') yield* this.finish()
    else {
      yield { type: 'data-ended', data: { outcome, reason, because } }
      if (outcome === 'stopped') yield { type: 'finish', finishReason: 'other' }
      else yield { type: 'error', errorText: because }
    }
  }

  *#step(): Generator<Chunk> {
    if (!this.#isOpen) yield { type: 'start-step' }
    this.#isOpen = true
  }

  *#finishStep(): Generator<Chunk> {
    if (this.#isOpen) yield { type: 'finish-step' }
    this.#isOpen = false
  }
}

type Content = Exclude<Part, { type: 'step' | 'reset' | 'escape' | 'finding' | 'ended' }>

function* contentOf(part: Content): Generator<Chunk> {
  switch (part.type) {
    case 'text-start':
    case 'text-end':
      yield { type: part.type, id: part.id }
      return
    case 'text':
      yield { type: 'text-delta', id: part.id, delta: part.text }
      return
    case 'reasoning': {
      const id = `${part.id} reasoning`
      yield { type: 'reasoning-start', id }
      yield { type: 'reasoning-delta', id, delta: part.text }
      yield { type: 'reasoning-end', id }
      return
    }
    case 'call':
      yield inputOf(part.id, part.tool, part.args)
      return
    case 'result':
      yield { type: 'tool-output-available', toolCallId: part.id, output: part.output }
      return
    case 'failed':
      yield part.denied
        ? { type: 'tool-output-denied', toolCallId: part.id }
        : { type: 'tool-output-error', toolCallId: part.id, errorText: part.message }
      return
    case 'question': {
      const { question, call } = part
      const { question: text, because } = question
      const id = questionId(question)
      if (call === undefined) yield inputOf(id, QUESTION, { question: text, because })
      yield { type: 'tool-approval-request', approvalId: id, toolCallId: call ?? id }
      return
    }
    case 'answered': {
      const { question, decision, call } = part
      // The call itself follows the answer about a call.
      if (call !== undefined) return
      yield { type: 'tool-output-available', toolCallId: question, output: { decision } }
    }
  }
}

const inputOf = (toolCallId: string, toolName: string, input: unknown): Chunk => {
  return { type: 'tool-input-available', toolCallId, toolName, input }
}
