/** Child threads: they share one budget, and none of them waits endlessly. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph, Ports, Task } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'

function graphOf(
  parts: object,
  work?: (task: Task) => Promise<unknown>,
  graphs: Readonly<Record<string, Graph>> = {},
): Graph {
  const { spec, faults } = readSpec({
    escapement: 1,
    id: 'g',
    start: 'A',
    tools: { look: { use: 'flaky', with: { p: 0 } } },
    ...parts,
  })
  if (faults) throw new Error(JSON.stringify(faults))
  return bindGraph(spec, {
    workspace: '.',
    model: () => ({}) as never,
    ...(work ? { nodes: { A: work } } : {}),
    graphs,
  })
}

const END = { end: { final: 'success' } }
const own = { use: './own.ts#own', on: { done: 'end' } }

/** Calls the tool so often, each time with another question. */
const calling = (times: number) => async (task: Task) => {
  for (let time = 0; time < times; time++) await task.call('look', { time, of: task.thread })
}

function portsFor(graph: Graph, store: Store, now = 0): Ports {
  return {
    graph,
    store,
    clock: virtualClock(now),
    wall: () => now,
    gate: createGate(),
    owner: 'test',
    isOwnerDead: () => true,
    heartbeat: () => () => {},
    redact: value => value,
  }
}

describe('the budget of a family', () => {
  test('is shared: its members together never exceed it', async () => {
    const wants = fc.record({
      items: fc.integer({ min: 0, max: 9 }),
      concurrency: fc.integer({ min: 1, max: 5 }),
      calls: fc.integer({ min: 0, max: 6 }),
      toolCalls: fc.integer({ min: 1, max: 20 }),
      steps: fc.integer({ min: 2, max: 20 }),
      own: fc.integer({ min: 1, max: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(
        wants,
        async ({ items, concurrency, calls, toolCalls, steps, own: limit }) => {
          const worker = graphOf(
            {
              id: 'worker',
              channels: { item: {} },
              nodes: { A: own, ...END },
              limits: { toolCalls: limit },
            },
            calling(calls),
          )
          const middle = graphOf(
            {
              id: 'middle',
              channels: { item: {} },
              nodes: {
                A: {
                  use: 'graph',
                  graph: 'worker',
                  in: ['item'],
                  on: { done: 'end', error: 'end' },
                },
                ...END,
              },
              graphs: { worker: './w.yaml' },
            },
            undefined,
            { worker },
          )
          const each = {
            use: 'map',
            over: 'items',
            graph: 'middle',
            concurrency,
            on: { done: 'end', error: 'end' },
          }
          const root = graphOf(
            {
              channels: { items: { default: Array.from({ length: items }, (_, index) => index) } },
              nodes: { A: each, ...END },
              graphs: { middle: './m.yaml' },
              limits: { toolCalls, steps },
            },
            undefined,
            { middle },
          )
          const store = memoryStore()
          const run = await drive(portsFor(root, store), 'root', { start: { input: {}, seed: 1 } })
          const { spent, reserved } = run.watch.account
          expect(run.ended).toBeDefined()
          expect(reserved).toEqual({})
          expect(spent.toolCalls).toBeLessThanOrEqual(toolCalls)
          expect(spent.steps).toBeLessThanOrEqual(steps)
          // What the root has booked is what was really done, by anybody.
          const rows = (
            await Promise.all((await store.threads()).map(({ thread }) => store.rows(thread)))
          ).flat()
          expect(spent.toolCalls).toBe(
            rows.filter(
              ({ event, verdict }) => event.type === 'tool.called' && verdict.kind === 'continue',
            ).length,
          )
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('a parent with a child that waits for a person', () => {
  const asking = {
    use: 'human',
    question: 'Sure?',
    deadline: '1h',
    on: { 'human.approved': 'end', 'human.expired': 'end' },
  }
  const worker = graphOf({ id: 'worker', nodes: { A: asking, ...END } })
  const root = graphOf(
    {
      nodes: { A: { use: 'graph', graph: 'worker', on: { done: 'end' } }, ...END },
      graphs: { worker: './w.yaml' },
    },
    undefined,
    { worker },
  )

  async function resting(): Promise<Store> {
    const store = memoryStore()
    const run = await drive(portsFor(root, store), 'root', { start: { input: {}, seed: 1 } })
    expect(run.pending).toMatchObject([{ blocked: 'A#1/1', children: [{ thread: 'root/A#1/1' }] }])
    expect(await store.thread('root')).toMatchObject({ status: 'waiting' })
    await store.submit('root/A#1/1', 'yes', { type: 'resume', effect: 'A#1', decision: 'approved' })
    return store
  }

  test('is due after any driver completes the child', async () => {
    const store = await resting()
    expect(await store.due(0)).toEqual(['root/A#1/1'])
    await drive(portsFor(worker, store), 'root/A#1/1')
    expect(await store.due(0)).toEqual(['root'])
    expect((await drive(portsFor(root, store), 'root')).ended?.outcome).toBe('success')
  })

  test('continues when it is driven, even without a notification', async () => {
    const store = await resting()
    const deaf: Store = {
      ...store,
      submit: async () => Promise.reject(new Error('the store is full')),
    }
    await drive(portsFor(worker, deaf), 'root/A#1/1')
    expect(await store.due(0)).toEqual([])
    expect((await drive(portsFor(root, store), 'root')).ended?.outcome).toBe('success')
  })

  test('that ends before its child has the child cancelled by its driver', async () => {
    const store = await resting()
    const gone: Store = {
      ...store,
      thread: async name =>
        name === 'root'
          ? ({ ...(await store.thread('root')), status: 'ended' } as never)
          : store.thread(name),
    }
    const child = await drive(portsFor(worker, { ...gone, inbox: async () => [] }), 'root/A#1/1')
    expect(child.ended).toMatchObject({
      outcome: 'cancelled',
      reason: 'parent-ended',
    })
  })
})
