/** A store on Postgres with many threads: what is looked up often reads few lines, and a changed line is found. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { identityOf } from '../../src/runtime/store/source.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { asking } from '../host/graphs.ts'
import { newSchema, npmPostgres, sql } from '../fixture/postgres.ts'
import { batch, begun, cancel, row, terms } from './batches.ts'

const url = await npmPostgres()
const opened: Store[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

function open(schema: string): Store {
  const store = postgresStore({ url, schema })
  opened.push(store)
  return store
}

/** Ended threads, waiting ones, and a queue of ready ones. */
async function filled(): Promise<{ readonly store: Store; readonly schema: string }> {
  const schema = newSchema()
  const store = open(schema)
  await store.counts()
  await sql(
    url,
    `INSERT INTO ${schema}.threads (name, seq, epoch, changed, version, graph, spec_hash, status, detail, outcome, started_at, last_at, wake_at, due_at)
     SELECT kind || '-' || n, 1, 1, n, '0.2.0', 'shop', 'f00', status, 'x', CASE WHEN status = 'ended' THEN 'success' END, 0, 0, wake, due
     FROM generate_series(1, 4000) AS n, (VALUES ('done', 'ended', NULL::float8, NULL::float8), ('idle', 'waiting', 9e15, 9e15),
       ('ready', 'running', 0, '-infinity')) AS kinds (kind, status, wake, due);
     UPDATE ${schema}.counter SET last = 4000`,
  )
  await sql(url, `VACUUM ANALYZE ${schema}.threads`)
  return { store, schema }
}

/** The lines of `threads` that the work reads, also those that it drops. */
async function linesRead(schema: string, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const [line] = await sql<{ lines: string }>(
      url,
      `SELECT pg_stat_force_next_flush(), seq_tup_read + coalesce(idx_tup_fetch, 0) AS lines
       FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'threads'`,
      [schema],
    )
    return Number(line?.lines)
  }
  const before = await count()
  await work()
  // The statistics of a connection are complete once it has ended.
  for (const store of opened.splice(0)) await store.close()
  return (await count()) - before
}

describe('among thousands of threads', () => {
  it('a worker reads as many due threads as it asks for', async () => {
    const { store, schema } = await filled()
    const due: string[] = []
    const lines = await linesRead(schema, async () =>
      due.push(...(await store.due(1, { limit: 8, isOwnerDead: () => false }))),
    )
    expect(due).toEqual([
      'ready-1',
      'ready-2',
      'ready-3',
      'ready-4',
      'ready-5',
      'ready-6',
      'ready-7',
      'ready-8',
    ])
    expect(lines).toBeLessThan(50)
  })

  it.each([
    { status: 'waiting', after: 'idle-3' },
    { prefix: 'ready-39', status: 'ended' },
    { after: 'idle-2' },
  ] as const)('the page %j reads few lines', async query => {
    const { store, schema } = await filled()
    const lines = await linesRead(schema, () => store.page({ ...query, limit: 20 }))
    expect(lines).toBeLessThan(200)
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('10,000 idle threads take no memory of a worker', async () => {
  const schema = newSchema()
  const store = open(schema)
  const graph = asking()
  const runtime = createRuntime({ store, graphs: [graph] })
  const heapOfWorker = async () => {
    const stop = new AbortController()
    const working = runtime.work({ signal: stop.signal })
    await pause(1_500)
    collectGarbage()
    const { heapUsed } = process.memoryUsage()
    stop.abort()
    await working
    return heapUsed
  }
  await store.counts()
  await heapOfWorker()
  const before = await heapOfWorker()
  const of = identityOf(graph)
  await sql(
    url,
    `INSERT INTO ${schema}.threads (name, seq, epoch, changed, version, graph, spec_hash, status, detail, started_at, last_at, wake_at, due_at)
     SELECT 'idle-' || n, 1, 1, n, '0.2.0', $1, $2, 'waiting', 'ask', 0, 0, 9e15, 9e15 FROM generate_series(1, 10000) AS n`,
    [of.graph, of.specHash],
  )
  await sql(url, `UPDATE ${schema}.counter SET last = 10000`)
  expect(await heapOfWorker()).toBeLessThan(before + 1_000_000)
  await runtime.close()
})

describe('a changed line is reported as damaged', () => {
  it.each([
    ['an event', 'events', 'body', (store: Store) => store.rows('t')],
    ['a checkpoint', 'checkpoints', 'run', (store: Store) => store.load('t')],
    ['a chunk', 'chunks', 'body', (store: Store) => store.chunks(['hash'])],
    ['a command', 'inbox', 'event', (store: Store) => store.inbox('t')],
    ['a breaker', 'breakers', 'body', (store: Store) => store.breaker('search')],
  ])('%s', async (_, table, column, read) => {
    const schema = newSchema()
    const store = open(schema)
    const lease = await begun(store, 't')
    const checkpoint = { seq: 1, run: { of: 1111 }, chunks: new Map([['hash', 1111]]) }
    await store.append(batch(lease, [row(1, 'of 1111')], { checkpoint }))
    await store.submit('t', 'c1', cancel('of 1111'))
    await store.changeBreaker('search', breaker => ({
      ...breaker,
      state: 'closed',
      failures: 1111,
    }))
    await expect(read(store)).resolves.toBeDefined()
    await sql(url, `UPDATE ${schema}.${table} SET ${column} = replace(${column}, '1111', '1112')`)
    await expect(read(store)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('damaged'),
    })
    await store.release(await store.lease('other', terms()))
  })
})
