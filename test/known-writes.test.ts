/** What a model reads of its writes after their node was left. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent, createRuntime, memoryStore, tool } from '../src/index.ts'
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
    await thread.answer(question?.id ?? '', decision)
  }
  await thread.result()
  const applied = 'The call took effect. Its result is not known. Do not repeat the call.'
  const [first, second, third] = contents(read[1])
  expect([first, second]).toEqual([applied, applied])
  expect(third).toContain('the call had no effect')
  await runtime.close()
})
