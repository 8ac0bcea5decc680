/** A child that ends in the middle of a write. Its parent does not start another child before a person knows whether the write took effect. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { portsOf, START } from './desk.ts'
import { type Bank, bankOf, ENDS, gatedBank, slowBank } from './slow-bank.ts'

const payer = ({ pay }: Bank, more = {}) =>
  defineGraph({
    id: 'payer',
    start: 'pay',
    channels: { item: { default: null }, receipt: { default: null } },
    ...more,
    output: ['receipt'],
    tools: { pay },
    nodes: {
      pay: {
        use: 'tool',
        tool: 'pay',
        args: {},
        out: 'receipt',
        on: { done: 'end', error: 'bad' },
      },
      ...ENDS,
    },
  })

const between = (bank: Bank) =>
  defineGraph({
    id: 'between',
    start: 'work',
    graphs: { payer: payer(bank) },
    nodes: { work: { use: 'graph', graph: 'payer', on: { done: 'end', error: 'bad' } }, ...ENDS },
  })

/** The ways in which a node runs the payer. */
const WAYS = {
  'a graph': (bank: Bank) => ({
    graphs: { payer: payer(bank) },
    work: { use: 'graph', graph: 'payer' },
  }),
  'a graph in a graph': (bank: Bank) => ({
    graphs: { between: between(bank) },
    work: { use: 'graph', graph: 'between' },
  }),
  'a map': (bank: Bank) => ({
    graphs: { payer: payer(bank, { input: ['item'] }) },
    work: { use: 'map', graph: 'payer', over: 'list', as: 'item' },
  }),
  'a node of code': (bank: Bank) => {
    const graphs = { payer: payer(bank) }
    return {
      graphs,
      work: { use: node({ graphs, version: 1 }, async ({ run }) => run.payer({})) },
    }
  },
} as const

/** A tool of the parent with the name of the one that its child calls. Its results say nothing about the child. */
const promising = tool({
  name: 'pay',
  description: 'Pays.',
  effects: 'write',
  inputSchema: z.object({}),
  outputSchema: z.object({ id: z.string() }),
  execute: async () => ({ id: 'own' }),
})

/** A parent that goes around again when its node fails or takes too long. */
function parentOf(bank: Bank, way: keyof typeof WAYS, timeout: string) {
  const { graphs, work } = WAYS[way](bank)
  return defineGraph({
    id: 'parent',
    start: 'work',
    graphs,
    tools: { pay: promising },
    channels: { list: { default: [1] } },
    nodes: {
      work: { ...work, timeout, on: { done: 'end', timeout: 'again', error: 'again' } },
      again: { use: 'pass', on: { done: 'work' } },
      ...ENDS,
    },
    escape: { alternatives: { work: ['again'] } },
  } as never)
}

async function started(graph: ReturnType<typeof parentOf>) {
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  return { runtime, store, thread }
}

async function asked(thread: Awaited<ReturnType<typeof started>>['thread']) {
  for await (const _ of thread.events({ until: 'waiting' }));
  const { questions } = await thread.state()
  return questions
}

describe.each(Object.keys(WAYS) as (keyof typeof WAYS)[])(
  'the time of a node ends over %s',
  way => {
    it('while the child writes: a person is asked, and `applied` finishes the node', async () => {
      const bank = slowBank()
      const { runtime, thread } = await started(parentOf(bank, way, '200ms'))
      const [question] = await asked(thread)
      expect(question?.question).toBe(
        'The outcome of a call of pay is unknown. Did it take effect?',
      )
      expect(bank.paid).toHaveLength(1)
      await thread.answer(question?.id ?? '', { decision: 'applied', output: { receipt: 'found' } })
      expect((await thread.result()).outcome).toBe('success')
      expect(bank.paid).toHaveLength(1)
      await runtime.close()
    })

    it('`not-applied` takes the edge of the failure, and the next child pays', async () => {
      const bank = slowBank()
      const { runtime, thread } = await started(parentOf(bank, way, '200ms'))
      const [question] = await asked(thread)
      await thread.answer(question?.id ?? '', 'not-applied')
      expect((await thread.result()).outcome).toBe('success')
      expect(bank.paid).toHaveLength(2)
      await runtime.close()
    })
  },
)

it('the child ends before its node fails, also if its write ends in the grace period', async () => {
  const bank = slowBank({ deaf: true })
  const { runtime, store, thread } = await started(parentOf(bank, 'a graph', '200ms'))
  expect(await asked(thread)).toHaveLength(1)
  expect(bank.paid).toHaveLength(1)
  const types = (await store.rows('t')).map(({ event }) => event.type)
  expect(types).toEqual([
    ...['thread.started', 'turn.started', 'child.started', 'node.expired', 'child.done'],
  ])
  await runtime.close()
})

