/** `escapement/dbos`: threads as workflows of DBOS, in one worker. test/durability/dbos.test.ts has several. */
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { type DbosWorker, dbosWorker } from '../../src/dbos.ts'
import { createRuntime, type Runtime } from '../../src/host/runtime.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { nodePorts } from '../../src/adapters/node/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { loadGraph } from '../../src/host/drive/load.ts'
import { virtualClock } from '../../src/testing/clock.ts'
import { escapement, here, startEscapement } from '../durability/process.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres, sql } from '../fixture/postgres.ts'
import { asking, parentOf } from './graphs.ts'

const url = await npmPostgres()
const open: (DbosWorker | Store)[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function workerOf(graphs: readonly Graph[], given?: string) {
  const database = given ?? (await newDatabase(url))
  const store = postgresStore(database)
  const runtime = createRuntime({ store, graphs })
  const worker = await dbosWorker(runtime, { url: database, concurrency: 2 })
  if (given === undefined) open.push(store)
  open.push(worker)
  return { database, store, runtime, worker }
}

const questionIn = async (runtime: Runtime, thread: string) => {
  await expect
    .poll(
      () =>
        runtime
          .thread(thread)
          .state()
          .catch(() => undefined),
      { timeout: 20_000 },
    )
    .toMatchObject({ status: 'waiting' })
}

interface Workflow {
  readonly id: string
  readonly name: string
  readonly status: string
}
const workflowsIn = (database: string) =>
  sql<Workflow>(
    database,
    'SELECT workflow_uuid AS id, name, status FROM dbos.workflow_status ORDER BY created_at',
  )

describe('a worker on DBOS', () => {
  it('drives a thread, waits for a person in its workflow, and continues with the answer and the next message', async () => {
    const graph = asking()
    const { database, runtime, worker, store } = await workerOf([graph])
    expect(await worker.start(graph, { goal: 'x' }, { thread: 't' })).toBe('t')
    const thread = await worker.started('t')
    for await (const _ of thread.events({ until: 'waiting' }));
    await questionIn(runtime, 't')
    await expect
      .poll(() => workflowsIn(database), { timeout: 10_000 })
      .toMatchObject([
        { id: 't@-1', name: 'escapement.thread', status: 'PENDING' },
        { id: 't@-1/1', name: 'escapement.turn', status: 'SUCCESS' },
      ])
    await expect(runtime.thread('t').answer('ask#1', 'approved')).resolves.toEqual({
      applied: true,
    })
    expect(await runtime.thread('t').result()).toMatchObject({ outcome: 'success' })
    await expect
      .poll(async () => (await workflowsIn(database)).map(({ status }) => status), {
        timeout: 10_000,
      })
      .toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS'])
    await runtime.thread('t').send({ goal: 'again' })
    await expect
      .poll(
        async () => (await store.rows('t')).filter(({ event }) => event.type === 'message').length,
      )
      .toBe(1)
    await questionIn(runtime, 't')
  })

  it('takes the deadline of a question from the store', async () => {
    const { spec } = asking() as Graph & { spec: { nodes: Record<string, object> } }
    const nodes = { ...spec.nodes, ask: { ...spec.nodes.ask, deadline: '300ms' } }
    const graph = asking(async () => 'worked', { nodes })
    const { runtime, worker } = await workerOf([graph])
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await questionIn(runtime, 't')
    expect(await runtime.thread('t').result()).toMatchObject({ outcome: 'failure' })
  })

  it('continues a thread that another program left, and a parent when its child has ended', async () => {
    const child = asking()
    const graph = parentOf(child)
    const { database, store, runtime } = await workerOf([graph, child])
    const ports = nodePorts({ graph, store: postgresStore(database) })
    open.push(ports.store)
    await drive(ports, 'p', { start: { input: { goal: 'x' }, seed: 1 } })
    await runtime.thread('p/child#1/1').answer('ask#1', 'approved')
    expect(await runtime.thread('p').result()).toMatchObject({ outcome: 'success' })
    expect((await store.thread('p'))?.status).toBe('ended')
    expect((await workflowsIn(database)).map(({ id }) => id.split('@')[0])).toContain('p')
  })

  it('leaves its threads to the next worker when it closes', async () => {
    const graph = asking()
    const { database, store, worker } = await workerOf([graph])
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await expect
      .poll(async () => (await store.thread('t'))?.status, { timeout: 10_000 })
      .toBe('waiting')
    await worker.close()
    open.splice(open.indexOf(worker), 1)
    const next = await workerOf([graph], database)
    open.push(next.store)
    await next.runtime.thread('t').answer('ask#1', 'approved')
    expect(await next.runtime.thread('t').result()).toMatchObject({ outcome: 'success' })
    await expect
      .poll(async () => (await workflowsIn(database)).map(({ status }) => status), {
        timeout: 10_000,
      })
      .not.toContain('PENDING')
  })

  it('stores no secret in the tables of DBOS: neither of an input or a key, nor of the error of a turn', async () => {
    const limits = { scopes: { user: { usd: 5, key: 'goal' } } }
    const graph = asking(async () => 'worked', { limits })
    const { database, store, worker } = await workerOf([graph])
    const secret = ['ghp', 'abcdefghijklmnopqrstuvwxyz0123456789'].join('_')
    const options = { thread: 't', keys: { user: secret } }
    await worker.start(graph, { goal: `use ${secret}` }, options)
    await worker.started('t')
    Object.assign(store, {
      lease: () => Promise.reject(new Error(`the lease of ${secret} failed`)),
    })
    await worker.start(graph, { goal: 'x' }, { thread: 'u' })
    const stored = async () => {
      const tables = await sql<{ name: string }>(
        database,
        "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'dbos'",
      )
      const lines = tables.map(({ name }) =>
        sql(database, `SELECT row_to_json(line)::text AS line FROM dbos."${name}" AS line`),
      )
      return JSON.stringify(await Promise.all(lines))
    }
    await expect.poll(stored, { timeout: 10_000 }).toContain('failed')
    const text = await stored()
    expect(text).toContain('use [redacted]')
    expect(text).not.toContain(secret)
  })

  it('reports an unreachable server without its password', async () => {
    const runtime = createRuntime({ store: memoryStore(), graphs: [asking()] })
    const away = 'postgres://agent:hunter22@127.0.0.1:1/app'
    const error = await dbosWorker(runtime, { url: away }).catch(error => error)
    expect(String(error)).toMatch(/StoreUnavailable.*127\.0\.0\.1:1/)
    expect(String(error)).not.toContain('hunter22')
  })

  it('is a command, which ends cleanly at SIGTERM', { timeout: 60_000 }, async () => {
    const database = await newDatabase(url)
    const graphs = here('../../graphs/ring.yaml')
    const process = startEscapement(['worker', '--postgres', database, '--graphs', graphs])
    try {
      await process.line('driving threads of ring')
      const store = postgresStore(database)
      open.push(store)
      const graph = await loadGraph(graphs)
      const runtime = createRuntime({ store, graphs: [graph], clock: virtualClock() })
      await runtime.start(graph, {}, { thread: 't', seed: 1 })
      await runtime.thread('t').result()
      process.child.kill('SIGTERM')
      expect(await process.ended).toMatchObject({ code: 0 })
    } finally {
      process.child.kill('SIGKILL')
    }
    const wrong = await escapement(['worker', '--postgres', 'mysql://x', '--graphs', graphs])
    expect(wrong).toMatchObject({ code: 2, out: '' })
    expect(wrong.err).toContain('--postgres mysql://x: expected postgres://')
  })

  it('refuses a thread that exists, a wrong input, a foreign graph and a second worker', async () => {
    const graph = asking()
    const { database, runtime, worker } = await workerOf([graph])
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await expect(worker.start(graph, { goal: 'x' }, { thread: 't' })).rejects.toThrow(
      "thread 't' already exists",
    )
    await expect(worker.start(graph, {}, { thread: 'u' })).rejects.toThrow('input.goal is missing')
    await expect(worker.start(graph, {}, { thred: 'u' } as never)).rejects.toThrow(
      "thred: is unknown; did you mean 'thread'?",
    )
    await expect(worker.start(parentOf(graph), {}, { thread: 'u' })).rejects.toThrow('graph')
    await expect(dbosWorker(runtime, { url: database })).rejects.toThrow(
      'DBOS is already launched in this process',
    )
  })
})
