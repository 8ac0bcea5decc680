/** `escapement/dbos` after a failure: no thread waits for a workflow that nothing would continue. */
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { type DbosWorker, dbosWorker } from '../../src/dbos.ts'
import { scheduler } from '../../src/host/dbos/schedule.ts'
import type { Dbos } from '../../src/host/dbos/sdk.ts'
import { turnOf } from '../../src/host/dbos/turn.ts'
import { resultOf } from '../../src/host/dbos/workflows.ts'
import { createRuntime, hostOf } from '../../src/host/runtime.ts'
import type { Graph } from '../../src/runtime/ports.ts'
import { memoryStore } from '../../src/runtime/store/memory-store.ts'
import { identityOf } from '../../src/runtime/store/source.ts'
import { type Store, StoreUnavailable } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres, sql } from '../fixture/postgres.ts'
import { asking, parentOf } from './graphs.ts'

const url = await npmPostgres()
const open: (DbosWorker | Store)[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function workerOf(graph: Graph, around = (store: Store) => store) {
  const database = await newDatabase(url)
  const store = around(postgresStore(database))
  const runtime = createRuntime({ store, graphs: [graph] })
  const errors: string[] = []
  const onError = (error: unknown, thread?: string) => void errors.push(`${thread}: ${error}`)
  const worker = await dbosWorker(runtime, { url: database, concurrency: 2, onError })
  open.push(store, worker)
  return { database, store, runtime, worker, errors }
}

const DEAD = 'elsewhere/1/x/1/dead'

/** Has a process on another machine claim each new workflow with this id, and end at once. */
async function claimByDead(database: string, id: string): Promise<void> {
  await sql(
    database,
    `CREATE FUNCTION claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       NEW.status = 'PENDING'; NEW.executor_id = '${DEAD}'; NEW.owner_xid = 'dead'; RETURN NEW;
     END $$`,
  )
  await sql(
    database,
    `CREATE TRIGGER claim BEFORE INSERT ON dbos.workflow_status FOR EACH ROW WHEN (NEW.workflow_uuid = '${id}') EXECUTE FUNCTION claim()`,
  )
}

/** The heartbeat of the process on the other machine was so long ago. */
const lastSeen = (database: string, ago: string) =>
  sql(
    database,
    `INSERT INTO escapement_workers.executors VALUES ('${DEAD}', now() - interval '${ago}') ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`,
  )

const statusOf = async (store: Store, thread: string) => (await store.thread(thread))?.status

describe('a worker on DBOS', () => {
  it('takes over a workflow that an ended process claimed after its takeover', async () => {
    const graph = asking()
    const { database, store, worker } = await workerOf(graph)
    await lastSeen(database, '1 minute')
    // Two heartbeats: the process has been taken over.
    await new Promise(resolve => setTimeout(resolve, 2_500))
    await claimByDead(database, 't@-1')
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await expect.poll(() => statusOf(store, 't'), { timeout: 10_000 }).toBe('waiting')
  })

  it('drives the turns of an ended process before newer ones', async () => {
    const order: string[] = []
    const gate = Promise.withResolvers<void>()
    const graph = asking(async ({ idempotencyKey }) => {
      order.push(idempotencyKey.split('/')[0] ?? '')
      await gate.promise
      return 'worked'
    })
    const { database, worker } = await workerOf(graph)
    await lastSeen(database, '0 seconds')
    await claimByDead(database, 'dead@-1/1')
    const turn = `SELECT status FROM dbos.workflow_status WHERE workflow_uuid = 'dead@-1/1'`
    const turnIs = (status: string) =>
      expect.poll(() => sql(database, turn), { timeout: 10_000 }).toEqual([{ status }])
    // Its turn is the oldest.
    await worker.start(graph, { goal: 'x' }, { thread: 'dead' })
    await turnIs('PENDING')
    const threads = Array.from({ length: 16 }, (_, nth) => `t${nth}`)
    for (const thread of threads) await worker.start(graph, { goal: 'x' }, { thread })
    await expect.poll(() => order.length, { timeout: 10_000 }).toBe(2)
    await lastSeen(database, '1 minute')
    await turnIs('ENQUEUED')
    gate.resolve()
    await expect.poll(() => order.length, { timeout: 20_000 }).toBe(threads.length + 1)
    expect(order.indexOf('dead')).toBeLessThan(4)
  })

  it('tries a new thread again whose turn failed, and reports the error', async () => {
    let failures = 1
    const graph = asking()
    const { worker, store, errors } = await workerOf(graph, outer => ({
      ...outer,
      lease: async (...of) => {
        if (failures-- > 0) throw new StoreUnavailable('the disk is full')
        return outer.lease(...of)
      },
    }))
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await expect.poll(() => statusOf(store, 't'), { timeout: 10_000 }).toBe('waiting')
    expect(errors).toEqual([expect.stringMatching(/^t: .*the disk is full/)])
  })

  it('refuses each command to a thread that has ended', async () => {
    const graph = asking()
    const { runtime, worker, store } = await workerOf(graph)
    await worker.start(graph, { goal: 'x' }, { thread: 't' })
    await expect.poll(() => statusOf(store, 't'), { timeout: 10_000 }).toBe('waiting')
    const thread = runtime.thread('t')
    await thread.answer('ask#1', 'approved')
    await thread.result()
    for (let nth = 0; nth < 2; nth++)
      expect(await thread.stop()).toMatchObject({ applied: false, code: 'thread-ended' })
  })
})

describe('a turn', () => {
  it('is left to a process that holds the graph of the thread', async () => {
    const child = asking()
    const graph = parentOf(child)
    const host = hostOf(createRuntime({ store: memoryStore(), graphs: [child] }))
    const start = { input: { goal: 'x' }, seed: 1 }
    const work = { thread: 't', graph: identityOf(graph), start }
    expect(await turnOf(host, [child], work)).toEqual({ is: 'waiting', at: expect.any(Number) })
  })

  it('that ends without a message counts as failed', async () => {
    const dbosWith = (status: string, message: object | null) =>
      ({
        recv: async (_: string, { timeoutSeconds = 1 }) => (timeoutSeconds > 0 ? null : message),
        getWorkflowStatus: async () => ({ status }),
      }) as unknown as Dbos
    expect(await resultOf(dbosWith('ERROR', null), 't@-1/1', 'turn 1')).toEqual({
      is: 'failed',
      message: "the workflow 't@-1/1' is ERROR",
    })
    // The message came after the wait for it had ended.
    expect(await resultOf(dbosWith('SUCCESS', { is: 'over' }), 't@-1/1', 'turn 1')).toEqual({
      is: 'over',
    })
  })
})

describe('a thread that is due', () => {
  /** The messages to these workflows, and those that are enqueued. */
  async function scheduled(by: 'wake' | 'recover', listed: readonly object[]) {
    const store = memoryStore()
    const graph = asking()
    const runtime = createRuntime({ store, graphs: [graph] })
    await runtime.start(graph, { goal: 'x' }, { thread: 't' })
    await expect.poll(() => statusOf(store, 't')).toBe('waiting')
    const events: string[] = []
    const dbos = {
      listWorkflows: async ({ status = [] as string[] }) =>
        listed.filter(
          of => status.length === 0 || status.includes((of as { status: string }).status),
        ),
      send: async (workflow: string) => void events.push(`message to ${workflow}`),
    } as unknown as Dbos
    const enqueue = async (workflow: string) => void events.push(`new ${workflow}`)
    await scheduler(hostOf(runtime), { dbos, enqueue })[by]('t')
    await runtime.close()
    return { events, seq: (await store.thread('t'))?.seq }
  }

  it('gets a message unless a turn is in the queue, which would otherwise collect them', async () => {
    const workflow = { workflowID: 't@-1', workflowName: 'escapement.thread', status: 'PENDING' }
    const turn = { workflowID: 't@-1/1', workflowName: 'escapement.turn', status: 'ENQUEUED' }
    expect((await scheduled('recover', [workflow])).events).toEqual(['message to t@-1'])
    expect((await scheduled('recover', [workflow, turn])).events).toEqual([])
    expect((await scheduled('wake', [workflow, turn])).events).toEqual(['message to t@-1'])
  })

  it('gets another workflow after one that ended at the same event', async () => {
    const { seq, events } = await scheduled('recover', [])
    expect(events).toEqual([`new t@${seq}`])
    const ended = {
      workflowID: `t@${seq}`,
      workflowName: 'escapement.thread',
      status: 'SUCCESS',
      updatedAt: Date.now(),
    }
    expect((await scheduled('wake', [ended])).events).toEqual([`new t@${seq}.1`])
    expect((await scheduled('recover', [ended])).events).toEqual([])
    expect((await scheduled('recover', [{ ...ended, updatedAt: 0 }])).events).toEqual([
      `new t@${seq}.1`,
    ])
  })
})
