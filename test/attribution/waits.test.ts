/** A thread that waits for a person and is continued by another process had no crash. */
import { afterEach, describe, expect, test } from 'vitest'
import { attributeEvents } from '../../src/core/watch/attribution/attribute.ts'
import { createAgent, createRuntime, memoryStore, type Runtime, tool } from '../../src/index.ts'
import { calls, modelOf, says } from '../../src/testing.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const agentWith = (pay: () => Promise<unknown>) =>
  createAgent({
    id: 'shop',
    model: modelOf([calls('pay', { amount: 500 }), says('Paid.')]),
    tools: {
      pay: tool({
        description: 'Pays.',
        effects: 'write',
        confirm: () => true,
        inputSchema: { type: 'object' },
        execute: pay,
      }),
    },
  })

/** The rows after a question, a restart of the process, and the answer. */
async function answeredLater(
  pay: () => Promise<unknown>,
  ...decisions: ('approved' | 'applied')[]
) {
  const store = memoryStore()
  const agent = agentWith(pay)
  const runtimeOf = () => {
    const runtime = createRuntime({ store, graphs: [agent] })
    open.push(runtime)
    return runtime
  }
  const started = await runtimeOf().start(agent, { goal: 'pay' }, { thread: 't' })
  for await (const _ of started.events({ until: 'waiting' }));
  for (const decision of decisions) {
    await open.splice(0)[0]?.close()
    const thread = runtimeOf().thread('t', agent)
    const [asked] = (await thread.state()).questions
    await thread.answer(`${asked?.id}`, decision)
    for await (const _ of thread.events({ until: 'waiting' }));
  }
  const thread = runtimeOf().thread('t', agent)
  expect((await thread.summary()).status).toBe('ended')
  return (await thread.rows()).map(({ event }) => event)
}

describe('a question that another process continues', () => {
  test('about an approval names nothing', async () => {
    const events = await answeredLater(async () => ({ paid: 500 }), 'approved')
    const epochs = events.flatMap(event => (event.type === 'turn.started' ? [event.epoch] : []))
    expect(new Set(epochs).size).toBeGreaterThan(1)
    expect(attributeEvents(events)).toBeUndefined()
  })

  test('about an unknown outcome names the lost reply', async () => {
    const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    const events = await answeredLater(() => Promise.reject(lost), 'approved', 'applied')
    expect(attributeEvents(events)).toMatchObject({ kind: 'lost-reply', subject: 'pay' })
  })

  test('is a crash if a call beside it was open', () => {
    const of = { effect: 'act#1', region: '', subject: 'look', args: {} }
    const events = [
      { type: 'turn.started', effect: 'act#1', epoch: 1 },
      { type: 'call.proposed', ...of, subject: 'pay', call: 'act#1/1', effects: 'write' },
      { type: 'tool.called', ...of, call: 'act#1/2', attempt: 1, effects: 'read' },
      { type: 'resume', effect: 'act#1/1?', decision: 'approved' },
      { type: 'turn.started', effect: 'act#1', epoch: 2 },
    ].map((event, at) => ({ ...event, at }))
    expect(attributeEvents(events as never)).toMatchObject({ kind: 'crash', at: 4 })
    expect(attributeEvents(events.toSpliced(2, 1) as never)).toBeUndefined()
  })
})
