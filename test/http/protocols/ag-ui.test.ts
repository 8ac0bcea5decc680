/** AG-UI 1.0 by its own client: `HttpAgent` of `@ag-ui/client`, which checks the order of the events. */
import { expect, test } from 'vitest'
import { asking } from '../../host/graphs.ts'
import { service } from '../service.ts'
import { agentOf, type Run, run, user } from './ag-ui-client.ts'
import { calls, newDesk, says } from './desk.ts'

const typesOf = ({ events }: Run) => events.map(({ type }) => type)
const last = ({ events }: Run) => events.at(-1)

test('a run streams steps, text and tool calls, and its next run continues the thread', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.'), says('Of course.')],
  })
  const agent = agentOf(of.url, [user('How many clocks are left?')])
  const first = await run(agent)
  expect(first.error).toBeUndefined()
  expect(typesOf(first)).toEqual([
    'RUN_STARTED',
    'STEP_STARTED',
    'TOOL_CALL_START',
    'TOOL_CALL_ARGS',
    'TOOL_CALL_END',
    'TOOL_CALL_RESULT',
    'STEP_FINISHED',
    'STEP_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'STEP_FINISHED',
    'STATE_SNAPSHOT',
    'RUN_FINISHED',
  ])
  expect(last(first)).toMatchObject({ result: { answer: 'Three.' }, outcome: { type: 'success' } })
  expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  agent.addMessage(user('Are you sure?'))
  await run(agent)
  expect(agent.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Of course.' })
  expect((await of.runtime.thread('one').state()).round).toBe(2)
})

test('a call that needs approval is an interrupt with a schema and an expiry, after snapshots', async () => {
  const of = await newDesk({ model: [calls('refund', { amount: 7 }), says('Refunded.')] })
  const agent = agentOf(of.url, [user('Refund order 7')])
  const asked = await run(agent)
  expect(typesOf(asked).slice(-3)).toEqual(['STATE_SNAPSHOT', 'MESSAGES_SNAPSHOT', 'RUN_FINISHED'])
  const [interrupt] = asked.interrupts
  expect(interrupt).toMatchObject({
    reason: 'tool_call',
    toolCallId: expect.any(String),
    message: expect.stringContaining('refund'),
    responseSchema: {
      properties: { decision: { enum: expect.arrayContaining(['approved', 'rejected']) } },
    },
  })
  expect(Date.parse(interrupt?.expiresAt ?? '')).toBeGreaterThan(Date.now())
  const answer = { interruptId: interrupt?.id, status: 'resolved', payload: { approved: true } }
  const answered = await run(agent, [answer])
  expect(answered.error).toBeUndefined()
  expect(of.called).toEqual(['refund 7'])
  expect(last(answered)).toMatchObject({ outcome: { type: 'success' } })
  expect(agent.messages.at(-1)).toMatchObject({ content: 'Refunded.' })
})

test('one resume answers all open questions; a stale or partial one is a RUN_ERROR', async () => {
  const of = await service({ graphs: [asking()] })
  const agent = agentOf(of.url, [user('g')])
  const asked = await run(agent)
  const [interrupt] = asked.interrupts
  expect(interrupt).toMatchObject({ reason: 'input_required', message: 'Go on?' })
  const body = { threadId: 'one', runId: 'r', messages: [], tools: [], context: [] }
  const answer = { interruptId: interrupt?.id, status: 'cancelled' }
  const resume = [{ ...answer, interruptId: 'other' }]
  const stale = await of.send('POST', '/ag-ui', { ...body, resume })
  expect([stale.status, stale.text]).toEqual([200, expect.stringContaining('"RUN_ERROR"')])
  expect(stale.text).toContain('"code":"question-closed"')
  const rejected = await run(agent, [answer])
  expect(rejected.events.some(({ type }) => type === 'RUN_ERROR')).toBe(true)
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'failure' })
  const late = await of.send('POST', '/ag-ui', { ...body, resume: [answer] })
  expect(late.text).toContain('"code":"question-closed"')
})

test('an answer without a decision approves nothing, and the right one is still taken', async () => {
  const of = await service({ graphs: [asking()] })
  const agent = agentOf(of.url, [user('g')])
  const [interrupt] = (await run(agent)).interrupts
  const answer = { interruptId: interrupt?.id, status: 'resolved' }
  for (const payload of [undefined, {}, { note: 'no, do not publish this' }]) {
    const refused = await run(agentOf(of.url, [user('g')]), [{ ...answer, payload }])
    expect(refused.events.at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'invalid-request' })
  }
  expect((await of.runtime.thread('one').state()).questions).toHaveLength(1)
  await run(agent, [{ ...answer, payload: { decision: 'rejected' } }])
  expect(await of.runtime.thread('one').result()).toMatchObject({ outcome: 'failure' })
})

test('a client that repeats its run in the middle receives the whole round, and nothing runs twice', async () => {
  const of = await newDesk({
    model: [calls('stock', { article: 'clock' }), says('Three.')],
    held: true,
  })
  const first = agentOf(of.url, [user('How many clocks are left?')])
  const broken = run(first)
  while (of.called.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  first.abortRun()
  await broken
  const again = agentOf(of.url, [user('How many clocks are left?')])
  const whole = run(again)
  await new Promise(resolve => setTimeout(resolve, 50))
  of.release()
  expect(typesOf(await whole)).toContain('TOOL_CALL_RESULT')
  expect(again.messages.at(-1)).toMatchObject({ content: 'Three.' })
  expect(of.called).toEqual(['stock clock'])
})

test('a cancelled thread finishes its run as cancelled', async () => {
  const of = await newDesk({ model: [calls('stock', { article: 'clock' })], held: true })
  const running = run(agentOf(of.url, [user('How many clocks are left?')]))
  while (of.called.length === 0) await new Promise(resolve => setTimeout(resolve, 5))
  await of.send('POST', '/v1/threads/one/commands', { do: 'cancel', reason: 'enough' })
  expect(last(await running)).toMatchObject({ outcome: { type: 'cancelled' } })
})

test('an escape is a custom event that names its rung', async () => {
  const again = calls('stock', { article: 'clock' })
  const of = await newDesk({ model: [again, again, again, again, says('I could not find out.')] })
  const { events } = await run(agentOf(of.url, [user('How many clocks are left?')]))
  const [escape] = events.filter(({ type, name }) => type === 'CUSTOM' && name === 'escape')
  expect(escape?.value).toMatchObject({
    rung: expect.any(String),
    because: expect.stringContaining('stock'),
    text: expect.stringMatching(/^escaping: rung /),
  })
})
