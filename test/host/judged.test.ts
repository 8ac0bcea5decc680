/** A question shows what the person judges. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'

const ENDS = { 'human.approved': 'end', 'human.rejected': 'end' }

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  effects: 'write',
  inputSchema: z.object({ amount: z.number() }),
  confirm: ({ amount }) => `Pay ${amount}?`,
  execute: ({ amount }) => ({ paid: amount }),
})

/** Writes a draft, and then works in the node `next`. */
const desk = (next: object) =>
  defineGraph({
    id: 'desk',
    start: 'write',
    channels: {
      draft: { type: 'string' },
      notes: { reducer: 'append', type: 'string' },
      other: { type: 'string', default: 'unused' },
    },
    nodes: {
      write: {
        use: node(async () => ({ draft: 'Out now.', notes: 'short' })),
        out: ['draft', 'notes'],
        on: { done: 'next' },
      },
      next,
      end: { final: 'success' },
    },
  } as Parameters<typeof defineGraph>[0])

async function judgedIn(next: object) {
  const graph = desk(next)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  for await (const _ of thread.events({ until: 'waiting' }));
  const [question] = (await thread.state()).questions
  const [listed] = await runtime.questions()
  expect(listed?.judged).toEqual(question?.judged)
  await runtime.close()
  return question?.judged
}

describe('what a person judges', () => {
  test('is what the asking node reads', async () => {
    const ask = { use: 'human', question: 'Is it good?', on: ENDS }
    expect(await judgedIn({ ...ask, in: ['draft', 'notes'] })).toEqual({
      draft: 'Out now.',
      notes: ['short'],
    })
    expect(await judgedIn({ ...ask, in: { text: 'draft' } })).toEqual({ text: 'Out now.' })
    expect(await judgedIn(ask)).toBeUndefined()
  })

  test('is the proposed call, if the question of the tool need not tell its arguments', async () => {
    const use = node({ tools: { pay } }, async ({ call }) => call.pay({ amount: 450 }))
    expect(await judgedIn({ use, on: { done: 'end' } })).toEqual({
      tool: 'pay',
      arguments: '{"amount":450}',
    })
  })
})
