/** The sweep: threads that no event would continue are found and driven. */
import { afterEach, expect, it } from 'vitest'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { asking, parentOf } from './graphs.ts'

const open: Runtime[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const CHILD = 'root/child#1/1'

/** A store that loses the commands of one type. */
function losing(store: Store, type: string): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'submit')
        return async (...args: Parameters<Store['submit']>) =>
          args[2].type === type ? undefined : target.submit(...args)
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

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
async function waiting() {
  const store = memoryStore()
  const child = asking()
  const graph = parentOf(child)
  await drive(nodePorts({ graph, store }), 'root', { start: { input: { goal: 'x' }, seed: 1 } })
  expect(await store.thread('root')).toMatchObject({ status: 'waiting' })
  return { store, graph, child }
}

/** Works until the thread has ended, or for half a second. */
async function workUntilEnded(store: Store, graph: ReturnType<typeof parentOf>, thread: string) {
  const runtime = createRuntime({ store, graphs: [graph] })
  open.push(runtime)
  const stop = new AbortController()
  const working = runtime.work({ signal: stop.signal })
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
  await store.submit(CHILD, 'c1', { type: 'resume', effect: 'ask#1', decision: 'approved' })
  await drive(nodePorts({ graph: child, store: losing(store, 'child.ended') }), CHILD)
  expect(await store.thread(CHILD)).toMatchObject({ status: 'ended' })
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
