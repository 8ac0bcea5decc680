/** A thread takes the answers to the questions that it lists, also those of the children it waits for. */
import { expect, onTestFinished, test } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { specOf } from '../graph/linted.ts'
import { asking, parentOf } from './graphs.ts'

/** A thread `t` of this graph that waits for people. */
async function waiting(graph: Graph) {
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  onTestFinished(() => runtime.close())
  const thread = await runtime.start(graph, { goal: 'x' }, { thread: 't' })
  /** The loop of the tutorial: the open questions once only a person can continue. */
  const open = async () => {
    for await (const _ of thread.events({ until: 'waiting' }));
    return (await thread.state()).questions
  }
  return { runtime, thread, open, questions: await open() }
}

const NODES = {
  child: { use: 'graph', graph: 'child', in: ['goal'], on: { done: 'end' } },
  end: { final: 'success' },
}

function above(child: Graph, more: object): Graph {
  const spec = specOf({
    ...{ id: 'above', channels: { goal: { type: 'string' } }, input: ['goal'] },
    ...{ start: 'child', nodes: NODES, graphs: { child: child.source }, ...more },
  })
  return bindGraph(spec, { workspace: '.', model: () => ({}) as never, graphs: { child } })
}

const map = above(asking(), {
  channels: { goals: { type: 'array', default: ['a', 'b'] }, goal: { type: 'string' } },
  start: 'each',
  nodes: {
    each: { use: 'map', over: 'goals', as: 'goal', graph: 'child', on: { done: 'end' } },
    end: { final: 'success' },
  },
})

const human = (next: string) => ({
  use: 'human',
  question: 'Go on?',
  on: { 'human.approved': next },
})

/** Asks `ask#1` itself, and then its child does. */
const askingBefore = above(asking(), { start: 'ask', nodes: { ...NODES, ask: human('child') } })

/** A child that asks `ask#1`, and then `sure#1`. */
const askingTwice = asking(undefined, {
  start: 'ask',
  nodes: { ask: human('sure'), sure: human('end'), end: { final: 'success' } },
  output: ['goal'],
})

test.each([
  ['a child', parentOf(asking()), 't/child#1/1'],
  ['a grandchild', above(parentOf(asking()), {}), 't/child#1/1/child#1/1'],
])('the question of %s is answered in the thread that lists it', async (_, graph, asker) => {
  const { thread, questions } = await waiting(graph)
  expect(questions).toMatchObject([{ id: 'ask#1', thread: asker }])
  expect(await thread.answer('ask#1', 'approved')).toEqual({ applied: true, thread: asker })
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
})

test('the loop of the tutorial answers one question of a child after the other', async () => {
  const { thread, open, questions } = await waiting(parentOf(askingTwice))
  expect(questions).toMatchObject([{ id: 'ask#1' }])
  await thread.answer('ask#1', 'approved')
  expect(await open()).toMatchObject([{ id: 'sure#1' }])
  await thread.answer('sure#1', 'approved')
  expect(await open()).toEqual([])
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
})

test('a question id of two children is refused with their names', async () => {
  const { thread, runtime, open } = await waiting(map)
  expect(await thread.answer('ask#1', 'approved')).toEqual({
    ...{ applied: false, code: 'ambiguous-question' },
    because:
      "several threads have asked a question 'ask#1'; answer it in the thread that asks: t/each#1/1, t/each#1/2",
  })
  await runtime.thread('t/each#1/2').answer('ask#1', 'approved')
  expect(await open()).toMatchObject([{ thread: 't/each#1/1' }])
  expect(await thread.answer('ask#1', 'approved')).toMatchObject({ thread: 't/each#1/1' })
})

test('a late answer to a question of the thread is none to a child', async () => {
  const { thread, open } = await waiting(askingBefore)
  expect(await thread.answer('ask#1', 'approved')).toEqual({ applied: true })
  expect(await open()).toMatchObject([{ id: 'ask#1', thread: 't/child#1/1' }])
  expect(await thread.answer('ask#1', 'approved')).toMatchObject({
    ...{ applied: false, code: 'ambiguous-question' },
    because: expect.stringContaining('answer it in the thread that asks: t/child#1/1'),
  })
})

test.each([{ id: 'a1' }, { once: 'a1' }])(
  'a repeated answer has the first result: %o',
  async by => {
    const family = await waiting(parentOf(askingTwice))
    const first = { applied: true, thread: 't/child#1/1' }
    const { seq } = await family.thread.state()
    const stale = family.thread.answer('ask#1', 'approved', { ...by, expectSeq: seq - 1 })
    await expect(stale).rejects.toMatchObject({ name: 'StaleSeq' })
    for (let time = 0; time < 2; time++)
      expect(await family.thread.answer('ask#1', 'approved', { ...by, expectSeq: seq })).toEqual(
        first,
      )
    expect(await family.open()).toMatchObject([{ id: 'sure#1' }])
    await family.thread.answer('sure#1', 'approved')
    await family.thread.result()
    expect(await family.thread.answer('ask#1', 'approved', by)).toEqual(first)
  },
)

test('a refused answer has the reason of the child, and an unknown question that of the thread', async () => {
  const { thread } = await waiting(parentOf(asking()))
  expect(await thread.answer('ask#1', 'applied')).toMatchObject({ code: 'wrong-decision' })
  expect(await thread.answer('ask#7', 'approved')).toMatchObject({ code: 'unknown-question' })
  expect(await thread.answer('ask#1', 'approved')).toMatchObject({ applied: true })
})
