/** A driver that leaves: the thread is not cancelled, and the next driver continues it. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Controlled, controlAfter } from '../../src/core/run/control.ts'
import type { Effect } from '../../src/core/run/effects.ts'
import type { Stamped } from '../../src/core/watch/event/event.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { createGate, type Gate } from '../../src/runtime/gate/gate.ts'

import { StoreUnavailable } from '../../src/runtime/store/store.ts'
import { specOf } from '../graph/linted.ts'
import { bindGraph } from '../../src/kit/bind/bind.ts'
import { parentOf } from '../host/graphs.ts'
import { calling, portsOf, START, webhookServer } from './desk.ts'

it('abandons its work, rejects with the reason, and releases its lease', async () => {
  let received: unknown
  let times = 0
  const graph = calling(
    call =>
      new Promise((resolve, reject) => {
        if (times++ > 0) return resolve('done')
        call.signal.addEventListener('abort', () => {
          received = call.signal.reason
          reject(received)
        })
      }),
  )
  const ports = portsOf(graph)
  const leave = new AbortController()
  const driven = drive(ports, 't', { ...START, leave: leave.signal })
  const left = expect(driven).rejects.toThrow('terminated')
  await pause(20)
  leave.abort(new Error('terminated'))
  await left
  expect(String(received)).toContain('terminated')
  const summary = await ports.store.thread('t')
  expect(summary).toMatchObject({ status: 'active' })
  expect(summary?.lease).toBeUndefined()
  expect((await ports.store.rows('t')).map(({ event }) => event.type)).toEqual([
    'thread.started',
    'turn.started',
    'tool.called',
    'turn.left',
  ])
  expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
  expect(times).toBe(2)
})

it('journals the answer of a write that arrived before the cancel, while the gate noted it', async () => {
  const [answered, report] = [webhookServer(), webhookServer()]
  const gate = createGate()
  const slow: Gate = {
    ...gate,
    async enter(resource, options) {
      const entry = await gate.enter(resource, options)
      if (entry.kind === 'refused') return entry
      const slowReport: typeof entry.report = async (...args) => {
        answered.open()
        await report.opened
        return entry.report(...args)
      }
      return { ...entry, report: slowReport }
    },
  }
  const ports = portsOf(
    calling(async () => 'paid', 'write'),
    { gate: slow },
  )
  const stop = new AbortController()
  const driven = drive(ports, 't', { ...START, signal: stop.signal })
  await answered.opened
  stop.abort(new Error('enough'))
  await pause(20)
  report.open()
  expect(await driven).toMatchObject({ ended: { outcome: 'cancelled' } })
  const rows = await ports.store.rows('t')
  expect(rows.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: 'call.late', ok: true, result: 'paid' }),
  )
})

it('aborted before it begins, stores the thread for later and performs nothing', async () => {
  let times = 0
  const ports = portsOf(calling(async () => ++times))
  await expect(
    drive(ports, 't', { ...START, leave: AbortSignal.abort(new Error('terminated')) }),
  ).rejects.toThrow('terminated')
  expect(times).toBe(0)
  expect(await ports.store.due(Date.now())).toEqual(['t'])
})

it('twice in order is not a crash loop, and a start that ended in a crash still counts', async () => {
  const hanging = calling(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  )
  const ports = portsOf(hanging)
  for (let process = 0; process < 4; process++) {
    const leave = new AbortController()
    const left = expect(drive(ports, 't', { ...START, leave: leave.signal })).rejects.toThrow(
      'term',
    )
    await pause(10)
    leave.abort(new Error('terminated'))
    await left
  }
  const run = await drive({ ...ports, graph: calling(async () => 'done') }, 't')
  expect(run).toMatchObject({ ended: { outcome: 'success' } })
  expect(run.watch.account.spent.steps).toBe(1)
})

it('again and again during a write that was not applied makes the write again', async () => {
  let isHanging = true
  const graph = calling(
    ({ signal }) =>
      isHanging
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        : Promise.resolve('done'),
    'write',
    { reconcile: async () => ({ answer: 'not-applied', fenced: true }) },
  )
  const ports = portsOf(graph)
  for (let deploy = 0; deploy < 5; deploy++) {
    const leave = new AbortController()
    const left = expect(drive(ports, 't', { ...START, leave: leave.signal })).rejects.toThrow()
    await pause(10)
    leave.abort(new Error('terminated'))
    await left
  }
  isHanging = false
  expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
})

it('because its store failed for longer than a lease, again and again, is not a crash loop', async () => {
  let isHanging = true
  const graph = calling(({ signal }) =>
    isHanging
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : Promise.resolve('done'),
  )
  let [now, isFull, beat] = [0, false, () => {}]
  const ports = portsOf(graph)
  const { store } = ports
  const unlessFull =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A) =>
      isFull ? Promise.reject(new StoreUnavailable('the disk is full')) : work(...args)
  const full = { renew: unlessFull(store.renew), append: unlessFull(store.append) }
  const failing = {
    ...ports,
    store: { ...store, ...full },
    wall: () => now,
    heartbeat: (next: () => void) => {
      beat = next
      return () => {}
    },
  }
  for (let outage = 0; outage < 4; outage++) {
    const failed = expect(drive(failing, 't', START)).rejects.toThrow('full')
    await pause(10)
    isFull = true
    now += 20_000
    beat()
    await failed
    isFull = false
  }
  isHanging = false
  expect(await drive(failing, 't')).toMatchObject({ ended: { outcome: 'success' } })
})

it('drained, ends its turn and leaves before the next', async () => {
  const working = webhookServer()
  const answer = webhookServer()
  let times = 0
  const graph = calling(async () => {
    times++
    working.open()
    await answer.opened
    return 'done'
  })
  const ports = portsOf(graph)
  const drain = new AbortController()
  const driven = drive(ports, 't', { ...START, drain: drain.signal })
  await working.opened
  drain.abort(new Error('terminated'))
  await pause(20)
  expect((await ports.store.rows('t')).at(-1)?.event.type).toBe('tool.called')
  answer.open()
  expect(await driven).toMatchObject({ ended: { outcome: 'success' } })
  expect(times).toBe(1)
})

describe('drained between two turns', () => {
  it('leaves the thread, and the next driver takes the second turn', async () => {
    const drain = new AbortController()
    const performed: string[] = []
    const child = twice(performed, () => drain.abort(new Error('terminated')))
    const ports = portsOf(child)
    await expect(drive(ports, 't', { ...START, drain: drain.signal })).rejects.toThrow('terminated')
    expect(performed).toEqual(['A'])
    expect((await ports.store.rows('t')).at(-1)?.event.type).toBe('node.done')
    expect((await ports.store.thread('t'))?.lease).toBeUndefined()
    expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
    expect(performed).toEqual(['A', 'B'])
  })

  it('in a child, leaves the child and its parent in order', async () => {
    const drain = new AbortController()
    const performed: string[] = []
    const graph = parentOf(twice(performed, () => drain.abort(new Error('terminated'))))
    const ports = portsOf(graph)
    const start = { start: { input: { goal: 'g' }, seed: 1 } }
    await expect(drive(ports, 't', { ...start, drain: drain.signal })).rejects.toThrow('terminated')
    expect(performed).toEqual(['A'])
    const lastOf = async (thread: string) => (await ports.store.rows(thread)).at(-1)?.event.type
    expect([await lastOf('t'), await lastOf('t/child#1/1')]).toEqual(['turn.left', 'node.done'])
    expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
    expect(performed).toEqual(['A', 'B'])
  })
})

it('drained, a region begins no further turn while another ends its own', async () => {
  const drain = new AbortController()
  const performed: string[] = []
  const node = (name: string, ms: number) => async () => {
    if (name === 'B') drain.abort(new Error('terminated'))
    await pause(ms)
    performed.push(name)
    return {}
  }
  const region = (start: string, more: object = {}) => ({
    start,
    nodes: { [start]: { use: './work.ts#x', on: { done: `${start}2` } }, ...more },
  })
  const over = { final: 'success' }
  const next = { use: './work.ts#x', on: { done: 'A3' } }
  const spec = specOf({
    id: 'regions',
    start: 'both',
    nodes: {
      both: {
        regions: { left: region('A', { A2: next, A3: over }), right: region('B', { B2: over }) },
        on: { done: 'E' },
      },
      E: over,
    },
  })
  const nodes = { A: node('A', 5), A2: node('A2', 5), B: node('B', 60) }
  const ports = portsOf(bindGraph(spec, { workspace: '.', nodes, model: () => ({}) as never }))
  await expect(drive(ports, 't', { ...START, drain: drain.signal })).rejects.toThrow('terminated')
  expect(performed).toEqual(['A', 'B'])
  expect(await drive(ports, 't')).toMatchObject({ ended: { outcome: 'success' } })
  expect(performed).toEqual(['A', 'B', 'A2'])
})

/** Two nodes in a row. The first one calls back. */
function twice(performed: string[], first: () => void) {
  const spec = specOf({
    id: 'twice',
    start: 'A',
    channels: { goal: { type: 'string', default: '' } },
    nodes: {
      A: { use: './work.ts#A', on: { done: 'B' } },
      B: { use: './work.ts#B', on: { done: 'E' } },
      E: { final: 'success' },
    },
  })
  const nodes = {
    A: async () => {
      performed.push('A')
      first()
      return {}
    },
    B: async () => {
      performed.push('B')
      return {}
    },
  }
  return bindGraph(spec, { workspace: '.', nodes, model: () => ({}) as never })
}

it('a rollback that works while its thread is paused is left in order, like a node', () => {
  const place = { region: '', state: 'A', node: 'A', since: 1 }
  const rollback = { ...place, type: 'rollback', id: 'rollback#1', to: 0, starts: 1 } as const
  const waiting = { ...rollback, id: 'rollback#2', starts: 0 }
  const event = { type: 'pause', at: 1 } as Stamped
  const run: Controlled & { readonly pending: readonly Effect[] } = { pending: [rollback, waiting] }
  expect(controlAfter(run, event, 2).released).toEqual(['rollback#1'])
})
