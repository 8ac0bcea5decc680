/** A node is left while its write is in flight. Whatever edge is taken, nothing starts before somebody knows whether the write took effect. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'
import { type Bank, ENDS, slowBank } from './slow-bank.ts'

const OUTCOME = 'The outcome of a call of pay is unknown. Did it take effect?'

const look = tool({
  name: 'look',
  description: 'Looks.',
  effects: 'read',
  inputSchema: z.object({}),
  execute: async () => {
    await pause(20)
    return 'seen'
  },
})

const PAYING = { use: 'tool', tool: 'pay', args: {} }
const AGAIN = { again: { use: 'pass', on: { done: 'work' } } }

/** One region pays, and the other looks again and again. */
const PAYING_AND_LOOKING = {
  one: {
    start: 'pays',
    nodes: {
      pays: { ...PAYING, on: { done: 'paid', error: 'unpaid' } },
      paid: { final: 'success' },
      unpaid: { final: 'failure' },
    },
  },
  two: {
    start: 'looks',
    nodes: {
      looks: { use: 'tool', tool: 'look', args: {}, on: { done: 'rests', error: 'blind' } },
      rests: { use: 'pass', on: { done: 'looks' } },
      blind: { final: 'failure' },
    },
  },
}

/** Graphs whose next edge leads back to the payment, and how their node is left. */
const WAYS: Readonly<Record<string, (pay: Bank['pay']) => object>> = {
  'a limit of the thread': pay => ({
    limits: { duration: '1s' },
    tools: { pay },
    nodes: {
      work: { ...PAYING, on: { done: 'end', error: 'bad', budget: 'again' } },
      ...AGAIN,
      ...ENDS,
    },
  }),
  'a limit that another region meets': pay => ({
    limits: { duration: '1s' },
    tools: { pay, look },
    nodes: {
      work: {
        regions: PAYING_AND_LOOKING,
        on: { done: 'end', budget: 'again' },
      },
      ...AGAIN,
      ...ENDS,
    },
    detect: Object.fromEntries(
      ['sequence', 'repetition', 'recurrence', 'sameAnswer', 'stale'].map(name => [name, false]),
    ),
  }),
  'the edge for a cancel': pay => ({
    tools: { pay },
    nodes: {
      work: { ...PAYING, on: { done: 'end', error: 'bad', cancelled: 'again' } },
      ...AGAIN,
      ...ENDS,
    },
  }),
  'the failure of other work of its node': pay => ({
    tools: { pay },
    nodes: {
      work: {
        use: node({ tools: { pay }, version: 1 }, async ({ call }) => {
          await Promise.all([call.pay({}), pause(100).then(() => Promise.reject(new Error('no')))])
          return {}
        }),
        on: { done: 'end', error: 'again' },
      },
      ...AGAIN,
      ...ENDS,
    },
  }),
  'its own end, without waiting for the write': pay => ({
    tools: { pay },
    nodes: {
      work: {
        use: node({ tools: { pay }, version: 1 }, async ({ call }) => {
          void call.pay({}).catch(() => undefined)
          await pause(100)
          return {}
        }),
        on: { done: 'again' },
      },
      ...AGAIN,
      ...ENDS,
    },
  }),
}

async function started(way: string) {
  const bank = slowBank()
  const graph = defineGraph({ id: 'shop', start: 'work', ...WAYS[way]?.(bank.pay) } as never)
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  await expect.poll(() => bank.paid.length).toBe(1)
  if (way === 'the edge for a cancel') await thread.cancel('enough')
  return { ...bank, store, runtime, thread }
}

async function questionsOf(thread: Awaited<ReturnType<typeof started>>['thread']) {
  for await (const _ of thread.events({ until: 'waiting' }));
  return (await thread.state()).questions
}

