/**
 * Which processes of a fleet work. Open-source DBOS recovers the workflows of a process only in that process: a table of heartbeats
 * shows which one has ended on another machine, and another process has DBOS resume its workflows.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { isDead } from '../../adapters/node/ports.ts'
import type { Dbos } from './sdk.ts'
import { THREADS, TURNS } from './workflows.ts'

/** The interval of heartbeats, and the time without one after which a process counts as ended, in ms. */
export const HEARTBEAT = 1_000
const SILENCE = 4_000
/**
 * How long after its last heartbeat an ended process is remembered, in ms. Its last commit, or that of a process that only stood
 * still, may follow a takeover: the workflow it claimed is taken over by the next one.
 */
const MEMORY = 600_000

const TABLE = `CREATE SCHEMA IF NOT EXISTS escapement_workers;
  CREATE TABLE IF NOT EXISTS escapement_workers.executors (id text PRIMARY KEY, seen timestamptz NOT NULL)`
const SEEN = `INSERT INTO escapement_workers.executors (id, seen) VALUES ($1, now())
  ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`
const OTHERS = `SELECT id, seen < now() - $2 * interval '1 millisecond' AS silent FROM escapement_workers.executors WHERE id <> $1`
const CLAIM =
  'SELECT id FROM escapement_workers.executors WHERE id = ANY($1) FOR UPDATE SKIP LOCKED'
const FORGET = `DELETE FROM escapement_workers.executors WHERE id = ANY($1) AND seen < now() - $2 * interval '1 millisecond'`
const LEAVE = `UPDATE escapement_workers.executors SET seen = '-infinity' WHERE id = $1`

/** The lock of a process that creates tables. */
const LOCK = 'SELECT pg_try_advisory_lock(7310954, 1) AS taken'
const UNLOCK = 'SELECT pg_advisory_unlock(7310954, 1)'
const LOCK_DELAY = 100

export function executors(pool: Pool, dbos: Dbos, own: string) {
  return {
    /** Creates the table, and has `launch` create those of DBOS. Processes that start together do so one after another. */
    prepare: (launch: () => Promise<void>) =>
      alone(pool, async client => {
        await launch()
        await client.query(TABLE)
        await client.query(SEEN, [own])
      }),
    beat: () => pool.query(SEEN, [own]),
    /** Others take over the workflows of this process at once. */
    leave: () => pool.query(LEAVE, [own]),
    /** Has DBOS resume the workflows of processes that have ended. A lock has one survivor do it. Returns their ids. */
    async takeOver() {
      const others: { rows: Executor[] } = await pool.query(OTHERS, [own, SILENCE])
      const gone = others.rows.flatMap(({ id, silent }) => (silent || isDead(id) ? id : []))
      if (gone.length === 0) return []
      return inTransaction(pool, async client => {
        const { rows } = await client.query(CLAIM, [gone])
        const ended = rows.map(({ id }: Pick<Executor, 'id'>) => id)
        if (ended.length === 0) return []
        const workflows = await dbos.listWorkflows({
          executorId: ended,
          status: 'PENDING',
          loadInput: false,
          loadOutput: false,
        })
        for (const [name, queueName] of [
          ['escapement.turn', TURNS],
          ['escapement.thread', THREADS],
        ] as const) {
          const ids = workflows.flatMap(of => (of.workflowName === name ? of.workflowID : []))
          if (ids.length > 0) await dbos.resumeWorkflows(ids, { queueName })
        }
        await client.query(FORGET, [ended, MEMORY])
        return workflows.map(({ workflowID }) => workflowID)
      })
    },
  }
}

interface Executor {
  readonly id: string
  /** Its last heartbeat is too old. */
  readonly silent: boolean
}

async function inTransaction<R>(pool: Pool, work: (client: PoolClient) => Promise<R>): Promise<R> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** The migrations of DBOS wait for all running statements, and so for a statement that waits for the lock: it is tried again instead. */
async function alone(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    while (!(await client.query(LOCK)).rows[0]?.taken) await pause(LOCK_DELAY)
    await work(client)
    await client.query(UNLOCK)
  } finally {
    // Ends the session, and with it the lock.
    client.release(true)
  }
}
