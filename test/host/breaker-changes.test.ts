/** Breakers belong to all processes, and a change is announced: calls that wait for a breaker, and observers, are notified at once. */
import { afterEach, expect, it } from 'vitest'
import { systemClock } from '../../src/adapters/node/ports.ts'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import { serveRuntime } from '../../src/faces/http/service.ts'
import type { Clock, Graph } from '../../src/runtime/ports.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres } from '../fixture/postgres.ts'
import { asking } from './graphs.ts'

const url = await npmPostgres()
const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A clock whose longer sleeps end only when they are interrupted: nothing is found by looking again. */
const interrupted: Clock = {
  ...systemClock,
  sleep: (ms, signal) =>
    ms < 100
      ? systemClock.sleep(ms, signal)
      : new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        }),
}

/** A runtime with a pool of its own, as another process has. */
function runtimeOn(database: string, graph: Graph, clock: Clock = systemClock): [Runtime, Store] {
  const store = postgresStore(database)
  const runtime = createRuntime({ store, graphs: [graph], clock })
  open.push(store, runtime)
  return [runtime, store]
}

it.each([
  ['another process', (_: Runtime, other: Runtime) => other],
  ['its own process', (own: Runtime) => own],
])('a call that waits for its breaker continues when %s closes it', async (_, by) => {
  const database = await newDatabase(url)
  const graph = asking(async () => 'worked', { escape: { wait: { most: '2h' } } })
  const [waiting, store] = runtimeOn(database, graph, interrupted)
  const [other] = runtimeOn(database, graph)
  const seen: string[] = []
  other.observe(update => void (update.kind === 'breaker' && seen.push(update.resource)))
  // Both receive changes before the call begins to wait.
  waiting.observe(() => {})
  const resource = `${graph.machine.id}/tool:work`
  await waiting.changeBreaker(resource, 'open')
  await waiting.start(graph, { goal: 'x' }, { thread: 't' })
  const calls = async () => (await store.rows('t')).map(({ event }) => event.type)
  await expect.poll(calls, { timeout: 10_000 }).toContain('call.waiting')
  await expect.poll(() => seen, { timeout: 10_000 }).toContain(resource)
  await by(waiting, other).changeBreaker(resource, 'close')
  await expect.poll(calls, { timeout: 5_000 }).toContain('tool.done')
})

it('every service logs the new state of a breaker that another process has changed', async () => {
  const database = await newDatabase(url)
  const graph = asking(async () => 'worked')
  const [serving] = runtimeOn(database, graph)
  const [other] = runtimeOn(database, graph)
  const lines: { readonly msg: string }[] = []
  const stop = new AbortController()
  const listening = Promise.withResolvers<void>()
  const served = serveRuntime(serving, {
    ...{ host: '127.0.0.1', port: 0, signal: stop.signal, drain: 0, logLevel: 'info' },
    writeLog: line => void lines.push(JSON.parse(line)),
    listening: () => listening.resolve(),
  })
  await listening.promise
  const resource = `${graph.machine.id}/tool:work`
  const changes = () => lines.filter(({ msg }) => msg === 'breaker changed')
  for (const [change, state, level] of [
    ['open', 'open', 'warn'],
    ['close', 'closed', 'info'],
  ] as const) {
    await other.changeBreaker(resource, change)
    await expect
      .poll(() => changes().at(-1), { timeout: 10_000 })
      .toMatchObject({ level, resource, state })
  }
  stop.abort()
  await served
})
