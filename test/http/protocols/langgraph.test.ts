/** The LangGraph server wire by its own client: `threads.stream` of `@langchain/langgraph-sdk`, and the controller of `useStream`. */
import { Client, HttpAgentServerAdapter } from '@langchain/langgraph-sdk'
import { StreamController } from '@langchain/langgraph-sdk/stream'
import { expect, onTestFinished, test } from 'vitest'
import { asking } from '../../host/graphs.ts'
import { service } from '../service.ts'
import { calls, newDesk, says } from './desk.ts'

const headers = { authorization: 'Bearer key-operate' }
const human = (content: string, id = content) => ({ messages: [{ type: 'human', content, id }] })

// biome-ignore lint/suspicious/noExplicitAny: an event of any channel.
type Event = any

/** A stream of a thread, and the events it has received. */
function streamOf(url: string, thread = 'one', graph = 'shop') {
  const client = new Client({
    apiUrl: `${url}/langgraph`,
    defaultHeaders: headers,
    callerOptions: { maxRetries: 0 },
  })
  const transport = new HttpAgentServerAdapter({
    apiUrl: `${url}/langgraph`,
    threadId: thread,
    defaultHeaders: headers,
  })
  const stream = client.threads.stream(thread, { assistantId: graph, transport })
  const events: Event[] = []
  stream.onEvent(event => void events.push(event))
  onTestFinished(() => stream.close())
  const lifecycle = () =>
    events.flatMap(({ method, params }) => (method === 'lifecycle' ? [params.data.event] : []))
  const until = async (isMet: () => boolean) => {
    while (!isMet()) await new Promise(resolve => setTimeout(resolve, 5))
  }
  return { client, stream, events, lifecycle, until }
}

const textsOf = (messages: readonly Event[]) =>
  messages.map(({ type, content, tool_calls: [call] = [] }) => [type, call?.name ?? content])

test('a run streams text, tool calls and values, and its next run continues the thread', async () => {
  const of = await newDesk({
    model: [
      calls('stock', { article: 'clock' }),
      says('Three clocks are left.'),
      says('Of course.'),
    ],
  })
  const { client, stream, lifecycle, until } = streamOf(of.url)
  const { messages, toolCalls } = stream
  const started = await stream.run.start({ input: human('How many clocks are left?') })
  expect(started).toEqual({ run_id: '0' })
  for await (const call of toolCalls) {
    expect(call).toMatchObject({ name: 'stock', args: { article: 'clock' } })
    expect(await call.output).toEqual({ left: 3 })
    break
  }
  for await (const message of messages) {
    expect(await message.text).toBe('Three clocks are left.')
    break
  }
  expect(await stream.output).toMatchObject({ answer: 'Three clocks are left.' })
  expect(lifecycle()).toEqual(['running', 'completed'])
  await stream.run.start({ input: human('Are you sure?') })
  await until(() => lifecycle().length === 4)
  const state = await client.threads.getState('one')
  expect(textsOf((state.values as Event).messages)).toEqual([
    ['human', 'How many clocks are left?'],
    ['ai', 'stock'],
    ['tool', '{"left":3}'],
    ['ai', 'Three clocks are left.'],
    ['human', 'Are you sure?'],
    ['ai', 'Of course.'],
  ])
  expect(state).toMatchObject({ next: [], tasks: [], metadata: { graph_id: 'shop' } })
  const history = await client.threads.getHistory('one', { limit: 2 })
  expect(history[0]?.checkpoint).toEqual(state.checkpoint)
})

test('a stream that continues after an event does not repeat that event', async () => {
  const of = await newDesk({ model: [says('Three clocks are left.')] })
  const { stream, lifecycle, until } = streamOf(of.url)
  await stream.run.start({ input: human('How many clocks are left?') })
  await until(() => lifecycle().includes('completed'))
  const { seq: last } = await of.runtime.thread('one').state()
  const seqsAfter = async (since?: number) => {
    const leave = new AbortController()
    const response = await fetch(`${of.url}/langgraph/threads/one/stream/events`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ channels: ['values'], ...(since !== undefined && { since }) }),
      signal: leave.signal,
    })
    let text = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      if (text.includes(`"seq":${last},`)) break
    }
    leave.abort()
    return [...text.matchAll(/"seq":(\d+),/g)].map(([, seq]) => Number(seq))
  }
  const [first = -1, ...rest] = await seqsAfter()
  expect(rest.length).toBeGreaterThan(0)
  expect(await seqsAfter(first)).toEqual(rest)
})

