/** A fork reads the answers of its parent from a journal by name. Another thread may have that name: in another store, or since a removal. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createRuntime,
  defineGraph,
  memoryStore,
  type Runtime,
  type Store,
  tool,
} from '../../src/index.ts'

const ENDS = { end: { final: 'success' }, bad: { final: 'failure' } }
const onEnd = { done: 'end', error: 'bad' }

/** What the bank does: it books and answers, refuses, or hangs before it books or after it. */
let bank: 'ok' | 'refuses' | 'hangs' | 'hangs-booked'
let booked: string[]
let owner: string

beforeEach(() => {
  bank = 'ok'
  booked = []
  owner = 'ada'
})

const hung = (signal: AbortSignal) =>
  new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

const pay = tool({
  name: 'pay',
  description: 'Pays.',
  effects: 'write',
  inputSchema: z.object({}),
  async execute(_, { signal, idempotencyKey }) {
    if (bank === 'refuses') throw Object.assign(new Error('HTTP 402'), { status: 402 })
    if (bank !== 'hangs') booked.push(idempotencyKey)
    if (bank !== 'ok') await hung(signal)
    return { for: owner }
  },
})

const balance = tool({
  name: 'balance',
  description: 'Reads.',
  effects: 'read',
  inputSchema: z.object({}),
  execute: async () => ({ of: owner }),
})

const graphOf = (name: string, node: object, parts: object) =>
  defineGraph({
    ...{ id: name, start: 'work', channels: { who: { type: 'string' }, got: { default: null } } },
    ...{ input: ['who'], output: ['got'], retry: { attempts: 1 }, ...parts },
    nodes: { work: { ...node, out: 'got', on: onEnd }, ...ENDS },
  } as never)

const paying = graphOf('paying', { use: 'tool', tool: 'pay', args: {} }, { tools: { pay } })
const reading = graphOf(
  'reading',
  { use: 'tool', tool: 'balance', args: {} },
  { tools: { balance } },
)
const above = graphOf(
  'above',
  { use: 'graph', graph: 'paying', in: ['who'] },
  { graphs: { paying } },
)

const open: Runtime[] = []

afterEach(async () => {
  for (const runtime of open.splice(0)) await runtime.close()
})

function runtimeOn(store: Store = memoryStore()): Runtime {
  const runtime = createRuntime({ store, graphs: [paying, reading, above] })
  open.push(runtime)
  return runtime
}

type Graph = typeof paying

const begin = (runtime: Runtime, graph: Graph, who: string, thread = 'ticket-1') =>
  runtime.start(graph as never, { who } as never, { thread })

const ended = async (runtime: Runtime, graph: Graph, who: string) =>
  (await begin(runtime, graph, who)).result()

/** The number of the first event of this type, once the thread has it. */
async function numberOf(runtime: Runtime, type: string, thread = 'ticket-1'): Promise<number> {
  const find = async () =>
    (await runtime.thread(thread).rows()).find(({ event }) => event.type === type)?.seq ?? -1
  await expect.poll(find).toBeGreaterThan(-1)
  return find()
}

async function copy(from: Runtime, to: Runtime, thread: string): Promise<void> {
  const lines: string[] = []
  for await (const line of from.thread(thread).archive()) lines.push(line.trimEnd())
  const stream = async function* () {
    yield* lines
  }
  await to.importThread(stream())
}

/** Drives a fork to its end or its question. */
async function driven(runtime: Runtime, thread: string) {
  const fork = runtime.thread(thread)
  await fork.drive()
  const { questions, status } = await fork.state()
  const asks = questions.map(({ question }) => question)
  return status === 'ended' ? await fork.result() : { asks }
}

const unknown = (of: string) => ({
  asks: [`The outcome of a call of ${of} is unknown. Did it take effect?`],
})

describe('in a store where another thread has the name of its parent, a fork asks a person', () => {
  it.each([
    ['whose write was refused', 'hangs-booked', 'refuses', 1],
    ['whose write was booked', 'hangs', 'ok', 1],
  ] as const)('%s', async (_, before, later, payments) => {
    bank = before
    const a = runtimeOn()
    const parent = await begin(a, paying, 'ada')
    const at = await numberOf(a, 'tool.called')
    await expect.poll(() => booked.length).toBe(before === 'hangs' ? 0 : 1)
    await parent.fork({ at, as: 'f', effects: 'live' })
    bank = later
    const b = runtimeOn()
    await ended(b, paying, 'bob')
    bank = 'ok'
    await copy(a, b, 'f')
    expect(await driven(b, 'f')).toEqual(unknown('pay'))
    expect(booked).toHaveLength(payments)
  })

  it('whose child has paid', async () => {
    bank = 'hangs'
    const a = runtimeOn()
    const parent = await begin(a, above, 'ada')
    await numberOf(a, 'tool.called', 'ticket-1/work#1/1')
    await parent.fork({ at: await numberOf(a, 'child.started'), as: 'f', effects: 'live' })
    bank = 'ok'
    const b = runtimeOn()
    await ended(b, above, 'ada')
    await copy(a, b, 'f')
    expect(await driven(b, 'f')).toEqual(unknown('paying'))
  })
})

