import { crc32 } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import { postgresStore } from '../../src/adapters/store/postgres/postgres-store.ts'
import type { Store } from '../../src/runtime/store/store.ts'
import { newSchema, npmPostgres, postgresUrl } from '../fixture/postgres.ts'
import { batch, begun, cancel, rowsBetween } from './batches.ts'
import { storeContract } from './contract.ts'

const TABLES = 'threads events checkpoints chunks blobs inbox breakers breakpoints shares'.split(
  ' ',
)

/** Makes empty stores. To create a schema takes longer than most tests: a closed store is emptied and used again. */
function emptyStores(url: string): () => Store {
  const schemas: string[] = []
  const pool = new pg.Pool({ connectionString: url, allowExitOnIdle: true })
  afterAll(() => pool.end())
  return () => {
    const schema = schemas.pop() ?? newSchema()
    const store = postgresStore({ url, schema })
    const close = async () => {
      await store.close()
      const made = await pool.query('SELECT to_regclass($1) AS made', [`${schema}.threads`])
      if (made.rows[0].made === null) return
      await pool.query(TABLES.map(table => `DELETE FROM ${schema}.${table};`).join(' '))
      schemas.push(schema)
    }
    return { ...store, close }
  }
}

const system = await postgresUrl('15')

const npm = await npmPostgres()

storeContract('the store on Postgres 18', emptyStores(npm))

describe('a checkpoint on Postgres', () => {
  it.each([
    ['of another row', 'seq = 5 WHERE seq = 6', /^the checkpoint of 't' at event 5 is damaged: /],
    ['of another thread', `thread = (SELECT max(id) FROM @.threads)`, undefined],
    ['of a row that does not exist', 'seq = 600 WHERE seq = 6', undefined],
  ])('with the key %s is not taken for one of it', async (_, change, message) => {
    const schema = newSchema()
    const store = postgresStore({ url: npm, schema })
    const pool = new pg.Pool({ connectionString: npm, allowExitOnIdle: true })
    const checkpoint = (seq: number) => ({ seq, run: { seq }, chunks: new Map() })
    const lease = await begun(store, 't', 3, { checkpoint: checkpoint(3) })
    await store.append(batch(lease, rowsBetween(4, 9), { checkpoint: checkpoint(6) }))
    await begun(store, 'other', 9)
    await pool.query(`UPDATE @.checkpoints SET ${change}`.replaceAll('@', schema))
    if (message) await expect(store.load('t')).rejects.toThrow(message)
    else expect((await store.load('t'))?.checkpoint?.seq).not.toBe(600)
    if (change.startsWith('thread')) await expect(store.load('other')).rejects.toThrow('damaged')
    await store.close()
    await pool.end()
  })
})

describe('a line on Postgres under another key', () => {
  const scope = { scope: 'job', key: 'nightly' }
  const share = { ...scope, thread: 't', until: 9_000, at: 0, spent: { usd: 5 } } as never

  /** The tables of a store after this change, and a new store on them. */
  async function changed(sql: string) {
    const schema = newSchema()
    const store = postgresStore({ url: npm, schema })
    await begun(store, 't', 0, { shares: [share] })
    await begun(store, 'u')
    await store.submit('t', 'answer', cancel('enough'))
    await store.changeBreaker('tool:pay', () => ({
      ...{ state: 'open', failures: 3 },
      ...{ openedAt: 1, retryAt: 9_000 },
    }))
    const pool = new pg.Pool({ connectionString: npm, allowExitOnIdle: true })
    await pool.query(sql.replaceAll('@', `${schema}.`))
    await pool.end()
    return store
  }

  it.each<[string, string, (store: Store) => Promise<unknown>]>([
    ['a command', `UPDATE @inbox SET command = 'cnswer'`, of => of.inbox('t')],
    [
      'the thread of a command',
      `UPDATE @inbox SET thread = (SELECT id FROM @threads WHERE name = 'u')`,
      of => of.inbox('u'),
    ],
    [
      'the state of a command',
      `UPDATE @inbox SET state = 'uaiting'`,
      of => of.command('t', 'answer'),
    ],
    ['the scope of a share', `UPDATE @shares SET scope = 'jon'`, of => of.shares(scope)],
    ['the key of a share', `UPDATE @shares SET key = 'oightly'`, of => of.shares(scope)],
    ['the thread of a share', `UPDATE @shares SET thread = 'v'`, of => of.shares(scope)],
    ['the end of a share', 'UPDATE @shares SET until = 9001', of => of.shares(scope)],
    ['the pool of a share', `UPDATE @shares SET pool = 'another'`, of => of.shares()],
    ['a breaker', `UPDATE @breakers SET resource = 'tool:qay'`, of => of.breaker('tool:qay')],
  ])('is not read: %s', async (_, change, read) => {
    const store = await changed(change)
    await expect(read(store)).rejects.toMatchObject({
      name: 'StoreUnavailable',
      message: expect.stringContaining('is damaged: it is missing or malformed'),
    })
    await store.close()
  })

  it('is read if an earlier version wrote it, whose checksum does not cover the key', async () => {
    const event = JSON.stringify(cancel('enough'))
    const body = JSON.stringify({ state: 'open', failures: 3, openedAt: 1, retryAt: 9_000 })
    const store = await changed(
      `UPDATE @inbox SET sum = ${crc32(event)}; UPDATE @breakers SET sum = ${crc32(body)}`,
    )
    expect(await store.inbox('t')).toEqual([{ command: 'answer', event: cancel('enough') }])
    expect(await store.breaker('tool:pay')).toEqual(JSON.parse(body))
    expect(await store.shares(scope)).toEqual([share])
    await store.close()
  })
})

if (system === undefined)
  describe.skip('the store on Postgres 15', () => {
    it('needs /usr/lib/postgresql/15', () => {})
  })
else storeContract('the store on Postgres 15', emptyStores(system))
