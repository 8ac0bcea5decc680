/** Archives of families: the journal of a thread must have started each of its child threads. */
import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { specOf } from '../graph/linted.ts'
import { asking, parentOf } from './graphs.ts'

const open: Runtime[] = []

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close()
})

function runtimeOf(store: Store, graph: Graph): Runtime {
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  return runtime
}

const bound = (parts: object, graphs: Readonly<Record<string, Graph>> = {}): Graph =>
  bindGraph(specOf(parts), { workspace: '.', model: () => ({}) as never, graphs })

/** Returns its price as the total. */
const quote = bound({
  id: 'quote',
  start: 'c',
  input: ['price'],
  channels: { price: { type: 'integer' }, total: { default: null } },
  nodes: {
    c: { use: 'pass', in: { total: 'price' }, out: { total: 'total' }, on: { done: 'e' } },
    e: { final: 'success' },
  },
  output: ['total'],
})

/** Runs `child` in the node `get`, once a round. */
const orderOf = (id: string, child: Graph): Graph =>
  bound(
    {
      id,
      start: 'get',
      input: ['price'],
      channels: { price: { type: 'integer' }, total: { default: null } },
      nodes: {
        get: {
          use: 'graph',
          graph: 'child',
          in: ['price'],
          out: { total: 'total' },
          on: { done: 'end' },
        },
        end: { final: 'success' },
      },
      output: ['total'],
      graphs: { child: child.source },
    },
    { child },
  )

const order = orderOf('order', quote)
const shop = orderOf('shop', order)

/** Runs `asking` for each of two goals. */
const each = bound(
  {
    id: 'each',
    start: 'all',
    channels: { goals: { default: ['a', 'b'] } },
    nodes: {
      all: { use: 'map', graph: 'child', over: 'goals', as: 'goal', on: { done: 'end' } },
      end: { final: 'success' },
    },
    graphs: { child: asking().source },
  },
  { child: asking() },
)

// biome-ignore lint/suspicious/noExplicitAny: the forms of an archive are what is tested
type Line = Record<string, any>

/** The lines of an archive without the hash at its end. */
async function archiveOf(store: Store, graph: Graph, thread: string): Promise<Line[]> {
  const lines: Line[] = []
  for await (const line of runtimeOf(store, graph).thread(thread).archive())
    lines.push(JSON.parse(line))
  return lines.slice(0, -1)
}

async function* hashed(lines: readonly Line[]) {
  const body = lines.map(line => JSON.stringify(line))
  const text = body.map(line => `${line}\n`).join('')
  yield* [...body, JSON.stringify({ sha256: createHash('sha256').update(text).digest('hex') })]
}

async function importInto(store: Store, graph: Graph, lines: readonly Line[], as?: string) {
  return runtimeOf(store, graph).importThread(hashed(lines), as)
}

/** The store of a thread whose round has ended. */
async function endedIn(graph: Graph, price = 100): Promise<Store> {
  const store = memoryStore()
  const thread = await runtimeOf(store, graph).start(graph, { price }, { thread: 'order-7' })
  expect((await thread.result()).outcome).toBe('success')
  return store
}

/** The index of the first line of the last thread of an archive. */
const startOfLast = (lines: readonly Line[]) => lines.findLastIndex(({ seq }) => seq === 0)

/** Changes the last thread of an archive: its name, and its rows. */
function withLast(lines: readonly Line[], name: string, change: (event: Line) => void): Line[] {
  const forged = structuredClone(lines) as Line[]
  forged[0]?.threads.splice(-1, 1, { ...forged[0].threads.at(-1), thread: name })
  for (const { event } of forged.slice(startOfLast(forged))) change(event)
  return forged
}

describe('an archive with a child thread that its parent has not started', () => {
  const next = 'order-7/get#2/1'
  const forge =
    (parent: Line, total = 1) =>
    (event: Line) => {
      if (event.parent) Object.assign(event.parent, parent)
      if (event.type === 'node.done') event.output = { total }
    }

  it.each<[string, string, Line]>([
    ['of a call that it has not made yet', next, { call: 'get#2/1' }],
    [
      'of such a call, without the identity of its input',
      next,
      { call: 'get#2/1', key: undefined },
    ],
    ['under the name of such a call', next, {}],
    ['of another input', 'order-7/get#1/1', { key: 'other' }],
    ['without the identity of its input', 'order-7/get#1/1', { key: undefined }],
    ['of another event', 'order-7/get#1/1', { seq: 1 }],
    ['of an event that it does not have', 'order-7/get#1/1', { seq: 1_000 }],
    ['of another thread', 'order-7/get#1/1', { thread: 'victim' }],
  ])('is refused: %s', async (_, name, parent) => {
    const lines = await archiveOf(await endedIn(order), order, 'order-7')
    const store = memoryStore()
    for (const as of [undefined, 'copy'])
      await expect(
        importInto(store, order, withLast(lines, name, forge(parent)), as),
      ).rejects.toMatchObject({
        code: 'bad-archive',
        message: `the journal of thread 'order-7' does not start the thread '${name}' as its child; export 'order-7' again with its child threads`,
      })
    expect(await store.threads()).toEqual([])
  })

  it('is refused: without a parent', async () => {
    const lines = await archiveOf(await endedIn(order), order, 'order-7')
    const forged = withLast(lines, 'order-7/get#1/1', event => {
      delete event.parent
    })
    await expect(importInto(memoryStore(), order, forged)).rejects.toMatchObject({
      code: 'bad-archive',
    })
  })

  it('is refused: a child of a child', async () => {
    const lines = await archiveOf(await endedIn(shop), shop, 'order-7')
    const forged = withLast(lines, 'order-7/get#1/1/get#2/1', forge({ call: 'get#2/1' }))
    await expect(importInto(memoryStore(), shop, forged)).rejects.toThrow(
      "the journal of thread 'order-7/get#1/1' does not start the thread 'order-7/get#1/1/get#2/1'",
    )
  })
})

