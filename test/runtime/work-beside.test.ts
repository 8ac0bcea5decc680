/** Work beside other work when a drive ends early: by a drain, by leaving, or by a failure of the store. None of it is cut off or forgotten. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { createRuntime, defineGraph, memoryStore, node, tool } from '../../src/index.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { StoreUnavailable } from '../../src/runtime/store/store.ts'

const inputSchema = z.looseObject({})

/** A payment that takes `ms`, and obeys its signal unless it is `deaf`. */
function bank(ms: number, { deaf = false } = {}) {
  const seen = { begun: 0, aborted: 0, booked: [] as string[] }
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema,
    effects: 'write',
    idempotent: false,
    async execute(_, { signal, idempotencyKey }) {
      seen.begun++
      await pause(ms, undefined, deaf ? {} : { signal }).catch(error => {
        seen.aborted++
        throw error
      })
      seen.booked.push(idempotencyKey)
      return 'receipt'
    },
    reconcile: async (_, { idempotencyKey }) => ({
      answer: seen.booked.includes(idempotencyKey) ? 'applied' : 'not-applied',
      result: 'receipt',
    }),
  })
  return { seen, pay }
}

const quick = node({}, async () => {
  await pause(60)
  return {}
})

/** Three quick nodes. */
const child = defineGraph({
  id: 'child',
  start: 'a',
  nodes: {
    a: { use: quick, on: { done: 'b' } },
    b: { use: quick, on: { done: 'c' } },
    c: { use: quick, on: { done: 'end' } },
    end: { final: 'success' },
  },
})

type Tool = ReturnType<typeof bank>['pay']

const paying = {
  start: 'pay',
  nodes: { pay: { use: 'tool', tool: 'pay', on: { done: 'r' } }, r: { final: 'success' } },
} as const

