/** Breakpoints with conditions pause a thread at the event that makes them true. */
import { expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import type { ThreadHandle } from '../../src/host/thread/thread.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { rowFault } from '../../src/runtime/store/row-schema.ts'
import { chain, chains, gate, nodeIn, paused } from './chain.ts'
import { asking, parentOf } from './graphs.ts'

const { open, runtimeOf } = chains()

/** The pauses of a thread, each with the row that follows it. */
const pausesOf = async (thread: ThreadHandle) => {
  const rows = await thread.rows()
  return rows.flatMap(({ event }, index) =>
    event.type === 'pause' ? [[event.met, rows[index + 1]?.event.type]] : [],
  )
}

const CALLS_B = "event.type == 'tool.called' && event.subject == 'b'"

it('pause a thread at a call of a tool: the node ends, and the next one waits', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  await runtime.changeBreakpoint({ graph: 'chain', when: CALLS_B })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const state = await paused(thread)
  const { seq } = state.paused?.met ?? {}
  expect(state).toMatchObject({
    state: { working: 'c' },
    waitsFor: 'person',
    paused: { met: { when: CALLS_B } },
  })
  const rows = await thread.rows()
  expect(rows[seq ?? -1]?.event).toMatchObject({ type: 'tool.called', subject: 'b' })
  expect(rows.map(rowFault)).toEqual(rows.map(() => undefined))
  expect((await thread.resume()).ended?.outcome).toBe('success')
  expect(await pausesOf(thread)).toHaveLength(1)
})

it('pause a thread once while the condition stays true, also in another process', async () => {
  const [store, graph] = [memoryStore(), chain()]
  const when = 'spent.toolCalls >= 1'
  const first = runtimeOf(graph, store)
  await first.changeBreakpoint({ graph: 'chain', when })
  await paused(await first.start(graph, {}, { thread: 't' }))
  await first.close()
  const second = runtimeOf(graph, store)
  const thread = second.thread('t')
  expect((await thread.resume()).ended?.outcome).toBe('success')
  expect(await pausesOf(thread)).toEqual([[{ when, seq: 2 }, 'tool.done']])
})

it('pause a thread at each event that meets the condition', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  await runtime.changeBreakpoint({ graph: 'chain', when: "event.type == 'node.done'" })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const states = []
  for (;;) {
    states.push(nodeIn(await paused(thread)))
    if ((await thread.resume()).ended) break
  }
  expect(states).toEqual(['b', 'c'])
})

it('pause a running thread for which they are set, and no other thread', async () => {
  const [entered, go] = [gate(), gate()]
  const wait = async () => {
    entered.open()
    await go.promise
  }
  const graph = chain({ a: wait })
  const [store, read] = [memoryStore(), gate()]
  const breakpoints = async () => {
    const all = await store.breakpoints()
    if (all.length > 0) read.open()
    return all
  }
  const runtime = runtimeOf(graph, { ...store, breakpoints })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  const other = await runtime.start(graph, {}, { thread: 'u' })
  await entered.promise
  const point = { graph: 'chain', thread: 't', when: "event.type == 'node.done'" }
  await runtime.changeBreakpoint(point)
  await read.promise
  await new Promise(setImmediate)
  expect(await runtime.breakpoints()).toEqual([point])
  go.open()
  expect(nodeIn(await paused(thread))).toBe('b')
  expect((await other.result()).outcome).toBe('success')
})

it.each([{}, { node: 'a', when: 'seq == 0' }])(
  'need either a node or a condition: %j',
  async of => {
    const runtime = runtimeOf(chain())
    await expect(runtime.changeBreakpoint({ graph: 'chain', ...of } as never)).rejects.toThrow(
      'expected either node or when',
    )
    expect(await runtime.breakpoints()).toEqual([])
  },
)

it('pause a thread at its first event', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  await runtime.changeBreakpoint({ graph: 'chain', when: 'seq == 0' })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  expect(nodeIn(await paused(thread))).toBe('a')
  expect(await pausesOf(thread)).toEqual([[{ when: 'seq == 0', seq: 0 }, undefined]])
})

it('start no node of another region after the event', async () => {
  const region = (name: string) => ({
    start: name,
    nodes: {
      [name]: { use: 'tool', tool: name, args: {}, on: { done: `${name}End` } },
      [`${name}End`]: { final: 'success' },
    },
  })
  const nodes = {
    both: { regions: { left: region('a'), right: region('b') }, on: { done: 'end' } },
    end: { final: 'success' },
  }
  const called: string[] = []
  const note = (name: string) => async () => called.push(name)
  const graph = chain({ a: note('a'), b: note('b') }, { start: 'both', nodes })
  const runtime = runtimeOf(graph)
  await runtime.changeBreakpoint({ graph: 'chain', when: "event.type == 'turn.started'" })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await paused(thread)
  expect(called).toEqual(['a'])
  expect((await thread.resume()).ended?.outcome).toBe('success')
  expect(called).toEqual(['a', 'b'])
})

it('pause a child thread, whose parent waits for it', async () => {
  const graph = parentOf(asking())
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  open.push(runtime)
  await runtime.changeBreakpoint({ graph: 'asking', when: "event.type == 'tool.done'" })
  const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
  const child = runtime.thread('t/child#1/1')
  while ((await parent.state()).status !== 'waiting')
    await new Promise(resolve => setTimeout(resolve, 2))
  expect((await child.state()).paused?.met?.when).toBe("event.type == 'tool.done'")
  await child.resume()
  const [question] = await runtime.questions()
  await child.answer(question?.id ?? '', 'approved')
  expect((await parent.result()).outcome).toBe('success')
})

it('never stop a run by an error, and are refused if they are not valid', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  const set = (when: string, of = 'chain') => runtime.changeBreakpoint({ graph: of, when })
  await expect(set('spend.usd > 1')).rejects.toMatchObject({ code: 'invalid-condition' })
  await expect(set('true', 'none')).rejects.toMatchObject({ code: 'unknown-graph' })
  await set("event.failure.class == 'transient' && channels.none.x > 1")
  const thread = await runtime.start(graph, {}, { thread: 't' })
  expect((await thread.result()).outcome).toBe('success')
})

it('share what they may cost at an event, and the first ones are read', async () => {
  const graph = chain()
  const runtime = runtimeOf(graph)
  const list = `[${Array.from({ length: 30 }, () => 0).join()}]`
  const long = ['a', 'b', 'c', 'd'].reduce(
    (inner, name) => `${list}.exists(${name}, ${inner})`,
    'int("x") == 1',
  )
  await runtime.changeBreakpoint({ graph: 'chain', when: CALLS_B })
  for (let nth = 0; nth < 40; nth++)
    await runtime.changeBreakpoint({ graph: 'chain', when: `${long} || seq == -${nth}` })
  const { user } = process.cpuUsage()
  const thread = await runtime.start(graph, {}, { thread: 't' })
  expect((await paused(thread)).paused?.met).toMatchObject({ when: CALLS_B })
  // Each of them would take a fifth of a second, for each of the rows.
  expect((process.cpuUsage().user - user) / 1_000).toBeLessThan(10_000)
})
