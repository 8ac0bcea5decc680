/**
 * A fleet: two workers on one Postgres, of which one is killed. `FLEET=1000 KILLS=20` runs it at full size: on two machines by name, with
 * kills at moments spread over the whole run.
 */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, expect } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newDatabase, sql } from '../fixture/postgres.ts'
import { type Running, start } from './process.ts'
import { GATE, HALF, STEPS } from './steps.ts'

export const THREADS = Number(process.env.FLEET ?? 20)
export const KILLS = Array.from({ length: Number(process.env.KILLS ?? 1) }, (_, nth) => nth + 1)
export const TIMEOUT = 180_000 + THREADS * 300
/** In ms. */
const TAKEOVER_MAX = 10_000

const running: Running[] = []
const stores: Store[] = []

/** Ends the processes and closes the stores after each test. */
export function cleanUp(): void {
  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL')
    for (const store of stores.splice(0)) await store.close()
  })
}

export const opened = (store: Store): Store => {
  stores.push(store)
  return store
}

export const started = (...args: Parameters<typeof start>): Running => {
  const process = start(...args)
  running.push(process)
  return process
}

/** Kills one of two workers, which run the program `fixture`, and expects the other to complete all threads: each step is in the journal once. */
export async function killOne(url: string, fixture: string, nth: number): Promise<void> {
  const database = await newDatabase(url)
  await sql(database, 'CREATE TABLE ledger (key text NOT NULL)')
  const store = opened(postgresStore(database))
  // A small fleet could be done before the kill: its threads wait at the gate.
  const gate = process.env.FLEET ? undefined : await closeGate(database)
  const one = worker(fixture, database, 0)
  // The other one would take the threads of this one, too.
  if (gate) await gate.reached()
  const other = worker(fixture, database, 1)
  await Promise.all([one.line('started'), other.line('started')])
  if (!gate) await untilEnded(store, Math.floor(THREADS * momentOf(nth)), [one, other])
  await until('each worker drives threads', async () => {
    const drivers = [one, other].map(({ child }) => drivenBy(store, child.pid))
    return (await Promise.all(drivers)).every(({ length }) => length > 0)
  })
  const killedAt = Date.now()
  one.child.kill('SIGKILL')
  await one.ended
  const left = await drivenBy(store, one.child.pid)
  await gate?.open()
  await untilEnded(store, THREADS, [other])
  expect(left.length).toBeGreaterThan(0)
  const takeover = await takeoverOf(store, left, killedAt)
  if (process.env.FLEET) process.stdout.write(`takeover of ${left.length}: ${takeover} ms\n`)
  expect(takeover).toBeLessThan(TAKEOVER_MAX)
  await expectEachStepOnce(store, database, left.length)
  expect(other.child.exitCode).toBe(null)
}

/** A worker that starts half of the threads. */
function worker(fixture: string, database: string, machine: number): Running {
  const half = THREADS / 2
  // The same for both: DBOS stores the limit of a queue for all of its workers.
  const concurrency = process.env.FLEET ? 32 : half
  const args = [concurrency, machine * half, half].map(String)
  const env: Record<string, string> = process.env.FLEET ? { MACHINE: `machine-${machine}` } : {}
  return started([fixture, database, ...args], { env })
}

/** The part of the threads that have ended when the nth worker is killed: spread evenly by the golden ratio, whatever their number. */
const momentOf = (nth: number): number => 0.02 + ((nth * 0.618_034) % 1) * 0.9

/** Has every step from the middle on wait. The lock is shared by the steps, and exclusive here. */
async function closeGate(database: string) {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1, $2)', [GATE, HALF])
  return {
    reached: () =>
      until('threads wait at the gate', async () => {
        const { rows } = await client.query(
          `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND classid = $1 AND objid = $2
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          [GATE, HALF],
        )
        return rows.length > 0
      }),
    open: () => client.end(),
  }
}

const until = (what: string, holds: () => Promise<boolean>): Promise<void> =>
  expect.poll(holds, { timeout: 90_000, interval: 20, message: what }).toBe(true)

/** Until so many threads have ended in success. A thread with another end, and a process that ends, fail the test at once. */
async function untilEnded(store: Store, threads: number, workers: readonly Running[]) {
  const deadline = Date.now() + TIMEOUT - 20_000
  for (;;) {
    const counts = await store.counts()
    const wrong = counts.filter(
      ({ status, outcome }) => status === 'ended' && outcome !== 'success',
    )
    if (wrong.length > 0) throw new Error(await stateOf(store, workers))
    if ((counts.find(({ outcome }) => outcome === 'success')?.count ?? 0) >= threads) return
    const isOver = Date.now() > deadline || workers.some(({ child }) => child.exitCode !== null)
    if (isOver) throw new Error(await stateOf(store, workers))
    await pause(100)
  }
}

/** Why a fleet does not end: its threads without success, and what its workers printed. */
async function stateOf(store: Store, workers: readonly Running[]): Promise<string> {
  for (const { child } of workers) child.kill('SIGKILL')
  const said = await Promise.all(workers.map(({ ended }) => ended))
  const open = (await store.threads()).filter(({ outcome }) => outcome !== 'success')
  const lines = open.slice(0, 20).map(thread => JSON.stringify(thread))
  return [`${open.length} threads without success:`, ...lines, ...said.map(({ err }) => err)].join(
    '\n',
  )
}

const drivenBy = async (store: Store, pid: number | undefined): Promise<readonly string[]> =>
  (await store.threads()).flatMap(({ thread, lease }) =>
    lease?.owner.includes(`/${pid}/`) ? thread : [],
  )

/** How long after the kill the last of these threads got its next event, in ms. */
async function takeoverOf(store: Store, threads: readonly string[], killedAt: number) {
  const times = await Promise.all(
    threads.map(async thread => {
      const rows = await store.rows(thread)
      return rows.find(({ event }) => event.at > killedAt)?.event.at ?? killedAt
    }),
  )
  return Math.max(killedAt, ...times) - killedAt
}

async function expectEachStepOnce(store: Store, database: string, left: number): Promise<void> {
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
  // A call whose answer the killed process did not store is repeated with its key.
  expect(entries?.entries).toBeLessThanOrEqual(THREADS * STEPS + left)
}
