/** Restricted mode: only reads are made while a person is asked, in every way in which a thread can write. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  createRuntime,
  defineGraph,
  memoryStore,
  node,
  type Runtime,
  tool,
} from '../../src/index.ts'
import type { Notice, Notifier } from '../../src/runtime/notifier.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const made: string[] = []
const named = (name: string, effects: 'read' | 'write', confirm = false) =>
  tool({
    name,
    description: name,
    effects,
    inputSchema: { type: 'object' },
    ...(confirm && { confirm: () => true }),
    execute: () => {
      made.push(name)
      return { nothing: true }
    },
  })

const tools = {
  look: named('look', 'read'),
  pay: named('pay', 'write'),
  mail: named('mail', 'write', true),
}

const child = defineGraph({
  id: 'child',
  start: 'go',
  nodes: { go: { use: 'pass', on: { done: 'end' } }, end: { final: 'success' } },
})

/** Looks for the same thing three times, then writes in three ways, then asks. */
const worker = defineGraph({
  id: 'worker',
  start: 'work',
  tools,
  channels: { told: { reducer: 'append', type: 'string' } },
  nodes: {
    work: {
      use: node({ tools, graphs: { child } }, async ({ call, run }) => {
        const told: string[] = []
        for (let at = 0; at < 3; at++) await call.look({})
        await call.pay({}).catch((error: Error) => told.push(error.message))
        await call.mail({}).catch((error: Error) => told.push(error.message))
        await run.child({}).catch((error: Error) => told.push(error.message))
        await call.look({})
        return { told }
      }),
      out: ['told'],
      on: { done: 'ask', error: 'ask' },
    },
    ask: {
      use: 'human',
      question: 'Again?',
      on: { 'human.approved': 'pay', 'human.rejected': 'end', 'human.expired': 'end' },
    },
    pay: { use: 'tool', tool: 'pay', on: { done: 'end', error: 'ask' } },
    end: { final: 'success' },
  },
  escape: { ladder: ['restrict', 'stop'], review: { deadline: '1h', to: 'team' } },
})

async function restricted(notifiers: Notifier[] = []) {
  made.length = 0
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [worker], notifiers })
  open.push(runtime)
  const thread = await runtime.start(worker, {}, { thread: 't' })
  while ((await store.thread('t'))?.status !== 'waiting') await pause(2)
  return { runtime, thread, store }
}

test('a restricted thread reads, and writes neither itself nor through a child, and asks for no approval of a write', async () => {
  const { thread } = await restricted()
  const state = await thread.state()
  expect(made).toEqual(['look', 'look', 'look', 'look'])
  const refused = (call: string) =>
    expect.stringContaining(`${call} was not called: the thread is in restricted mode`)
  expect(state.channels.told).toEqual([refused('pay'), refused('mail'), refused('child')])
  expect(state.restricted).toBe(true)
  expect(state.questions.map(({ id, to }) => [id, to])).toEqual([
    ['restricted#1', 'team'],
    ['ask#1', 'team'],
  ])
  expect(state.questions[0]?.options.map(({ decision }) => decision)).toEqual(['approved', 'stop'])
})

test('an approval lifts the restriction, and the thread writes again', async () => {
  const { thread } = await restricted()
  await thread.answer('ask#1', 'approved')
  while ((await thread.state()).questions.every(({ id }) => id !== 'ask#2')) await pause(2)
  expect(made).not.toContain('pay')
  expect(await thread.answer('restricted#1', 'rejected')).toMatchObject({ applied: false })
  await thread.answer('restricted#1', 'approved')
  expect((await thread.state()).restricted).toBeUndefined()
  await thread.answer('ask#2', 'approved')
  await thread.result()
  expect(made).toContain('pay')
})

test('a person restricts a thread that waits, once', async () => {
  const { thread } = await restricted()
  await thread.answer('restricted#1', 'approved')
  expect(await thread.escape({ rung: 'restrict' })).toEqual({ applied: true })
  expect((await thread.state()).questions.map(({ id }) => id)).toEqual(['ask#1', 'restricted#2'])
  expect(await thread.escape({ rung: 'restrict' })).toMatchObject({ code: 'already-restricted' })
})

test('the notice has the finding, and a fork is restricted, too', async () => {
  const notices: Notice[] = []
  const notifier = {
    name: 'spy',
    timeout: 1_000,
    attempts: 1,
    send: async (notice: Notice) => void notices.push(notice),
  }
  const { thread, runtime } = await restricted([notifier as unknown as Notifier])
  while (notices.length < 2) await pause(2)
  const review = notices.map(notice => notice.review).find(({ id }) => id === 'restricted#1')
  expect(review).toMatchObject({
    about: 'restriction',
    to: 'team',
    because: [{ detector: 'sequence' }],
  })
  const fork = await thread.fork({ as: 'f', effects: 'live' })
  expect((await fork.state()).restricted).toBe(true)
  await runtime.thread('f').stop()
})
