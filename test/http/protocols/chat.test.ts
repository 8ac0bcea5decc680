/** The UI message stream of the AI SDK, by its own client: `DefaultChatTransport` and `AbstractChat` of `ai`. */
import { expect, test } from 'vitest'
import { asking } from '../../host/graphs.ts'
import { service } from '../service.ts'
import { chatWith, partsOf, untilReady } from './chat-client.ts'
import { calls, newDesk, says } from './desk.ts'

test('a chat with a tool streams text and tool parts, and its next message continues the thread', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.'), says('Of course.')],
  })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'How many clocks are left?' })
  expect(chat.error).toBeUndefined()
  expect(partsOf(chat)).toEqual([
    ['step-start'],
    ['tool-stock', 'output-available', { left: 3 }],
    ['step-start'],
    ['text', 'Three.'],
  ])
  await chat.sendMessage({ text: 'Are you sure?' })
  expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  expect(partsOf(chat)?.at(-1)).toEqual(['text', 'Of course.'])
  expect((await of.runtime.thread('one').state()).round).toBe(2)
})

test('a call that needs approval is made after the person approves it in the chat', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('Refunded.')] })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'Refund order 7' })
  expect(partsOf(chat)?.at(-1)).toEqual(['tool-refund', 'approval-requested'])
  expect(of.called).toEqual([])
  const asked = chat.messages.at(-1)?.parts.find(part => part.type === 'tool-refund') as never
  const { approval } = asked as { approval: { id: string } }
  await chat.addToolApprovalResponse({ id: approval.id, approved: true })
  await untilReady(chat)
  expect(of.called).toEqual(['refund 7'])
  expect(chat.messages).toHaveLength(2)
  expect(partsOf(chat)).toContainEqual(['tool-refund', 'output-available', { refunded: 7 }])
  expect(partsOf(chat)?.at(-1)).toEqual(['text', 'Refunded.'])
})

test('a rejected call is denied, and its reason reaches the journal', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('I did not refund.')] })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'Refund order 7' })
  const [question] = await of.runtime.questions()
  await chat.addToolApprovalResponse({ id: question?.id ?? '', approved: false, reason: 'no' })
  await untilReady(chat)
  expect(of.called).toEqual([])
  expect(partsOf(chat)).toContainEqual(['tool-refund', 'output-denied'])
  const rows = await of.runtime.thread('one').rows()
  expect(rows.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'resume', decision: 'rejected', note: 'no' }),
  )
})

test('a question of a node is answered by the same approval', async () => {
  const of = await service({ graphs: [asking()] })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'g' })
  expect(partsOf(chat)?.at(-1)).toEqual(['tool-question', 'approval-requested'])
  const [question] = await of.runtime.questions()
  await chat.addToolApprovalResponse({ id: question?.id ?? '', approved: true })
  await untilReady(chat)
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'success' })
  expect(partsOf(chat)?.at(-1)).toEqual(['text', 'worked'])
})

test('a client that reconnects in the middle receives the whole answer', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.')],
    held: true,
  })
  const first = chatWith(of.url)
  const sent = first.sendMessage({ text: 'How many clocks are left?' })
  while (of.called.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  const second = chatWith(of.url)
  second.messages = structuredClone(first.messages.slice(0, 1))
  const resumed = second.resumeStream()
  await first.stop()
  await sent
  of.release()
  await resumed
  expect(partsOf(second)).toEqual([
    ['step-start'],
    ['tool-stock', 'output-available', { left: 3 }],
    ['step-start'],
    ['text', 'Three.'],
  ])
  await chatWith(of.url).resumeStream()
})

test('a cancel ends the stream of the chat', async () => {
  const of = await newDesk({ model: [calls('stock', { article: 'clock' })], held: true })
  const chat = chatWith(of.url)
  const sent = chat.sendMessage({ text: 'How many clocks are left?' })
  while (of.called.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  await of.send('POST', '/v1/threads/one/commands', { do: 'cancel', reason: 'enough' })
  await sent
  expect([chat.status, chat.error]).toEqual(['ready', undefined])
  expect((await of.runtime.thread('one').result()).outcome).toBe('cancelled')
})

test('an escape is a data part with its rung and its cause', async () => {
  const again = calls('stock', { article: 'clock' })
  const of = await newDesk({ model: [again, again, again, again, says('I could not find out.')] })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'How many clocks are left?' })
  const escapes = chat.messages.at(-1)?.parts.filter(({ type }) => type === 'data-escape')
  expect(escapes?.[0]).toMatchObject({
    data: { rung: expect.any(String), because: expect.stringContaining('stock') },
  })
})

test('a key with a lower role, an unknown graph and a repeated message are refused or have no effect', async () => {
  const of = await newDesk({ model: [says('Hello.'), says('Again.')] })
  const viewer = chatWith(of.url, { key: 'key-view' })
  await viewer.sendMessage({ text: 'x' })
  expect(viewer.error?.message).toContain('operate')
  const lost = chatWith(of.url, { id: 'two', body: { graph: 'none' } })
  await lost.sendMessage({ text: 'x' })
  expect(lost.error?.message).toContain('unknown-graph')
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'x' })
  const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
  const opening = {
    id: 'three',
    trigger: 'submit-message',
    messages: [{ id: secret, role: 'user', parts: [{ type: 'text', text: 'y' }] }],
  }
  for (let time = 0; time < 2; time++) await of.send('POST', '/chat', opening)
  const rows = await of.runtime.thread('three').rows()
  expect(rows.filter(({ ended }) => ended).length).toBe(1)
  expect(JSON.stringify(rows)).not.toContain(secret)
  const said = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'y' }] }
  const request = { id: 'one', trigger: 'submit-message', messages: [said] }
  const replies = [await of.send('POST', '/chat', request), await of.send('POST', '/chat', request)]
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
  expect(replies[0]?.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
  expect((await of.runtime.thread('one').state()).round).toBe(2)
})