describe.each(Object.keys(WAYS))('a node is left in a write by %s', way => {
  it('asks a person before anything starts', async () => {
    const { runtime, store, thread, paid } = await started(way)
    expect(await questionsOf(thread)).toMatchObject([
      { id: expect.stringMatching(/\?$/), question: OUTCOME },
    ])
    const rows = await store.rows('t')
    expect(rows.flatMap(({ edges }) => edges).at(-1)).toMatch(/>again$/)
    expect(
      rows.some(({ event }) => event.type === 'turn.started' && event.effect === 'again#1'),
    ).toBe(false)
    expect(paid).toHaveLength(1)
    await runtime.close()
  })

  it.each(['not-applied', 'applied'] as const)('`%s` lets the run go on', async decision => {
    const { runtime, thread, paid } = await started(way)
    const [question] = await questionsOf(thread)
    await thread.answer(question?.id ?? '', decision)
    await expect.poll(() => paid.length).toBeGreaterThan(1)
    await runtime.close()
  })

  it('`stop` ends the thread', async () => {
    const { runtime, thread, paid } = await started(way)
    const [question] = await questionsOf(thread)
    await thread.answer(question?.id ?? '', 'stop')
    expect((await thread.result()).outcome).toBe('stopped')
    expect(paid).toHaveLength(1)
    await runtime.close()
  })
})

