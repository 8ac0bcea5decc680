/** Pauses and steps of a parent reach its children, at every level. */
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import type { ThreadHandle } from '../../src/host/thread/thread.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { tool } from '../../src/kit/tool.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { specOf } from '../graph/linted.ts'
import { asking, parentOf } from './graphs.ts'

const open: Runtime[] = []

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close()
})

const CHILD = 't/child#1/1'

/** a → b → end. Each node calls its tool. `a` waits until the test lets it end. */
function chain() {
  const [entered, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const called: string[] = []
  /** Each ends one call of `a`. */
  const ends: (() => void)[] = []
  const names = ['a', 'b']
  const spec = specOf({
    id: 'chain',
    start: 'a',
    channels: { goal: { type: 'string' } },
    input: ['goal'],
    nodes: {
      a: { use: 'tool', tool: 'a', args: {}, on: { done: 'b' } },
      b: { use: 'tool', tool: 'b', args: {}, on: { done: 'end' } },
      end: { final: 'success' },
    },
    tools: Object.fromEntries(names.map(name => [name, { use: `./tools.ts#${name}` }])),
  })
  const toolOf = (name: string) =>
    tool({
      name,
      description: name,
      inputSchema: z.looseObject({}),
      effects: 'read',
      execute: async () => {
        called.push(name)
        entered.resolve()
        const end = Promise.withResolvers<void>()
        ends.push(end.resolve)
        if (name === 'a') await Promise.race([go.promise, end.promise])
        return name
      },
    })
  const tools = Object.fromEntries(names.map(name => [name, toolOf(name)]))
  const graph = bindGraph(spec, { workspace: '.', model: () => ({}) as never, tools })
  return { graph, called, ends, entered: entered.promise, go: () => go.resolve() }
}

/** Runs `child` as a child, under another id. */
function grandparentOf(child: Graph): Graph {
  return bindGraph(
    specOf({
      id: 'grandparent',
      start: 'child',
      nodes: {
        child: { use: 'graph', graph: 'child', in: { goal: 'goal' }, on: { done: 'end' } },
        end: { final: 'success' },
      },
      channels: { goal: { type: 'string' } },
      input: ['goal'],
      graphs: { child: child.source },
    }),
    { workspace: '.', model: () => ({}) as never, graphs: { child } },
  )
}

/** A region that runs the graph of its name, and then the same graph as the node `next`. */
const regionOf = (name: string, next?: string) => ({
  start: name,
  nodes: {
    [name]: {
      use: 'graph',
      graph: name,
      in: { goal: 'goal' },
      on: { done: next ?? `${name}-end` },
    },
    ...(next !== undefined && {
      [next]: { use: 'graph', graph: name, in: { goal: 'goal' }, on: { done: `${name}-end` } },
    }),
    [`${name}-end`]: { final: 'success' },
  },
})

/** Runs `child` for each goal, two at a time. */
function mapOf(child: Graph): Graph {
  return bindGraph(
    specOf({
      id: 'each',
      start: 'each',
      nodes: {
        each: {
          use: 'map',
          graph: 'child',
          over: 'goals',
          as: 'goal',
          concurrency: 2,
          on: { done: 'end' },
        },
        end: { final: 'success' },
      },
      channels: { goals: { default: [] } },
      input: ['goals'],
      graphs: { child: child.source },
    }),
    { workspace: '.', model: () => ({}) as never, graphs: { child } },
  )
}

function runtimeOf(graph: Graph, store = memoryStore()) {
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  return runtime
}

async function until(
  thread: ThreadHandle,
  holds: (state: Awaited<ReturnType<ThreadHandle['state']>>) => boolean,
) {
  for (;;) {
    const state = await thread.state()
    if (holds(state)) return state
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

const waiting = (thread: ThreadHandle) =>
  until(thread, ({ status, paused }) => status === 'waiting' && paused !== undefined)

describe('a pause of a parent', () => {
  it('holds its child at its next turn, and a resume releases it', async () => {
    const { graph: child, called, entered, go } = chain()
    const graph = parentOf(child)
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    await parent.pause('look first')
    go()
    await waiting(parent)
    expect(await waiting(runtime.thread(CHILD))).toMatchObject({
      state: { working: 'b' },
    })
    expect(called).toEqual(['a'])
    await parent.resume()
    expect((await parent.result()).outcome).toBe('success')
    expect(called).toEqual(['a', 'b'])
  })

  it('reaches the children of its children', async () => {
    const { graph: inner, called, entered, go } = chain()
    const graph = grandparentOf(parentOf(inner))
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    await parent.pause()
    await until(runtime.thread(CHILD), ({ paused }) => paused !== undefined)
    go()
    await waiting(parent)
    expect(called).toEqual(['a'])
    await parent.resume()
    expect((await parent.result()).outcome).toBe('success')
    expect(called).toEqual(['a', 'b'])
  })

  it('holds a child that is answered meanwhile', async () => {
    const on = { 'human.approved': 'work', 'human.rejected': 'end' }
    const nodes = {
      ask: { use: 'human', question: 'Go on?', on },
      work: { use: 'tool', tool: 'work', args: {}, out: ['found'], on: { done: 'end' } },
      end: { final: 'success' },
    }
    const graph = parentOf(asking(undefined, { start: 'ask', nodes }))
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await until(parent, ({ questions }) => questions.length > 0)
    await parent.pause()
    const child = runtime.thread(CHILD)
    await child.answer('ask#1', 'approved')
    expect(await waiting(child)).toMatchObject({ questions: [], paused: { inherited: 4 } })
    await parent.resume()
    expect((await parent.result()).outcome).toBe('success')
  })

  it('holds the items of a map, and starts none, until a resume', async () => {
    const { graph: child, called, entered, go } = chain()
    const graph = mapOf(child)
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goals: ['x', 'y', 'z'] }, { thread: 't' })
    await entered
    while (called.length < 2) await new Promise(resolve => setTimeout(resolve, 2))
    await parent.pause()
    go()
    await waiting(parent)
    expect(called).toEqual(['a', 'a'])
    await parent.resume()
    expect((await parent.result()).outcome).toBe('success')
    expect(called.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b'])
  })

  it('is lifted for an item at once, while another one works', async () => {
    const { graph: child, called, ends, go } = chain()
    const graph = mapOf(child)
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goals: ['x', 'y'] }, { thread: 't' })
    while (called.length < 2) await new Promise(resolve => setTimeout(resolve, 2))
    await parent.pause()
    ends[0]?.()
    const first = await Promise.race(
      ['t/each#1/1', 't/each#1/2'].map(async name => {
        await waiting(runtime.thread(name))
        return runtime.thread(name)
      }),
    )
    await parent.continue()
    expect((await first.result()).outcome).toBe('success')
    expect(called).toEqual(['a', 'a', 'b'])
    go()
    expect((await parent.result()).outcome).toBe('success')
  })

  it('of a breakpoint holds the children of other regions', async () => {
    const { graph: child, called, entered, go } = chain()
    const [{ graph: steps, ...stepped }] = [chain()]
    const graph = bindGraph(
      specOf({
        id: 'both',
        start: 'both',
        nodes: {
          both: {
            regions: { a: regionOf('left'), b: regionOf('right', 'after') },
            on: { done: 'end' },
          },
          end: { final: 'success' },
        },
        channels: { goal: { type: 'string' } },
        input: ['goal'],
        graphs: { left: child.source, right: steps.source },
      }),
      { workspace: '.', model: () => ({}) as never, graphs: { left: child, right: steps } },
    )
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'both', node: 'after' })
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    stepped.go()
    await until(parent, ({ paused }) => paused !== undefined)
    go()
    await waiting(runtime.thread('t/left#1/1'))
    expect(called).toEqual(['a'])
    await parent.resume()
    expect((await parent.result()).outcome).toBe('success')
  })

  it('is lifted for a child at once, while another region works', async () => {
    const [left, right] = [chain(), chain()]
    const graph = bindGraph(
      specOf({
        id: 'both',
        start: 'both',
        nodes: {
          both: { regions: { a: regionOf('left'), b: regionOf('right') }, on: { done: 'end' } },
          end: { final: 'success' },
        },
        channels: { goal: { type: 'string' } },
        input: ['goal'],
        graphs: { left: left.graph.source, right: right.graph.source },
      }),
      {
        workspace: '.',
        model: () => ({}) as never,
        graphs: { left: left.graph, right: right.graph },
      },
    )
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await Promise.all([left.entered, right.entered])
    await parent.pause()
    left.go()
    await waiting(runtime.thread('t/left#1/1'))
    while (!(await parent.rows()).some(({ event }) => event.type === 'child.waiting'))
      await new Promise(resolve => setTimeout(resolve, 2))
    expect((await parent.state()).status).toBe('active')
    await parent.continue()
    expect((await runtime.thread('t/left#1/1').result()).outcome).toBe('success')
    expect([left.called, right.called]).toEqual([['a', 'b'], ['a']])
    right.go()
    expect((await parent.result()).outcome).toBe('success')
  })

  it('survives a restart, and leaves a child paused that a person has paused', async () => {
    const { graph: child, called, entered, go } = chain()
    const [graph, store] = [parentOf(child), memoryStore()]
    const first = runtimeOf(graph, store)
    await first.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    await first.thread(CHILD).pause('by a person')
    await first.thread('t').pause()
    go()
    await waiting(first.thread('t'))
    await first.close()
    const second = runtimeOf(graph, store)
    await second.thread('t').resume()
    expect((await second.thread(CHILD).state()).paused).toMatchObject({ reason: 'by a person' })
    expect(called).toEqual(['a'])
    await second.thread(CHILD).resume()
    expect((await second.thread('t').result()).outcome).toBe('success')
  })
})

