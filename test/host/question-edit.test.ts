/** What an edit takes: its JSON Schema, and the value that it starts from. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'

const LONG = 'x'.repeat(900)

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  effects: 'write',
  inputSchema: z.object({ amount: z.number().max(500), memo: z.string().optional() }),
  confirm: true,
  execute: ({ amount }) => ({ paid: amount }),
})

/** The question of a graph whose node `next` asks. */
async function asked(next: object) {
  const graph = defineGraph({
    id: 'desk',
    start: 'write',
    channels: {
      draft: { type: 'string', maxLength: 80 },
      notes: { reducer: 'append', type: 'string', description: 'What to change' },
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
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  for await (const _ of thread.events({ until: 'waiting' }));
  const [question] = await runtime.questions()
  const rows = await thread.rows()
  await runtime.close()
  return { question, rows }
}

const ENDS = { 'human.approved': 'end', 'human.rejected': 'end' }
const ASK = { use: 'human', question: 'Is it good?', in: ['draft'] }

describe('an edit', () => {
  test('of channels has their schemas, and starts from their values. An append channel starts empty', async () => {
    const on = { ...ENDS, 'human.edited': 'end' }
    const { question, rows } = await asked({ ...ASK, out: ['draft', 'notes'], on })
    expect(question?.edit).toEqual({
      schema: {
        type: 'object',
        properties: {
          draft: { type: 'string', maxLength: 80 },
          notes: { type: 'array', items: { type: 'string' }, description: 'What to change' },
        },
      },
      value: { draft: 'Out now.' },
    })
    const since = rows[question?.asked ?? -1]
    expect(since?.event.type).toBe('node.done')
    expect(question?.at).toBe(since?.event.at)
    const whole = await asked({ ...ASK, out: 'draft', on })
    expect(whole.question?.edit).toEqual({
      schema: { type: 'string', maxLength: 80 },
      value: 'Out now.',
    })
  })

  test('of a call has the schema of its arguments, and all of them, also where the question cuts them', async () => {
    const args = { amount: 450, memo: LONG }
    const use = node({ tools: { pay } }, async ({ call }) => call.pay(args))
    const { question } = await asked({ use, on: { done: 'end' } })
    expect(question?.question).not.toContain(LONG)
    expect(question?.edit).toMatchObject({
      schema: { type: 'object', required: ['amount'], properties: { amount: { maximum: 500 } } },
      value: args,
    })
  })

  test('is absent where no answer edits', async () => {
    const { question } = await asked({ ...ASK, on: ENDS })
    expect(question?.options.map(({ decision }) => decision)).not.toContain('edited')
    expect(question).not.toHaveProperty('edit')
  })
})
