/** What a model reads of its writes after their node was left. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type RequestedWrite, requestedAfter } from '../src/core/run/requested-writes.ts'
import { writesAfter as writesOfRun } from '../src/core/writes.ts'
import { callKey } from '../src/core/watch/data/json.ts'
import type { AgentEvent } from '../src/core/watch/event/event.ts'
import { createAgent, createRuntime, memoryStore, tool } from '../src/index.ts'
import { withKnownWrites } from '../src/kit/known-writes.ts'
import type { Message } from '../src/runtime/model-message.ts'

const lost = () => Object.assign(new Error('Bad Gateway'), { status: 502 })

/** Pays three invoices at once: the first payment returns, and the responses of the others are lost. */
function payerOf() {
  const read: (readonly Message[])[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    inputSchema: z.object({ n: z.number() }),
    async execute({ n }) {
      if (n > 1) throw lost()
      return { receipt: n }
    },
  })
  const model = {
    id: 'scripted',
    timeout: 60_000,
    async ask({ messages }: { messages: readonly Message[] }) {
      read.push(messages)
      const calls = [1, 2, 3].map(n => ({ id: `c${n}`, tool: 'pay', args: { n } }))
      return read.length === 1 ? { text: '', calls } : { text: 'Done.', calls: [] }
    },
  }
  return { agent: createAgent({ id: 'payer', model, tools: { pay } }), read }
}

const contents = (messages: readonly Message[] = []) =>
  messages.flatMap(message => (message.role === 'tool' ? [message.content] : []))

it('each write that returned, or that a person has answered about, is told', async () => {
  const { agent, read } = payerOf()
  const runtime = createRuntime({ store: memoryStore(), graphs: [agent] })
  const thread = await runtime.start(agent, { goal: 'Pay 1, 2 and 3' }, { thread: 't' })
  const questions = async () => {
    for await (const _ of thread.events({ until: 'waiting' }));
    return (await thread.state()).questions
  }
  expect(await questions()).toHaveLength(1)
  await thread.cancel('enough')
  await thread.send({ goal: 'Go on' })
  for (const decision of ['applied', 'not-applied'] as const) {
    const question = (await questions()).find(({ id }) =>
      id.startsWith(decision === 'applied' ? 'act#1/2' : 'act#1/3'),
    )
    const output = decision === 'applied' ? { output: { receipt: 2 } } : {}
    await thread.answer(question?.id ?? '', { decision, ...output })
  }
  await thread.result()
  const [first, second, third] = contents(read[1])
  expect([first, second]).toEqual(['{"receipt":1}', '{"receipt":2}'])
  expect(third).toContain('the call had no effect')
  await runtime.close()
})

const ARGS = { n: 1 }
const callOf = (effect: string) => ({
  ...{ effect, region: '', call: `${effect}/1`, subject: 'pay', key: callKey('pay', ARGS) },
})
const called = (effect: string) =>
  ({
    ...{ ...callOf(effect), type: 'tool.called', attempt: 1, args: ARGS },
    ...{ effects: 'write', repeatable: false },
  }) as AgentEvent
const made = { type: 'tool.done', result: null, effects: 'write' } as const
const writesAfter = (...events: AgentEvent[]) =>
  events.reduce<readonly RequestedWrite[]>(
    (writes, event) => requestedAfter(writes, [[1, 'plan#1/1']], event),
    [],
  )
const answered = (question: string, decision: string) =>
  ({ type: 'resume', effect: question, decision }) as AgentEvent

