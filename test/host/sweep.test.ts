/** The sweep: threads that no event would continue are found and driven. */
import { afterEach, describe, expect, it } from 'vitest'
import { nodePorts, systemClock } from '../../src/adapters/node/ports.ts'
import { createRuntime, hostOf, type Runtime } from '../../src/host/runtime.ts'
import { Sweep } from '../../src/host/drive/sweep.ts'
import type { StuckThread } from '../../src/host/drive/changes.ts'
import type { WorkOptions } from '../../src/host/drive/worker.ts'
import type { Clock } from '../../src/runtime/ports.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { asking, parentOf } from './graphs.ts'
import { CHILD, loseWakeUp } from './lost-wake-up.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A store that fails for one thread, as if the process ended before it writes there. */
function failingFor(store: Store, thread: string): Store {
  const fail = async () => Promise.reject(new Error('the process ended'))
  return {
    ...store,
    lease: (name, ...terms) => (name === thread ? fail() : store.lease(name, ...terms)),
    submit: (name, ...terms) => (name === thread ? fail() : store.submit(name, ...terms)),
  }
}

/** A parent whose child waits for a person. */
async function waiting(clock: Clock = systemClock, store = memoryStore(), root = 'root') {
  const child = asking()
  const graph = parentOf(child)
  const start = { input: { goal: 'x' }, seed: 1 }
  await drive(nodePorts({ graph, store, clock }), root, { start })
  expect(await store.thread(root)).toMatchObject({ status: 'waiting' })
  return { store, graph, child }
}

