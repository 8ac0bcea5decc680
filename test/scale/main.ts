/** `npm run scale`: what a store on Postgres costs, alone and with a million threads. Prints the tables of docs/scale.md. */
import process from 'node:process'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Lease, Store } from '../../src/runtime/store/store.ts'
import { newSchema, sql } from '../fixture/postgres.ts'
import { binOf, startPostgres, stopPostgres } from '../fixture/postgres-setup.ts'
import { batch, row, terms } from '../store/batches.ts'

const THREADS = Number(process.argv[2] ?? 1_000_000)
const TEXT = 'x'.repeat(500)

/** Calls `work` for at least half a second, and returns the ms of one call. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  await work()
  const began = performance.now()
  let calls = 0
  for (; performance.now() - began < 500; calls += 1) await work()
  return (performance.now() - began) / calls
}

function appending(store: Store, lease: Lease): () => Promise<void> {
  let seq = -1
  return async () => {
    seq += 1
    await store.append(batch(lease, [row(seq, TEXT)], { wakeAt: seq * 10 }))
  }
}

/** Threads that ended, and one of ten that waits. */
const fill = (schema: string) => `
  INSERT INTO ${schema}.threads (name, seq, epoch, changed, version, graph, spec_hash, status, detail, outcome, started_at, last_at, wake_at, due_at)
  SELECT 'ticket-' || n, 80, 1, n, '0.2.0', 'shop', 'f00', CASE WHEN n % 10 = 0 THEN 'waiting' ELSE 'ended' END, 'goal',
    CASE WHEN n % 10 = 0 THEN NULL ELSE 'success' END, n, n, CASE WHEN n % 10 = 0 THEN 9e15 + n END, CASE WHEN n % 10 = 0 THEN 9e15 + n END
  FROM generate_series(1, ${THREADS}) AS n;
  UPDATE ${schema}.counter SET last = ${THREADS}`

async function measure(url: string): Promise<readonly (readonly [string, string])[]> {
  const schema = newSchema()
  const store = postgresStore({ url, schema, connections: 10 })
  const lines: [string, string][] = []
  const note = (what: string, ms: number) => lines.push([what, `${ms.toFixed(2)} ms`])
  const first = await store.lease('first', terms())
  note('one append, durable', await timeOf(appending(store, first)))
  const leases = await Promise.all(
    Array.from({ length: 64 }, (_, nth) => store.lease(`busy-${nth}`, terms())),
  )
  const appends = leases.map(lease => appending(store, lease))
  const together = await timeOf(() => Promise.all(appends.map(append => append())))
  lines.push(['appends a second, 64 threads', `${Math.round(64_000 / together)}`])
  const take = async () => store.release(await store.lease('taken', terms()))
  note('take and release a lease', await timeOf(take))
  await sql(url, fill(schema))
  await sql(url, `VACUUM ANALYZE ${schema}.threads`)
  const [size] = await sql<{ bytes: string }>(
    url,
    `SELECT pg_total_relation_size('${schema}.threads') AS bytes`,
  )
  lines.push(['bytes of the line of a thread', `${Math.round(Number(size?.bytes) / THREADS)}`])
  note('due threads', await timeOf(() => store.due(1_000)))
  note('a page of 100', await timeOf(() => store.page({ limit: 100, after: 'ticket-5' })))
  note('driven threads', await timeOf(() => store.driven()))
  note('one thread', await timeOf(() => store.thread('ticket-77')))
  note('counts', await timeOf(() => store.counts()))
  note('all lines', await timeOf(() => store.threads()))
  const second = await store.lease('second', terms())
  note('one append, durable', await timeOf(appending(store, second)))
  await store.close()
  return lines
}

const bin = binOf('18')
if (bin === undefined) throw new Error('npm has no Postgres for this platform')
const server = await startPostgres(bin, 'durable')
try {
  for (const [what, value] of await measure(server.url))
    process.stdout.write(`| ${what} | ${value} |\n`)
} finally {
  await stopPostgres(server)
}
