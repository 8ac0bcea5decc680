/** A played write in doubt: what the answer `applied` makes of the call, and what the model reads of it. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, tool } from '../../src/index.ts'
import type { Message } from '../../src/index.ts'
import { calls, fails, modelOf, type PlayedAnswer, play, returns, says } from '../../src/testing.ts'

/** Plays a payment that ends in doubt, with the answer of a person. */
async function playWith(answer: PlayedAnswer) {
  const pay = tool({
    description: 'Pays.',
    inputSchema: z.object({ amount: z.number() }),
    effects: 'write',
    execute: () => 'unused',
  })
  const read: Message[] = []
  const scripted = modelOf([calls('pay', { amount: 5 }), says('Done.')])
  const ask: typeof scripted.ask = (request, call) => {
    read.push(...request.messages.filter(({ role }) => role === 'tool'))
    return scripted.ask(request, call)
  }
  const agent = createAgent({ id: 'desk', model: { ...scripted, ask }, tools: { pay } })
  const played = await play(agent, {
    input: { goal: 'Pay it.' },
    tools: { pay: [fails(504), returns({ id: 'p-1' })] },
    answers: [answer],
  })
  return { played, read }
}

test('an applied call without a result is confirmed to the model, and not answered with null', async () => {
  const { played, read } = await playWith('applied')
  expect(played.outcome).toBe('success')
  expect(read).toMatchObject([
    {
      tool: 'pay',
      ok: true,
      content:
        'A person has confirmed that the call took effect. Its result is not known. Do not repeat the call.',
    },
  ])
  expect(played.calls).toEqual([{ tool: 'pay', args: { amount: 5 }, attempts: 1, result: null }])
})

test('an applied call has the result that the person gave', async () => {
  const result = { id: 'p-7' }
  const { played, read } = await playWith({ decision: 'applied', output: result })
  expect(read).toMatchObject([{ ok: true, content: '{"id":"p-7"}' }])
  expect(played.calls).toEqual([{ tool: 'pay', args: { amount: 5 }, attempts: 1, result }])
})

test('a call that was not applied is made again, and has the outcome of its last attempt', async () => {
  const { played } = await playWith('not-applied')
  expect(played.calls).toMatchObject([{ tool: 'pay', attempts: 2, result: { id: 'p-1' } }])
  expect(played.calls[0]?.failure).toBeUndefined()
})