/** Works until the thread has ended, or for half a second. */
async function workUntilEnded(
  store: Store,
  graph: ReturnType<typeof parentOf>,
  thread: string,
  { clock = systemClock, ...more }: WorkOptions & { readonly clock?: Clock } = {},
) {
  const runtime = createRuntime({ store, graphs: [graph], clock })
  open.push(runtime)
  const stop = new AbortController()
  const working = runtime.work({ signal: stop.signal, ...more })
  for (let look = 0; look < 100; look++) {
    if ((await store.thread(thread))?.status === 'ended') break
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  stop.abort()
  await working
  return store.thread(thread)
}

it('continues a parent whose child has ended without waking it', async () => {
  const { store, graph, child } = await waiting()
  await loseWakeUp(store, child)
  expect(await store.due(Date.now())).toEqual([])
  expect(await workUntilEnded(store, graph, 'root')).toMatchObject({ outcome: 'success' })
})

it('cancels a child whose parent has ended', async () => {
  const { store, graph } = await waiting()
  await store.submit('root', 'c1', { type: 'cancel', reason: 'enough' })
  await drive(nodePorts({ graph, store: failingFor(store, CHILD) }), 'root').catch(() => {})
  expect(await store.thread('root')).toMatchObject({ status: 'ended' })
  expect(await store.thread(CHILD)).toMatchObject({ status: 'waiting' })
  expect(await workUntilEnded(store, graph, CHILD)).toMatchObject({ outcome: 'cancelled' })
})

it('leaves a parent whose child still waits', async () => {
  const { store, graph } = await waiting()
  const before = await store.rows('root')
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  const stop = new AbortController()
  const working = runtime.work({ signal: stop.signal })
  await new Promise(resolve => setTimeout(resolve, 50))
  stop.abort()
  await working
  expect(await store.rows('root')).toEqual(before)
})

it('continues all threads that it found, however few it drives at once', async () => {
  const { store, child } = await waiting()
  const { graph } = await waiting(systemClock, store, 'second')
  for (const name of [CHILD, 'second/child#1/1']) await loseWakeUp(store, child, systemClock, name)
  await workUntilEnded(store, graph, 'second', { concurrency: 1 })
  const ended = { outcome: 'success' }
  expect(await Promise.all(['root', 'second'].map(name => store.thread(name)))).toMatchObject([
    ended,
    ended,
  ])
})

it('reads many threads without holding up those that are due', async () => {
  const { store, graph } = await waiting()
  await store.submit(CHILD, 'c1', { type: 'resume', effect: 'ask#1', decision: 'approved' })
  const slow = { ...store, driven: () => new Promise<never>(() => {}) }
  expect(await workUntilEnded(slow, graph, CHILD)).toMatchObject({ outcome: 'success' })
})

it('reads the waiting threads once, in pages, and then only those that were driven', async () => {
  const { store, child } = await waiting()
  const { graph } = await waiting(systemClock, store, 'second')
  await waiting(systemClock, store, 'third')
  for (const root of ['root', 'second'])
    await loseWakeUp(store, child, systemClock, `${root}/child#1/1`)
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  const sweep = new Sweep(hostOf(runtime), 1)
  const found: string[][] = []
  while (sweep.isReading) found.push((await sweep.find(0)).map(({ thread }) => thread))
  expect(found.flat()).toEqual(['root', 'second'])
  expect(found.every(({ length }) => length <= 1)).toBe(true)
  expect(await sweep.find(0)).toEqual([])
  await loseWakeUp(store, child, systemClock, 'third/child#1/1')
  expect((await sweep.find(0)).map(({ thread }) => thread)).toEqual(['third'])
})

describe('a worker reports', () => {
  it('a lost wake-up at its start', async () => {
    const { store, graph, child } = await waiting()
    await loseWakeUp(store, child)
    const found: StuckThread[] = []
    await workUntilEnded(store, graph, 'root', { onStuck: each => void found.push(each) })
    const reason = { code: 'lost-wake-up', params: { child: CHILD } }
    expect(found).toEqual([{ thread: 'root', graph: 'parent', reason }])
  })

  it('an orphan at its start', async () => {
    const { store, graph } = await waiting()
    await store.submit('root', 'c1', { type: 'cancel', reason: 'enough' })
    await drive(nodePorts({ graph, store: failingFor(store, CHILD) }), 'root').catch(() => {})
    const found: StuckThread[] = []
    await workUntilEnded(store, graph, CHILD, { onStuck: each => void found.push(each) })
    const reason = { code: 'orphaned-thread', params: { parent: 'root' } }
    expect(found).toEqual([{ thread: CHILD, graph: 'asking', reason }])
  })

  it('a lost wake-up of a later time within a minute of its clock, and continues the thread then', async () => {
    const clock = virtualClock(0)
    const { store, graph, child } = await waiting(clock)
    // Its question expires after an hour, so that the clock moves.
    await drive(nodePorts({ graph: child, store, clock }), 'other', {
      start: { input: { goal: 'x' }, seed: 1 },
    })
    void clock.sleep(90_000).then(() => clock.during(() => loseWakeUp(store, child, clock)))
    const found: (StuckThread & { readonly at: number })[] = []
    const onStuck = (each: StuckThread) => void found.push({ ...each, at: clock.now() })
    expect(await workUntilEnded(store, graph, 'root', { clock, onStuck })).toMatchObject({
      outcome: 'success',
      at: 120_000,
    })
    expect(found).toMatchObject([{ thread: 'root', at: 120_000, reason: { code: 'lost-wake-up' } }])
  })

  it('a thread that was due for a minute and did not move', async () => {
    const clock = virtualClock(0)
    const { store, graph } = await waiting(clock)
    await store.submit('root', 'c1', { type: 'cancel', reason: 'enough' })
    const found: (StuckThread & { readonly at: number })[] = []
    const onStuck = (each: StuckThread) => void found.push({ ...each, at: clock.now() })
    const failing = failingFor(store, 'root')
    await workUntilEnded(failing, graph, CHILD, { clock, onStuck })
    expect(found[0]).toMatchObject({
      thread: 'root',
      at: 60_000,
      reason: { code: 'overdue-thread', params: { seconds: 60 } },
    })
  })

  it('since when a thread is due, also before the first sweep', async () => {
    const { store, graph, child } = await waiting(virtualClock(0))
    const clock = virtualClock(4_000_000)
    // Its question expires after an hour, so that the clock moves.
    const start = { input: { goal: 'x' }, seed: 1 }
    await drive(nodePorts({ graph: child, store, clock }), 'other', { start })
    const found: StuckThread[] = []
    const onStuck = (each: StuckThread) => void found.push(each)
    await workUntilEnded(failingFor(store, CHILD), graph, CHILD, { clock, onStuck })
    // The question of the child expired at 3,600 s, and the second sweep is at 4,060 s.
    expect(found[0]).toMatchObject({
      thread: CHILD,
      reason: { code: 'overdue-thread', params: { seconds: 460 } },
    })
  })

  it('no thread of a healthy store', async () => {
    const { store, graph } = await waiting()
    const found: StuckThread[] = []
    const runtime = createRuntime({ store, graphs: [graph] })
    open.push(runtime)
    const stop = new AbortController()
    const working = runtime.work({ signal: stop.signal, onStuck: each => void found.push(each) })
    await new Promise(resolve => setTimeout(resolve, 50))
    stop.abort()
    await working
    expect(found).toEqual([])
  })
})
