/** Several processes on one Postgres database. */
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { type Running, start } from '../durability/process.ts'
import { newDatabase, npmPostgres } from '../fixture/postgres.ts'
import { batch, row, rowsBetween, seqs, terms } from './batches.ts'

const url = await npmPostgres()
const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url))
const opened: Store[] = []

afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
})

async function fresh(): Promise<readonly [database: string, store: Store]> {
  const database = await newDatabase(url)
  const store = postgresStore(database)
  opened.push(store)
  return [database, store]
}

const begin = (verb: string, database: string, thread: string, times: number): Running =>
  start([WORKER, verb, database, thread, `host/${thread}`, String(times)])

async function outputs(workers: readonly Running[]): Promise<readonly (readonly number[])[]> {
  const ended = await Promise.all(workers.map(({ ended }) => ended))
  expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(
    workers.map(() => ({ code: 0, err: '' })),
  )
  return workers.map(worker => worker.lines().map(Number))
}

describe('several processes on one database', { timeout: 30_000 }, () => {
  it('open a new database simultaneously, and append to their own threads', async () => {
    const [database, store] = await fresh()
    await outputs(['a', 'b', 'c'].map(thread => begin('append', database, thread, 40)))
    for (const thread of ['a', 'b', 'c'])
      expect(await store.rows(thread)).toEqual(rowsBetween(0, 199))
  })

  it('get a contested lease one at a time: no row is lost or duplicated, and no epoch is granted twice', async () => {
    const [database, store] = await fresh()
    const workers = ['x', 'y'].map(owner => start([WORKER, 'compete', database, 't', owner, '150']))
    const epochs = (await outputs(workers)).flat()
    expect(epochs.length).toBeGreaterThan(0)
    expect(await seqs(store, 't')).toEqual(epochs.map((_, seq) => seq))
    expect(new Set(epochs).size).toBe(epochs.length)
  })

  it('admit one probe of a breaker in the whole fleet, whichever process asks first', async () => {
    const [database, store] = await fresh()
    const all = Array.from({ length: 60 }, (_, nth) => nth)
    const open = { state: 'open', failures: 1, openedAt: 0, retryAt: 1_000 } as const
    for (const nth of all) await store.changeBreaker(`r${nth}`, () => open)
    const admitted = await outputs(
      ['a', 'b', 'c'].map(thread => begin('probe', database, thread, all.length)),
    )
    expect(admitted.flat().toSorted((a, b) => a - b)).toEqual(all)
  })

  it('count every failure of a breaker', async () => {
    const [database, store] = await fresh()
    const workers = ['a', 'b'].map(thread => begin('count', database, thread, 200))
    await Promise.all(workers.map(({ ended }) => ended))
    expect(await store.breaker('r')).toEqual({ state: 'closed', failures: 400 })
  })

  it('lose no completed append of a process that is killed, and keep no partial one', async () => {
    const [database, store] = await fresh()
    const worker = begin('append', database, 't', 100_000)
    worker.child.stdout?.on(
      'data',
      () => worker.lines().length >= 50 && worker.child.kill('SIGKILL'),
    )
    await worker.ended
    // The server may still store the last statement.
    const isOwnerDead = (owner: string) => owner === 'host/t'
    const lease = await store.lease('t', terms('host/2/b', { isOwnerDead }))
    const kept = await seqs(store, 't')
    expect(kept.length).toBeGreaterThan(Number(worker.lines().at(-1)))
    expect(kept.length % 5).toBe(0)
    await store.append(batch(lease, [row(kept.length)]))
  })
})
