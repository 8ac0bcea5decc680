/** The driver of a thread, and how it notices the loss of its lease. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, test, vi } from 'vitest'
import { cancelWithoutGraph } from '../../src/runtime/child/cancel-without-graph.ts'
import { fork } from '../../src/runtime/drive/copy.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { recorder } from '../../src/runtime/journal/recorder.ts'
import type { Ports } from '../../src/runtime/ports.ts'
import { watchdog } from '../../src/watchdog.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { Conflict, StoreUnavailable, type Store } from '../../src/runtime/store/store.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { calling, webhookServer, portsOf, START } from './desk.ts'

/** A pulse that the test takes in its own hand. */
function handPulse() {
  const beats = new Set<() => void>()
  const pulse = (beat: () => void) => {
    beats.add(beat)
    return () => void beats.delete(beat)
  }
  const beat = async () => {
    for (const one of beats) one()
    await pause(5)
  }
  return { pulse, beat }
}

describe('two drives of one thread in one process', () => {
  it('the second reports that the first drives it, and performs nothing', async () => {
    const { opened, open } = webhookServer()
    let worked = 0
    const ports = portsOf(
      calling(async () => {
        worked++
        await opened
      }),
    )
    const first = drive(ports, 't', START)
    await pause(20)
    await expect(drive(ports, 't', START)).rejects.toThrow(Conflict)
    open()
    expect(await first).toMatchObject({ ended: { outcome: 'success' } })
    expect(worked).toBe(1)
  })

  it('may follow each other, even if a lease was not released', async () => {
    const store = memoryStore()
    const ports = portsOf(
      calling(async () => 'done'),
      { store: { ...store, release: () => Promise.reject(new StoreUnavailable('busy')) } },
    )
    expect(await drive(ports, 't', START)).toMatchObject({ ended: { outcome: 'success' } })
    expect(await drive(ports, 't', START)).toMatchObject({ ended: { outcome: 'success' } })
  })
})

describe('a heartbeat', () => {
  /** Drives while a call is out; `beaten` is what the store does to the beats in the meantime. */
  async function during(beaten: (store: Store) => Partial<Store>, beats: number, wall = () => 0) {
    const { opened, open } = webhookServer()
    const store = memoryStore()
    const { pulse: heartbeat, beat } = handPulse()
    let now: Partial<Store> = {}
    const proxy = new Proxy(store, { get: (of, name: keyof Store) => now[name] ?? of[name] })
    const driven = drive(
      portsOf(
        calling(() => opened),
        { store: proxy, heartbeat, wall },
      ),
      't',
      START,
    ).then(
      run => run.ended?.outcome,
      error => error,
    )
    await pause(20)
    now = beaten(store)
    for (let done = 0; done < beats; done++) await beat()
    now = {}
    await beat()
    open()
    return driven
  }

  it('that fails is repeated', async () => {
    expect(
      await during(() => ({ inbox: () => Promise.reject(new StoreUnavailable('busy')) }), 3),
    ).toBe('success')
  })

  it('that meets another driver stops this driver', async () => {
    expect(
      await during(() => ({ inbox: () => Promise.reject(new Conflict('another drives it')) }), 1),
    ).toEqual(new Conflict('another drives it'))
  })

  it('waits for the previous one, so that those of a slow store do not pile up', async () => {
    let reads = 0
    let most = 0
    const slow = (store: Store) => ({
      inbox: async (thread: string) => {
        most = Math.max(most, ++reads)
        await pause(30)
        reads--
        return store.inbox(thread)
      },
    })
    expect(await during(slow, 10)).toBe('success')
    expect(most).toBe(1)
  })

  it('that fails until the lease expires stops this driver', async () => {
    let now = 0
    const busy = () => {
      now += 6_000
      return Promise.reject(new StoreUnavailable('busy'))
    }
    const wall = () => now
    expect(await during(() => ({ renew: busy, inbox: busy }), 4, wall)).toEqual(
      new StoreUnavailable('busy'),
    )
  })
})

describe('the lease of a thread in virtual time', () => {
  it('lasts in real time: no other process takes over the thread', async () => {
    const { opened, open } = webhookServer()
    const store = memoryStore()
    const ports = portsOf(calling(() => opened))
    const first = drive({ ...ports, store, clock: virtualClock() }, 't', START)
    await pause(20)
    await expect(
      drive({ ...ports, store, owner: 'elsewhere/1/x', isOwnerDead: () => false }, 't'),
    ).rejects.toThrow(Conflict)
    open()
    expect(await first).toMatchObject({ ended: { outcome: 'success' } })
  })

  it('is renewed by the heartbeat, which also receives commands', async () => {
    const { opened, open } = webhookServer()
    const { pulse: heartbeat, beat } = handPulse()
    let now = 1_000
    const ports = portsOf(
      calling(() => opened),
      { clock: virtualClock(), heartbeat, wall: () => now },
    )
    const driven = drive(ports, 't', START)
    await pause(20)
    now += 6_000
    await ports.store.submit('t', 'c', { type: 'cancel', reason: 'enough' })
    const before = (await ports.store.thread('t'))?.lease?.until ?? 0
    await beat()
    expect((await ports.store.thread('t'))?.lease?.until).toBe(before + 6_000)
    expect((await driven).ended?.reason).toBe('enough')
    open()
  })
})

