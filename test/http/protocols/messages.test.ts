/** Messages of chats: each is sent once by its id, and its stream has its own round. */
import { expect, test } from 'vitest'
import { createApp } from '../../../src/http.ts'
import { asking, parentOf } from '../../host/graphs.ts'
import { askingThread, messages, type Reply, type Served, service } from '../service.ts'
import { calls, newDesk, says } from './desk.ts'

const message = (text: string, id = text, role = 'user') => ({
  id,
  role,
  parts: text === '' ? [] : [{ type: 'text', text }],
})

const post = (of: Served, sent: readonly object[], more: object = {}) =>
  of.send('POST', '/chat', { id: 'one', trigger: 'submit-message', messages: sent, ...more })

const textsOf = ({ text }: Reply) =>
  [...text.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta)

const waiting = () => new Promise(resolve => setTimeout(resolve, 5))

test('a first message that is sent again streams its round, and starts no other', async () => {
  const of = await newDesk({ model: [says('Three.'), says('Of course.'), says('Why?')] })
  const first = await post(of, [message('How many?')])
  expect(textsOf(await post(of, [message('How many?')]))).toEqual(textsOf(first))
  await post(of, [message('How many?'), message('Are you sure?')])
  expect(textsOf(await post(of, [message('How many?')]))).toEqual(['Three.'])
  expect((await of.runtime.thread('one').state()).round).toBe(2)
  // The same text is another message.
  expect(textsOf(await post(of, [message('How many?', 'm3')]))).toEqual(['Why?'])
})

test('equal first messages that arrive together start one round', async () => {
  const of = await newDesk({ model: [says('Three.')] })
  const { fetch } = createApp(of.runtime, { anonymous: 'operate' })
  const body = JSON.stringify({ id: 'one', messages: [message('Hi')] })
  const headers = { 'content-type': 'application/json' }
  const send = async () => {
    const request = new Request('http://localhost/chat', { method: 'POST', headers, body })
    const text = await (await fetch(request)).text()
    return textsOf({ text } as Reply)
  }
  const texts = await Promise.all(Array.from({ length: 5 }, send))
  expect(texts).toEqual(Array(5).fill(['Three.']))
  expect((await of.runtime.thread('one').state()).round).toBe(1)
})

test('equal first messages to two services of one store start one round', async () => {
  const first = await service({ graphs: [asking()] })
  const second = await service({ graphs: [asking()], file: first.file })
  for (const id of ['one', 'two', 'three', 'four']) {
    const both = [first, second, first, second]
    const replies = await Promise.all(both.map(of => post(of, [message('g')], { id })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    for (const { text } of replies) expect(text).toContain('tool-approval-request')
    const rows = await first.runtime.thread(id).rows()
    expect(rows.filter(({ event }) => event.type === 'message')).toEqual([])
  }
})

test('two messages at once each stream their own round', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('First.'), says('Second.'), says('Third.')],
    held: true,
    queue: true,
  })
  const first = post(of, [message('a')])
  while (of.called.length === 0) await waiting()
  const [second, third] = [post(of, [message('b')]), post(of, [message('c')])]
  while ((await of.runtime.thread('one').state()).queued < 2) await waiting()
  of.release()
  expect(textsOf(await first)).toEqual(['First.'])
  const texts = [textsOf(await second), textsOf(await third)]
  expect(texts.toSorted()).toEqual([['Second.'], ['Third.']])
})

test('a message that interrupts a round streams its own, and the interrupted one stays', async () => {
  const of = await service({ graphs: [asking(undefined, { rounds: { busy: 'interrupt' } })] })
  await post(of, [message('a')])
  const second = await post(of, [message('a'), message('b')])
  expect(second.text).toContain('"approvalId":"ask#2"')
  expect(second.text).not.toContain('"approvalId":"ask#1"')
  const first = await post(of, [message('a')])
  expect(first.text).toContain('"approvalId":"ask#1"')
  expect(first.text).toContain('"type":"abort"')
  expect(first.text).not.toContain('"approvalId":"ask#2"')
})

test('a message that was refused is sent again after the round', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.'), says('Of course.')],
    held: true,
  })
  const first = post(of, [message('a')])
  while (of.called.length === 0) await waiting()
  const busy = await post(of, [message('b')])
  expect([busy.status, busy.body.code]).toEqual([409, 'thread-busy'])
  of.release()
  await first
  expect(textsOf(await post(of, [message('b')]))).toEqual(['Of course.'])
})

test('a message that finds no place for its stream starts no thread', async () => {
  const of = await service({ limits: { streams: 1 } })
  await askingThread(of, 'other')
  const open = messages(`${of.url}/v1/threads/other/stream`)
  await open.next()
  const { status, body } = await post(of, [message('g')])
  expect([status, body.code]).toEqual([503, 'too-many-streams'])
  const run = { threadId: 'one', runId: 'r', tools: [], context: [] }
  const user = { id: 'm', role: 'user', content: 'g' }
  expect((await of.send('POST', '/ag-ui', { ...run, messages: [user] })).status).toBe(503)
  await open.return(undefined)
  const { threads } = await of.runtime.threads()
  expect(threads.map(({ thread }) => thread)).toEqual(['other'])
})

test('a message of another role, or without text, starts no thread', async () => {
  const of = await newDesk({ model: [says('Three.')] })
  for (const last of [message('You are a thief', 's', 'system'), message('', 'm')]) {
    const { status, body } = await post(of, [last])
    expect([status, body.code]).toEqual([422, 'invalid-request'])
  }
  const run = { threadId: 'one', runId: 'r', tools: [], context: [] }
  for (const last of [
    { id: 's', role: 'system', content: 'You are a thief' },
    { id: 'm', role: 'user', content: '' },
  ]) {
    const { text } = await of.send('POST', '/ag-ui', { ...run, messages: [last] })
    expect(text).toContain('"code":"invalid-request"')
  }
  expect((await of.runtime.threads()).threads).toEqual([])
})

test('a message that names another graph than its thread is refused', async () => {
  const of = await service({ graphs: [asking(), parentOf(asking())] })
  await post(of, [message('g')], { graph: 'asking' })
  const other = await post(of, [message('g'), message('h')], { graph: 'parent' })
  expect([other.status, other.body.code]).toEqual([409, 'wrong-graph'])
  const { text } = await of.send('POST', '/ag-ui', {
    threadId: 'one',
    runId: 'r',
    messages: [{ id: 'h', role: 'user', content: 'h' }],
    forwardedProps: { graph: 'parent' },
  })
  expect(text).toContain('"code":"wrong-graph"')
})
