/** Threads a second of one and of two workers, each a process: 20 steps a thread, each a write into a table of the same database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { postgresStore } from '../../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { newDatabase, sql } from '../../fixture/postgres.ts'
import { setTimeout as pause } from 'node:timers/promises'

const THREADS = 200
const CONCURRENCY = 32

export interface WorkerRates {
  readonly name: string
  /** Threads a second. */
  readonly one: number
  readonly two: number
}

const PROGRAMS = { 'escapement, `work()`': 'fleet.ts', 'escapement on DBOS': 'dbos-fleet.ts' }

export async function workerRates(url: string): Promise<readonly WorkerRates[]> {
  const rates: WorkerRates[] = []
  for (const [name, program] of Object.entries(PROGRAMS))
    rates.push({ name, one: await rateOf(url, program, 1), two: await rateOf(url, program, 2) })
  return rates
}

async function rateOf(server: string, program: string, workers: number): Promise<number> {
  const url = await newDatabase(server)
  await sql(url, 'CREATE TABLE ledger (key text NOT NULL)')
  const store = postgresStore(url)
  const share = THREADS / workers
  const children = Array.from({ length: workers }, (_, nth) =>
    start(program, url, nth * share, share),
  )
  try {
    await Promise.all(children.map(({ started }) => started))
    const [before, since] = [await endedIn(store), performance.now()]
    while ((await endedIn(store)) < THREADS) await pause(50)
    return ((THREADS - before) * 1_000) / (performance.now() - since)
  } finally {
    for (const { child } of children) child.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await store.close()
  }
}

function start(program: string, url: string, first: number, threads: number) {
  const file = fileURLToPath(new URL(`../../durability/fixture/${program}`, import.meta.url))
  const args = [CONCURRENCY, first, threads].map(String)
  const child: ChildProcess = spawn(process.execPath, [file, url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = child.stdout && createInterface({ input: child.stdout })
  if (!lines) throw new Error(`${program} has no output`)
  return { child, started: once(lines, 'line'), ended: once(child, 'exit') }
}

const endedIn = async (store: Store): Promise<number> =>
  (await store.counts()).find(({ outcome }) => outcome === 'success')?.count ?? 0
