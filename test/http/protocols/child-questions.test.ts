/** Questions of child threads: each protocol shows them with the name of the child, and takes their answers. */
import { Client, HttpAgentServerAdapter } from '@langchain/langgraph-sdk'
import { expect, onTestFinished, test } from 'vitest'
import { bindGraph } from '../../../src/kit/bind/bind.ts'
import { specOf } from '../../graph/linted.ts'
import { asking, parentOf } from '../../host/graphs.ts'
import { service } from '../service.ts'
import { agentOf, run, user } from './ag-ui-client.ts'
import { chatWith, partsOf, untilReady } from './chat-client.ts'

const CHILD = 'one/child#1/1'

const question = (text: string, next: string) => ({
  use: 'human',
  question: text,
  on: { 'human.approved': next, 'human.rejected': 'no' },
})

/** Asks `Go on?`, and then `Sure?`. */
const askingTwice = () =>
  asking(undefined, {
    nodes: {
      work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'ask' } },
      ask: question('Go on?', 'sure'),
      sure: question('Sure?', 'end'),
      end: { final: 'success' },
      no: { final: 'failure' },
    },
  })

const parent = () => service({ graphs: [parentOf(askingTwice())] })

test('a chat of the AI SDK answers the questions of a child, one after the other', async () => {
  const of = await parent()
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'g' })
  expect(chat.messages.at(-1)?.parts.at(-1)).toMatchObject({
    type: 'tool-question',
    state: 'approval-requested',
    input: { question: 'Go on?' },
    approval: { id: `${CHILD} ask#1` },
  })
  await chat.addToolApprovalResponse({ id: `${CHILD} ask#1`, approved: true })
  await untilReady(chat)
  expect(partsOf(chat)).toEqual([
    ['step-start'],
    ['tool-question', 'output-available', { decision: 'approved' }],
    ['step-start'],
    ['tool-question', 'approval-requested'],
  ])
  await chat.addToolApprovalResponse({ id: `${CHILD} sure#1`, approved: true })
  await untilReady(chat)
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'success' })
  expect(partsOf(chat)?.[3]).toEqual([
    'tool-question',
    'output-available',
    { decision: 'approved' },
  ])
})

test('a run of AG-UI ends with the questions of a child, also after an answer to it', async () => {
  const of = await parent()
  const agent = agentOf(of.url, [user('g')])
  const resolved = (interruptId: string) => [{ interruptId, status: 'resolved', payload: true }]
  expect((await run(agent)).interrupts).toMatchObject([{ id: `${CHILD} ask#1` }])
  const second = await run(agent, resolved(`${CHILD} ask#1`))
  expect(second.interrupts).toMatchObject([{ id: `${CHILD} sure#1`, message: 'Sure?' }])
  const last = await run(agent, resolved(`${CHILD} sure#1`))
  expect(last.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'success' })
})

test('a LangGraph client receives the questions of a child as interrupts', async () => {
  const of = await parent()
  const apiUrl = `${of.url}/langgraph`
  const defaultHeaders = { authorization: 'Bearer key-operate' }
  const client = new Client({ apiUrl, defaultHeaders, callerOptions: { maxRetries: 0 } })
  const transport = new HttpAgentServerAdapter({ apiUrl, threadId: 'one', defaultHeaders })
  const stream = client.threads.stream('one', { assistantId: 'parent', transport })
  onTestFinished(() => stream.close())
  await stream.run.start({ input: { goal: 'g' } })
  const asked = () => stream.interrupts.map(({ interruptId }) => interruptId)
  const answer = async (interrupt_id: string) => {
    while (!asked().includes(interrupt_id)) await new Promise(resolve => setTimeout(resolve, 5))
    await stream.input.respond({ namespace: [], interrupt_id, response: true })
  }
  await answer(`${CHILD} ask#1`)
  await answer(`${CHILD} sure#1`)
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'success' })
})

test('a chat that reconnects while a child works after an answer receives what follows', async () => {
  const hold = Promise.withResolvers<void>()
  const work = async () => {
    await hold.promise
    return 'worked'
  }
  const nodes = {
    ask: question('Go on?', 'work'),
    work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'end' } },
    end: { final: 'success' },
    no: { final: 'failure' },
  }
  const of = await service({ graphs: [parentOf(asking(work, { start: 'ask', nodes }))] })
  const chat = chatWith(of.url)
  await chat.sendMessage({ text: 'g' })
  await of.runtime.thread(CHILD).answer('ask#1', 'approved')
  const resumed = of.send('GET', '/chat/one/stream')
  hold.resolve()
  expect([(await resumed).status, (await resumed).text]).toEqual([
    200,
    expect.stringContaining('"type":"finish"'),
  ])
  expect((await of.send('GET', '/chat/one/stream')).status).toBe(204)
})

test('the events of a parent end when its child waits for people, and not while the child works', async () => {
  const hold = Promise.withResolvers<void>()
  const work = async () => {
    await hold.promise
    return 'worked'
  }
  const nodes = {
    ask: question('Go on?', 'work'),
    work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'end' } },
    end: { final: 'success' },
    no: { final: 'failure' },
  }
  const of = await service({ graphs: [parentOf(asking(work, { start: 'ask', nodes }))] })
  const { runtime } = of
  const [graph] = runtime.graphs
  await runtime.start(graph as never, { goal: 'g' } as never, { thread: 'one' })
  const read = async () => {
    const types: string[] = []
    for await (const event of runtime.thread('one').events({ until: 'waiting' }))
      types.push(event.type)
    return types
  }
  await read()
  await runtime.thread(CHILD).answer('ask#1', 'approved')
  const reading = read()
  hold.resolve()
  expect((await reading).at(-1)).toBe('ended')
})

test('a wrong answer among several leaves the others without effect', async () => {
  const child = askingTwice()
  const spec = specOf({
    id: 'parent',
    start: 'each',
    channels: { goal: { type: 'string' }, goals: { type: 'array' } },
    input: ['goal', 'goals'],
    nodes: {
      each: { use: 'map', graph: 'child', over: 'goals', as: 'goal', on: { done: 'end' } },
      end: { final: 'success' },
    },
    graphs: { child: child.source },
  })
  const model = () => ({}) as never
  const graph = bindGraph(spec, { workspace: '.', model, graphs: { child } })
  const of = await service({ graphs: [graph] })
  const thread = await of.runtime.start(graph, { goal: 'g', goals: ['a', 'b'] }, { thread: 'one' })
  const asked = async () => (await thread.state()).questions
  await expect.poll(async () => (await asked()).length).toBe(2)
  const [first, second] = (await asked()).map(({ thread: child, id }) => `${child} ${id}`)
  const answer = (interruptId: string | undefined, decision: string) => {
    return { interruptId, status: 'resolved', payload: { decision } }
  }
  const resume = [answer(first, 'approved'), answer(second, 'applied')]
  const body = { threadId: 'one', runId: 'r', messages: [], tools: [], context: [], state: {} }
  const { text } = await of.send('POST', '/ag-ui', { ...body, resume })
  expect(text).toContain('RUN_ERROR')
  expect(text).toContain('wrong-decision')
  expect((await asked()).map(({ id }) => id)).toEqual(['ask#1', 'ask#1'])
})
