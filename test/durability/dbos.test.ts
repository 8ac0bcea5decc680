/**
 * `escapement/dbos`: workers of several processes on one Postgres. A worker may be killed at any moment; the others take over its
 * threads. `FLEET=1000 KILLS=20` runs it at full size.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres, sql } from '../fixture/postgres.ts'
import { here, type Running, start } from './process.ts'
import { STEPS } from './steps.ts'

const url = await npmPostgres()
const running: Running[] = []
const opened: Store[] = []
const THREADS = Number(process.env.FLEET ?? 20)
const KILLS = Number(process.env.KILLS ?? 1)
const TIMEOUT = 60_000 + THREADS * 300

afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL')
  for (const store of opened.splice(0)) await store.close()
})

function storeOf(database: string): Store {
  const store = postgresStore(database)
  opened.push(store)
  return store
}

function worker(database: string, first: number, threads: number): Running {
  const process = start([here('fixture/dbos-fleet.ts'), database, String(first), String(threads)])
  running.push(process)
  return process
}

const ended = async (store: Store) =>
  (await store.counts()).find(({ outcome }) => outcome === 'success')?.count ?? 0

/** Waits until `threads` have ended. */
async function untilEnded(store: Store, threads: number): Promise<void> {
  await expect
    .poll(() => ended(store), { timeout: TIMEOUT - 10_000, interval: 100 })
    .toBeGreaterThanOrEqual(threads)
}

describe('two workers on one database', () => {
  it.each(Array.from({ length: KILLS }, (_, nth) => nth + 1))(
    'complete all threads when one is killed: every step is in the journal once (kill %i)',
    { timeout: TIMEOUT },
    async nth => {
      const database = await newDatabase(url)
      await sql(database, 'CREATE TABLE ledger (key text NOT NULL)')
      const half = THREADS / 2
      const [one, other] = [worker(database, 0, half), worker(database, half, half)]
      await Promise.all([one.line('started'), other.line('started')])
      const store = storeOf(database)
      const leasedBy = async (pid: number | undefined) =>
        (await store.threads()).filter(({ lease }) => lease?.owner.includes(`/${pid}/`))
      await untilEnded(store, Math.floor((THREADS * (nth - 1)) / (KILLS + 1)))
      await expect
        .poll(() => leasedBy(one.child.pid), { timeout: 20_000, interval: 10 })
        .not.toEqual([])
      const killedAt = Date.now()
      one.child.kill('SIGKILL')
      const left = await leasedBy(one.child.pid)
      await untilEnded(store, THREADS)
      const times = await Promise.all(
        left.map(async ({ thread }) => {
          const rows = await store.rows(thread)
          return rows.find(({ event }) => event.at > killedAt)?.event.at ?? killedAt
        }),
      )
      const takeover = Math.max(killedAt, ...times) - killedAt
      if (process.env.FLEET) process.stderr.write(`takeover of ${left.length}: ${takeover} ms\n`)
      expect(takeover).toBeLessThan(10_000)
      for (const { thread } of await store.threads()) {
        const done = (await store.rows(thread)).filter(({ event }) => event.type === 'tool.done')
        expect(done.map(({ event }) => 'effect' in event && event.effect)).toEqual(
          Array.from({ length: STEPS }, (_, step) => `s${step}#1`),
        )
      }
      const [entries] = await sql<{ keys: number; entries: number }>(
        database,
        'SELECT count(DISTINCT key)::integer AS keys, count(*)::integer AS entries FROM ledger',
      )
      expect(entries?.keys).toBe(THREADS * STEPS)
      expect(entries?.entries).toBeLessThanOrEqual(THREADS * STEPS + left.length)
      expect(other.child.exitCode).toBe(null)
    },
  )
})
