/** An answer that no process has applied yet: the next process that drives the thread applies it before the thread counts as waiting. */
import { expect, onTestFinished, test } from 'vitest'
import { createRuntime, sqliteStore } from '../../src/index.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { newFiles } from '../store/folder.ts'
import { asking, parentOf } from './graphs.ts'

const newFile = newFiles()
const START = { thread: 't', resume: true }
const ANSWER = { type: 'resume', effect: 'ask#1' } as const

/** The runtime of a process that starts now. */
function opened(file: string, graph: Graph) {
  const store = sqliteStore({ file })
  const runtime = createRuntime({ store, graphs: [graph] })
  onTestFinished(async () => {
    await runtime.close()
    await store.close()
  })
  return { store, runtime }
}

/** A thread that waits for a person, and an answer that a process without its graph has queued. */
async function answered(graph: Graph, decision: string, asker = 't') {
  const file = newFile()
  const { runtime, store } = opened(file, graph)
  const thread = await runtime.start(graph, { goal: 'g' }, START)
  for await (const _ of thread.events({ until: 'waiting' }));
  await runtime.close()
  await store.submit(asker, 'cli-1', { ...ANSWER, decision } as never)
  return file
}

test.each([
  ['the thread', asking(), 't'],
  ['a child', parentOf(asking()), 't/child#1/1'],
])('the events up to a wait include the end by a queued answer to %s', async (_, graph, asker) => {
  const file = await answered(graph, 'approved', asker)
  const { runtime } = opened(file, graph)
  const thread = await runtime.start(graph, { goal: 'g' }, START)
  const types: string[] = []
  for await (const { type } of thread.events({ until: 'waiting' })) types.push(type)
  expect(types.at(-1)).toBe('ended')
  expect((await thread.state()).questions).toEqual([])
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
})

test('a queued answer that is refused leaves the question open', async () => {
  const graph = asking()
  const { runtime, store } = opened(await answered(graph, 'applied'), graph)
  const thread = await runtime.start(graph, { goal: 'g' }, START)
  for await (const _ of thread.events({ until: 'waiting' }));
  expect((await store.command('t', 'cli-1')).state).toBe('refused')
  expect((await thread.state()).questions).toMatchObject([{ id: 'ask#1' }])
})

test.each(['drive', 'resume'] as const)('`%s` applies a queued answer to a child', async method => {
  const graph = parentOf(asking())
  const { runtime } = opened(await answered(graph, 'approved', 't/child#1/1'), graph)
  expect(await runtime.thread('t', graph)[method]()).toMatchObject({ status: 'ended' })
})

test('a reader that does not drive the thread does not wait for a queued answer', async () => {
  const graph = asking()
  const { runtime, store } = opened(await answered(graph, 'approved'), graph)
  const thread = runtime.thread('t', graph)
  for await (const _ of thread.events({ until: 'waiting' }));
  expect((await store.command('t', 'cli-1')).state).toBe('waiting')
  expect((await thread.state()).questions).toMatchObject([{ id: 'ask#1' }])
})