it('is in the archive of a parent', async () => {
  const { graph: child, entered, go } = chain()
  const graph = parentOf(child)
  const from = runtimeOf(graph)
  const parent = await from.start(graph, { goal: 'g' }, { thread: 't' })
  await entered
  await parent.pause()
  go()
  await waiting(parent)
  const lines = async function* () {
    for await (const line of parent.archive()) yield line.trimEnd()
  }
  const to = runtimeOf(graph)
  await to.importThread(lines())
  const { paused } = await to.thread(CHILD).state()
  expect(paused?.inherited).toBe((await parent.state()).paused?.since)
  await to.thread('t').resume()
  expect((await to.thread('t').result()).outcome).toBe('success')
})

describe('a step of a parent', () => {
  it('steps its child', async () => {
    const { graph: child, called, entered, go } = chain()
    const graph = parentOf(child)
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    await parent.pause()
    go()
    await waiting(parent)
    await parent.step()
    await until(
      parent,
      ({ state, status }) => state === 'end' || (status === 'waiting' && called.length > 1),
    )
    expect(called).toEqual(['a', 'b'])
    expect((await parent.result()).outcome).toBe('success')
  })

  it('runs one node of the child at a time', async () => {
    const { graph: child, called, go } = chain()
    go()
    const graph = parentOf(child)
    const runtime = runtimeOf(graph)
    await runtime.changeBreakpoint({ graph: 'parent', node: 'child' })
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await waiting(parent)
    const counts: number[] = []
    for (let count = 0; count < 3; count++) {
      const { events } = await parent.state()
      await parent.step()
      await until(parent, state => state.events > events + 1 && state.status !== 'active')
      counts.push(called.length)
    }
    expect(counts).toEqual([0, 1, 2])
    expect((await parent.result()).outcome).toBe('success')
  })
})

describe('a stop of a parent', () => {
  it('cancels its child, running or waiting', async () => {
    const { graph: child, entered } = chain()
    const graph = parentOf(child)
    const runtime = runtimeOf(graph)
    const parent = await runtime.start(graph, { goal: 'g' }, { thread: 't' })
    await entered
    await parent.stop('enough')
    expect(await runtime.thread(CHILD).result()).toMatchObject({ outcome: 'cancelled' })
    const asker = parentOf(asking())
    const other = runtimeOf(asker)
    const second = await other.start(asker, { goal: 'g' }, { thread: 't' })
    await until(second, ({ questions }) => questions.length > 0)
    await second.stop('enough')
    expect(await other.thread(CHILD).result()).toMatchObject({ outcome: 'cancelled' })
  })
})