/** A payment beside a child thread. */
const besideChild = (pay: Tool) =>
  defineGraph({
    id: 'beside',
    start: 'both',
    nodes: {
      both: {
        regions: {
          left: {
            start: 'sub',
            nodes: {
              sub: { use: 'graph', graph: 'child', on: { done: 'l' } },
              l: { final: 'success' },
            },
          },
          right: paying,
        },
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
    tools: { pay },
    graphs: { child },
  })

/** A payment beside three quick nodes. */
const besideNodes = (pay: Tool) =>
  defineGraph({
    id: 'beside',
    start: 'both',
    nodes: {
      both: {
        regions: {
          left: {
            start: 'a',
            nodes: {
              a: { use: quick, on: { done: 'b' } },
              b: { use: quick, on: { done: 'c' } },
              c: { use: quick, on: { done: 'l' } },
              l: { final: 'success' },
            },
          },
          right: paying,
        },
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
    tools: { pay },
  })

async function until(look: () => boolean): Promise<void> {
  while (!look()) await pause(5)
}

it('a payment beside a child ends within the drain, and the child goes on later', async () => {
  const { seen, pay } = bank(500)
  const graph = besideChild(pay)
  const store = memoryStore()
  const first = createRuntime({ store, graphs: [graph] })
  await first.start(graph, {}, { thread: 't' })
  await until(() => seen.begun > 0)
  const start = performance.now()
  await first.close({ drain: 20_000 })
  expect(performance.now() - start).toBeLessThan(10_000)
  expect(seen).toMatchObject({ begun: 1, aborted: 0 })
  expect(seen.booked).toHaveLength(1)
  const types = (await store.rows('t')).map(({ event }) => event.type)
  expect(types).toContain('tool.done')
  expect((await store.thread('t'))?.status).toBe('active')
  const second = createRuntime({ store, graphs: [graph] })
  expect(await second.thread('t').drive()).toMatchObject({ ended: { outcome: 'success' } })
  expect(seen.begun).toBe(1)
  await second.close()
})

it('the payments of a map end within the drain, also after one of its children was left', async () => {
  const seen = { begun: 0, aborted: 0, booked: 0 }
  const pay = tool({
    name: 'pay',
    description: 'Pays.',
    inputSchema,
    effects: 'write',
    async execute({ ms }, { signal }) {
      seen.begun++
      await pause(Number(ms), undefined, { signal }).catch(error => {
        seen.aborted++
        throw error
      })
      seen.booked++
      return 'receipt'
    },
  })
  const payment = defineGraph({
    id: 'payment',
    start: 'pay',
    channels: { item: { default: null } },
    nodes: {
      pay: { use: 'tool', tool: 'pay', in: { ms: 'item' }, on: { done: 'after' } },
      after: { use: quick, on: { done: 'end' } },
      end: { final: 'success' },
    },
    tools: { pay },
  })
  const graph = defineGraph({
    id: 'all',
    start: 'each',
    channels: { list: { default: [100, 600] } },
    nodes: {
      each: {
        use: 'map',
        graph: 'payment',
        over: 'list',
        as: 'item',
        concurrency: 2,
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
    graphs: { payment },
  })
  const store = memoryStore()
  const runtime = createRuntime({ store, graphs: [graph] })
  await runtime.start(graph, {}, { thread: 't' })
  await until(() => seen.begun === 2)
  await runtime.close({ drain: 20_000 })
  expect(seen).toEqual({ begun: 2, aborted: 0, booked: 2 })
})

it('a child that is left beside other work has ended its grace time before the drive ends', async () => {
  const slowAfterAbort = tool({
    name: 'put',
    description: 'Puts.',
    inputSchema,
    effects: 'write',
    idempotent: true,
    async execute(_, { signal }) {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await pause(300)
      return 'put'
    },
  })
  const inner = defineGraph({
    id: 'inner',
    start: 'put',
    nodes: { put: { use: 'tool', tool: 'put', on: { done: 'end' } }, end: { final: 'success' } },
    tools: { put: slowAfterAbort },
  })
  const hang = node({}, ({ signal }) => pause(60_000, {}, { signal }))
  const graph = defineGraph({
    id: 'outer',
    start: 'both',
    nodes: {
      both: {
        regions: {
          left: {
            start: 'hang',
            nodes: { hang: { use: hang, on: { done: 'l' } }, l: { final: 'success' } },
          },
          right: {
            start: 'sub',
            nodes: {
              sub: { use: 'graph', graph: 'inner', on: { done: 'r' } },
              r: { final: 'success' },
            },
          },
        },
        on: { done: 'end' },
      },
      end: { final: 'success' },
    },
    graphs: { inner },
  })
  const store = memoryStore()
  const leave = new AbortController()
  const start = { input: {}, seed: 1 }
  const driven = drive(nodePorts({ graph, store }), 't', { start, leave: leave.signal })
  const left = expect(driven).rejects.toThrow('terminated')
  await pause(150)
  leave.abort(new Error('terminated'))
  await left
  expect((await store.rows('t/sub#1/1')).at(-1)?.event.type).toBe('turn.left')
  expect((await store.thread('t/sub#1/1'))?.lease).toBeUndefined()
})

it('a payment that ends within the grace time is in the journal, also beside work that ends at once', async () => {
  const { seen, pay } = bank(300, { deaf: true })
  const store = memoryStore()
  const leave = new AbortController()
  const start = { input: {}, seed: 1 }
  const ports = nodePorts({ graph: besideNodes(pay), store })
  const left = expect(drive(ports, 't', { start, leave: leave.signal })).rejects.toThrow('bye')
  await until(() => seen.begun > 0)
  leave.abort(new Error('bye'))
  await left
  const types = (await store.rows('t')).map(({ event }) => event.type)
  expect(types.indexOf('call.late')).toBeGreaterThan(0)
  expect(types.indexOf('call.late')).toBeLessThan(types.indexOf('turn.left'))
  expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
  expect(seen.booked).toHaveLength(1)
})

it('a payment in flight when the store fails beside it is made once', async () => {
  const { seen, pay } = bank(700, { deaf: true })
  const graph = besideNodes(pay)
  const real = memoryStore()
  let failures = 0
  const store: Store = {
    ...real,
    append: async (...batches) => {
      const starts = batches.flatMap(({ rows }) => rows.map(({ event }) => event))
      const isSecond = starts.some(event => event.type === 'turn.started' && event.effect === 'b#1')
      if (isSecond && failures++ === 0) throw new StoreUnavailable('locked', { isTemporary: true })
      return real.append(...batches)
    },
  }
  const ports = nodePorts({ graph, store })
  await expect(drive(ports, 't', { start: { input: {}, seed: 1 } })).rejects.toThrow('locked')
  await drive(ports, 't').catch(() => {})
  await pause(900)
  expect(seen.booked).toHaveLength(1)
})
