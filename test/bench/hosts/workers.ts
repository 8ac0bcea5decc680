/**
 * Threads a second of one and of two workers, each a process: 20 steps a thread, each a write into a table of the same database. With
 * short steps, the CPUs of the machine are the limit; with steps that wait, as for a model, it is the places of the workers.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { postgresStore } from '../../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../../src/runtime/store/store.ts'
import { newDatabase, sql } from '../../fixture/postgres.ts'
import { setTimeout as pause } from 'node:timers/promises'

const CONCURRENCY = 32

export interface WorkerRates {
  readonly name: string
  /** Threads a second. */
  readonly one: number
  readonly two: number
}

interface Fleet {
  readonly name: string
  readonly program: 'fleet.ts' | 'dbos-fleet.ts'
  readonly threads: number
  /** How long a step waits before its write. */
  readonly ms: number
}

const FLEETS: readonly Fleet[] = [
  { name: 'escapement, `work()`', program: 'fleet.ts', threads: 200, ms: 5 },
  { name: 'escapement, `work()`, steps of 0.5 s', program: 'fleet.ts', threads: 128, ms: 500 },
  { name: 'escapement on DBOS', program: 'dbos-fleet.ts', threads: 200, ms: 5 },
]

export async function workerRates(url: string): Promise<readonly WorkerRates[]> {
  const rates: WorkerRates[] = []
  for (const fleet of FLEETS)
    rates.push({
      name: fleet.name,
      one: await rateOf(url, fleet, 1),
      two: await rateOf(url, fleet, 2),
    })
  return rates
}

async function rateOf(server: string, fleet: Fleet, workers: number): Promise<number> {
  const url = await newDatabase(server)
  await sql(url, 'CREATE TABLE ledger (key text NOT NULL)')
  const store = postgresStore(url)
  const { threads } = fleet
  const share = threads / workers
  const children = Array.from({ length: workers }, (_, nth) =>
    start({ ...fleet, threads: share }, url, nth * share),
  )
  try {
    await Promise.all(children.map(({ started }) => started))
    const [before, since] = [await endedIn(store), performance.now()]
    while ((await endedIn(store)) < threads) await pause(50)
    return ((threads - before) * 1_000) / (performance.now() - since)
  } finally {
    for (const { child } of children) child.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    await store.close()
  }
}

function start({ program, threads, ms }: Fleet, url: string, first: number) {
  const file = fileURLToPath(new URL(`../../durability/fixture/${program}`, import.meta.url))
  const args = [CONCURRENCY, first, threads, ms].map(String)
  const child: ChildProcess = spawn(process.execPath, [file, url, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = child.stdout && createInterface({ input: child.stdout })
  if (!lines) throw new Error(`${program} has no output`)
  return { child, started: once(lines, 'line'), ended: once(child, 'exit') }
}

const endedIn = async (store: Store): Promise<number> =>
  (await store.counts()).find(({ outcome }) => outcome === 'success')?.count ?? 0