/** The threads of a store, with their last events. */
const threadsOf = async (store: Store) =>
  (await store.threads()).map(({ thread, status, seq }) => [thread, status, seq]).toSorted()

/** Exports a family and imports it into another store, which it returns. */
async function copied(store: Store, graph: Graph, thread: string, as?: string): Promise<Store> {
  const into = memoryStore()
  await importInto(into, graph, await archiveOf(store, graph, thread), as)
  const family = (await threadsOf(store)).filter(([name]) => `${name}/`.startsWith(`${thread}/`))
  expect(await threadsOf(into)).toEqual(
    family.map(([name, ...of]) => [`${as ?? thread}${String(name).slice(thread.length)}`, ...of]),
  )
  return into
}

async function waitingIn(graph: Graph, input: Line = { goal: 'g' }): Promise<Store> {
  const store = memoryStore()
  const thread = await runtimeOf(store, graph).start(graph, input as never, { thread: 't' })
  for await (const _ of thread.events({ until: 'waiting' }));
  return store
}

describe('the archive of a family is imported', () => {
  it('after it has ended, under its own name and another one, again and again', async () => {
    const store = await endedIn(shop)
    const renamed = await copied(await copied(store, shop, 'order-7'), shop, 'order-7', 'copy')
    const thread = runtimeOf(renamed, shop).thread('copy')
    await thread.send({ price: 5 })
    expect(await thread.result()).toMatchObject({ output: { total: 5 } })
    const again = await copied(renamed, shop, 'copy', 'third')
    expect(await threadsOf(again)).toHaveLength(5)
  })

  it('while its child waits for a person, and continues', async () => {
    const graph = parentOf(asking())
    const into = await copied(await waitingIn(graph), graph, 't')
    const runtime = runtimeOf(into, graph)
    const [question] = (await runtime.thread('t/child#1/1').state()).questions
    await runtime.thread('t/child#1/1').answer(question?.id ?? '', { decision: 'approved' })
    expect((await runtime.thread('t').result()).outcome).toBe('success')
  })

  it('while its child runs', async () => {
    const called = Promise.withResolvers<void>()
    const graph = parentOf(
      asking(async ({ signal }) => {
        called.resolve()
        await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }))
        return signal.throwIfAborted()
      }),
    )
    const store = memoryStore()
    await runtimeOf(store, graph).start(graph, { goal: 'g' }, { thread: 't' })
    await called.promise
    await copied(store, graph, 't')
  })

  it('with the items of a map', async () => {
    await copied(await waitingIn(each, {}), each, 't')
  })

  it('after it was canceled', async () => {
    const graph = parentOf(asking())
    const store = await waitingIn(graph)
    const thread = runtimeOf(store, graph).thread('t')
    await thread.cancel('no longer needed')
    await thread.result()
    await copied(store, graph, 't', 'copy')
  })

  it('while the first row of the child is missing, because the process ended before it', async () => {
    const lines = await archiveOf(await endedIn(order), order, 'order-7')
    const started = lines.findIndex(({ event }) => event?.type === 'child.started')
    const [header = {}] = lines
    const [first] = header.threads
    const cut = [
      { ...header, threads: [{ ...first, rows: (lines[started]?.seq ?? 0) + 1 }] },
      ...lines.slice(1, started + 1),
    ]
    const into = memoryStore()
    await importInto(into, order, cut)
    const thread = runtimeOf(into, order).thread('order-7')
    await thread.drive()
    expect(await thread.result()).toMatchObject({ output: { total: 100 } })
  })

  it('of a fork that has started a child of its own', async () => {
    const store = await waitingIn(parentOf(asking()))
    const graph = parentOf(asking())
    const thread = runtimeOf(store, graph).thread('t')
    const rows = await thread.rows()
    const at = rows.find(({ event }) => event.type === 'child.started')?.seq
    const fork = await thread.fork({ as: 'f', effects: 'live', ...(at !== undefined && { at }) })
    await fork.drive()
    await copied(store, graph, 'f')
  })
})