describe('work on a thread, while other work of the same process begins', () => {
  /** A store that runs `other` when the first batch of the work arrives, under its lease. */
  async function during(
    work: (ports: Ports) => Promise<unknown>,
    other: (ports: Ports) => Promise<unknown>,
    prepare: (ports: Ports) => Promise<unknown> = async () => {},
  ) {
    const store = memoryStore()
    const ports = portsOf(graph, { store, wall: () => 0 })
    await prepare(ports)
    let met: unknown
    const append: Store['append'] = async (...batches) => {
      met ??= await other(ports).then(
        () => 'done',
        error => error.name,
      )
      return store.append(...batches)
    }
    await work({ ...ports, store: { ...store, append } })
    return { met, rows: await store.rows('t'), others: await store.threads() }
  }
  const graph = calling(async () => 'done')
  const resume = (ports: Ports) => drive(ports, 't', START)
  const cancel = (ports: Ports) => cancelWithoutGraph(ports, 't', 'enough')
  const copy = (ports: Ports) =>
    fork(ports, { thread: 'parent', at: 0, as: 't', effects: 'recorded' })
  const parent = (ports: Ports) => drive(ports, 'parent', START)
  const waiting = async (ports: Ports) => {
    const leave = new AbortController()
    const left = { ...ports, graph: calling(async () => leave.abort()) }
    await drive(left, 't', { ...START, leave: leave.signal }).catch(() => {})
  }
  const record = async (ports: Ports) => {
    const { record, flush } = recorder(ports)
    const monitor = watchdog({ thread: 't', record })
    monitor.beforeModelCall(0)
    await flush()
  }

  test.each([
    ['a recording', record, resume, undefined],
    ['a recording', record, record, undefined],
    ['a fork', copy, resume, parent],
    ['a fork', copy, copy, parent],
    ['a cancel', cancel, resume, waiting],
    ['a cancel', cancel, cancel, waiting],
  ] as const)('%s keeps its lease (%#)', async (_, work, other, prepare) => {
    const { met, rows } = await during(work, other, prepare)
    expect(met).toBe('Conflict')
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_row, index) => index))
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('a cancel without the graph', () => {
  const leftAs = async (
    ports: Ports,
    thread: string,
    parent?: { thread: string; call: string },
  ) => {
    const leave = new AbortController()
    const left = { ...ports, graph: calling(async () => leave.abort()) }
    const start = {
      ...START.start,
      ...(parent && { parent: { ...parent, seq: 0, limits: {}, depth: 1 } }),
    }
    await drive(left, thread, { start, leave: leave.signal }).catch(() => {})
  }
  const statuses = async ({ store }: Ports) =>
    Object.fromEntries((await store.threads()).map(({ thread, status }) => [thread, status]))

  it('ends the descendants, and no thread whose name begins alike', async () => {
    const ports = portsOf(calling(async () => 'done'))
    await leftAs(ports, 'customer')
    await leftAs(ports, 'customer/42')
    await leftAs(ports, 'customer/A#1/1', { thread: 'customer', call: 'A#1/1' })
    await leftAs(ports, 'customer/42/A#1/1', { thread: 'customer/42', call: 'A#1/1' })
    await cancelWithoutGraph(ports, 'customer', 'enough')
    expect(await statuses(ports)).toMatchObject({
      customer: 'ended',
      'customer/A#1/1': 'ended',
      'customer/42': 'active',
      'customer/42/A#1/1': 'active',
    })
  })

  it('refuses the other commands that wait, with the reason', async () => {
    const ports = portsOf(calling(async () => 'done'))
    await leftAs(ports, 't')
    await ports.store.submit('t', 'one', { type: 'pause' })
    await ports.store.submit('t', 'two', { type: 'cancel', reason: 'enough' })
    await cancelWithoutGraph(ports, 't', 'enough')
    expect(await ports.store.command('t', 'one')).toEqual({
      state: 'refused',
      reason: { code: 'thread-ended', params: { reason: 'enough' } },
    })
    expect(await ports.store.command('t', 'two')).toEqual({ state: 'done' })
  })

  it('reads the list of threads once', async () => {
    const ports = portsOf(calling(async () => 'done'))
    await leftAs(ports, 'p')
    for (const n of [1, 2, 3]) await leftAs(ports, `p/A#1/${n}`, { thread: 'p', call: `A#1/${n}` })
    const threads = vi.fn(ports.store.threads)
    await cancelWithoutGraph({ ...ports, store: { ...ports.store, threads } }, 'p', 'enough')
    expect(threads).toHaveBeenCalledTimes(1)
    expect(Object.values(await statuses(ports))).toEqual(['ended', 'ended', 'ended', 'ended'])
  })
})
