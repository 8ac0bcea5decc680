/** The answer that a call took effect, with its result. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'

/** A thread that asks whether a reservation took effect. */
async function asked(outputSchema?: z.ZodType) {
  const reserve = tool({
    ...{ name: 'reserve', description: 'Reserves.', effects: 'write', inputSchema: z.object({}) },
    ...(outputSchema && { outputSchema }),
    execute: async () => {
      throw Object.assign(new Error('gateway timeout'), { status: 504 })
    },
  } as Parameters<typeof tool>[0])
  const work = node({ version: 1, tools: { reserve } }, async ({ call }) => ({
    id: JSON.stringify(await call.reserve({})),
  }))
  const graph = defineGraph({
    ...{ id: 'desk', start: 'book', channels: { id: { type: 'string' } }, output: ['id'] },
    nodes: {
      book: { use: work, out: ['id'], on: { done: 'end', error: 'lost' } },
      end: { final: 'success' },
      lost: { final: 'failure' },
    },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {} as never, { thread: 't' })
  await thread.drive()
  const [question] = (await thread.state()).questions
  const answer = (output?: unknown) =>
    thread.answer(question?.id ?? '', {
      decision: 'applied',
      ...(output !== undefined && { output }),
    } as never)
  return { runtime, thread, question, answer }
}

it('must have a result that the tool promises, and the question stays open until it has', async () => {
  const { runtime, thread, question, answer } = await asked(z.object({ id: z.string() }))
  expect(question?.edit?.schema).toMatchObject({ properties: { id: { type: 'string' } } })
  for (const wrong of [undefined, { foo: 1 }])
    expect(await answer(wrong)).toMatchObject({
      applied: false,
      code: 'invalid-answer',
      because: expect.stringMatching(/'book#1\/1\?' is invalid: reserve: /),
    })
  expect(await answer({ id: 'r-1' })).toEqual({ applied: true })
  expect((await thread.drive()).ended).toMatchObject({ result: { id: '{"id":"r-1"}' } })
  await runtime.close()
})

it('may have any result, or none, of a tool that promises nothing', async () => {
  for (const [given, shown] of [
    [undefined, 'null'],
    [{ foo: 1 }, '{"foo":1}'],
  ]) {
    const { runtime, thread, answer } = await asked()
    expect(await answer(given)).toEqual({ applied: true })
    expect((await thread.drive()).ended).toMatchObject({ result: { id: shown } })
    await runtime.close()
  }
})
