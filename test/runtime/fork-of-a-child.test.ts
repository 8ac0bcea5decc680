/** A live fork that begins while a child of its parent works: the child continues there. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, tool } from '../../src/index.ts'

/** A parent whose child makes one call, and that goes around again when it fails. */
async function started(effects: 'read' | 'write') {
  const made: string[] = []
  const call = tool({
    name: 'call',
    description: 'Takes its time.',
    effects,
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey }) {
      if (made.push(idempotencyKey) === 1) await pause(1_000)
      return 'done'
    },
  })
  const ends = { end: { final: 'success' }, bad: { final: 'failure' } }
  const child = defineGraph({
    ...{ id: 'child', start: 'work', tools: { call } },
    nodes: {
      work: { use: 'tool', tool: 'call', args: {}, on: { done: 'end', error: 'bad' } },
      ...ends,
    },
  } as never)
  const graph = defineGraph({
    ...{ id: 'parent', start: 'work', graphs: { child } },
    nodes: {
      work: { use: 'graph', graph: 'child', on: { done: 'end', error: 'again' } },
      again: { use: 'pass', on: { done: 'work' } },
      ...ends,
    },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  await expect.poll(() => made.length).toBe(1)
  return { made, runtime, thread }
}

it('asks a person while the child may write, and makes nothing', async () => {
  const { made, runtime, thread } = await started('write')
  const fork = await thread.fork({ as: 'f', effects: 'live' })
  await fork.drive()
  const [question] = (await fork.state()).questions
  expect(question?.question).toBe('The outcome of a call of child is unknown. Did it take effect?')
  await fork.answer(question?.id ?? '', 'applied')
  expect((await fork.result()).outcome).toBe('success')
  expect((await thread.result()).outcome).toBe('success')
  expect(made).toEqual(['t/work#1/1/work#1/1'])
  await runtime.close()
})

it('takes the answer that the child has given its parent', async () => {
  const { made, runtime, thread } = await started('write')
  await thread.result()
  const fork = await thread.fork({ at: 2, as: 'f', effects: 'live' })
  await fork.drive()
  expect((await fork.result()).outcome).toBe('success')
  expect(made).toHaveLength(1)
  await runtime.close()
})

it('runs a child that only reads again', async () => {
  const { made, runtime, thread } = await started('read')
  const fork = await thread.fork({ as: 'f', effects: 'live' })
  await fork.drive()
  expect((await fork.result()).outcome).toBe('success')
  expect(made).toEqual(['t/work#1/1/work#1/1', 'f/work#1/1/work#1/1'])
  await runtime.close()
})
