/** Plays the agent with a scripted model on virtual time: no key, no network. */
import { calls, fails, play, repeats, returns, says } from 'escapement/testing'
import 'escapement/testing/vitest'
import { expect, test } from 'vitest'
import { agent } from './agent.ts'

const find = calls('find_order', { order: '17' })

test('a failed lookup is retried', async () => {
  const played = await play(agent, {
    input: { goal: 'Where is order 17?' },
    model: [find, says('It was delivered.')],
    tools: { find_order: [fails(503, 2), returns({ status: 'delivered' })] },
  })
  expect(played).toReachGoal()
  expect(played.calls[0]?.attempts).toBe(3)
})

test('a refund above 100 asks a person', async () => {
  const played = await play(agent, {
    input: { goal: 'Refund order 17.' },
    model: [calls('refund', { order: '17', amount: 450 }), says('Refunded.')],
    answers: ['approved'],
  })
  expect(played).toReachGoal()
  expect(played).toHaveCalled('refund', { times: 1 })
})

test('an agent that repeats one call escapes from the loop', async () => {
  const played = await play(agent, {
    input: { goal: 'Where is order 17?' },
    model: [{ ...says('I cannot find it.'), when: { lesson: 'find_order' } }, repeats(find)],
    tools: { find_order: returns('not found') },
  })
  expect(played).toFind('loop')
  expect(played).toEscapeBy('alternative', { to: 'conclude' })
})
