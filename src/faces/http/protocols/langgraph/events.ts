/** Events of a thread as events of the LangGraph protocol v2. The same journal gives the same ids: a client that reads again sees no repeat. */
import type { Ending, Row } from '../../../../core/run/run.ts'
import type { OpenQuestion } from '../../../../core/run/view.ts'
import { defined, type Json } from '../../../../core/watch/data/json.ts'
import { explain } from '../../../../core/watch/reason/reason.ts'
import type { ThreadEvent } from '../../../../host/thread/thread.ts'
import { Conversation, type Part } from '../parts.ts'
import { Rounds } from '../rounds.ts'
import { messageIdIn, questionId } from '../chat-thread.ts'
import { callEvent, callMessage, type Message, type Sent, TextMessage } from './messages.ts'

/** A `values` event has no data: the stream adds the channels. */
export type Rendered = Sent & { readonly seq: number }

/** What continues a thread after its run has ended with interrupts. */
const CONTINUES: ReadonlySet<string> = new Set([
  ...['resume', 'model.called', 'model.done', 'call.proposed', 'tool.called', 'tool.done'],
  'child.ended',
])

export class Events {
  /** The messages of the thread so far. */
  readonly messages: Message[] = []
  /** The current run: the seq of the event that started it. */
  run: number | undefined
  readonly #graph: string
  #conversation = new Conversation()
  #text: TextMessage | undefined
  #reasoning = ''
  readonly #rounds = new Rounds()
  /** The questions of children that were sent. */
  readonly #asked = new Set<string>()
  #customs = 0
  #seq = -1

  constructor(graph: string) {
    this.#graph = graph
  }

  *take(event: ThreadEvent): Generator<Rendered> {
    if (event.type !== 'token') {
      this.#seq = event.seq
      yield* this.#row(event.row)
    }
    const parts = [...this.#conversation.take(event)]
    for (const [index, part] of parts.entries())
      for (const sent of this.#part(part, parts[index + 1])) yield this.#at(sent)
    if (event.type === 'question') yield* this.#end('interrupted')
    if (event.type !== 'token' && event.row.ended) yield* this.#endRound(event.row.ended)
  }

  /** The open questions of children, each once. */
  *ask(questions: readonly OpenQuestion[]): Generator<Rendered> {
    const added = questions.filter(question => !this.#asked.has(questionId(question)))
    for (const question of added) {
      this.#asked.add(questionId(question))
      yield this.#at(this.#question(question))
    }
    if (added.length > 0) yield* this.#end('interrupted')
  }

  *#row(row: Row): Generator<Rendered> {
    const { event, seq } = row
    const opening = this.#rounds.take(row)
    if (opening) yield* this.#open(opening)
    else if (CONTINUES.has(event.type) && (event.type === 'resume' || this.run === undefined)) {
      yield* this.#end('interrupted')
      yield* this.#start(seq)
    }
  }

  /** A round begins with the message of a person. */
  *#open(row: Row): Generator<Rendered> {
    const { event, seq } = row
    const input = event.type === 'thread.started' || event.type === 'message' ? event.input : null
    const id = messageIdIn(row) ?? `message-${seq}`
    yield* this.#start(seq)
    this.messages.push({ id, type: 'human', content: textIn(input) })
    yield* this.#values()
  }

  *#start(run: number): Generator<Rendered> {
    this.run = run
    yield this.#lifecycle('running')
  }

  *#end(event: 'completed' | 'interrupted' | 'failed', error?: string): Generator<Rendered> {
    if (this.run === undefined) return
    yield* this.#values()
    yield this.#lifecycle(event, error)
    this.run = undefined
  }

  *#endRound({ outcome, because }: Ending): Generator<Rendered> {
    this.#conversation = new Conversation()
    if (outcome === 'success') yield* this.#end('completed')
    else if (outcome === 'cancelled') yield* this.#end('interrupted')
    else yield* this.#end('failed', explain(because))
  }

  *#part(part: Part, next: Part | undefined): Generator<Sent> {
    switch (part.type) {
      case 'reasoning':
        this.#reasoning = part.text
        return
      case 'text-start':
        this.#text = new TextMessage(part)
        yield* this.#text.start()
        return
      case 'text':
        if (this.#text) yield* this.#text.add(part.text)
        return
      case 'text-end':
        yield* this.#endText(next?.type === 'reset' || next?.type === 'text-start')
        return
      case 'call':
      case 'result':
      case 'failed':
        this.messages.push(callMessage(part))
        yield callEvent(part)
        return
      case 'question':
        yield this.#question(part.question)
        return
      case 'answered':
        yield this.#sent('input.answered', { interrupt_ids: [part.question] }, part.question)
        return
      case 'escape':
      case 'finding': {
        const { type: name, ...payload } = part
        yield this.#sent('custom', { name, payload }, `${this.#customs++}`)
      }
    }
  }

  #question(question: OpenQuestion): Sent {
    const { id: _, thread: __, call: tool_call_id, ...asked } = question
    const id = questionId(question)
    const payload = { ...asked, ...defined({ tool_call_id }) }
    return this.#sent('input.requested', { interrupt_id: id, payload }, id)
  }

  *#endText(isVoid: boolean): Generator<Sent> {
    const text = this.#text
    if (!text) return
    this.#text = undefined
    if (isVoid) {
      yield text.void()
      return
    }
    text.think(this.#reasoning)
    this.#reasoning = ''
    yield* text.finish()
    this.messages.push(text.message)
  }

  *#values(): Generator<Rendered> {
    const data = { id: checkpointOf(this.#seq), step: this.#seq, source: 'loop' }
    yield this.#at(this.#sent('checkpoints', data))
    yield this.#at(this.#sent('values', { messages: [...this.messages] }))
  }

  /** Clients read the run of a lifecycle event in its id. */
  #lifecycle(event: string, error?: string): Rendered {
    const id = `synth:${this.run}:${this.#seq}:${event}`
    const data = { event, graph_name: this.#graph, ...defined({ error }) }
    return this.#at({ id, method: 'lifecycle', data })
  }

  #sent(method: string, data: Sent['data'], name = `${this.run}`): Sent {
    return { id: `${this.#seq}/${method}/${name}`, method, data }
  }

  #at(sent: Sent): Rendered {
    return { ...sent, seq: this.#seq }
  }
}

/** Clients compare the ids of checkpoints as text. */
export const checkpointOf = (seq: number): string => String(seq).padStart(12, '0')

function textIn(input: Json): string {
  const values = Object.values((input ?? {}) as object)
  return values.find(value => typeof value === 'string') ?? JSON.stringify(input)
}
