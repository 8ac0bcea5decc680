/** The events of a thread as parts of a conversation, which chat protocols render: text, calls, questions, escapes. */
import type { OpenQuestion } from '../../../core/run/view.ts'
import { defined, type Json } from '../../../core/watch/data/json.ts'
import { explain } from '../../../core/watch/reason/reason.ts'
import { failureMessage } from '../../../core/watch/failure/failure.ts'
import type { Ending, Row } from '../../../core/run/run.ts'
import type { ThreadEvent } from '../../../host/thread/thread.ts'
import type { ThreadResult } from '../../../host/thread/result.ts'

/** A part of a conversation. `id` of a text and of a call is the id of the call in the journal. */
export type Part =
  /** A model call begins: what follows belongs together. */
  | { readonly type: 'step' }
  /** The text of the current step that is not finished is void: another attempt or an escape follows. */
  | { readonly type: 'reset' }
  /** `attempt`: the attempt of the model call. */
  | { readonly type: 'text-start'; readonly id: string; readonly attempt: number }
  | { readonly type: 'text-end'; readonly id: string }
  | { readonly type: 'text'; readonly id: string; readonly text: string }
  | { readonly type: 'reasoning'; readonly id: string; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly args: Json }
  | { readonly type: 'result'; readonly id: string; readonly output: Json }
  | {
      readonly type: 'failed'
      readonly id: string
      readonly message: string
      readonly denied: boolean
    }
  /** `call`: the question is whether this call may be made. */
  | { readonly type: 'question'; readonly question: OpenQuestion; readonly call?: string }
  /** `question`: the id for clients. */
  | {
      readonly type: 'answered'
      readonly question: string
      readonly decision: string
      readonly call?: string
    }
  | ({ readonly type: 'escape' } & EscapePart)
  | { readonly type: 'finding'; readonly kind: string; readonly because: string }
  | { readonly type: 'ended'; readonly result: RoundResult }

/** How a round has ended. */
export type RoundResult = Pick<ThreadResult<Json>, 'outcome' | 'output' | 'reason' | 'because'>

/** An escape: the rung, and one sentence about its cause. */
export interface EscapePart {
  readonly rung: string
  readonly from?: string
  readonly to?: string
  readonly because: string
}

/** Follows the events of one thread from the start of a round. */
export class Conversation {
  /** The text that is streamed now. */
  #open: { id: string; attempt: number; text: string } | undefined
  readonly #calls = new Set<string>()
  readonly #attempts = new Map<string, number>()
  /** The calls that questions are about, by the ids of the questions. */
  readonly #asked = new Map<string, string>()
  #hasText = false;

  *take(event: ThreadEvent): Generator<Part> {
    if (event.type === 'token') {
      yield* this.#token(event)
      return
    }
    yield* this.#row(event.row)
    yield* this.#verdict(event.row)
    if (event.type === 'question')
      for (const question of event.questions) yield this.#question(question)
    if (event.row.ended) yield* this.#end(event.row, event.row.ended)
  }

  *#token({ call: id, attempt, text }: Extract<ThreadEvent, { type: 'token' }>): Generator<Part> {
    if (this.#open?.id !== id || this.#open.attempt !== attempt) {
      if (this.#open) yield { type: 'text-end', id: this.#open.id }
      this.#open = { id, attempt, text: '' }
      yield { type: 'text-start', id, attempt }
    }
    this.#open.text += text
    yield { type: 'text', id, text }
  }

  *#row({ event }: Row): Generator<Part> {
    switch (event.type) {
      case 'model.called':
        this.#attempts.set(event.call, event.attempt)
        if (event.attempt === 1) yield { type: 'step' }
        else yield* this.#reset()
        return
      case 'model.done':
        if (event.reasoning) yield { type: 'reasoning', id: event.call, text: event.reasoning }
        yield* this.#wholeText(event.call, event.text)
        return
      case 'model.failed':
        if (event.final) yield* this.#reset()
        return
      case 'call.proposed':
      case 'tool.called':
        if (this.#calls.has(event.call)) return
        this.#calls.add(event.call)
        yield { type: 'call', id: event.call, tool: event.subject, args: event.args }
        return
      case 'tool.done':
        yield { type: 'result', id: event.call, output: event.result }
        return
      case 'tool.failed': {
        if (!event.final || !this.#calls.has(event.call)) return
        const message = failureMessage(event.failure)
        const denied = event.failure.reason?.code === 'call-rejected'
        yield { type: 'failed', id: event.call, message, denied }
        return
      }
      case 'resume': {
        const { effect: question, decision, rung = decision } = event
        const call = this.#asked.get(question)
        yield { type: 'answered', question, decision: rung, ...defined({ call }) }
      }
    }
  }

  /** The stored text completes the streamed one, of which a slow client may have missed a part. */
  *#wholeText(id: string, text: string): Generator<Part> {
    const streamed = this.#open?.id === id ? this.#open.text : undefined
    if (streamed !== undefined && !text.startsWith(streamed)) yield* this.#reset()
    const rest = streamed !== undefined && this.#open ? text.slice(streamed.length) : text
    if (!this.#open && text !== '')
      yield { type: 'text-start', id, attempt: this.#attempts.get(id) ?? 1 }
    if (rest !== '') yield { type: 'text', id, text: rest }
    if (this.#open || text !== '') yield { type: 'text-end', id }
    this.#open = undefined
    if (text !== '') this.#hasText = true
  }

  *#reset(): Generator<Part> {
    if (!this.#open) return
    yield { type: 'text-end', id: this.#open.id }
    this.#open = undefined
    yield { type: 'reset' }
  }

  *#verdict({ verdict, findings }: Row): Generator<Part> {
    if (verdict.kind !== 'escape') {
      for (const { kind, reason } of findings)
        yield { type: 'finding', kind, because: explain(reason) }
      return
    }
    yield* this.#reset()
    const { route, because } = verdict
    const from = 'from' in route && route.from !== undefined ? { from: route.from } : {}
    const to = 'to' in route && typeof route.to === 'string' ? { to: route.to } : {}
    const text = because[0] ? explain(because[0].reason) : ''
    yield { type: 'escape', rung: route.rung, ...from, ...to, because: text }
  }

  #question(question: OpenQuestion): Part {
    const { id, call } = question
    if (call === undefined) return { type: 'question', question }
    this.#asked.set(id, call)
    return { type: 'question', question, call }
  }

  /** An output that no model has produced is shown as text. */
  *#end({ seq }: Row, { outcome, reason, because, result: output }: Ending): Generator<Part> {
    yield* this.#reset()
    if (!this.#hasText && outcome === 'success') {
      const id = `output-${seq}`
      yield { type: 'text-start', id, attempt: 1 }
      yield { type: 'text', id, text: outputText(output) }
      yield { type: 'text-end', id }
    }
    yield { type: 'ended', result: { outcome, output, reason, because: explain(because) } }
  }
}

function outputText(output: Json): string {
  const values = Object.values((output ?? {}) as object)
  return values.length === 1 && typeof values[0] === 'string'
    ? values[0]
    : JSON.stringify(output, null, 2)
}
