/** Child threads: they share one budget, and none of them waits endlessly. */
import fc from 'fast-check'
import { cancelOrphans } from '../../src/runtime/child/child.ts'
import { waitForChild } from '../../src/runtime/child/waiting.ts'
import type { CallContext } from '../../src/runtime/call/context.ts'
import { Cancellation } from '../../src/runtime/time/cancellation.ts'
import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/adapters/node/ports.ts'
import { readSpec } from '../../src/core/graph/spec/read.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { fork as forkThread } from '../../src/runtime/drive/copy.ts'
import { createGate } from '../../src/runtime/gate/gate.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Graph, Ports, Task } from '../../src/runtime/ports.ts'
import { WrongGraph } from '../../src/runtime/store/source.ts'
import { Conflict, type Store } from '../../src/runtime/store/store.ts'
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

  test('that ends has the child cancelled, also if its graph was removed or is another version', async () => {
    const other = graphOf({
      id: 'worker',
      nodes: { A: { ...asking, question: 'Really?' }, ...END },
    })
    const deployed: readonly Readonly<Record<string, Graph>>[] = [{ worker }, {}, { worker: other }]
    for (const graphs of deployed) {
      const store = memoryStore()
      await drive(portsFor(root, store), 'root', { start: { input: {}, seed: 1 } })
      await store.submit('root', 'no', { type: 'cancel', reason: 'enough' })
      const { ended } = await drive(portsFor({ ...root, graphs }, store), 'root')
      expect(ended?.outcome).toBe('cancelled')
      expect(await store.thread('root/A#1/1')).toMatchObject({
        status: 'ended',
        outcome: 'cancelled',
      })
    }
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

describe('the name of a child', () => {
  const worker = graphOf(
    { id: 'worker', channels: { item: {} }, nodes: { A: own, ...END } },
    async () => 'real',
  )
  const forger = graphOf(
    { id: 'forger', channels: { item: {} }, nodes: { A: own, ...END } },
    async () => 'forged',
  )
  const root = graphOf(
    {
      nodes: { A: { use: 'graph', graph: 'worker', on: { done: 'end' } }, ...END },
      graphs: { worker: './w.yaml' },
    },
    undefined,
    { worker },
  )
  const start = { input: {}, seed: 1 }
  /** Starts a thread under the name of the child. */
  const plant = (store: Store, graph: Graph, parent?: object) =>
    drive(portsFor(graph, store), 'root/A#1/1', {
      start: { ...start, ...(parent && { parent }) } as typeof start,
    })
  /** Drives a parent whose process ended before its child began, and whose child began elsewhere. */
  const resumed = async (parentOf: (link: object) => object, graph = worker) => {
    const store = memoryStore()
    const leave = new AbortController()
    const lease: Store['lease'] = async (thread, request) => {
      if (thread === 'root/A#1/1') leave.abort('left')
      leave.signal.throwIfAborted()
      return store.lease(thread, request)
    }
    const ports = portsFor(root, { ...store, lease })
    await expect(drive(ports, 'root', { start, leave: leave.signal })).rejects.toBe('left')
    const rows = await store.rows('root')
    const { seq, event } = rows.find(row => row.event.type === 'child.started') ?? {}
    const { call, key } = event?.type === 'child.started' ? event : {}
    await plant(store, graph, parentOf({ thread: 'root', call, key, seq, limits: {}, depth: 1 }))
    return drive(portsFor(root, store), 'root')
  }

  test('is reserved: no other thread starts with it', async () => {
    const store = memoryStore()
    await expect(plant(store, worker)).rejects.toThrow('reserved for a child thread')
    const names = ['root/A#1/1', 'a/b/review.check#2+1/10']
    for (const name of names)
      await expect(drive(portsFor(worker, store), name, { start })).rejects.toMatchObject({
        code: 'reserved-name',
      })
    for (const name of ['root/A', 'a#1', 'order/7', 'ticket#1/2a'])
      expect((await drive(portsFor(worker, store), name, { start })).ended?.outcome).toBe('success')
    const fork = { thread: 'root/A', as: 'root/A#1/1', effects: 'live' } as const
    await expect(forkThread(portsFor(worker, store), fork)).rejects.toMatchObject({
      code: 'reserved-name',
    })
  })

  test('is not enough: a thread of another call, graph or input is not adopted', async () => {
    const reasonOf = async (change: object, graph?: Graph) =>
      JSON.stringify((await resumed(link => ({ ...link, ...change }), graph)).ended?.because)
    for (const change of [
      { thread: 'other' },
      { call: 'A#2/1' },
      { key: 'another input' },
      { key: undefined },
    ])
      expect(await reasonOf(change)).toContain('foreign-child')
    expect(await reasonOf({}, forger)).toContain('wrong-graph')
  })

  test('and its link are enough once the parent has started it', async () => {
    expect((await resumed(link => link)).ended?.outcome).toBe('success')
  })

  test('and its link are not enough before the parent has started it', async () => {
    const store = memoryStore()
    await drive(portsFor(root, store), 'root', { start })
    const [first] = await store.rows('root/A#1/1', -1, 1)
    const { parent } = first?.event.type === 'thread.started' ? first.event : {}
    const other = memoryStore()
    await plant(other, worker, parent)
    const { ended } = await drive(portsFor(root, other), 'root', { start })
    expect(JSON.stringify(ended?.because)).toContain('foreign-child')
  })

  test.each([
    ['another graph', new WrongGraph('root/42', { graph: 'g', specHash: 'h' }, [])],
    ['another driver', new Conflict('root/42')],
  ])('in a forged journal cancels no thread: one of %s', async (_, error) => {
    const store = memoryStore()
    await drive(portsFor(worker, store), 'root/42', { start })
    const child = { effect: 'A#1', region: '', subject: 'worker', key: 'k', seq: 2, limits: {} }
    const reserved = { '42': { ...child, thread: 'root/42' } }
    const events: unknown[] = []
    await cancelOrphans({
      ports: portsFor(root, store),
      journal: {
        ...{ run: { pending: [], watch: { account: { reserved } } }, lease: { thread: 'root' } },
        take: (event: unknown) => events.push(event),
      },
      driveChild: () => Promise.reject(error),
      running: new Map(),
      halted: new Cancellation(),
    } as unknown as Parameters<typeof cancelOrphans>[0])
    expect(events).toMatchObject([{ type: 'child.done', call: '42', reason: 'not-started' }])
    expect(await store.inbox('root/42')).toEqual([])
    expect((await store.thread('root/42'))?.outcome).toBe('success')
  })

  test('of version 0.1.0, whose journal holds no identity, is adopted by its link', async () => {
    const earlier = { ...worker, versions: { escapement: '0.1.0' } }
    const run = await resumed(link => ({ ...link, key: undefined }), earlier)
    expect(run.ended?.outcome).toBe('success')
  })
})

test('the end of a child names the texts of its input that its result quotes', async () => {
  const spec = {
    id: 'worker',
    channels: { item: {}, answer: {} },
    output: ['answer'],
    nodes: { A: { ...own, out: { answer: 'text' } }, ...END },
  }
  const worker = graphOf(spec, async () => ({ text: 'nothing about Red Lamps "here"' }))
  const root = graphOf(
    { nodes: { A: own, ...END }, graphs: { worker: './w.yaml' } },
    task => task.run('worker', { item: 'red lamps "here"' }),
    { worker },
  )
  const store = memoryStore()
  await drive(portsFor(root, store), 'root', { start: { input: {}, seed: 1 } })
  const rows = await store.rows('root')
  const done = rows.find(({ event }) => event.type === 'child.done')?.event
  expect(done).toMatchObject({ outcome: 'success', quoted: ['red lamps "here"'] })
})

describe('a node that repeats a call without end', () => {
  const item = { index: 0, of: 1 }
  const loops: Readonly<Record<string, (task: Task) => Promise<unknown>>> = {
    'for a rejected child of one item': task => task.run('worker', { unknown: 1 }, { item }),
    'for an item beyond the list': task => task.run('worker', {}, { item: { index: 7, of: 1 } }),
    'with an empty batch': task => task.batch([]),
    'that catches the refusal of a missing batch': async task => {
      try {
        await task.batch(undefined as never)
      } catch {}
    },
    'that catches the refusal of a missing item of a batch': async task => {
      try {
        await task.batch([undefined as never])
      } catch {}
    },
    'that catches the refusal of an unknown tool': async task => {
      try {
        await task.call('unknown', {})
      } catch {}
    },
    'that catches the refusal of arguments without a JSON form': async task => {
      try {
        await task.call('unknown', 1n as never)
      } catch {}
    },
    'that catches the refusal of an unknown model': async task => {
      try {
        await task.ask('unknown', { system: '', messages: [], tools: [] })
      } catch {}
    },
    'that catches the refusal of a missing request': async task => {
      try {
        await task.ask('unknown', undefined as never)
      } catch {}
    },
    'that catches the refusal of an unknown graph': async task => {
      try {
        await task.run('unknown', {})
      } catch {}
    },
    'that catches the refusal of missing options': async task => {
      try {
        await task.run('worker', {}, null as never)
      } catch {}
    },
    'with an unknown graph': task => task.run('unknown', {}).catch(() => {}),
    'over items below zero': (() => {
      let index = 0
      return (of: Task) =>
        of.run('unknown', {}, { item: { index: --index, of: 1 } }).catch(() => {})
    })(),
    'over parts of items': (() => {
      let index = 0
      return (of: Task) =>
        of.run('unknown', {}, { item: { index: index++ + 0.5, of: 1e15 } }).catch(() => {})
    })(),
    'over items that are objects': (of: Task) =>
      of.run('unknown', {}, { item: { index: Object(0), of: 1 } }).catch(() => {}),
    'over new items of an endless list': (() => {
      let index = 0
      return (of: Task) =>
        of.run('unknown', {}, { item: { index: index++, of: 1e15 } }).catch(() => {})
    })(),
    'over a batch that claims a length': (of: Task) =>
      of.batch({ length: 1, map: () => [] } as never).catch(() => {}),
    'with a report': task => task.report('again'),
  }
  const worker = graphOf(
    { id: 'worker', channels: { item: {} }, nodes: { A: own, ...END } },
    async () => 1,
  )
  const graphs = { worker: './w.yaml' }
  const detect = { nodes: { A: false } }
  const rootOf = (work: (task: Task) => Promise<unknown>, more: object = {}) =>
    graphOf({ nodes: { A: own, ...END }, graphs, detect, ...more }, work, { worker })
  const forever = (work: (task: Task) => Promise<unknown>) => async (task: Task) => {
    for (;;) await work(task)
  }

  test.each(Object.entries(loops))('%s ends at the limit of calls', async (_, work) => {
    const ports = portsFor(rootOf(forever(work), { limits: { nodeCalls: 10 } }), memoryStore())
    const run = await drive(ports, 't', { start: { input: {}, seed: 1 } })
    expect(JSON.stringify(run.ended)).toContain('node-call-limit')
  })

  test.each(Object.entries(loops))(
    '%s ends at the timeout of the node, and at the limit of time',
    async (_, work) => {
      const patient = { nodeCalls: 100_000_000 }
      const ends = async (more: object, node: object) => {
        const root = graphOf(
          { nodes: { A: { ...own, ...node }, ...END }, graphs, detect, ...more },
          forever(work),
          { worker },
        )
        const ports = { ...portsFor(root, memoryStore()), clock: systemClock }
        return (await drive(ports, 't', { start: { input: {}, seed: 1 } })).ended
      }
      expect(JSON.stringify(await ends({ limits: patient }, { timeout: '30ms' }))).toContain(
        'imeout',
      )
      expect(await ends({ limits: { ...patient, duration: '30ms' } }, {})).toMatchObject({
        reason: 'budget.duration',
      })
    },
  )

  test('and does not wait for it ends at the limit of calls', async () => {
    const hasty = forever(task => Promise.race([task.batch([]), undefined]))
    const ports = portsFor(rootOf(hasty, { limits: { nodeCalls: 10 } }), memoryStore())
    const run = await drive(ports, 't', { start: { input: {}, seed: 1 } })
    expect(JSON.stringify(run.ended)).toContain('node-call-limit')
  })

  test('lets timers and signals run', async () => {
    let calls = 0
    const leave = new AbortController()
    const endless = rootOf(
      async task => {
        for (;;) {
          if (++calls === 33) setTimeout(() => leave.abort(new Error('terminated')), 1)
          try {
            await task.batch(undefined as never)
          } catch {}
        }
      },
      { limits: { nodeCalls: 100_000_000 } },
    )
    const ports = portsFor(endless, memoryStore())
    const start = { input: {}, seed: 1 }
    await expect(drive(ports, 't', { start, leave: leave.signal })).rejects.toThrow('terminated')
  })
})

const callsOf = () => ({
  openCalls: new Set(['each#1/1', 'each#1/2']),
  withoutShare: new Set(),
  drainedCalls: new Set(),
  waitingChildren: [],
})

test('a child that waits for a person does not spin when its parent is left, while another child works', async () => {
  const cancellation = new Cancellation()
  const stop = new Cancellation()
  let waits = 0
  const journal = {
    endedChildren: new Set(),
    onChange() {
      if (++waits > 100) stop.cancel(new Error('it spins'))
      return () => {}
    },
  }
  const context = { journal, cancellation, ...callsOf() }
  const child = { call: 'each#1/1', thread: 't/each#1/1' }
  const waiting = waitForChild(context as unknown as CallContext, child, {
    stopped: stop,
    isMoving: () => false,
  })
  cancellation.cancel(new Error('terminated'))
  await expect(waiting).rejects.toThrow('terminated')
  expect(waits).toBe(1)
})

test('a child that was stopped while it waited for a person no longer counts as waiting', async () => {
  const stop = new Cancellation()
  const journal = { endedChildren: new Set(), onChange: () => () => {} }
  const child = { call: 'each#1/1', thread: 't/each#1/1' }
  const context = { journal, cancellation: new Cancellation(), ...callsOf() }
  const waiting = waitForChild(context as unknown as CallContext, child, {
    stopped: stop,
    isMoving: () => false,
  })
  expect(context.waitingChildren).toEqual([child])
  stop.cancel(new Error('enough'))
  await waiting
  expect(context.waitingChildren).toEqual([])
})
