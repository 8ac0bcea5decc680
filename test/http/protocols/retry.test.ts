/** A model that fails in the middle of its answer: the text of the failed attempt is void in each protocol. */
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai'
import { expect, test } from 'vitest'
import type { ThreadEvent } from '../../../src/host/thread/thread.ts'
import { Events } from '../../../src/faces/http/protocols/langgraph/events.ts'
import { AgUiEvents } from '../../../src/faces/http/protocols/ag-ui/events.ts'
import { Chunks } from '../../../src/faces/http/protocols/chat/chunks.ts'
import { Conversation } from '../../../src/faces/http/protocols/parts.ts'

const call = 'think#1/1'
const rowOf = (event: object) =>
  ({
    type: 'step',
    thread: 't',
    seq: 1,
    row: { seq: 1, event, findings: [], edges: [], verdict: { kind: 'continue' } },
  }) as unknown as ThreadEvent
const token = (attempt: number, text: string) =>
  ({ type: 'token', thread: 't', effect: 'think#1', call, attempt, seq: 1, text }) as ThreadEvent

const EVENTS = [
  rowOf({ type: 'model.called', call, attempt: 1 }),
  token(1, 'Half of '),
  rowOf({ type: 'model.failed', call, attempt: 1, final: false }),
  rowOf({ type: 'model.called', call, attempt: 2 }),
  token(2, 'The whole '),
  rowOf({ type: 'model.done', call, text: 'The whole answer.' }),
]

const parts = () => {
  const conversation = new Conversation()
  return EVENTS.flatMap(event => [...conversation.take(event)])
}

test('the AI SDK resets the step, and completes a text of which tokens were lost', async () => {
  const chunks = new Chunks()
  const sent = [chunks.start('m'), ...parts().flatMap(part => [...chunks.take(part)])]
  expect(sent.map(({ type }) => type)).toContain('reset-step')
  const stream = ReadableStream.from([...sent, ...chunks.finish()] as UIMessageChunk[])
  let last: UIMessage | undefined
  for await (const message of readUIMessageStream({ stream })) last = message
  expect(last?.parts.filter(({ type }) => type === 'text')).toMatchObject([
    { text: 'The whole answer.' },
  ])
})

test('AG-UI names the void message, and begins another', () => {
  const events = new AgUiEvents()
  const sent = parts().flatMap(part => [...events.take(part)])
  expect(sent).toContainEqual({ type: 'CUSTOM', name: 'reset', value: { messageId: call } })
  expect(events.messages).toEqual([
    { id: `${call}-2`, role: 'assistant', content: 'The whole answer.' },
  ])
})

test('LangGraph replaces the void message, and repeats the pieces of a stored text with equal ids', () => {
  const render = (events: readonly ThreadEvent[]) => {
    const all = new Events('shop')
    const sent = events.flatMap(event => [...all.take(event)])
    return { sent, messages: all.messages }
  }
  const live = render(EVENTS)
  expect(live.messages).toEqual([{ id: `${call}-2`, type: 'ai', content: 'The whole answer.' }])
  expect(live.sent.map(({ data }) => data.code)).toContain('reset')
  const textOf = ({ sent }: typeof live) =>
    sent.filter(({ id, method }) => method === 'messages' && id.startsWith(`${call}-2/`))
  const stored = render(EVENTS.filter(({ type }) => type !== 'token'))
  const withoutSeq = (of: typeof live) => textOf(of).map(({ seq: _, ...sent }) => sent)
  expect(withoutSeq(stored)).toEqual(withoutSeq(live))
  expect(withoutSeq(live)).toHaveLength(7)
})

test('LangGraph sends the reasoning behind an answer as a block of the message', () => {
  const done = { type: 'model.done', call, text: 'Three.', reasoning: 'Let me count.' }
  const events = new Events('shop')
  const sent = [rowOf({ type: 'model.called', call, attempt: 1 }), rowOf(done)].flatMap(event => [
    ...events.take(event),
  ])
  expect(sent.map(({ data }) => data)).toContainEqual({
    event: 'content-block-finish',
    index: 1,
    content: { type: 'reasoning', reasoning: 'Let me count.' },
  })
})
