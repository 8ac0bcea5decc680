/** A store that is locked for a while: nothing counts as a crash, and the worker goes on. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { type Store, StoreUnavailable } from '../../src/runtime/store/store.ts'
import { calling } from '../runtime/desk.ts'

/** The store of one process, which rejects every call during an outage. */
function processStore(store: Store, isTemporary = true) {
  const outage = { now: false }
  const failing = new Proxy(store, {
    get(of, name: keyof Store) {
      const method = of[name] as ((...args: unknown[]) => unknown) | undefined
      if (!method) return undefined
      return (...args: unknown[]) =>
        outage.now
          ? Promise.reject(new StoreUnavailable('locked for too long', { isTemporary }))
          : method.apply(of, args)
    },
  })
  return { store: failing, outage }
}

test('outages that end process after process are not a crash loop', async () => {
  const shared = memoryStore()
  for (let process = 0; process < 4; process++) {
    const { store, outage } = processStore(shared)
    const graph = calling(async () => {
      outage.now = process < 3
      return 'done'
    })
    const runtime = createRuntime({ store, graphs: [graph] })
    const stop = new AbortController()
    const failed: unknown[] = []
    if (process === 0) await runtime.start(graph, {}, { thread: 't', seed: 1 })
    const working = runtime.work({ signal: stop.signal, onError: error => failed.push(error) })
    while (failed.length === 0 && (await shared.thread('t'))?.status !== 'ended') await pause(5)
    stop.abort()
    setTimeout(() => {
      outage.now = false
    }, 100)
    await Promise.all([working, runtime.close()])
  }
  const rows = await shared.rows('t')
  expect(rows.at(-1)?.ended).toMatchObject({ outcome: 'success' })
  expect(rows.map(({ event }) => event.type).filter(type => type === 'turn.left')).toHaveLength(3)
})

test('outages that all workers see are not a crash loop, whichever worker continues', async () => {
  const shared = memoryStore()
  const workers = Array.from({ length: 5 }, () => processStore(shared))
  const setOutage = (now: boolean) => {
    for (const { outage } of workers) outage.now = now
  }
  let calls = 0
  const graph = calling(async () => {
    calls++
    setOutage(calls < 4)
    return 'done'
  })
  const [first, ...others] = workers.map(({ store }) => createRuntime({ store, graphs: [graph] }))
  const working = others.map(runtime => runtime.work())
  await first?.start(graph, {}, { thread: 't', seed: 1 })
  while ((await shared.thread('t'))?.status !== 'ended') {
    // Each worker polls the store twice a second.
    await pause(700)
    setOutage(false)
    await pause(100)
  }
  await Promise.all([...working, first?.close(), ...others.map(runtime => runtime.close())])
  const rows = await shared.rows('t')
  expect(rows.at(-1)?.ended).toMatchObject({ outcome: 'success' })
  expect(calls).toBe(4)
})

test('a worker reports an outage of its store, and continues after it', async () => {
  const { store, outage } = processStore(memoryStore())
  const graph = calling(async () => 'done')
  const runtime = createRuntime({ store, graphs: [graph] })
  const failed: unknown[] = []
  const working = runtime.work({
    onError: (error, thread) => {
      failed.push([(error as Error).message, thread])
      outage.now = false
    },
  })
  outage.now = true
  while (failed.length === 0) await pause(5)
  const thread = await runtime.start(graph, {})
  expect(await thread.result()).toMatchObject({ outcome: 'success' })
  expect(failed).toEqual([['locked for too long', undefined]])
  await runtime.close()
  await working
})

test('a worker ends with the error of a store that needs a repair', async () => {
  const { store, outage } = processStore(memoryStore(), false)
  const runtime = createRuntime({ store, graphs: [calling(async () => 'done')] })
  outage.now = true
  await expect(runtime.work()).rejects.toThrow('locked for too long')
  await runtime.close()
})