it('a person escapes only after the question about the write', async () => {
  const bank = slowBank()
  const lose = { ...bank.pay, timeout: 50 }
  const graph = defineGraph({
    ...{ id: 'shop', start: 'work', tools: { pay: lose } },
    nodes: { work: { ...PAYING, on: { done: 'end', error: 'bad' } }, ...AGAIN, ...ENDS },
    escape: { alternatives: { work: ['again'] } },
    accept: ['alternative-in-loop escape.alternatives.work'],
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  const [question] = await questionsOf(thread)
  const escape = () => thread.escape({ rung: 'alternative', to: 'again' })
  expect(await escape()).toMatchObject({ applied: false, code: 'call-unresolved' })
  expect((await thread.state()).questions.map(({ id }) => id)).toEqual([question?.id])
  expect(bank.paid).toHaveLength(1)
  await runtime.close()
})

/** Its first call loses its answer at once, and the next one comes much later. */
function lostAnswer() {
  const bank = slowBank()
  const pay = {
    ...bank.pay,
    execute(_: object, { idempotencyKey }: { readonly idempotencyKey: string }) {
      bank.paid.push(idempotencyKey)
      return Promise.reject(
        Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' }),
      )
    },
  }
  return { ...bank, pay }
}

it.each([
  ['in flight', slowBank],
  ['that waits for its next attempt', lostAnswer],
])(
  'a rollback is not taken over an idempotent write %s, which it would repeat under another key',
  async (_, open) => {
    const bank = open()
    const pay = { ...bank.pay, idempotent: true }
    const graph = defineGraph({
      ...{ id: 'shop', start: 'plan', tools: { pay, look } },
      channels: { plans: { type: 'integer', reducer: 'max', default: 0 } },
      progress: 'plans',
      retry: { attempts: 3, base: '1h', cap: '1h' },
      escape: { ladder: ['retry', 'rollback', 'stop'] },
      nodes: {
        plan: {
          use: node({ version: 1 }, async () => ({ plans: 1 })),
          out: ['plans'],
          on: { done: 'work' },
        },
        work: {
          regions: PAYING_AND_LOOKING,
          on: { done: 'end' },
        },
        ...ENDS,
      },
    } as never)
    const store = memoryStore()
    const runtime = createRuntime({ store, graphs: [graph] })
    const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
    expect((await thread.result()).outcome).toBe('stopped')
    const rungs = (await store.rows('t')).flatMap(({ verdict }) =>
      verdict.kind === 'escape' ? [verdict.route.rung] : [],
    )
    expect(rungs).toEqual(['stop'])
    expect(bank.paid).toHaveLength(1)
    await runtime.close()
  },
)

it('a late answer answers the question', async () => {
  const paid: string[] = []
  const pay = tool({
    name: 'pay',
    description: 'Pays, whatever its signal says.',
    effects: 'write',
    inputSchema: z.object({}),
    async execute(_, { idempotencyKey }) {
      if (paid.push(idempotencyKey) === 1) await pause(2_000)
      return 'paid'
    },
  })
  const work = { ...PAYING, on: { done: 'end', error: 'bad', budget: 'rest' } }
  const graph = defineGraph({
    ...{ id: 'shop', start: 'work', limits: { duration: '1s' }, tools: { pay } },
    nodes: { work, rest: { use: 'pass', on: { done: 'end' } }, ...ENDS },
  } as never)
  const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
  const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
  expect(await questionsOf(thread)).toHaveLength(1)
  await expect
    .poll(async () => (await thread.state()).questions.length, { timeout: 10_000 })
    .toBe(0)
  expect(paid).toHaveLength(1)
  await runtime.close()
})

describe('a child ends in doubt', () => {
  /** A parent that goes around again when its child fails, and asks a person on the way where `asks` says so. */
  async function parentOf(pay: Bank['pay'], next: object) {
    const child = defineGraph({
      ...{ id: 'child', start: 'work', tools: { pay } },
      nodes: { work: { ...PAYING, on: { done: 'end', error: 'bad' } }, ...ENDS },
      escape: { review: { deadline: '2s' } },
    } as never)
    const graph = defineGraph({
      ...{ id: 'parent', start: 'work', graphs: { child } },
      nodes: {
        work: { use: 'graph', graph: 'child', on: { done: 'end', error: 'again' } },
        again: next,
        ...ENDS,
      },
      escape: { alternatives: { work: ['again'] } },
    } as never)
    const runtime = createRuntime({ store: memoryStore(), graphs: [graph] })
    const thread = await runtime.start(graph as never, {} as never, { thread: 't' })
    return { runtime, thread }
  }

  it('and its parent goes on to a person: the write is asked about, too', async () => {
    const { paid, pay } = slowBank()
    const human = {
      ...{ use: 'human', question: 'Again?' },
      on: { 'human.approved': 'work', 'human.rejected': 'bad', 'human.expired': 'bad' },
    }
    const { runtime, thread } = await parentOf(pay, human)
    await expect.poll(() => paid.length).toBe(1)
    await thread.escape({ rung: 'alternative', to: 'again' })
    await expect.poll(async () => (await thread.state()).questions.length).toBe(2)
    const { questions } = await thread.state()
    expect(questions.map(({ question }) => question)).toEqual(['Again?', OUTCOME])
    await thread.answer(questions[0]?.id ?? '', 'approved')
    await pause(300)
    expect(paid).toHaveLength(1)
    await runtime.close()
  })

  const lost = () => {
    const paid: string[] = []
    const pay = tool({
      name: 'pay',
      description: 'Pays, and loses the answer.',
      effects: 'write',
      inputSchema: z.object({}),
      execute: async (_, { idempotencyKey }) => {
        paid.push(idempotencyKey)
        throw Object.assign(new Error('the line went dead'), { code: 'ECONNRESET' })
      },
    })
    return { paid, pay }
  }

  it.each(['stop', 'deadline'] as const)(
    'after its own question ended by %s: its parent asks',
    async by => {
      const { paid, pay } = lost()
      const { runtime, thread } = await parentOf(pay, { use: 'pass', on: { done: 'work' } })
      const [question] = await questionsOf(thread)
      const ended = new AbortController()
      void runtime.work({ signal: ended.signal }).catch(() => {})
      if (by === 'stop')
        await runtime.thread(question?.thread ?? '').answer(question?.id ?? '', 'stop')
      await expect
        .poll(async () => (await thread.state()).questions.map(({ thread: of }) => of), {
          timeout: 8_000,
        })
        .toEqual([undefined])
      expect(paid).toHaveLength(1)
      ended.abort()
      await runtime.close()
    },
  )
})
