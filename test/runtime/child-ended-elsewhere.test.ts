/** A child waits for a person beside other calls of its node, and another process ends it: the node goes on without a restart. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'

const askingOf = (limits: object) =>
  defineGraph({
    id: 'asking',
    start: 'ask',
    limits,
    nodes: {
      ask: { use: 'human', question: 'Go on?', deadline: '1d', on: { 'human.approved': 'end' } },
      end: { final: 'success' },
    },
  } as never)

/** Starts a graph of one node. */
async function started(use: ReturnType<typeof node>) {
  const graph = defineGraph({
    id: 'parent',
    start: 'a',
    nodes: { a: { use, on: { done: 'end' } }, end: { final: 'success' } },
  } as never)
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph, {} as never, { thread: 't' })
  return { store, graph, runtime, thread }
}

/** Answers the question of a child in another process. */
async function answerElsewhere(
  store: ReturnType<typeof memoryStore>,
  child: string,
  graphs: readonly never[],
) {
  const other = createRuntime({ store, graphs })
  const thread = other.thread(child)
  await expect
    .poll(async () => (await thread.state().catch(() => undefined))?.questions)
    .toHaveLength(1)
  await thread.answer('ask#1', 'approved')
  await other.close()
}

it('a call beside it still works', async () => {
  const asking = askingOf({
    steps: 10,
    toolCalls: 10,
    modelCalls: 10,
    tokens: 10,
    usd: 1,
    duration: '1h',
  })
  const gate = Promise.withResolvers<void>()
  const wait = tool({
    name: 'wait',
    description: 'Waits.',
    effects: 'read',
    timeout: 60_000,
    inputSchema: z.object({}),
    execute: () => gate.promise,
  })
  const both = node({ tools: { wait }, graphs: { asking }, version: 1 }, async ({ call, run }) => {
    await Promise.all([run.asking({}).then(() => gate.resolve()), call.wait({})])
    return {}
  })
  const { store, graph, runtime, thread } = await started(both)
  await answerElsewhere(store, 't/a#1/1', [graph, asking] as never)
  expect((await thread.result()).outcome).toBe('success')
  await runtime.close()
})

it('a child beside it waits for its share', async () => {
  const asking = askingOf({})
  const two = node({ graphs: { asking }, version: 1 }, async ({ run }) => {
    await Promise.all([run.asking({}), run.asking({})])
    return {}
  })
  const { store, graph, runtime, thread } = await started(two)
  const stop = new AbortController()
  const working = runtime.work({ signal: stop.signal })
  await expect.poll(async () => (await thread.state()).status).toBe('waiting')
  for (const child of ['t/a#1/1', 't/a#1/2'])
    await answerElsewhere(store, child, [graph, asking] as never)
  expect((await thread.result()).outcome).toBe('success')
  stop.abort()
  await working
  await runtime.close()
})
