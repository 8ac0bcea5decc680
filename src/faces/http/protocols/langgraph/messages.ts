/** Parts of a conversation as messages of LangChain, and as the events that stream a text. */
import { Refused } from '../../contract/problem.ts'
import type { LangChainMessage } from '../../contract/langgraph.ts'
import type { Part } from '../parts.ts'

export type Message = { readonly id: string; readonly type: 'human' | 'ai' | 'tool' } & Readonly<
  Record<string, unknown>
>

/** The method and data of an event. Events with the same id are equal: a client that reads again drops them. */
export interface Sent {
  readonly id: string
  readonly method: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A piece of a text: up to a space, and at most 16 characters. The same text has the same pieces, streamed or stored. */
const PIECE = /^(?:\S{0,15}\s|\S{16})/u

/** One streamed text of a model. */
export class TextMessage {
  readonly id: string
  #text = ''
  #sent = 0
  /** What is not sent yet. The whole text would be copied at each token. */
  #rest = ''
  #reasoning = ''

  constructor({ id, attempt }: Extract<Part, { type: 'text-start' }>) {
    this.id = attempt > 1 ? `${id}-${attempt}` : id
  }

  *start(): Generator<Sent> {
    yield this.#event('start', { event: 'message-start', role: 'ai', id: this.id })
    const content = { type: 'text', text: '' }
    yield this.#event('block', { event: 'content-block-start', index: 0, content })
  }

  *add(text: string): Generator<Sent> {
    this.#text += text
    this.#rest += text
    for (;;) {
      const [piece] = PIECE.exec(this.#rest) ?? []
      if (piece === undefined) return
      yield this.#delta(piece)
    }
  }

  think(text: string): void {
    this.#reasoning += text
  }

  *finish(): Generator<Sent> {
    if (this.#rest !== '') yield this.#delta(this.#rest)
    const content = { type: 'text', text: this.#text }
    yield this.#event('block-end', { event: 'content-block-finish', index: 0, content })
    if (this.#reasoning !== '') yield* this.#reasoningBlock()
    yield this.#event('end', { event: 'message-finish', reason: 'stop' })
  }

  /** Another attempt replaces the text. */
  void(): Sent {
    const message = 'another attempt replaces this message'
    return this.#event('void', { event: 'error', message, code: 'reset' })
  }

  get message(): Message {
    return { id: this.id, type: 'ai', content: this.#text }
  }

  *#reasoningBlock(): Generator<Sent> {
    const content = { type: 'reasoning', reasoning: this.#reasoning }
    const start = { type: 'reasoning', reasoning: '' }
    yield this.#event('think', { event: 'content-block-start', index: 1, content: start })
    yield this.#event('think-end', { event: 'content-block-finish', index: 1, content })
  }

  #delta(text: string): Sent {
    const delta = { type: 'text-delta', text }
    const sent = this.#event(`${this.#sent}`, { event: 'content-block-delta', index: 0, delta })
    this.#sent += text.length
    this.#rest = this.#rest.slice(text.length)
    return sent
  }

  #event(name: string, data: Sent['data']): Sent {
    return { id: `${this.id}/${name}`, method: 'messages', data }
  }
}

type CallPart = Extract<Part, { type: 'call' | 'result' | 'failed' }>

export function callMessage(part: CallPart): Message {
  const { id } = part
  if (part.type === 'call') {
    const call = { id, name: part.tool, args: part.args, type: 'tool_call' }
    return { id: `${id}-call`, type: 'ai', content: '', tool_calls: [call] }
  }
  const content = part.type === 'result' ? JSON.stringify(part.output) : part.message
  const status = part.type === 'result' ? 'success' : 'error'
  return { id: `${id}-result`, type: 'tool', tool_call_id: id, content, status }
}

export function callEvent(part: CallPart): Sent {
  const { id } = part
  const event = (name: string, more: object): Sent => {
    return {
      id: `${id}/${name}`,
      method: 'tools',
      data: { event: name, tool_call_id: id, ...more },
    }
  }
  if (part.type === 'call') return event('tool-started', { tool_name: part.tool, input: part.args })
  if (part.type === 'result') return event('tool-finished', { output: part.output })
  return event('tool-error', { message: part.message })
}

/** The last message of a person. @throws Refused */
export function lastHuman(messages: readonly LangChainMessage[]): LangChainMessage {
  const isHuman = ({ type, role }: LangChainMessage) =>
    ['human', 'user'].includes(type ?? role ?? 'human')
  const last = messages.findLast(isHuman)
  if (last) return last
  throw new Refused(422, 'invalid-request', 'expected a message of type human in input.messages')
}

export const textOf = ({ content }: LangChainMessage): string =>
  typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('')
