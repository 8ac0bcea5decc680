/** Graphs of one spec that are bound to different tools: a child runs with those of its parent, also after a question and in another process. */
import { MemorySaver, Command } from '@langchain/langgraph'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, tool } from '../../src/index.ts'
import { toLangGraph } from '../../src/langgraph.ts'

/** A child that asks a person, and then pays from an account. */
function childOf(account: string, paid: string[]) {
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    inputSchema: z.object({}),
    execute: async () => paid.push(account),
  })
  return defineGraph({
    id: 'child',
    start: 'ask',
    tools: { pay },
    nodes: {
      ask: {
        use: 'human',
        question: 'Pay?',
        deadline: '1h',
        on: { 'human.approved': 'pay', 'human.rejected': 'no', 'human.expired': 'no' },
      },
      pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end', error: 'no' } },
      end: { final: 'success' },
      no: { final: 'failure' },
    },
  })
}

/** A parent that runs both children, one after the other. */
const bothIn = (paid: string[]) =>
  defineGraph({
    id: 'parent',
    start: 'first',
    graphs: { eu: childOf('EU', paid), us: childOf('US', paid) },
    nodes: {
      first: { use: 'graph', graph: 'eu', on: { done: 'second', error: 'no' } },
      second: { use: 'graph', graph: 'us', on: { done: 'end', error: 'no' } },
      end: { final: 'success' },
      no: { final: 'failure' },
    },
  })

describe('a child', () => {
  it('continues after a question with the tools that its parent binds', async () => {
    const paid: string[] = []
    const graph = bothIn(paid)
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    for (const expected of [['EU'], ['EU', 'US']]) {
      await expect.poll(async () => (await thread.state()).questions.length).toBe(1)
      const [{ id, thread: child = '' } = { id: '' }] = (await thread.state()).questions
      await runtime.thread(child).answer(id, 'approved')
      await expect.poll(() => paid).toEqual(expected)
    }
    expect((await thread.result()).outcome).toBe('success')
    await runtime.close()
  })

  it('continues so in another process, beside a parent that binds other tools', async () => {
    const paid: string[] = []
    const parent = (id: string, account: string) =>
      defineGraph({
        id,
        start: 'work',
        graphs: { child: childOf(account, paid) },
        nodes: {
          work: { use: 'graph', graph: 'child', on: { done: 'end', error: 'no' } },
          end: { final: 'success' },
          no: { final: 'failure' },
        },
      })
    const [a, b] = [parent('a', 'A'), parent('b', 'B')]
    const store = memoryStore()
    const first = createRuntime({ store, graphs: [a, b] })
    const thread = await first.start(a, {}, { thread: 't' })
    for await (const _ of thread.events({ until: 'waiting' }));
    const [{ id, thread: child = '' } = { id: '' }] = (await thread.state()).questions
    await first.close()
    const next = createRuntime({ store, graphs: [a, b] })
    await next.thread(child).answer(id, 'approved')
    await next.thread(child).drive()
    expect(paid).toEqual(['A'])
    await next.close()
  })

  it('continues so in LangGraph', async () => {
    const paid: string[] = []
    const graph = toLangGraph(bothIn(paid), {
      store: memoryStore(),
      checkpointer: new MemorySaver(),
    })
    const options = { configurable: { thread_id: 't' } }
    await graph.invoke({ input: {} }, options)
    await graph.invoke(new Command({ resume: 'approved' }), options)
    expect(paid).toEqual(['EU'])
    await graph.invoke(new Command({ resume: 'approved' }), options)
    expect(paid).toEqual(['EU', 'US'])
  })
})