test('a call that needs approval is an interrupt, and the answer resumes the thread', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('Refunded.')] })
  const { client, stream, lifecycle, until } = streamOf(of.url)
  await stream.run.start({ input: human('Refund order 7') })
  await until(() => lifecycle().includes('interrupted'))
  const [interrupt] = stream.interrupts
  expect(interrupt).toMatchObject({
    payload: { question: expect.stringContaining('refund'), tool_call_id: expect.any(String) },
  })
  const { tasks } = await client.threads.getState('one')
  expect(tasks[0]?.interrupts[0]?.id).toBe(interrupt?.interruptId)
  const answer = { namespace: [], interrupt_id: interrupt?.interruptId ?? '', response: true }
  await stream.input.respond(answer)
  await until(() => lifecycle().includes('completed'))
  expect(lifecycle()).toEqual(['running', 'interrupted', 'running', 'completed'])
  expect(of.called).toEqual(['refund 7'])
  await expect(stream.input.respond({ ...answer, interrupt_id: 'other' })).rejects.toMatchObject({
    code: 'no_such_interrupt',
  })
})

test('a rejected answer ends the run as failed, with the reason', async () => {
  const of = await service({ graphs: [asking()] })
  const { stream, events, lifecycle, until } = streamOf(of.url, 'one', 'asking')
  await stream.run.start({ input: { goal: 'g' } })
  await until(() => stream.interrupts.length > 0)
  const [{ interruptId = '' } = {}] = stream.interrupts
  await stream.input.respond({
    responses: [{ namespace: [], interrupt_id: interruptId, response: { decision: 'rejected' } }],
  })
  await until(() => lifecycle().includes('failed'))
  expect(events.at(-1).params.data.error).toEqual(expect.any(String))
})

test('a client that reconnects in the middle receives the rest, without hole or repeat', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three clocks are left.')],
    held: true,
  })
  const first = streamOf(of.url)
  await first.stream.run.start({ input: human('How many clocks are left?') })
  await first.until(() => of.called.length > 0)
  await first.stream.close()
  const second = streamOf(of.url)
  const { messages } = second.stream
  // A repeated run has no effect.
  expect(await second.stream.run.start({ input: human('How many clocks are left?') })).toEqual({
    run_id: '0',
  })
  of.release()
  for await (const message of messages) {
    expect(await message.text).toBe('Three clocks are left.')
    break
  }
  await second.until(() => second.lifecycle().includes('completed'))
  expect(second.lifecycle()).toEqual(['running', 'completed'])
  expect(of.called).toEqual(['stock clock'])
  const replay = streamOf(of.url)
  await replay.stream.subscribe(['messages', 'tools', 'lifecycle', 'values', 'custom', 'input'])
  await replay.until(() => replay.lifecycle().includes('completed'))
  const ids = (events: Event[]) => events.map(({ event_id }) => event_id)
  expect(ids(replay.events)).toEqual(expect.arrayContaining(ids(second.events)))
  expect(new Set(ids(replay.events)).size).toBe(replay.events.length)
})

test('a message to a busy thread is the next run', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.'), says('Of course.')],
    held: true,
    queue: true,
  })
  const { client, stream, events, lifecycle, until } = streamOf(of.url)
  await stream.run.start({ input: human('How many clocks are left?') })
  await until(() => of.called.length > 0)
  const { run_id: next } = await stream.run.start({ input: human('Are you sure?') })
  of.release()
  await until(() => lifecycle().length === 4)
  expect(lifecycle()).toEqual(['running', 'completed', 'running', 'completed'])
  const runs = events.flatMap(({ method, event_id }) =>
    method === 'lifecycle' ? [event_id.split(':')[1]] : [],
  )
  expect(runs).toEqual(['0', '0', next, next])
  const { values } = await client.threads.getState('one')
  expect(textsOf((values as Event).messages).map(([type]) => type)).toEqual([
    ...['human', 'ai', 'tool', 'ai'],
    ...['human', 'ai'],
  ])
})

test('a cancelled run is interrupted, and a late cancel does not end the next run', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Hello.')],
    held: true,
  })
  const { client, stream, lifecycle, until } = streamOf(of.url)
  await stream.run.start({ input: human('How many clocks are left?') })
  await until(() => of.called.length > 0)
  await client.runs.cancel('one', '0')
  await until(() => lifecycle().includes('interrupted'))
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'cancelled' })
  await stream.run.start({ input: human('Are you there?') })
  await expect(client.runs.cancel('one', '0')).rejects.toThrow('404')
})

test('an escape is a custom event that names its rung', async () => {
  const again = calls('stock', { article: 'clock' })
  const of = await newDesk({ model: [again, again, again, again, says('I could not find out.')] })
  const { stream, events, until } = streamOf(of.url)
  await stream.subscribe('custom')
  await stream.run.start({ input: human('How many clocks are left?') })
  await until(() => events.some(({ method }) => method === 'custom'))
  const escapes = events.filter(({ params }) => params.data.name === 'escape')
  expect(escapes[0]?.params.data.payload).toMatchObject({
    rung: expect.any(String),
    because: expect.stringContaining('stock'),
  })
})