describe('a recorded fork makes its reads itself', () => {
  it.each([
    ['at an event', {}],
    ['at its start, with another input', { at: 0, input: { who: 'eve' } }],
  ])('in a store where another thread has the name of its parent: %s', async (_, more) => {
    const a = runtimeOn()
    const parent = await begin(a, reading, 'ada')
    await parent.result()
    const at = await numberOf(a, 'turn.started')
    await parent.fork({ at, as: 'f', effects: 'recorded', ...more } as never)
    owner = 'bob'
    const b = runtimeOn()
    await ended(b, reading, 'bob')
    owner = 'live'
    await copy(a, b, 'f')
    expect(await driven(b, 'f')).toMatchObject({ output: { got: { of: 'live' } } })
  })
})

describe('the journal of its parent answers a fork', () => {
  it('that was imported together with it, and a fork of the fork', async () => {
    const a = runtimeOn()
    await ended(a, paying, 'ada')
    const at = await numberOf(a, 'tool.called')
    await a.thread('ticket-1').fork({ at, as: 'f', effects: 'live' })
    await a.thread('f').fork({ as: 'g', effects: 'live' })
    await a
      .thread('ticket-1')
      .fork({ at, as: 'changed', effects: 'live', channels: { who: 'eve' } })
    const b = runtimeOn()
    for (const thread of ['ticket-1', 'f', 'g', 'changed']) await copy(a, b, thread)
    owner = 'twice'
    for (const runtime of [a, b])
      for (const thread of ['f', 'g', 'changed'])
        expect(await driven(runtime, thread)).toMatchObject({ output: { got: { for: 'ada' } } })
    expect(booked).toEqual(['ticket-1/work#1/1'])
  })

  it('that copied a copy, at an event before the first fork', async () => {
    const a = runtimeOn()
    await ended(a, paying, 'ada')
    const at = await numberOf(a, 'tool.called')
    await a.thread('ticket-1').fork({ as: 'f', effects: 'live' })
    await a.thread('f').fork({ at, as: 'g', effects: 'live' })
    expect(await driven(a, 'g')).toMatchObject({ output: { got: { for: 'ada' } } })
    expect(booked).toHaveLength(1)
  })

  it('in which a child has paid', async () => {
    const a = runtimeOn()
    await ended(a, above, 'ada')
    const at = await numberOf(a, 'child.started')
    await a.thread('ticket-1').fork({ at, as: 'f', effects: 'live' })
    const b = runtimeOn()
    for (const thread of ['ticket-1', 'f']) await copy(a, b, thread)
    for (const runtime of [a, b])
      expect(await driven(runtime, 'f')).toMatchObject({ outcome: 'success' })
    expect(booked).toHaveLength(1)
  })

  it.each([
    ['at an event', {}],
    ['at its start, with another input', { at: 0, input: { who: 'eve' } }],
  ])('whose answers it records: %s', async (_, more) => {
    const a = runtimeOn()
    await ended(a, reading, 'ada')
    const at = await numberOf(a, 'turn.started')
    await a.thread('ticket-1').fork({ at, as: 'f', effects: 'recorded', ...more } as never)
    const b = runtimeOn()
    for (const thread of ['ticket-1', 'f']) await copy(a, b, thread)
    owner = 'live'
    for (const runtime of [a, b])
      expect(await driven(runtime, 'f')).toMatchObject({ output: { got: { of: 'ada' } } })
  })
})

it.each([{}, { at: 0, input: { who: 'bob' } }])(
  'a fork whose parent is removed while it is copied is refused: %j',
  async options => {
    const store = memoryStore()
    const runtime = createRuntime({
      store: { ...store, rows: async (...of) => (isRemoved ? [] : store.rows(...of)) },
      graphs: [paying],
    })
    let isRemoved = false
    const parent = await runtime.start(paying, { who: 'ada' }, { thread: 'ticket-1' })
    await parent.result()
    isRemoved = true
    const fork = parent.fork({ effects: 'live', as: 'f', ...options })
    await expect(fork).rejects.toMatchObject({ code: 'unknown-thread' })
    expect(await store.thread('f')).toBeUndefined()
    await runtime.close()
  },
)