it('without a write, the edge of the timeout is taken once the child has ended', async () => {
  const bank = bankOf(signal => pause(5_000, undefined, { signal }), 'read')
  const { runtime, store, thread } = await started(parentOf(bank, 'a graph', '200ms'))
  await expect
    .poll(async () => (await store.rows('t')).flatMap(({ edges }) => edges))
    .toContain('work:timeout>again')
  const rows = await store.rows('t')
  const at = rows.findIndex(({ edges }) => edges.includes('work:timeout>again'))
  expect(rows.slice(at - 1, at + 1).map(({ event }) => event.type)).toEqual([
    'node.expired',
    'child.done',
  ])
  await thread.cancel('enough')
  await runtime.close()
})

it('the limit of a child ends it in its write: a person is asked', async () => {
  const bank = slowBank()
  const graph = defineGraph({
    id: 'parent',
    start: 'work',
    graphs: { payer: payer(bank, { limits: { duration: '200ms' } }) },
    nodes: {
      work: { use: 'graph', graph: 'payer', on: { done: 'end', error: 'again' } },
      again: { use: 'pass', on: { done: 'work' } },
      ...ENDS,
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  expect(await asked(thread as never)).toHaveLength(1)
  expect(bank.paid).toHaveLength(1)
  await runtime.close()
})

it.each([
  ['applied', undefined, { n: 1 }],
  ['applied', { n: 2 }, { n: 2 }],
  ['not-applied', undefined, { n: 1 }],
] as const)(
  'a child succeeds beside its write: a person is asked, and %s with %j gives its result %j',
  async (decision, output, n) => {
    const bank = slowBank()
    const racer = defineGraph({
      id: 'racer',
      start: 'race',
      channels: { n: { default: 0 } },
      output: ['n'],
      nodes: {
        race: {
          use: node({ tools: { pay: bank.pay }, version: 1 }, async ({ call }) => {
            await Promise.race([call.pay({}), pause(100)])
            return { n: 1 }
          }),
          out: ['n'],
          on: { done: 'end' },
        },
        end: { final: 'success' },
      },
    })
    const graph = defineGraph({
      id: 'parent',
      start: 'work',
      graphs: { racer },
      channels: { n: { default: 0 } },
      output: ['n'],
      nodes: { work: { use: 'graph', graph: 'racer', out: ['n'], on: { done: 'end' } }, ...ENDS },
    })
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const thread = await runtime.start(graph, {}, { thread: 't' })
    const [question] = await asked(thread as never)
    expect(question?.question).toBe('The outcome of a call of pay is unknown. Did it take effect?')
    await thread.answer(question?.id ?? '', { decision, ...(output && { output }) })
    expect((await thread.result()).output).toEqual(n)
    expect(bank.paid).toHaveLength(1)
    await runtime.close()
  },
)

it.each(['cancel', 'escape'] as const)(
  'a person takes a way out over its write by %s: a person is asked',
  async by => {
    const bank = slowBank()
    const { runtime, thread } = await started(parentOf(bank, 'a graph', '1m'))
    await expect.poll(() => bank.paid.length).toBe(1)
    if (by === 'cancel') await runtime.thread('t/work#1/1').cancel('enough')
    else await thread.escape({ rung: 'alternative', to: 'again' })
    expect(await asked(thread)).toHaveLength(1)
    expect(bank.paid).toHaveLength(1)
    await runtime.close()
  },
)

it('a process that dies between the time of the node and the end of the child is replaced', async () => {
  const bank = slowBank({ deaf: true })
  const ports = portsOf(parentOf(bank, 'a graph', '200ms'))
  const { store } = ports
  let isDead = false
  const append: Store['append'] = async (...batches) => {
    if (isDead) throw new Error('the process is dead')
    isDead = batches.some(({ rows }) => rows.some(({ event }) => event.type === 'node.expired'))
    await store.append(...batches)
  }
  await expect(drive({ ...ports, store: { ...store, append } }, 't', START)).rejects.toThrow('dead')
  const { wakeAt = Number.POSITIVE_INFINITY } = (await store.thread('t')) ?? {}
  expect(wakeAt).toBeLessThanOrEqual(Date.now())
  const { pending } = await drive(ports, 't')
  expect(pending.map(({ id }) => id)).toEqual(['work#1', 'work#1/1?'])
  expect(bank.paid).toHaveLength(1)
})

it('a round does not begin beside the write of a child that another process drives: a person is asked', async () => {
  const { paid, pay, open } = gatedBank()
  const asking = defineGraph({
    id: 'asking',
    start: 'ask',
    limits: { steps: 10 },
    tools: { pay },
    nodes: {
      ask: { use: 'human', question: 'Pay?', deadline: '1d', on: { 'human.approved': 'pay' } },
      pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end' } },
      ...ENDS,
    },
  })
  const parent = defineGraph({
    id: 'parent',
    start: 'work',
    graphs: { asking },
    rounds: { busy: 'interrupt' },
    nodes: { work: { use: 'graph', graph: 'asking', on: { done: 'end', error: 'bad' } }, ...ENDS },
  })
  const store = memoryStore()
  const [one, other] = [0, 1].map(() => createRuntime({ store, graphs: [parent, asking] }))
  const thread = await (one as NonNullable<typeof one>).start(parent, {}, { thread: 't' })
  const child = (other as NonNullable<typeof other>).thread('t/work#1/1')
  await expect
    .poll(async () => (await child.state().catch(() => undefined))?.questions)
    .toHaveLength(1)
  await child.answer('ask#1', 'approved')
  const driven = child.resume()
  await expect.poll(() => paid.length).toBe(1)
  await thread.send({})
  await expect.poll(async () => (await thread.state()).round).toBe(2)
  await pause(600)
  expect(paid).toHaveLength(1)
  open()
  await driven.catch(() => {})
  await expect
    .poll(async () => (await thread.state()).questions.map(({ question }) => question))
    .toEqual(['The outcome of a call of pay is unknown. Did it take effect?'])
  expect(paid).toHaveLength(1)
  await thread.answer('work#1/1?', 'applied')
  await expect.poll(async () => (await thread.state()).status).toBe('waiting')
  await Promise.all([one?.close(), other?.close()])
})

it('a child ends in two writes: the question names both', async () => {
  const writing = (name: string) =>
    tool({
      name,
      description: 'Writes.',
      effects: 'write',
      timeout: 60_000,
      inputSchema: z.object({}),
      execute: (_, { signal }) => pause(5_000, undefined, { signal }),
    })
  const tools = { pay: writing('pay'), ship: writing('ship') }
  const both = node({ tools, version: 1 }, async ({ call }) => {
    await Promise.allSettled([call.pay({}), call.ship({}), call.ship({})])
    return {}
  })
  const writer = defineGraph({
    id: 'writer',
    start: 'both',
    nodes: { both: { use: both, on: { done: 'end' } }, ...ENDS },
  })
  const parent = defineGraph({
    id: 'parent',
    start: 'work',
    graphs: { writer },
    nodes: {
      work: { use: 'graph', graph: 'writer', timeout: '200ms', on: { done: 'end', error: 'bad' } },
      ...ENDS,
    },
  })
  const runtime = createRuntime({ store: memoryStore(), graphs: [parent] })
  const thread = await runtime.start(parent, {}, { thread: 't' })
  const [question] = await asked(thread as never)
  expect(question?.question).toBe(
    'The outcome of a call of pay and ship (2 calls) is unknown. Did it take effect?',
  )
  await runtime.close()
})

it('a child that succeeds after a question about its write has expired asks nothing of its parent', async () => {
  const lost = tool({
    name: 'pay',
    description: 'Pays.',
    effects: 'write',
    inputSchema: z.object({}),
    execute: () => Promise.reject(Object.assign(new Error('Gateway Timeout'), { status: 504 })),
  })
  const child = defineGraph({
    id: 'payer',
    start: 'pay',
    tools: { pay: lost },
    escape: { review: { deadline: '1s' } },
    nodes: {
      pay: {
        use: 'tool',
        tool: 'pay',
        args: {},
        on: { done: 'end', 'error.indeterminate': 'end' },
      },
      ...ENDS,
    },
  })
  const graph = defineGraph({
    id: 'parent',
    start: 'work',
    graphs: { payer: child },
    nodes: { work: { use: 'graph', graph: 'payer', on: { done: 'end' } }, ...ENDS },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const work = new AbortController()
  const worker = runtime.work({ signal: work.signal })
  const thread = await runtime.start(graph, {}, { thread: 't' })
  await expect.poll(async () => (await thread.state()).status).toBe('ended')
  expect((await thread.state()).ended?.outcome).toBe('success')
  const done = (await store.rows('t')).find(({ event }) => event.type === 'child.done')?.event
  expect(done).not.toHaveProperty('unresolved')
  work.abort()
  await worker
  await runtime.close()
})