describe('what is known of a write', () => {
  it('of a node that is entered again is what its last call has done', () => {
    const again = writesAfter(
      called('act#1'),
      answered('act#1/1?r2', 'not-applied'),
      called('act#2'),
    )
    expect(again).toMatchObject([{ effect: 'act#2' }])
    expect(again[0]).not.toHaveProperty('applied')
  })

  it('that was undone is that it had no effect', () => {
    const undone = { ...callOf('rollback#1'), ...made, compensates: 'act#1/1' } as AgentEvent
    const done = { ...callOf('act#1'), ...made } as AgentEvent
    expect(writesAfter(called('act#1'), done, undone)).toMatchObject([{ applied: false }])
  })

  it('is gone once its node has handed over the result', () => {
    expect(
      writesAfter(called('act#1'), { type: 'node.done', effect: 'act#1' } as AgentEvent),
    ).toEqual([])
  })

  it.each([
    ['short', 'paid', 'paid'],
    [
      'long',
      'x'.repeat(600),
      'The call took effect. Its result was not handed over. Do not repeat the call.',
    ],
  ])('has its result if it is %s', (_, result, content) => {
    const call = { id: 'a', tool: 'pay', args: ARGS }
    const asked: Message = { role: 'assistant', content: '', calls: [call], answer: 'plan#1/1' }
    const done = { ...callOf('act#1'), ...made, result } as AgentEvent
    expect(withKnownWrites([asked], writesAfter(called('act#1'), done))).toMatchObject([
      asked,
      { content },
    ])
  })

  it.each([
    [
      'short',
      { n: 2 },
      'A person edited the arguments of this call: {"n":2}. They wrote: two\n\nIts result:\npaid',
    ],
    [
      'long',
      { n: 'x'.repeat(600) },
      'A person edited the arguments of this call. They wrote: two\n\nIts result:\npaid',
    ],
  ])('has the arguments that a person has edited if they are %s', (_, args, content) => {
    const call = { id: 'a', tool: 'pay', args: ARGS }
    const asked: Message = { role: 'assistant', content: '', calls: [call], answer: 'plan#1/1' }
    const edited = { ...called('act#1'), edited: { args, note: 'two' } } as AgentEvent
    const done = { ...callOf('act#1'), ...made, result: 'paid' } as AgentEvent
    expect(withKnownWrites([asked], writesAfter(edited, done))).toMatchObject([asked, { content }])
  })

  it('is given for each of two equal calls', () => {
    const twin = { ...called('act#1'), call: 'act#1/2' } as AgentEvent
    const lost = [answered('act#1/1?r2', 'applied'), answered('act#1/2?r2', 'not-applied')]
    const writes = writesAfter(called('act#1'), twin, ...lost)
    const calls = ['a', 'b'].map(id => ({ id, tool: 'pay', args: ARGS }))
    const asked: Message = { role: 'assistant', content: '', calls, answer: 'plan#1/1' }
    expect(withKnownWrites([asked], writes)).toMatchObject([
      asked,
      { call: 'a', ok: true },
      { call: 'b', ok: false },
    ])
  })

  it('stays after a late end of a node that was left: it hands over nothing', () => {
    const requested = writesAfter(called('act#1'), { ...callOf('act#1'), ...made } as AgentEvent)
    const ends = { type: 'node.done', effect: 'act#1' } as AgentEvent
    const runWith = (pending: readonly object[]) => ({ requested, pending, answers: [] }) as never
    const rest = (pending: readonly object[]) =>
      writesOfRun({ run: runWith(pending), rules: undefined }, ends, []).requested
    expect(rest([])).toEqual(requested)
    expect(rest([{ id: 'act#1' }])).toBeUndefined()
  })

  it('does not stand beside the result that a node has handed over', () => {
    const call = { id: 'a', tool: 'pay', args: ARGS }
    const messages: readonly Message[] = [
      { role: 'assistant', content: '', calls: [call], answer: 'plan#1/1' },
      { role: 'tool', call: 'a', tool: 'pay', content: 'paid', ok: true },
    ]
    const writes = writesAfter(called('act#1'), answered('act#1/1?r2', 'not-applied'))
    expect(withKnownWrites(messages, writes)).toEqual(messages)
    expect(withKnownWrites(messages.slice(0, 1), writes)).toHaveLength(2)
  })
})