test('useStream shows a conversation once: messages, an interrupt and its answer', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('Refunded.')] })
  const { client, until } = streamOf(of.url)
  const controller = new StreamController({ assistantId: 'shop', client, threadId: null } as never)
  const dispose = controller.activate()
  onTestFinished(() => dispose())
  const shown = () => controller.rootStore.getSnapshot() as Event
  await controller.submit(human('Refund order 7'))
  await until(() => shown().interrupts.length > 0 && !shown().isLoading)
  await controller.respond({ approved: true })
  await until(() => shown().messages.at(-1)?.text === 'Refunded.' && !shown().isLoading)
  expect(shown().messages.map(({ type }: Event) => type)).toEqual(['human', 'ai', 'tool', 'ai'])
  await until(() => shown().interrupts.length === 0)
  const again = new StreamController({
    assistantId: 'shop',
    client,
    threadId: shown().threadId,
  } as never)
  await again.hydrationPromise
  expect((again.rootStore.getSnapshot() as Event).messages).toHaveLength(4)
})

test('unsupported commands and missing roles are refused', async () => {
  const of = await newDesk({ model: [says('Hello.')] })
  const command = (method: string, params: object, role = 'operate') =>
    of.send('POST', '/langgraph/threads/one/commands', { id: 1, method, params }, { role })
  expect((await command('state.fork', {})).body).toMatchObject({
    type: 'error',
    error: 'unknown_command',
    message: 'unknown command; supported commands: run.start, input.respond',
  })
  const start = { assistant_id: 'other', input: human('Hello') }
  expect((await command('run.start', start)).body).toMatchObject({ error: 'invalid_argument' })
  const refused = [
    await command('run.start', start, 'view'),
    await command('run.start', start, 'none'),
    await of.send('POST', '/langgraph/threads/one/runs/0/cancel', {}, { role: 'view' }),
    await of.send('GET', '/langgraph/threads/one/state', undefined, { role: 'none' }),
    await of.send(
      'POST',
      '/langgraph/threads/one/stream/events',
      { channels: [] },
      { role: 'none' },
    ),
  ]
  expect(refused.map(({ status }) => status)).toEqual([403, 401, 403, 401, 401])
  expect((await of.runtime.threads({})).threads).toEqual([])
})

/** The fields of the events that `createEmbedServer` of `@langchain/langgraph-api` 1.5.1 sends for the same story. */
const EMBED_SERVER: Readonly<Record<string, readonly string[]>> = {
  'lifecycle running': ['event', 'graph_name'],
  'lifecycle interrupted': ['event', 'graph_name'],
  'lifecycle completed': ['event', 'graph_name'],
  'messages message-start': ['event', 'id'],
  'messages content-block-start': ['content', 'event', 'index'],
  'messages content-block-delta': ['delta', 'event', 'index'],
  'messages content-block-finish': ['content', 'event', 'index'],
  'messages message-finish': ['event', 'reason'],
  'input.requested': ['interrupt_id', 'payload'],
  checkpoints: ['id', 'source', 'step'],
  values: ['messages'],
}

const STATE = [
  'checkpoint',
  'created_at',
  'metadata',
  'next',
  'parent_checkpoint',
  'tasks',
  'values',
]
const TASK = ['checkpoint', 'error', 'id', 'interrupts', 'name', 'path', 'result', 'state']

test('events, states and responses have the fields that createEmbedServer sends', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('Refunded.')] })
  const { client, stream, events, lifecycle, until } = streamOf(of.url)
  await stream.subscribe(['messages', 'checkpoints', 'values', 'lifecycle', 'input'])
  await stream.run.start({ input: human('Refund order 7') })
  await until(() => lifecycle().includes('interrupted'))
  const state = await client.threads.getState('one')
  expect([Object.keys(state).sort(), Object.keys(state.tasks[0] ?? {}).sort()]).toEqual([
    STATE,
    TASK,
  ])
  const [{ interruptId = '' } = {}] = stream.interrupts
  const params = { namespace: [], interrupt_id: interruptId, response: true }
  const command = { id: 7, method: 'input.respond', params }
  const { body } = await of.send('POST', '/langgraph/threads/one/commands', command)
  const meta = { thread_id: 'one', applied_through_seq: expect.any(Number) }
  expect(body).toEqual({ type: 'success', id: 7, result: {}, meta })
  await until(() => lifecycle().includes('completed'))
  for (const [name, fields] of Object.entries(EMBED_SERVER)) {
    const [method, kind] = name.split(' ')
    const of = events.filter(
      ({ method: each, params }) => each === method && params.data.event === kind,
    )
    expect(of.length, name).toBeGreaterThan(0)
    expect(Object.keys(of[0]).sort()).toEqual(['event_id', 'method', 'params', 'seq', 'type'])
    expect(Object.keys(of[0].params.data), name).toEqual(expect.arrayContaining([...fields]))
  }
})
