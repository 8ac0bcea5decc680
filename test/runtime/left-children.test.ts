/** Children of nodes that were left, beside other work: they end at once, and waiting for one that another process drives costs little. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { setup } from 'xstate'
import { createRuntime, defineGraph, machineOf, memoryStore, node } from '../../src/index.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { ENDS, gatedBank } from './slow-bank.ts'

const { paid, pay, open } = gatedBank()

const asking = defineGraph({
  id: 'asking',
  start: 'ask',
  tools: { pay },
  nodes: {
    ask: { use: 'human', question: 'Pay?', deadline: '1d', on: { 'human.approved': 'pay' } },
    pay: { use: 'tool', tool: 'pay', args: {}, on: { done: 'end' } },
    ...ENDS,
  },
})

/** The child in one region, and a way around it. */
const left = {
  start: 'work',
  nodes: {
    work: { use: 'graph', graph: 'asking', on: { done: 'in', loop: 'other' } },
    other: { use: node({}, async () => ({})), on: { done: 'in' } },
    in: { final: 'success' },
  },
} as const

/** Waits, and runs the child. Each round begins with the wait. */
const waiting = setup({
  types: {} as { context: Record<string, never>; input: Record<string, never> },
  actions: {
    invoke: (_, _params: { readonly node: string }) => {},
    wait: (_, _params: { readonly for: number }) => {},
  },
}).createMachine({
  id: 'waiting',
  context: {},
  initial: 'working',
  states: {
    working: {
      initial: 'pause',
      on: { cancelled: 'cancelled' },
      states: {
        pause: { entry: { type: 'wait', params: { for: 1_500 } }, on: { done: 'work' } },
        work: { entry: { type: 'invoke', params: { node: 'work' } }, on: { done: '#waiting.end' } },
      },
    },
    end: { type: 'final' },
    cancelled: { type: 'final', tags: 'cancelled' },
  },
})

it('a drive that also waits for a time looks a few times a second whether such a child has ended', async () => {
  const machine = machineOf(waiting, { version: '1' })
  const rounds = { ...machine.policy.rounds, busy: 'interrupt' } as const
  const parent: Graph = {
    machine: { ...machine, policy: { ...machine.policy, rounds } },
    nodes: { work: async task => task.run('asking', {}, {}) },
    tools: {},
    models: {},
    graphs: { asking },
    source: null,
  }
  const inner = memoryStore()
  let calls = 0
  const store = new Proxy(inner, {
    get: (of, key) => {
      const value = of[key as keyof Store]
      if (typeof value === 'function') calls++
      return typeof value === 'function' ? value.bind(of) : value
    },
  })
  const graphs = [parent, asking]
  const [one, other] = [createRuntime({ store, graphs }), createRuntime({ store: inner, graphs })]
  const thread = await one.start(parent, {}, { thread: 't' })
  const child = other.thread('t/waiting.working.work#1/1')
  await expect
    .poll(async () => (await child.state().catch(() => undefined))?.questions, { timeout: 5_000 })
    .toHaveLength(1)
  await child.answer('ask#1', 'approved')
  const driven = child.resume()
  await expect.poll(() => paid.length).toBe(1)
  await thread.send({})
  await pause(300)
  const before = calls
  await pause(700)
  expect(calls - before).toBeLessThan(60)
  open()
  await driven.catch(() => {})
  await Promise.all([one.close(), other.close()])
})

it('the child ends while the node of another region works, and the way around it starts', async () => {
  const long = Promise.withResolvers<object>()
  const parent = defineGraph({
    id: 'parent',
    start: 'both',
    graphs: { asking },
    nodes: {
      both: {
        regions: {
          left,
          beside: {
            start: 'long',
            nodes: {
              long: { use: node({}, async () => long.promise), on: { done: 'on' } },
              on: { final: 'success' },
            },
          },
        },
        on: { done: 'end' },
      },
      ...ENDS,
    },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [parent, asking] })
  const thread = await runtime.start(parent, {}, { thread: 't' })
  await expect.poll(async () => (await thread.state()).questions).toHaveLength(1)
  await thread.escape({ rung: 'alternative', to: 'other' })
  const types = async () =>
    (await store.rows('t')).map(({ event }) =>
      'effect' in event ? `${event.type} ${event.effect}` : event.type,
    )
  await expect.poll(types, { timeout: 3_000 }).toContain('node.done other#1')
  expect(await types()).not.toContain('node.done long#1')
  long.resolve({})
  await expect.poll(async () => (await thread.state()).status).toBe('ended')
  await runtime.close()
})
