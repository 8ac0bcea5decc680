/**
 * Several processes on one Postgres database: a process may be killed at any moment, and the others continue its threads.
 * `FLEET=1000 KILLS=20` runs it at full size.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import { openStore } from '../../src/host/stored.ts'
import { drive } from '../../src/runtime/drive/drive.ts'
import { isConflict, type Store } from '../../src/runtime/store/store.ts'
import { newDatabase, npmPostgres, sql } from '../fixture/postgres.ts'
import { fastPorts } from './fast-ports.ts'
import { newFolders } from './folders.ts'
import { here, type Running, start } from './process.ts'
import { STEPS } from './steps.ts'

const url = await npmPostgres()
const newFolder = newFolders()
const running: Running[] = []
const opened: Store[] = []
const THREADS = Number(process.env.FLEET ?? 20)
const KILLS = Number(process.env.KILLS ?? 1)
const TIMEOUT = 60_000 + THREADS * 200

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
  const process = start([here('fixture/fleet.ts'), database, String(first), String(threads)])
  running.push(process)
  return process
}

/** How long after `from` the last of these threads got its first event of another driver, in ms. */
async function takeoverOf(store: Store, threads: readonly string[], from: number) {
  const times = await Promise.all(
    threads.map(async thread => {
      const rows = await store.rows(thread)
      return rows.find(({ event }) => event.at >= from)?.event.at ?? from
    }),
  )
  return Math.max(from, ...times) - from
}

describe('two processes on one database', () => {
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
      await pause((THREADS * 10 * nth) / (KILLS + 1))
      const killedAt = Date.now()
      one.child.kill('SIGKILL')
      const left = (await store.threads()).filter(({ lease }) =>
        lease?.owner.includes(`/${one.child.pid}/`),
      )
      await expect
        .poll(
          async () => (await store.counts()).find(({ outcome }) => outcome === 'success')?.count,
          {
            timeout: TIMEOUT - 10_000,
            interval: 200,
          },
        )
        .toBe(THREADS)
      expect(left.length).toBeGreaterThan(0)
      const names = left.map(({ thread }) => thread)
      expect(await takeoverOf(store, names, killedAt)).toBeLessThan(10_000)
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
      expect(entries?.entries).toBeLessThanOrEqual(THREADS * STEPS + left.length)
      expect(other.child.exitCode).toBe(null)
    },
  )

  it('on different machines: the thread of a killed process is taken over when its lease ends', async () => {
    const folder = newFolder()
    const database = await newDatabase(url)
    process.env.WORLD = folder
    const args = [here('fast-ports.ts'), folder, database]
    const killed = start(args, { env: { WORLD: folder } })
    running.push(killed)
    const store = await openStore(database)
    opened.push(store)
    await expect
      .poll(async () => (await store.rows('t')).some(({ event }) => event.type === 'tool.called'), {
        timeout: 10_000,
      })
      .toBe(true)
    killed.child.kill('SIGKILL')
    await killed.ended
    const until = (await store.thread('t'))?.lease?.until ?? 0
    const elsewhere = {
      ...(await fastPorts(folder, store)),
      owner: 'elsewhere/1/other',
      isOwnerDead: () => false,
    }
    writeFileSync(join(folder, 'open'), '')
    for (;;) {
      const run = await drive(elsewhere, 't').catch(error => {
        if (!isConflict(error)) throw error
      })
      if (run) {
        expect(run.ended).toMatchObject({ outcome: 'success' })
        break
      }
      expect(elsewhere.clock.now()).toBeLessThan(until + 1_000)
      await pause(5)
    }
    expect(elsewhere.clock.now()).toBeGreaterThanOrEqual(until)
    const epochs = (await store.rows('t')).flatMap(({ event }) =>
      event.type === 'turn.started' ? [event.epoch] : [],
    )
    expect(epochs).toEqual([1, 2])
  })
})
